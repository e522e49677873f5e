// Two BFF processes whose output is recorded, one with very high limits and one with strict limits, and the services that
// echo applicant data.

import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import project from '../../../package.json' with { type: 'json' };
import { createSandbox, type Sandbox } from '../../../sandbox/app.ts';
import {
  canaryAddress,
  canaryApplication,
  canarySettings,
  canaryUserAgent,
} from '../../support/canaries.ts';
import { createPhone } from '../../support/handoff.ts';
import { startProcess } from '../../support/bff-process.ts';
import { findFreePort } from '../../support/free-port.ts';
import { listenApp, listenRaw } from '../../support/servers.ts';
import { createWidgetFolder, entryName } from '../../support/widget-folder.ts';
import { unlimited } from '../../support/unlimited.ts';
import {
  createBrowser,
  createHttpSender,
  createKey,
  pageOrigin,
  type ApiHeaders,
  type Browser,
  type Send,
} from '../../support/applicant.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { Command } from './canary-preload.ts';

export const challengeSecret = 'canary-challenge-secret-6d01';
export const webhookSecret = `whsec_${Buffer.from('canary of webhooks, of 32 bytes.').toString('base64')}`;
export const maxDocumentBytes = 600_000;
export const maxTotalBytes = 700_000;
export const maxFiles = 3;

export type CanaryEnvironment = Awaited<ReturnType<typeof startCanaryEnvironment>>;

export async function startCanaryEnvironment() {
  const services = await startCanaryServices();
  const answers: CanaryAnswer[] = [];
  const documents = { maxBytes: maxDocumentBytes, maxTotalBytes, maxFiles };
  const openSettings = {
    limits: { ...unlimited, requestsAtOnce: 2 },
    documents: { ...documents, scripts: 'refuse', undoSeconds: 0 },
  };
  const strictSettings = { limits: { sessionsPerMinutePerAddress: 1, minimumFillSeconds: 60 } };
  const [open, strict] = await Promise.all([
    startWatchedBff(services, openSettings, services.variables),
    startWatchedBff(services, strictSettings),
  ]);
  const browse = (bff: WatchedBff = open) => createCanaryBrowser(bff.url, answers);
  const begin = async () => {
    const browser = browse();
    await browser.send('POST', '/v1/session');
    return browser;
  };
  return {
    services,
    /** Has very high limits. */
    open,
    /** Has strict limits. */
    strict,
    /** The responses of all browsers. Callers may add their own. */
    answers,
    /** Returns a browser without a session. */
    browse,
    /** Returns a browser with a session. */
    begin,
    /** Returns a browser with an accepted application. */
    async apply() {
      const browser = await begin();
      const { status, text } = await browser.apply();
      if (status !== 201) throw new Error(`The application was refused: ${status} ${text}`);
      return browser;
    },
    async close() {
      await Promise.all([open.remove(), strict.remove()]);
      await services.close();
    },
  };
}

/** Changes the funding service's response to the next call whose path ends with `path`. */
interface Tampering {
  readonly path: string;
  readonly change: (answer: Readonly<Record<string, unknown>>) => object;
}

type CanaryServices = Awaited<ReturnType<typeof startCanaryServices>>;

export const infectedMark = 'canary-infected-6c01';
export const unscannedMark = 'canary-unscanned-6c02';

const applicationJson = JSON.stringify(canaryApplication);
/** The chunk of length 0 that ends an INSTREAM command. */
const lastChunk = Buffer.alloc(4);

async function startCanaryServices() {
  const sandbox = createSandbox({ offerDelayMs: 0, failureStatus: 'body' });
  const tamperings: Tampering[] = [];
  const service = await listenApp(withTamperings(sandbox, tamperings).fetch);
  const provider = await listenApp(createProvider().fetch);
  const webhooks: string[] = [];
  const receiver = await listenApp(createReceiver(webhooks).fetch);
  const scanner = await listenRaw((socket) => {
    let content = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      content = Buffer.concat([content, bytes]);
      if (!content.subarray(-lastChunk.length).equals(lastChunk)) return;
      if (content.includes(unscannedMark)) socket.destroy();
      else
        socket.end(
          `stream: ${content.includes(infectedMark) ? `${applicationJson} FOUND` : 'OK'}\0`,
        );
    });
  });
  return {
    sandbox,
    tamperings,
    serviceUrl: service.origin,
    /**
     * Of a scanner, which reports files with `infectedMark` and drops the connection for files with `unscannedMark`; of a provider of
     * challenges, which accepts tokens that start with `good` and fails for tokens that start with `away`; and of a receiver of webhooks.
     */
    variables: {
      CLAMD_URL: `tcp://${new URL(scanner.url).host}`,
      CHALLENGE_PROVIDER: 'turnstile',
      CHALLENGE_SITE_KEY: 'site',
      CHALLENGE_SECRET: challengeSecret,
      CHALLENGE_VERIFY_URL: provider.url,
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRETS: webhookSecret,
    },
    /** Headers and body of each webhook. The receiver refuses every seventh event once, with applicant data in its answer. */
    webhooks,
    /** Injects a fault through the HTTP interface of the sandbox. */
    async injectFault(fault: object) {
      const init = { method: 'POST', body: JSON.stringify(fault) };
      const response = await sandbox.app.request('/_sandbox/faults', init);
      if (!response.ok) throw new Error(await response.text());
    },
    async close() {
      for (const server of [service, provider, receiver, scanner]) await server.close();
    },
  };
}

