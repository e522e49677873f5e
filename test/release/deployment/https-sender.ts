// Sends requests to a proxy with TLS, as an applicant's browser on another address of this machine.

import { Agent, request } from 'undici';
import type { ApiRequest, ApiResponse, HttpSender } from '../../support/applicant.ts';
import type { Edge } from './proxies.ts';
import { waitLimitMs } from '../../support/time-limit.ts';

/** Proxies and BFFs of the tests connect from 127.0.0.1. */
export const clientAddress = '127.0.0.2';

export interface HttpsSender extends HttpSender {
  /** Like `send`, with the body as bytes. */
  fetchBytes(request: ApiRequest): Promise<ApiResponse & { readonly bytes: Buffer }>;
}

/** @param allowH2 false: HTTP/1.1 instead of HTTP/2. */
export function createHttpsSender(
  { url, authority }: Pick<Edge, 'url' | 'authority'>,
  allowH2 = true,
): HttpsSender {
  const agent = new Agent({
    allowH2,
    localAddress: clientAddress,
    connect: { ca: authority, timeout: waitLimitMs },
  });

  async function fetchBytes({ method, path, headers, body }: ApiRequest) {
    const response = await request(`${url}${path}`, {
      method,
      headers,
      body: (body ?? null) as string | null,
      dispatcher: agent,
      headersTimeout: waitLimitMs,
    });
    const received = new Headers();
    for (const [name, values = []] of Object.entries(response.headers)) {
      for (const value of [values].flat()) received.append(name, value);
    }
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: received, text: bytes.toString(), bytes };
  }

  return { fetchBytes, send: fetchBytes, close: () => agent.destroy() };
}
