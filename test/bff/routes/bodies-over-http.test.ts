// Request bodies over a real port: disconnects, stalls, and responses before the end of the body.

import { Agent, request, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { firstKey, pageOrigin, type Browser } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { acceptingInspections } from '../../support/inspections.ts';
import { createManualTime, until } from '../../support/manual-time.ts';

let bff: TestBff;
let browser: Browser;
let server: ReturnType<typeof createAdaptorServer>;
let port: number;
let storedChunks: number;
/** Runs before each inspection. */
let prepareInspection: () => Promise<void>;

beforeEach(async () => {
  storedChunks = 0;
  prepareInspection = async () => undefined;
  const time = createManualTime();
  const store = await openStore('file::memory:', { clock: time.clock });
  const addChunk: Store['addChunk'] = async (...chunk) => {
    const isKept = await store.addChunk(...chunk);
    storedChunks += 1;
    return isKept;
  };
  bff = await startBff({
    time,
    store: { ...store, addChunk },
    inspections: {
      ...acceptingInspections,
      inspect: async (document) => {
        await prepareInspection();
        return acceptingInspections.inspect(document);
      },
    },
    settings: { documents: { maxBytes: 5_000_000, maxFiles: 1 } },
  });
  browser = bff.openBrowser();
  server = createAdaptorServer({ fetch: bff.app.fetch });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await bff.close();
});

it('stores nothing of an upload whose connection breaks', async () => {
  await browser.apply();
  const upload = start(4_000_000);
  upload.write(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_500_000)]));
  await until(() => storedChunks >= 2);
  upload.destroy();
  await until(() => bff.logLines.some((line) => line.includes('document-incomplete')));
  const answer = await browser.upload(createTextPdf('a'));
  expect([answer.status, answer.json.number]).toEqual([201, 1]);
});

it('stores nothing of an upload that is canceled during its inspection', async () => {
  await browser.apply();
  const file = createTextPdf('a');
  const upload = start(file.byteLength);
  let isClosed = false;
  server.once('request', (_request, response) => response.once('close', () => (isClosed = true)));
  prepareInspection = async () => {
    upload.destroy();
    await until(() => isClosed);
  };
  upload.end(file);
  await until(() => bff.logLines.some((line) => line.includes('document-incomplete')));
  prepareInspection = async () => undefined;
  const answer = await browser.upload(file);
  expect([answer.status, answer.json.number]).toEqual([201, 1]);
});

it('ends a stalled upload with a response that the page can read', async () => {
  await browser.apply();
  const upload = start(4_000_000);
  upload.write(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(500_000)]));
  await until(() => storedChunks === 1 && bff.time.listTimers().includes(30_000));
  bff.time.advance(29_999);
  upload.write(Buffer.alloc(500_000));
  await until(() => storedChunks > 2 && bff.time.listTimers().includes(30_000));
  const answered = createResponse(upload);
  bff.time.advance(30_000);
  const answer = await answered;
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'document-incomplete' });
  expect(answer.headers['access-control-allow-origin']).toBe(pageOrigin);
});

it('accepts a slow upload', async () => {
  await browser.apply();
  const file = createTextPdf('slow', 150_000);
  const upload = start(file.byteLength);
  upload.write(file.subarray(0, 9));
  // 2.5 KB/s is more than the minimum rate.
  for (let part = 0; part < 10; part += 1) {
    await until(() => bff.time.listTimers().includes(30_000));
    bff.time.advance(6_000);
    upload.write(file.subarray(Math.max(9, part * 15_000), (part + 1) * 15_000));
  }
  const answer = await createResponse(upload);
  expect([answer.statusCode, JSON.parse(answer.text).status]).toEqual([201, 'delivered']);
});

it('logs no error for a form whose connection breaks', async () => {
  await browser.send('POST', apiPaths.session);
  const form = start(1_000, apiPaths.application);
  form.write('{"a":');
  await until(() => bff.time.listTimers().includes(30_000));
  form.destroy();
  await until(() => bff.logLines.some((line) => line.includes('invalid-request')));
  expect(bff.logLines.join('')).not.toContain('request-failed');
});

it('waits 30 s for a form', async () => {
  await browser.send('POST', apiPaths.session);
  const form = start(1_000, apiPaths.application);
  form.write('{"a":');
  await until(() => bff.time.listTimers().includes(30_000));
  const answered = createResponse(form);
  bff.time.advance(30_000);
  expect(JSON.parse((await answered).text)).toMatchObject({ code: 'invalid-request' });
});

it('waits 30 s for a form that arrives byte by byte', async () => {
  await browser.send('POST', apiPaths.session);
  const form = start(1_000, apiPaths.application);
  const answered = createResponse(form);
  form.write('{');
  for (let leftMs = 30_000; leftMs > 0; leftMs -= 6_000) {
    await until(() => bff.time.listTimers().includes(leftMs));
    bff.time.advance(6_000);
    form.write(' ');
  }
  const answer = await answered;
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'invalid-request' });
  expect(answer.headers['access-control-allow-origin']).toBe(pageOrigin);
});

it('responds at once if the announced length is too large', async () => {
  await browser.apply();
  const upload = start(5_000_001);
  upload.write('%PDF-1.7\n');
  expect((await createResponse(upload)).statusCode).toBe(413);
  upload.destroy();
});

it.each([
  ['reads', '{"transport":"handle"}', 200],
  ['refuses', '', 400],
  ['refuses', `{"transport":"handle"${' '.repeat(256)}}`, 413],
])('%s a form without an announced length: %s', async (_does, text, status) => {
  const form = start('chunked', apiPaths.session);
  form.end(text);
  expect((await createResponse(form)).statusCode).toBe(status);
});

it('reads the forms of one connection', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: unknown[] = [];
  for (const text of ['{"transport":"handle"}', '{"transport":"unknown"}', '{}']) {
    const form = start(text.length, apiPaths.session, agent);
    form.end(text);
    const { statusCode } = await createResponse(form);
    statuses.push([statusCode, form.reusedSocket]);
  }
  agent.destroy();
  expect(statuses).toEqual([
    [200, false],
    [400, true],
    [200, true],
  ]);
});

function createResponse(sent: ClientRequest): Promise<{
  readonly statusCode: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}> {
  return new Promise((resolve) => {
    sent.once('response', (response) => {
      const { statusCode, headers } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.once('end', () => resolve({ statusCode, headers, text }));
    });
  });
}

function start(bytes: number | 'chunked', path: string = apiPaths.documents, agent?: Agent) {
  const upload = request({
    host: '127.0.0.1',
    port,
    agent,
    method: 'POST',
    path,
    headers: {
      origin: pageOrigin,
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': path === apiPaths.documents ? 'application/octet-stream' : 'application/json',
      [apiHeaders.idempotencyKey]: firstKey,
      ...(bytes === 'chunked' ? { 'transfer-encoding': bytes } : { 'content-length': bytes }),
      [apiHeaders.request]: '1',
      [apiHeaders.documentName]: 'a.pdf',
      [apiHeaders.documentCategory]: 'other',
    },
  });
  // The test aborts the connection, so the error of the client does not matter.
  upload.on('error', () => undefined);
  return upload;
}
