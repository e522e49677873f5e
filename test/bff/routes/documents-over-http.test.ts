// Uploads over a real port: a browser that goes away in the middle, and one that is refused before it has sent all.

import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Journal } from '../../../bff/journal/journal.ts';
import { openSqliteJournal } from '../../../bff/journal/sqlite.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createRig, pageOrigin, type Browser, type Rig } from '../bff-rig.ts';
import { until } from '../manual-time.ts';

let rig: Rig;
let browser: Browser;
let server: ReturnType<typeof createAdaptorServer>;
let port: number;
let keptPieces: number;

beforeEach(async () => {
  keptPieces = 0;
  const journal = openSqliteJournal('file::memory:');
  const addChunk: Journal['addChunk'] = async (...piece) => {
    const isKept = await journal.addChunk(...piece);
    keptPieces += 1;
    return isKept;
  };
  rig = await createRig({
    journal: { ...journal, addChunk },
    settings: { documents: { maxBytes: 5_000_000, maxFiles: 1 } },
  });
  browser = rig.openBrowser();
  server = createAdaptorServer({ fetch: rig.app.fetch });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await rig.close();
});

it('keeps nothing of an upload whose connection breaks', async () => {
  await browser.apply();
  const upload = start(4_000_000);
  upload.write(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_500_000)]));
  await until(() => keptPieces === 2);
  upload.destroy();
  await until(() => rig.logLines.some((line) => line.includes('document-incomplete')));
  const answer = await browser.upload(new TextEncoder().encode('%PDF-1.7'));
  expect([answer.status, answer.json.number]).toEqual([201, 1]);
});

it('answers at once when the announced length is too large', async () => {
  await browser.apply();
  const upload = start(5_000_001);
  upload.write('%PDF-1.7\n');
  const response = await new Promise<{ statusCode?: number }>((resolve) => {
    upload.once('response', resolve);
  });
  expect(response.statusCode).toBe(413);
  upload.destroy();
});

function start(bytes: number) {
  const upload = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: apiPaths.documents,
    headers: {
      origin: pageOrigin,
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': 'application/octet-stream',
      'content-length': bytes,
      [apiHeaders.request]: '1',
      [apiHeaders.documentName]: 'a.pdf',
      [apiHeaders.documentCategory]: 'other',
    },
  });
  // Cutting the connection is the point; what the client is told of it is not.
  upload.on('error', () => undefined);
  return upload;
}
