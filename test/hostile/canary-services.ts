// Simulated services that echo applicant data in their responses: funding service, virus scanner, and challenge provider.

import { createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { createSandbox, type Sandbox } from '../../sandbox/app.ts';
import { canaryApplication } from '../support/canary-applicant.ts';
import { listen, listenRaw, type Listening } from '../support/servers.ts';

/** Changes the funding service's response to the next call whose path ends with `path`. */
export interface Tampering {
  readonly path: string;
  readonly change: (answer: Readonly<Record<string, unknown>>) => object;
}

export interface CanaryServices {
  readonly sandbox: Sandbox;
  readonly tamperings: Tampering[];
  readonly serviceUrl: string;
  /** Accepts tokens that start with `good`, fails for tokens that start with `away`, and refuses all others. */
  readonly verifyUrl: string;
  /** Reports files with `infectedMark` as infected, and drops the connection for files with `unscannedMark`. */
  readonly clamdUrl: string;
  /** Injects a fault through the HTTP interface of the sandbox. */
  injectFault(fault: object): Promise<void>;
  close(): Promise<void>;
}

export const infectedMark = 'canary-infected-6c01';
export const unscannedMark = 'canary-unscanned-6c02';

const applicationJson = JSON.stringify(canaryApplication);
/** The chunk of length 0 that ends an INSTREAM command. */
const lastChunk = Buffer.alloc(4);

export async function startCanaryServices(): Promise<CanaryServices> {
  const sandbox = createSandbox({ offerDelayMs: 0, failureStatus: 'body' });
  const tamperings: Tampering[] = [];
  const service = await listenTo(withTamperings(sandbox, tamperings));
  const provider = await listenTo(createProvider());
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
    serviceUrl: new URL(service.url).origin,
    verifyUrl: provider.url,
    clamdUrl: `tcp://${new URL(scanner.url).host}`,
    async injectFault(fault) {
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

async function listenTo(app: Hono): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch, createServer });
  return listen(server as ReturnType<typeof createServer>);
}