function withTamperings(sandbox: Sandbox, tamperings: Tampering[]): Hono {
  return new Hono().all('*', async (c) => {
    const response = await sandbox.app.fetch(c.req.raw);
    const index = tamperings.findIndex(({ path }) => c.req.path.endsWith(path));
    const [tampering] = index < 0 ? [] : tamperings.splice(index, 1);
    if (!tampering) return response;
    return c.json(tampering.change(await response.json()));
  });
}

function createReceiver(webhooks: string[]): Hono {
  const ids = new Set<string | undefined>();
  return new Hono().all('*', async (c) => {
    webhooks.push(JSON.stringify(c.req.header()) + (await c.req.text()));
    const id = c.req.header('webhook-id');
    const isAgain = ids.has(id);
    ids.add(id);
    if (isAgain || ids.size % 7 !== 1) return c.body(null, 204);
    return c.text(applicationJson, 500, { 'x-given': canaryApplication.owner.ssn });
  });
}

function createProvider(): Hono {
  return new Hono().all('*', async (c) => {
    const token = String((await c.req.parseBody())['response']);
    if (token.startsWith('away')) return c.text(applicationJson, 503);
    const success = token.startsWith('good');
    return c.json({
      success,
      hostname: 'localhost',
      'error-codes': success ? [] : ['invalid-input-response', applicationJson],
      metadata: applicationJson,
    });
  });
}

export type WatchedBff = Awaited<ReturnType<typeof startWatchedBff>>;

/** @param settings in addition to the canary settings. */
export async function startWatchedBff(
  { serviceUrl }: Pick<CanaryServices, 'serviceUrl'>,
  settings: object,
  variables: Readonly<Record<string, string>> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'funding-application-watched-'));
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const settingsFile = join(folder, 'settings.json');
  // Without a widget, the BFF offers no handoff to a phone.
  const widget = createWidgetFolder(`${project.version}-canary`, { [entryName]: 'export {};' });
  await writeFile(settingsFile, JSON.stringify({ ...canarySettings, ...settings }));
  const { child, stdout, stderr, ended, ready } = startProcess({
    program: 'bff/main.ts',
    nodeOptions: ['--import', join(import.meta.dirname, 'canary-preload.ts')],
    hasMessages: true,
    variables: {
      FUNDING_ENVIRONMENT: 'sandbox',
      FUNDING_AUTH_URL: serviceUrl,
      FUNDING_BASE_URL: `${serviceUrl}/rest`,
      FUNDING_SETTINGS: settingsFile,
      DATABASE_URL: `file:${join(folder, 'store', 'store.db')}`,
      ALLOWED_ORIGINS: pageOrigin,
      PUBLIC_URL: url,
      BFF_PORT: String(port),
      WIDGET_FOLDER: widget.directory,
      TRUSTED_PROXIES: '127.0.0.1 ::1',
      ...variables,
    },
  });
  if ((await ready(`${url}/readyz`)) === undefined) {
    throw new Error(`The BFF did not start: ${stderr().toString().slice(0, 2_000)}`);
  }
  return {
    url,
    ended,
    stdout,
    stderr,
    /** Resolves when the process has run the command, or has exited. */
    async run(command: Command) {
      const confirmed = once(child, 'message');
      child.send(command);
      await Promise.race([confirmed, ended]);
    },
    /** Resolves when the process has exited. */
    async signal(name: 'SIGTERM' | 'SIGKILL') {
      child.kill(name);
      await ended;
    },
    /** Reads all files of the store. */
    async readStore() {
      const store = join(folder, 'store');
      const entries = await readdir(store, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
    },
    /** Kills the process and removes its files. */
    async remove() {
      child.kill('SIGKILL');
      await ended;
      widget.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A response, without cookies. */
export interface CanaryAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** JSON of the names and values. */
  readonly headers: string;
  readonly text: string;
  readonly code: string | undefined;
}

/** @param answers Receives every response. */
function createRecorder(url: string, answers: CanaryAnswer[]): Send {
  const sender = createHttpSender([url]);
  return async (request) => {
    const response = await sender.send(request);
    const { status, text } = response;
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
    const code = /"code":"([a-z-]+)","requestId"/.exec(text)?.[1];
    const { method, path } = request;
    answers.push({ method, path, status, headers: JSON.stringify(headers), text, code });
    return response;
  };
}

/** The phone of a handoff, on the page of the BFF. */
export function createCanaryPhone(
  { url }: Pick<WatchedBff, 'url'>,
  answers: CanaryAnswer[],
): Browser {
  return createPhone(url, createRecorder(url, answers));
}

export type CanaryBrowser = ReturnType<typeof createCanaryBrowser>;

export function createCanaryBrowser(url: string, answers: CanaryAnswer[]) {
  const send = createRecorder(url, answers);
  const own = { 'x-forwarded-for': canaryAddress, 'user-agent': canaryUserAgent };
  const browser = createBrowser({ send, headers: own });
  return {
    send: browser.send,
    upload: browser.upload,

    /** Submits an application with a new idempotency key. */
    apply: (application: object = canaryApplication, headers: ApiHeaders = {}) =>
      browser.send('POST', apiPaths.application, JSON.stringify(application), {
        [apiHeaders.idempotencyKey]: createKey(),
        [apiHeaders.challenge]: 'good',
        ...headers,
      }),

    /** Sends the request line and headers. The caller sends the body. */
    begin(method: string, path: string, headers: Readonly<Record<string, string>>) {
      const { hostname, port } = new URL(url);
      // The server may reset the connection.
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
      const all = {
        host: 'localhost',
        origin: pageOrigin,
        'sec-fetch-site': 'same-site',
        [apiHeaders.request]: '1',
        cookie,
        ...own,
        ...headers,
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
      return socket;
    },
  };
}
