// An applicant's browser as the BFF sees it: it keeps cookies and sends requests to /v1 with the headers of the element, to an
// app in this process or over HTTP.

import { randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { Agent, request } from 'undici';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createApplication } from './applications.ts';
import { waitLimitMs } from './time-limit.ts';

export const pageOrigin = 'http://localhost:8080';
export const firstKey = '0199c0de-0000-4000-8000-000000000001';
export const secondKey = '0199c0de-0000-4000-8000-000000000002';

export type ApiBody = BodyInit | Uint8Array | AsyncIterable<Uint8Array>;
/** `undefined` removes a header that the browser would send. */
export type ApiHeaders = Readonly<Record<string, string | undefined>>;

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ApiBody | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends in memory or over the network. Rejects when there is no response. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

export interface Answer extends ApiResponse {
  /** The body as JSON; `undefined` when it is empty or not JSON. */
  readonly json: any; // eslint-disable-line typescript/no-explicit-any
}

export interface Browser {
  readonly cookies: Map<string, string>;
  send(method: string, path: string, body?: ApiBody, headers?: ApiHeaders): Promise<Answer>;
  /** Starts a session if there is none, and submits an application. */
  apply(application?: object, key?: string, headers?: ApiHeaders): Promise<Answer>;
  upload(content: Uint8Array, name?: string, headers?: ApiHeaders): Promise<Answer>;
}

export interface BrowserOptions {
  readonly send: Send;
  /** Origin of the host page. Default: `pageOrigin`. */
  readonly origin?: string;
  /** Added to every request. */
  readonly headers?: ApiHeaders;
}

export function createBrowser(options: BrowserOptions): Browser {
  const cookies = new Map<string, string>();

  const browser: Browser = {
    cookies,

    async send(method, path, body, headers = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const all = {
        origin: options.origin ?? pageOrigin,
        'sec-fetch-site': 'same-site',
        'sec-fetch-mode': 'cors',
        [apiHeaders.request]: '1',
        ...(typeof body === 'string' ? toJsonHeaders(body) : {}),
        ...(cookie ? { cookie } : {}),
        ...options.headers,
        ...headers,
      };
      const present = Object.entries(all).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      const response = await options.send({
        method,
        path,
        headers: Object.fromEntries(present),
        body,
      });
      keepCookies(response.headers, cookies);
      return { ...response, json: toJson(response.text) };
    },

    async apply(application = createApplication(), key = firstKey, headers = {}) {
      if (cookies.size === 0) await browser.send('POST', apiPaths.session);
      return browser.send('POST', apiPaths.application, JSON.stringify(application), {
        [apiHeaders.idempotencyKey]: key,
        ...headers,
      });
    },

    upload: (content, name = 'statement.pdf', headers = {}) =>
      browser.send('POST', apiPaths.documents, content, {
        ...toUploadHeaders(name, content.byteLength),
        ...headers,
      }),
  };
  return browser;
}

export function toUploadHeaders(name: string, bytes?: number): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/octet-stream',
    ...(bytes === undefined ? {} : { 'content-length': String(bytes) }),
    [apiHeaders.documentName]: encodeURIComponent(name),
    [apiHeaders.documentCategory]: 'bank-statements-jan',
  };
}

/** A random key is enough when each business has its own name, so that no two applicants share a key. */
export function createKey(): string {
  return randomUUID();
}

/** Sends to an app in this process. @param remoteAddress client address. Default: unknown, as without a server. */
export function createAppSender(app: Hono<BffEnv>, remoteAddress?: string): Send {
  // The client address is read from this part of the server's bindings.
  const bindings = { incoming: { socket: { remoteAddress } } };
  return async ({ method, path, headers, body }) => {
    const init = {
      method,
      headers,
      // In memory, all bodies are of the types that `Request` accepts.
      ...(body === undefined ? {} : { body: body as BodyInit }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    };
    const response = await app.request(path, init, bindings);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

export type HttpSender = ReturnType<typeof createHttpSender>;

/**
 * Sends over real connections to one BFF, or to several in turn. Idle connections close after 4 s.
 *
 * @param bffUrls base URLs of the BFFs.
 * @param timeoutMs timeout of a response.
 */
export function createHttpSender(bffUrls: readonly string[], timeoutMs: number = waitLimitMs) {
  const agent = new Agent({ keepAliveTimeout: 4_000, connect: { timeout: waitLimitMs } });
  let count = 0;

  return {
    async send({ method, path, headers, body }: ApiRequest): Promise<ApiResponse> {
      count += 1;
      const response = await request(`${bffUrls[count % bffUrls.length]}${path}`, {
        method,
        headers,
        // undici accepts all of these types; its own type lacks some of them.
        body: (body ?? null) as string | null,
        dispatcher: agent,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      return {
        status: response.statusCode,
        headers: toHeaders(response.headers),
        text: await response.body.text(),
      };
    },
    close: () => agent.destroy(),
  };
}

function toHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(raw)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}

function keepCookies(headers: Headers, cookies: Map<string, string>): void {
  for (const line of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

function toJsonHeaders(body: string) {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
}

function toJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
