// An HTTP client that sends the canary applicant's data to a BFF process and records the responses.

import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { request } from 'undici';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { canaryAddress, canaryApplication, canaryUserAgent } from '../support/canary-applicant.ts';

export interface CanaryAnswer {
  readonly path: string;
  readonly status: number;
  /** JSON of the names and values, without cookies. */
  readonly headers: string;
  readonly text: string;
  readonly code: string | undefined;
}

export type Headers = Readonly<Record<string, string | undefined>>;

export interface CanaryBrowser {
  send(method: string, path: string, body?: Body, headers?: Headers): Promise<CanaryAnswer>;
  /** Submits an application with a new idempotency key. */
  apply(application?: object, headers?: Headers): Promise<CanaryAnswer>;
  upload(name: string, content: Uint8Array, headers?: Headers): Promise<CanaryAnswer>;
  /** Sends the request line and headers. The caller sends the body. */
  begin(method: string, path: string, headers: Headers): Socket;
}

type Body = string | Uint8Array | AsyncIterable<Uint8Array>;

export const canaryOrigin = 'http://localhost:8080';

/** @param answers Receives every response. */
export function createCanaryBrowser(url: string, answers: CanaryAnswer[]): CanaryBrowser {
  let cookie: string | undefined;

  function toHeaders(headers: Headers): Record<string, string> {
    const all = {
      origin: canaryOrigin,
      'sec-fetch-site': 'same-site',
      'x-forwarded-for': canaryAddress,
      'user-agent': canaryUserAgent,
      [apiHeaders.request]: '1',
      cookie,
      ...headers,
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  const browser: CanaryBrowser = {
    async send(method, path, body, headers = {}) {
      const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
      const response = await request(url + path, {
        method: method as 'GET',
        headers: toHeaders({ ...type, ...headers }),
        body: (body ?? null) as string | null,
      });
      const text = await response.body.text();
      const set = [response.headers['set-cookie'] ?? []].flat()[0];
      if (set !== undefined) cookie = set.split(';', 1)[0];
      const { 'set-cookie': _own, ...others } = response.headers;
      const answer = {
        path,
        status: response.statusCode,
        headers: JSON.stringify(others),
        text,
        code: findCode(text),
      };
      answers.push(answer);
      return answer;
    },

    apply: (application = canaryApplication, headers = {}) =>
      browser.send('POST', apiPaths.application, JSON.stringify(application), {
        [apiHeaders.idempotencyKey]: randomUUID(),
        [apiHeaders.challenge]: 'good',
        ...headers,
      }),

    upload: (name, content, headers = {}) =>
      browser.send('POST', apiPaths.documents, content, { ...toUploadHeaders(name), ...headers }),

    begin(method, path, headers) {
      const { hostname, port } = new URL(url);
      // The server may reset the connection.
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      const lines = Object.entries({ host: 'localhost', ...toHeaders(headers) });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n`);
      return socket;
    },
  };
  return browser;
}

export function toUploadHeaders(name: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/octet-stream',
    [apiHeaders.documentName]: encodeURIComponent(name),
    [apiHeaders.documentCategory]: 'bank-statements-jan',
  };
}

function findCode(text: string): string | undefined {
  return /"code":"([a-z-]+)","requestId"/.exec(text)?.[1];
}
