// Runs the command against the sandbox in memory, or against a service that differs from it on purpose.

import { type ConformanceIo, runConformance } from '../../conformance/command.ts';
import type { Report } from '../../conformance/run.ts';
import type { Row } from '../../conformance/probe.ts';
import type { Transport } from '../../bff/funding-service/transport.ts';
import { createSandbox, type Sandbox } from '../../sandbox/app.ts';
import { sandboxCredentials } from '../../sandbox/authentication.ts';
import type { SandboxOptions } from '../../sandbox/state.ts';
import { createFetchTransport } from '../support/fetch-transport.ts';
import { testNow } from '../support/manual-time.ts';

/** Answers a request, or alters the sandbox's answer. The path has no base: `/creditapp`. */
export type Variant = (
  request: SeenRequest,
  next: (body?: string) => Promise<Response>,
) => Promise<Response>;

export interface SeenRequest {
  /** Of the base URL. The sandbox returns it as instance_url. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Every value is a canary: none may appear in the output or the report. */
export const stagingSecrets = {
  FUNDING_CLIENT_ID: '3MVG9.quokka"client&id',
  FUNDING_CLIENT_SECRET: 'numbat/secret+9f31==',
  FUNDING_USERNAME: 'bilby.api@partner.example',
  FUNDING_PASSWORD: 'p%ssword & potoroo <7>',
} as const;

export const stagingVariables = {
  ...stagingSecrets,
  FUNDING_PARTNER_ID: 'P-7731',
  FUNDING_PARTNER_NAME: 'Millstone Supply',
  FUNDING_AUTH_URL: 'https://login.staging.funding.example',
  FUNDING_BASE_URL: 'https://api.staging.funding.example/services/rest',
} as const;

export interface RigOptions {
  readonly args?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Content of the file of FUNDING_SETTINGS. Default: small documents, because most tests are not about their size. */
  readonly settings?: object;
  readonly sandbox?: SandboxOptions;
  readonly variant?: Variant;
  /** Replaces the transport. */
  readonly transport?: Transport;
  /** The answer to the question for confirmation. */
  readonly answer?: string;
  /** Files of an earlier run. */
  readonly files?: Map<string, string>;
  /** The service of an earlier run. Default: a new one. */
  readonly service?: Sandbox;
  /** True from this call on. */
  readonly interruptAfter?: number;
}

export type Rig = Awaited<ReturnType<typeof runRig>>;

export async function runRig({
  args = ['--environment', 'sandbox', '--delay-ms', '0'],
  variables = {},
  settings = { documents: { maxBytes: 100_000 } },
  sandbox: sandboxOptions = {},
  variant,
  answer,
  files = new Map(),
  interruptAfter = Infinity,
  transport,
  service,
}: RigOptions = {}) {
  const sandbox =
    service ?? createSandbox({ now: () => testNow, offerDelayMs: 0, ...sandboxOptions });
  const out: string[] = [];
  const err: string[] = [];
  /** Milliseconds that the run waited, in order. */
  const waits: number[] = [];
  const requests: SeenRequest[] = [];
  const serve = createVariant(sandbox, variant);
  const io: ConformanceIo = {
    variables: { ...variables, FUNDING_SETTINGS: 'settings.json' },
    readFile(path) {
      const text = path === 'settings.json' ? JSON.stringify(settings) : files.get(path);
      if (text === undefined) throw new Error('No such file');
      return text;
    },
    print: (text) => out.push(text),
    printError: (text) => err.push(text),
    ask: async (question) => {
      out.push(question);
      return answer;
    },
    clock: () => sandbox.context.clock.now(),
    sleep: async (ms) => {
      waits.push(ms);
      sandbox.context.clock.advance(ms);
    },
    createTransport: () =>
      transport ??
      createFetchTransport(async (url, init) => {
        const body = Buffer.from((init.body as string | undefined) ?? '').toString();
        const path = new URL(url).pathname.replace(/^.*\/rest(?=\/)/, '');
        const headers = init.headers as Record<string, string>;
        const origin = new URL(variables['FUNDING_BASE_URL'] ?? url).origin;
        const request = { origin, path, headers, body };
        requests.push(request);
        return serve(request);
      }),
    writeFile: (path, text) => files.set(path, text),
    isInterrupted: () => requests.length >= interruptAfter,
  };
  const code = await runConformance(args, io);
  const json = [...files].find(([path]) => path.endsWith('.json'))?.[1] ?? '{}';
  const report = JSON.parse(json) as Report;
  return {
    code,
    out: out.join('\n'),
    err: err.join('\n'),
    files,
    report,
    requests,
    sandbox,
    waits,
    row(id: string): Row {
      const row = report.rows.find((candidate) => candidate.id === id);
      if (!row) throw new Error(`The report has no row ${id}`);
      return row;
    },
  };
}

/** The sandbox behind a variant. Accepts the staging credentials as well. */
export function createVariant(
  sandbox: Sandbox,
  variant: Variant = async (_request, next) => next(),
): (request: SeenRequest) => Promise<Response> {
  return async (request) => {
    const isLogin = request.path.startsWith('/services/oauth2');
    return variant(request, async (body = request.body) =>
      sandbox.app.request(`${request.origin}${isLogin ? '' : '/rest'}${request.path}`, {
        method: 'POST',
        headers: toSandboxHeaders(request.headers),
        body: isLogin ? toSandboxForm(body) : body === '' ? null : body,
      }),
    );
  };
}

function toSandboxHeaders(headers: SeenRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === stagingVariables.FUNDING_PARTNER_ID
        ? sandboxCredentials.partnerId
        : value === stagingVariables.FUNDING_PARTNER_NAME
          ? sandboxCredentials.partnerName
          : value,
    ]),
  );
}

function toSandboxForm(body: string): string {
  const form = new URLSearchParams(body);
  const own: Readonly<Record<string, string>> = {
    [stagingSecrets.FUNDING_CLIENT_ID]: sandboxCredentials.clientId,
    [stagingSecrets.FUNDING_CLIENT_SECRET]: sandboxCredentials.clientSecret,
    [stagingSecrets.FUNDING_USERNAME]: sandboxCredentials.username,
    [stagingSecrets.FUNDING_PASSWORD]: sandboxCredentials.password,
  };
  const entries = Array.from(form, ([name, value]) => [name, own[value] ?? value]);
  return new URLSearchParams(entries).toString();
}

/** Changes the message of failures. `change` returns undefined to keep the answer. */
export function withTexts(
  change: (text: string, request: SeenRequest) => string | undefined,
): Variant {
  return async (request, next) => {
    const response = await next();
    const text = await response.text();
    const name = ['ResponseText', 'ResponseMessage', 'message'].find((key) =>
      text.includes(`"${key}"`),
    );
    if (name === undefined) return new Response(text, response);
    const body = JSON.parse(text) as Record<string, unknown>;
    if (body['IsSuccessful'] === true || body['success'] === true) {
      return new Response(text, response);
    }
    const changed = change(String(body[name]), request);
    if (changed === undefined) return new Response(text, response);
    return Response.json({ ...body, [name]: changed }, { status: response.status });
  };
}
