// What stands behind a BFF, made to repeat whatever an applicant gave: the funding service, a virus scanner, a challenge's provider.

import { createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { createSandbox, type Sandbox } from '../../sandbox/app.ts';
import { canaryApplication } from '../support/canary-applicant.ts';
import { listen, listenRaw, type Listening } from '../support/servers.ts';

/** Changes the service's answer to the next call whose address ends with `path`. */
export interface Tampering {
  readonly path: string;
  readonly change: (answer: Readonly<Record<string, unknown>>) => object;
}

export interface CanaryServices {
  readonly sandbox: Sandbox;
  readonly tamperings: Tampering[];
  readonly serviceUrl: string;
  /** By the token: `good…` is a person, `away…` gets no answer, anything else is refused. */
  readonly verifyUrl: string;
  /** By the content: with `scannerMark` infected, with `awayMark` no answer. */
  readonly clamdUrl: string;
  /** Orders a fault as a person would. */
  order(fault: object): Promise<void>;
  close(): Promise<void>;
}

export const infectedMark = 'canary-infected-6c01';
export const unscannedMark = 'canary-unscanned-6c02';

const typed = JSON.stringify(canaryApplication);
const noMore = Buffer.alloc(4);

export async function startCanaryServices(): Promise<CanaryServices> {
  const sandbox = createSandbox({ offerDelayMs: 0, failureStatus: 'body' });
  const tamperings: Tampering[] = [];
  const service = await listenTo(withTamperings(sandbox, tamperings));
  const provider = await listenTo(createProvider());
  const scanner = await listenRaw((socket) => {
    let content = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      content = Buffer.concat([content, bytes]);
      if (!content.subarray(-noMore.length).equals(noMore)) return;
      if (content.includes(unscannedMark)) socket.destroy();
      else socket.end(`stream: ${content.includes(infectedMark) ? `${typed} FOUND` : 'OK'}\0`);
    });
  });
  return {
    sandbox,
    tamperings,
    serviceUrl: new URL(service.url).origin,
    verifyUrl: provider.url,
    clamdUrl: `tcp://${new URL(scanner.url).host}`,
    async order(fault) {
      const init = { method: 'POST', body: JSON.stringify(fault) };
      const response = await sandbox.app.request('/_sandbox/faults', init);
      if (!response.ok) throw new Error(await response.text());
    },
    async close() {
      for (const server of [service, provider, scanner]) await server.close();
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

function createProvider(): Hono {
  return new Hono().all('*', async (c) => {
    const token = String((await c.req.parseBody())['response']);
    if (token.startsWith('away')) return c.text(typed, 503);
    const success = token.startsWith('good');
    return c.json({
      success,
      hostname: 'localhost',
      'error-codes': success ? [] : ['invalid-input-response', typed],
      metadata: typed,
    });
  });
}

async function listenTo(app: Hono): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch, createServer });
  return listen(server as ReturnType<typeof createServer>);
}
