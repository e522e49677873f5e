// Request bodies over a real port: disconnects, stalls, and responses before the end of the body.

import { Agent, request, type ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { createAdaptorServer } from '@hono/node-server';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Store } from '../../../bff/store/store.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { firstKey, pageOrigin, toUploadHeaders } from '../../support/applicant.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { acceptingInspections } from '../../support/inspections.ts';
import { createManualTime, until } from '../../support/manual-time.ts';
import { listen } from '../../support/servers.ts';
import { openBff, startSession } from '../open-bff.ts';

const start = Buffer.from('%PDF-1.7\n');
const pdf = createTextPdf('a');

/** A BFF on a port, with a session. */
async function open() {
  const time = createManualTime();
  const store = await openStore('file::memory:', { clock: time.clock });
  /** `storedChunks` counts, and `beforeInspection` runs before each inspection. */
  const hooks = { storedChunks: 0, beforeInspection: async (): Promise<void> => undefined };
  const addChunk: Store['addChunk'] = async (...chunk) => {
    const isKept = await store.addChunk(...chunk);
    hooks.storedChunks += 1;
    return isKept;
  };
  const bff = await openBff({
    time,
    store: { ...store, addChunk },
    inspections: {
      ...acceptingInspections,
      inspect: async (document) => {
        await hooks.beforeInspection();
        return acceptingInspections.inspect(document);
      },
    },
    settings: { documents: { maxBytes: 5_000_000, maxFiles: 1 } },
  });
  const server = createAdaptorServer({ fetch: bff.app.fetch });
  const { port, close } = await listen(server);
  onTestFinished(close);
  await startSession(bff.browser);

  function send(path: string, headers: Readonly<Record<string, string>>, agent?: Agent) {
    const cookie = [...bff.browser.cookies].map((pair) => pair.join('=')).join('; ');
    const sent = request({
      host: '127.0.0.1',
      port,
      agent,
      method: 'POST',
      path,
      headers: { origin: pageOrigin, cookie, [apiHeaders.request]: '1', ...headers },
    });
    // The test aborts the connection, so the error of the client does not matter.
    return sent.on('error', () => undefined);
  }
  const json = { 'content-type': 'application/json', [apiHeaders.idempotencyKey]: firstKey };
  return {
    ...bff,
    server,
    hooks,
    upload: (bytes: number) => send(apiPaths.documents, toUploadHeaders('a.pdf', bytes)),
    submit: () => send(apiPaths.application, { ...json, 'content-length': '1000' }),
    startForm: (length: Readonly<Record<string, string>>, agent?: Agent) =>
      send(apiPaths.session, { ...json, ...length }, agent),
    logged: (event: string) => until(() => bff.logLines.some((line) => line.includes(event))),
    /** Advances the time once the BFF has waited for data, with `leftMs` until its timeout. */
    async pass(ms: number, leftMs = 30_000) {
      await until(() => time.listTimers().includes(leftMs));
      time.advance(ms);
    },
  };
}

function readAnswer(sent: ClientRequest) {
  const { promise, resolve } = Promise.withResolvers<{
    readonly status: number | undefined;
    readonly origin: string | undefined;
    readonly json: Readonly<Record<string, unknown>>;
  }>();
  sent.once('response', (response) => {
    const { statusCode: status, headers } = response;
    const origin = headers['access-control-allow-origin'];
    void text(response).then((body) => resolve({ status, origin, json: JSON.parse(body) }));
  });
  return promise;
}

it('stores nothing of an upload whose connection breaks', async () => {
  const bff = await open();
  await bff.browser.apply();
  const upload = bff.upload(4_000_000);
  upload.write(Buffer.concat([start, Buffer.alloc(2_500_000)]));
  await until(() => bff.hooks.storedChunks >= 2);
  upload.destroy();
  await bff.logged('document-incomplete');
  expect((await bff.browser.upload(pdf)).json).toMatchObject({ number: 1, status: 'delivered' });
});

it('stores nothing of an upload that is canceled during its inspection', async () => {
  const bff = await open();
  await bff.browser.apply();
  const upload = bff.upload(pdf.byteLength);
  let isClosed = false;
  bff.server.once('request', (_request, response) =>
    response.once('close', () => (isClosed = true)),
  );
  bff.hooks.beforeInspection = async () => {
    upload.destroy();
    await until(() => isClosed);
  };
  upload.end(pdf);
  await bff.logged('document-incomplete');
  bff.hooks.beforeInspection = async () => undefined;
  expect((await bff.browser.upload(pdf)).json).toMatchObject({ number: 1, status: 'delivered' });
});

it('ends a stalled upload with a response that the page can read', async () => {
  const bff = await open();
  await bff.browser.apply();
  const upload = bff.upload(4_000_000);
  const answer = readAnswer(upload);
  upload.write(Buffer.concat([start, Buffer.alloc(500_000)]));
  await until(() => bff.hooks.storedChunks === 1);
  await bff.pass(29_999);
  upload.write(Buffer.alloc(500_000));
  await until(() => bff.hooks.storedChunks > 2);
  await bff.pass(30_000);
  expect(await answer).toMatchObject({ origin: pageOrigin, json: { code: 'document-incomplete' } });
});

it('logs no error for a form whose connection breaks', async () => {
  const bff = await open();
  const form = bff.submit();
  form.write('{"a":');
  await bff.pass(0);
  form.destroy();
  await bff.logged('invalid-request');
  expect(bff.logLines.join('')).not.toContain('request-failed');
});

it('waits 30 s for a form that arrives byte by byte', async () => {
  const bff = await open();
  const form = bff.submit();
  const answer = readAnswer(form);
  form.write('{');
  for (let leftMs = 30_000; leftMs > 0; leftMs -= 6_000) {
    await bff.pass(6_000, leftMs);
    form.write(' ');
  }
  expect(await answer).toMatchObject({ origin: pageOrigin, json: { code: 'invalid-request' } });
});

it('responds at once if the announced length is too large', async () => {
  const bff = await open();
  await bff.browser.apply();
  const upload = bff.upload(5_000_001);
  upload.write(start);
  expect((await readAnswer(upload)).status).toBe(413);
  upload.destroy();
});

it.each([
  ['{"transport":"handle"}', 200],
  ['', 400],
  [`{"transport":"handle"${' '.repeat(256)}}`, 413],
])('reads a form without an announced length: %s', async (body, status) => {
  const bff = await open();
  const form = bff.startForm({ 'transfer-encoding': 'chunked' });
  form.end(body);
  expect((await readAnswer(form)).status).toBe(status);
});

it('reads the forms of one connection', async () => {
  const bff = await open();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const statuses: unknown[] = [];
  for (const body of ['{"transport":"handle"}', '{"transport":"unknown"}', '{}']) {
    const form = bff.startForm({ 'content-length': String(body.length) }, agent);
    form.end(body);
    statuses.push([(await readAnswer(form)).status, form.reusedSocket]);
  }
  expect(statuses).toEqual([
    [200, false],
    [400, true],
    [200, true],
  ]);
});
