// `doctor` against a BFF behind a proxy. Tests break the proxy in one place.

import { runCommand } from '../../../bff/cli/run-command.ts';
import type { WidgetFolder } from '../../../bff/config/widget-folder.ts';
import { createUndiciTransport } from '../../../bff/funding-service/transport.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { startBff } from '../../support/bff.ts';

export const publicUrl = 'https://apply.partner.example';
export const samePage = 'https://www.partner.example';
export const otherPage = 'https://shop.example';

type Forward = (request: Request) => Promise<Response>;

/** Answers a request of the doctor, or forwards it to the BFF. */
export type Proxy = (request: Request, forward: Forward) => Response | Promise<Response>;

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
  const sandbox = createSandbox();
  const secrets: string[] = [];

  /** From an address that the BFF trusts. */
  async function forward(request: Request): Promise<Response> {
    request.headers.set('x-forwarded-for', '192.0.2.1');
    const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    const answer = await bff.app.fetch(request, env);
    secrets.push(...listSecrets(answer.headers, await answer.clone().text()));
    return answer;
  }

  async function ask(url: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(url, init);
    const { byteLength } = await request.clone().arrayBuffer();
    if (init.body) request.headers.set('content-length', String(byteLength));
    return rig.proxy(request, forward);
  }

  const askSandbox = async (url: string, init: RequestInit | undefined): Promise<Response> =>
    sandbox.app.request(url, init);
  const rig = {
    proxy: ((request, pass) => pass(request)) as Proxy,
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
      Object.assign(rig.variables, variables);
      Object.assign(rig, initial);
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
          return ask(String(url), init);
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

    close: async (): Promise<void> => void (await bff.close()),
  };
  const initial = { proxy: rig.proxy, failure: rig.failure, service: rig.service };
  return rig;
}

/** The error of a `fetch` without an answer. */
export function createFetchError(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
}

type IsMatch = (request: Request) => boolean;

export const below =
  (path: string): IsMatch =>
  ({ url }) =>
    new URL(url).pathname.startsWith(path);

export const byMethod =
  (...methods: readonly string[]): IsMatch =>
  ({ method }) =>
    methods.includes(method);

/** Answers the matching requests instead of the BFF. */
export const answers =
  (
    isMatch: IsMatch,
    status: number,
    headers: Readonly<Record<string, string>> = { 'content-type': 'text/html' },
    body = '<h1>nginx</h1>',
  ): Proxy =>
  (request, forward) =>
    isMatch(request)
      ? new Response(status === 204 ? null : body, { status, headers })
      : forward(request);

/** Changes the headers of the requests that the BFF receives. */
export const changesRequests =
  (change: (headers: Headers) => void): Proxy =>
  (request, forward) => {
    change(request.headers);
    return forward(request);
  };

/** Changes the headers of the answers to the matching requests. */
export const changesAnswers =
  (isMatch: IsMatch, change: (headers: Headers) => void): Proxy =>
  async (request, forward) => {
    const answer = await forward(request);
    if (isMatch(request)) change(answer.headers);
    return answer;
  };

export const changesCookies = (part: string, other: string): Proxy =>
  changesAnswers(
    () => true,
    (headers) => {
      const lines = headers.getSetCookie();
      headers.delete('set-cookie');
      for (const line of lines) headers.append('set-cookie', line.replace(part, other));
    },
  );

/** Limits sessions to one like the BFF's rate limit does. */
export function limitsSessions(): Proxy {
  let started = 0;
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '43' };
  return answers(
    ({ url, method }) => url.endsWith(apiPaths.session) && method === 'POST' && (started += 1) > 1,
    429,
    headers,
    '{"code":"too-many-requests"}',
  );
}

function listSecrets(headers: Headers, body: string): readonly string[] {
  const cookies = headers.getSetCookie().map((line) => /=([^;]{20,})/.exec(line)?.[1]);
  const token = /"handle":"([^"]+)"/.exec(body)?.[1];
  return [...cookies, token].filter((secret) => secret !== undefined);
}
