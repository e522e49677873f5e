// A BFF that listens, a proxy before it that tests break in one place, a partner's page, and the doctor that looks at them.

import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createVisit, type Visit } from '../../../../bff/cli/doctor/visit.ts';
import { runCommand } from '../../../../bff/cli/run-command.ts';
import { serve } from '../../../../bff/server.ts';
import { indexWidget } from '../../../../bff/config/widget-folder.ts';
import { listen } from '../../../support/servers.ts';
import {
  createWidgetFolder,
  entryName as entry,
  toIntegrity,
} from '../../../support/widget-folder.ts';
import { createRig } from '../../bff-rig.ts';

export const publicUrl = 'https://apply.partner.example';
export const samePage = 'https://www.partner.example';
export const otherPage = 'https://shop.example';

/** What a server answers; `headers` are changed in place. */
export interface PlainAnswer {
  status: number;
  headers: Headers;
  body: string | Buffer;
}

/** What is broken at the proxy; each of it is called for every request. */
export interface ProxyFaults {
  /** Takes the BFF's place, before the body of the request is read. */
  answerInstead?: (asked: IncomingMessage) => PlainAnswer | undefined;
  /** Changes what the BFF gets. */
  changeRequest?: (headers: Record<string, string | string[] | undefined>) => void;
  /** Changes what the browser gets. */
  changeAnswer?: (answer: PlainAnswer, asked: IncomingMessage) => void;
}

export interface Check {
  readonly check: string;
  readonly result: 'ok' | 'wrong' | 'hint';
  readonly message: string;
  readonly mend?: string;
  readonly origin?: string;
}

export interface DoctorRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly checks: readonly Check[];
  /** Names of the checks that found something wrong. */
  readonly wrong: readonly string[];
}

export interface DoctorRig {
  faults: ProxyFaults;
  /** The doctor's environment; changed by tests. */
  readonly variables: Record<string, string | undefined>;
  /** Epoch milliseconds. */
  now: number;
  certificateEndsAt: number;
  /** Takes the place of the network for the BFF's address while it is set. */
  lost: string | undefined;
  /** The page that `--page` finds at any address that is not the BFF's. */
  page: PlainAnswer;
  /** Milliseconds of each wait of the doctor, which are over at once. */
  readonly waits: readonly number[];
  /** Values that sessions were opened with. */
  readonly secrets: readonly string[];
  readonly integrity: string;
  run(...argv: string[]): Promise<DoctorRun>;
  close(): Promise<void>;
}

export interface DoctorRigOptions {
  /** Of the BFF; by default as the doctor's. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

const dayMs = 24 * 60 * 60_000;
/** Of the widget that the rig serves. */
const files = {
  [entry]: 'export const entry = 1;',
  'chunks/later-abc.js': 'export const later = 1;',
};

export async function createDoctorRig(options: DoctorRigOptions = {}): Promise<DoctorRig> {
  const widget = createWidgetFolder('1.2.3', files);
  const variables = {
    FUNDING_ENVIRONMENT: 'sandbox',
    PUBLIC_URL: publicUrl,
    ALLOWED_ORIGINS: samePage,
    CROSS_SITE_ORIGINS: otherPage,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const bff = await createRig({
    delivers: false,
    widget: indexWidget(widget.directory, '1.2.3'),
    variables: { ...variables, ...options.variables },
    settings: { documents: { maxBytes: 256 * 1024 }, ...options.settings },
  });
  const serving = await serve({ bff, port: 0, drainMs: 0 });
  const secrets: string[] = [];
  const waits: number[] = [];
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

  const visit: Visit = async (asked) => {
    if (!asked.url.startsWith(publicUrl)) return toArrived(rig.page);
    if (rig.lost !== undefined) return { kind: 'lost', code: rig.lost };
    const answer = await createVisit()({ ...asked, url: asked.url.replace(publicUrl, proxyUrl) });
    return answer.kind === 'lost'
      ? answer
      : { ...answer, certificateEndsAt: rig.certificateEndsAt };
  };

  const rig: DoctorRig = {
    faults: {},
    variables,
    now: Date.now(),
    certificateEndsAt: Date.now() + 60 * dayMs,
    lost: undefined,
    page: toPage(`<script type="module" src="${publicUrl}/widget/${entry}"></script>`),
    waits,
    secrets,
    integrity: toIntegrity(files[entry]!),

    async run(...argv) {
      let out = '';
      let err = '';
      const code = await runCommand(['doctor', ...argv], {
        variables: rig.variables,
        readFile: () => '',
        builtWidget: '',
        importModule: () => Promise.reject(new Error('No module is named')),
        clock: () => rig.now,
        startTimer: (ms, end) => {
          waits.push(ms);
          setImmediate(end);
          return () => undefined;
        },
        print: (text) => (out += text),
        printError: (text) => (err += text),
        visit,
        openStore: () => Promise.reject(new Error('The doctor opens no store')),
        createTransport: () => {
          throw new Error('The doctor does not call the funding service');
        },
      });
      if (secrets.some((secret) => (out + err).includes(secret))) {
        throw new Error('It has printed what opens a session');
      }
      const checks: readonly Check[] = out.startsWith('{') ? JSON.parse(out).checks : [];
      const wrong = checks.filter(({ result }) => result === 'wrong').map(({ check }) => check);
      return { code, out, err, checks, wrong };
    },

    async close() {
      await proxy.close();
      await serving.stop();
      widget.remove();
    },
  };
  return rig;
}

/** A page of the partner, with the element behind `head`. */
export function toPage(head: string, policy?: string): PlainAnswer {
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' });
  if (policy !== undefined) headers.set('content-security-policy', policy);
  return {
    status: 200,
    headers,
    body: `<!doctype html><head>${head}</head><funding-application>Call us.</funding-application>`,
  };
}

export function toAnswer(
  status: number,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/html' },
  body = '<h1>nginx</h1>',
): PlainAnswer {
  return { status, headers: new Headers(headers), body };
}

/** As a proxy that buffers: the whole body, then the whole answer. */
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

function toArrived({ status, headers, body }: PlainAnswer): Awaited<ReturnType<Visit>> {
  const rest = { bytes: Buffer.from(body), certificateEndsAt: undefined };
  return { kind: 'arrived', status, headers, ...rest };
}

function listSecrets({ headers, body }: PlainAnswer): readonly string[] {
  const cookies = headers.getSetCookie().map((line) => /=([^;]{20,})/.exec(line)?.[1]);
  const handle = /"handle":"([^"]+)"/.exec(body.toString())?.[1];
  return [...cookies, handle].filter((secret) => secret !== undefined);
}
