// `doctor` against a BFF that listens behind a proxy. Tests break the proxy in one place.

import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { runCommand } from '../../../bff/cli/run-command.ts';
import type { WidgetFolder } from '../../../bff/config/widget-folder.ts';
import { createUndiciTransport } from '../../../bff/funding-service/transport.ts';
import { serve } from '../../../bff/server.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { listen } from '../../support/servers.ts';
import { startBff } from '../../support/bff.ts';

export const publicUrl = 'https://apply.partner.example';
export const samePage = 'https://www.partner.example';
export const otherPage = 'https://shop.example';

export interface PlainAnswer {
  status: number;
  headers: Headers;
  body: string | Buffer;
}

/** Faults of the proxy. Each function is called for every request. */
export interface ProxyFaults {
  /** Answers instead of the BFF, before the request body is read. */
  answerInstead?: (asked: IncomingMessage) => PlainAnswer | undefined;
  /** Changes the request headers that the BFF receives. */
  changeRequest?: (headers: Record<string, string | string[] | undefined>) => void;
  /** Changes the answer that the browser receives. */
  changeAnswer?: (answer: PlainAnswer, asked: IncomingMessage) => void;
}

export interface Check {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly fix?: string;
  readonly origin?: string;
}

export type DoctorRig = Awaited<ReturnType<typeof createDoctorRig>>;

export interface DoctorRigOptions {
  /** Changes the environment of the BFF, not of the doctor. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Default: an element without files, so that the BFF has no pages. */
  readonly widget?: WidgetFolder;
}

