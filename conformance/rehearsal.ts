// A run against the sandbox in memory, with the partner's own URLs and ids in the requests. It shows what a real run would send to a
// service that does what its specification says.

import { createSandbox } from '../sandbox/app.ts';
import { sandboxCredentials } from '../sandbox/authentication.ts';
import type { ServiceConfig } from '../bff/config/config.ts';
import type {
  Transport,
  TransportBody,
  TransportRequest,
} from '../bff/funding-service/transport.ts';
import type { Operation } from '../shared/funding-service/operations.ts';
import { type Report, runProbes, type RunOptions } from './run.ts';

export interface Rehearsal {
  readonly report: Report;
  readonly requests: readonly {
    readonly operation: Operation;
    readonly request: TransportRequest;
  }[];
}

export async function rehearse(
  options: Pick<RunOptions, 'environment' | 'service' | 'settings' | 'limits' | 'skipped'>,
): Promise<Rehearsal> {
  const { service, settings } = options;
  const { app, context } = createSandbox({
    aggregatorName: settings.aggregatorName,
    offerDelayMs: 0,
  });
  const requests: Rehearsal['requests'][number][] = [];
  const transport: Transport = async (request) => {
    const { url, headers, body } = translate(request, service);
    const content = body === undefined ? null : await readBody(body);
    const response = await app.request(url, { method: 'POST', headers, body: content });
    return {
      kind: 'response',
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  };
  const report = await runProbes({
    ...options,
    transport,
    clock: () => context.clock.now(),
    sleep: async (ms) => context.clock.advance(ms),
    onCall: (operation, request) => requests.push({ operation, request }),
  });
  return { report, requests };
}

async function readBody(body: TransportBody): Promise<string> {
  if (typeof body === 'string') return body;
  const chunks: Buffer[] = [];
  // The memory of a chunk may be used again when the next one is requested.
  for await (const chunk of body.open()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** The sandbox has its own credentials and addresses. */
function translate(request: TransportRequest, service: ServiceConfig): TransportRequest {
  const isLogin = request.url.startsWith(`${service.authUrl}/services/`);
  const url = isLogin
    ? request.url.replace(service.authUrl, 'http://sandbox')
    : request.url.replace(service.baseUrl, 'http://sandbox/rest');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      name === 'PartnerId' && value === service.partnerId
        ? sandboxCredentials.partnerId
        : name === 'PartnerName' && value === service.partnerName
          ? sandboxCredentials.partnerName
          : value,
    ]),
  );
  if (!isLogin || typeof request.body !== 'string') return { ...request, url, headers };
  const form = new URLSearchParams(request.body);
  const own: readonly (readonly [string, string, string])[] = [
    ['client_id', service.clientId, sandboxCredentials.clientId],
    ['client_secret', service.clientSecret, sandboxCredentials.clientSecret],
    ['username', service.username, sandboxCredentials.username],
    ['password', service.password, sandboxCredentials.password],
  ];
  for (const [name, value, replacement] of own) {
    if (form.get(name) === value) form.set(name, replacement);
  }
  return { ...request, url, headers, body: form.toString() };
}
