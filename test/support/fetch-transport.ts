// A transport over a `fetch`-like function, so that tests call an app in the same process without a port.

import type { Transport, TransportBody } from '../../bff/funding-service/transport.ts';
import { collectChunks } from './collect-chunks.ts';

export type FetchLike = (url: string, init: RequestInit) => Response | Promise<Response>;

/** For example `createFetchTransport((url, init) => app.request(url, init))`. An exception of `fetchLike` counts as interrupted. */
export function createFetchTransport(fetchLike: FetchLike): Transport {
  return async ({ url, headers, body }) => {
    const content = await collect(body);
    let response: Response;
    try {
      response = await fetchLike(url, {
        method: 'POST',
        headers,
        redirect: 'manual',
        ...(content === undefined ? {} : { body: content }),
      });
    } catch {
      return { kind: 'interrupted', failure: 'FETCH_FAILED' };
    }
    return {
      kind: 'response',
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  };
}

/** Reads a streamed body and checks its announced length, as a server does. */
async function collect(
  body: TransportBody | undefined,
): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
  if (body === undefined || typeof body === 'string') return body;
  const whole = new Uint8Array(await collectChunks(body.open()));
  if (whole.byteLength !== body.bytes)
    throw new RangeError('The body length differs from Content-Length');
  return whole;
}