export async function createDoctorRig(options: DoctorRigOptions = {}) {
  const variables = {
    FUNDING_ENVIRONMENT: 'sandbox',
    PUBLIC_URL: publicUrl,
    ALLOWED_ORIGINS: samePage,
    CROSS_SITE_ORIGINS: otherPage,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const bff = await startBff({
    delivers: false,
    ...(options.widget ? { widget: options.widget } : {}),
    variables: { ...variables, ...options.variables },
    settings: { documents: { maxBytes: 256 * 1024 } },
  });
  const serving = await serve({ bff, port: 0, drainMs: 0 });
  const sandbox = createSandbox();
  const secrets: string[] = [];
  const proxy = await listen(createServer((asked, response) => void pass(asked, response)));
  const proxyUrl = new URL(proxy.url).origin;

  async function pass(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const { faults } = rig;
    const instead = faults.answerInstead?.(asked);
    if (instead) {
      send(response, instead);
      return;
    }
    const headers = { ...asked.headers, 'x-forwarded-for': '192.0.2.1', connection: 'close' };
    faults.changeRequest?.(headers);
    const answer = await forward(serving.port, asked, headers);
    secrets.push(...listSecrets(answer));
    faults.changeAnswer?.(answer, asked);
    send(response, answer);
  }

  const askSandbox = async (url: string, init: RequestInit | undefined): Promise<Response> =>
    sandbox.app.request(url, init);
  const rig = {
    faults: {} as ProxyFaults,
    /** The doctor's environment; changed by tests. */
    variables: { ...variables } as Record<string, string | undefined>,
    /** While it is set, requests to the BFF fail with this code. */
    failure: undefined as string | undefined,
    /** Answers the requests to the funding service. By default, the sandbox. */
    service: askSandbox,
    /** Values of session cookies and session tokens. */
    secrets,

    /** Takes back all faults and changes of variables. */
    reset(): void {
      for (const name of Object.keys(rig.variables)) delete rig.variables[name];
      Object.assign(rig, { faults: {}, failure: undefined, service: askSandbox });
      Object.assign(rig.variables, variables);
    },

    async run(...argv: string[]) {
      let out = '';
      let err = '';
      const code = await runCommand(['doctor', ...argv], {
        variables: rig.variables,
        readFile: () => '',
        clock: Date.now,
        print: (text) => (out += text),
        printError: (text) => (err += text),
        openStore: () => Promise.reject(new Error('doctor opens no store')),
        // Only for `--webhook`: doctor does not call the funding service.
        createTransport: createUndiciTransport,
        async fetch(url, init) {
          if (!String(url).startsWith(rig.variables['PUBLIC_URL'] ?? '')) {
            return rig.service(String(url), init);
          }
          if (rig.failure !== undefined) throw createFetchError(rig.failure);
          return fetch(String(url).replace(publicUrl, proxyUrl), init);
        },
      });
      if (secrets.some((secret) => (out + err).includes(secret))) {
        throw new Error('The output contains a secret');
      }
      const checks: readonly Check[] = out.startsWith('{') ? JSON.parse(out).checks : [];
      /** Names of the failed checks. */
      const failed = checks.filter(({ result }) => result === 'failed').map(({ check }) => check);
      return { code, out, err, checks, failed };
    },

    async close(): Promise<void> {
      await proxy.close();
      await serving.stop();
    },
  };
  return rig;
}

/** The error of a `fetch` without an answer. */
export function createFetchError(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
}

export function toAnswer(
  status: number,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/html' },
  body = '<h1>nginx</h1>',
): PlainAnswer {
  return { status, headers: new Headers(headers), body: status === 204 ? '' : body };
}

type IsMatch = (asked: { readonly method?: string; readonly url?: string }) => boolean;

export const below =
  (path: string): IsMatch =>
  ({ url }) =>
    url!.startsWith(path);

export const byMethod =
  (...methods: readonly string[]): IsMatch =>
  ({ method }) =>
    methods.includes(method!);

export function answers(isMatch: IsMatch, answer: PlainAnswer): ProxyFaults {
  return { answerInstead: (asked) => (isMatch(asked) ? answer : undefined) };
}

/** Answers 413 as soon as a request announces a longer body. */
export function refusesBodies(maxBytes: number): ProxyFaults {
  return {
    answerInstead: ({ headers }) =>
      Number(headers['content-length'] ?? 0) > maxBytes ? toAnswer(413) : undefined,
  };
}

export function refusesHeaders(maxLength: number): ProxyFaults {
  return {
    answerInstead: ({ rawHeaders }) =>
      rawHeaders.join('').length > maxLength ? toAnswer(431) : undefined,
  };
}

export function setsRequestHeaders(headers: Readonly<Record<string, string>>): ProxyFaults {
  return { changeRequest: (asked) => void Object.assign(asked, headers) };
}

export function stripsRequestHeader(name: string): ProxyFaults {
  return { changeRequest: (asked) => void delete asked[name] };
}

export function setsAnswerHeader(isMatch: IsMatch, name: string, value: string): ProxyFaults {
  return {
    changeAnswer({ headers }, asked) {
      if (isMatch(asked)) headers.set(name, value);
    },
  };
}

export function addsAnswerHeader(isMatch: IsMatch, name: string, value: string): ProxyFaults {
  return {
    changeAnswer({ headers }, asked) {
      if (isMatch(asked)) headers.append(name, value);
    },
  };
}

export function changesCookies(part: string, other: string): ProxyFaults {
  return {
    changeAnswer({ headers }) {
      const lines = headers.getSetCookie();
      headers.delete('set-cookie');
      for (const line of lines) headers.append('set-cookie', line.replace(part, other));
    },
  };
}

export const stripsCookies: ProxyFaults = {
  changeAnswer: ({ headers }) => headers.delete('set-cookie'),
};

/** Limits sessions like the BFF's rate limit does. */
export function limitsSessions(count: number): ProxyFaults {
  let started = 0;
  return {
    answerInstead({ url, method }) {
      if (url !== apiPaths.session || method !== 'POST') return undefined;
      started += 1;
      return started > count ? limited : undefined;
    },
  };
}

const limited = toAnswer(
  429,
  { 'content-type': 'application/problem+json', 'retry-after': '43' },
  '{"code":"too-many-requests"}',
);

/** Reads the whole body, then the whole answer, like a proxy that buffers. */
async function forward(
  port: number,
  asked: IncomingMessage,
  headers: Record<string, string | string[] | undefined>,
): Promise<PlainAnswer> {
  const body = await readBody(asked);
  const { method, url: path } = asked;
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers }, (incoming) => {
      const answered = new Headers();
      for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
        answered.append(incoming.rawHeaders[index]!, incoming.rawHeaders[index + 1]!);
      }
      readBody(incoming).then(
        (content) => resolve({ status: incoming.statusCode!, headers: answered, body: content }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function send(response: ServerResponse, { status, headers, body }: PlainAnswer): void {
  for (const [name, value] of headers) {
    if (!['connection', 'content-length', 'transfer-encoding'].includes(name)) {
      response.appendHeader(name, value);
    }
  }
  response.writeHead(status).end(body);
}

function listSecrets({ headers, body }: PlainAnswer): readonly string[] {
  const cookies = headers.getSetCookie().map((line) => /=([^;]{20,})/.exec(line)?.[1]);
  const token = /"handle":"([^"]+)"/.exec(body.toString())?.[1];
  return [...cookies, token].filter((secret) => secret !== undefined);
}
