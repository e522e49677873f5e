// Inspection and virus scan of uploaded documents. A refused document leaves only a log event.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Scan } from '../../../bff/documents/clamd.ts';
import {
  InspectionUnavailableError,
  type InspectionPool,
  type Verdict,
} from '../../../bff/documents/inspection-pool.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { collectChunks } from '../../support/collect-chunks.ts';
import { toHeader, toPicture, writePng } from '../../support/files/images.ts';
import { createTextPdf, withCatalog } from '../../support/files/pdf.ts';
import { writeZip } from '../../support/files/office.ts';
import type { Browser } from '../../support/applicant.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

const pdf = createTextPdf('A statement');
const token = 'a-token-of-16-letters-or-more';

describe('a refused document', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff({ variables: { METRICS_TOKEN: token } });
    browser = bff.openBrowser();
    await browser.apply();
  });

  afterEach(() => bff.close());

  it.each([
    ['a PDF with an appended archive', 'pdf', toArchive(), 'document-unsafe'],
    [
      'a PDF that starts a program',
      'pdf',
      withOpening('/S/Launch/F(cmd.exe)'),
      'document-active-content',
    ],
    ['an incomplete PDF', 'pdf', pdf.slice(0, 300), 'document-damaged'],
    ['a text file', 'pdf', new TextEncoder().encode('hello'), 'document-type-mismatch'],
    ['a huge image', 'png', createHugePicture(), 'document-too-many-pixels'],
  ] as const)('(%s) is not stored, but logged and counted', async (_what, type, content, code) => {
    const answer = await browser.upload(content, `Quillmark statement.${type}`);
    expect([answer.status, answer.json.code]).toEqual([422, code]);
    expect((await list()).json.documents).toEqual([]);
    expect(bff.sandbox.context.state.documents.size).toBe(0);
    const line = bff.logLines.find((text) => text.includes('document-refused')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      requestId: answer.json.requestId,
      code,
      detail: expect.stringMatching(/^[a-z-]+$/),
    });
    expect(bff.logLines.join('')).not.toContain('Quillmark');
    const { text } = await browser.send('GET', '/metrics', undefined, {
      authorization: `Bearer ${token}`,
    });
    expect(text).toContain(`funding_document_refusals_total{reason="${code}"} 1`);
  });

  it('leaves nothing in the store', async () => {
    await browser.upload(toArchive());
    const answer = await browser.upload(pdf);
    expect([answer.status, answer.json.number]).toEqual([201, 1]);
  });

  it('is not received beyond its first chunk', async () => {
    const page = new TextEncoder().encode('<!doctype html>'.padEnd(300_000));
    expect(await sendAndCount('page.exe', page)).toEqual(['document-type-refused', 0]);
    expect(await sendAndCount('page.pdf', page)).toEqual(['document-type-mismatch', 1]);
  });

  it('is refused for its scripts if the settings say so', async () => {
    const scripted = withOpening('/S/JavaScript/JS(app.alert)');
    expect((await browser.upload(scripted)).status).toBe(201);
    await bff.close();
    bff = await startBff({ settings: { documents: { scripts: 'refuse' } } });
    browser = bff.openBrowser();
    await browser.apply();
    expect(isProblem(await browser.upload(scripted), 'document-scripts')).toBe(true);
  });

  it('is inspected with the limits of the settings', async () => {
    await bff.close();
    bff = await startBff({ settings: { documents: { extensions: ['png'] } } });
    browser = bff.openBrowser();
    await browser.apply();
    expect(isProblem(await browser.upload(pdf), 'document-type-refused')).toBe(true);
  });

  function list() {
    return browser.send('GET', apiPaths.documents);
  }

  /** Sends an endless body. Returns the problem and the number of chunks that were read. */
  async function sendAndCount(name: string, chunk: Uint8Array): Promise<[string, number]> {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls += 1;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const answer = await browser.send('POST', apiPaths.documents, body, {
      'content-type': 'application/octet-stream',
      'content-length': '9000000',
      [apiHeaders.documentName]: name,
      [apiHeaders.documentCategory]: 'other',
    });
    return [answer.json.code, pulls];
  }
});

describe('the inspection of a document', () => {
  let bff: TestBff;

  afterEach(() => bff.close());

  it('decides which extension is delivered', async () => {
    const browser = await openWith({ kind: 'accepted', extension: 'jpg' });
    await browser.upload(pdf);
    const [record] = bff.sandbox.context.state.documents.values();
    expect(record?.ext).toBe('jpg');
  });

  it('refuses a document that it cannot check', async () => {
    const browser = await open({
      async inspect(_document, onFailure) {
        onFailure?.({ reason: 'crash', signal: 'SIGSEGV' });
        onFailure?.({ reason: 'timeout' });
        return { kind: 'not-checked', reason: 'timeout' };
      },
    });
    const answer = await browser.upload(pdf, 'Quillmark statement.pdf');
    expect([answer.status, answer.json.code]).toEqual([422, 'document-not-checked']);
    expect((await browser.send('GET', apiPaths.documents)).json.documents).toEqual([]);
    const { requestId } = answer.json;
    expect(listEvents('inspection-failed', 'document-refused')).toMatchObject([
      { level: 40, requestId, attempt: 1, reason: 'crash', signal: 'SIGSEGV' },
      { level: 40, requestId, attempt: 2, reason: 'timeout' },
      { level: 40, requestId, code: 'document-not-checked', detail: 'timeout' },
    ]);
    expect(bff.logLines.join('')).not.toContain('Quillmark');
    const { text } = await browser.send('GET', '/metrics');
    expect(text).toContain('funding_inspection_failures_total{reason="crash"} 1');
    expect(text).toContain('funding_inspection_failures_total{reason="timeout"} 1');
    expect(text).toContain('funding_document_refusals_total{reason="document-not-checked"} 1');
  });

  it('returns 503 after an internal fault', async () => {
    let faults = 1;
    const browser = await open({
      async inspect() {
        if (faults === 0) return { kind: 'accepted', extension: 'pdf' };
        faults -= 1;
        throw new InspectionUnavailableError('not-started', new Error('Quillmark'));
      },
    });
    const answer = await browser.upload(pdf, 'Quillmark statement.pdf');
    expect([answer.status, answer.json.code]).toEqual([503, 'inspection-unavailable']);
    expect(answer.headers.get('retry-after')).toBe('10');
    expect((await browser.send('GET', apiPaths.documents)).json.documents).toEqual([]);
    expect(listEvents('inspection-unavailable')).toMatchObject([
      { level: 50, requestId: answer.json.requestId, reason: 'not-started' },
    ]);
    expect(bff.logLines.join('')).not.toContain('Quillmark');
    const { text } = await browser.send('GET', '/metrics');
    expect(text).toContain('funding_inspection_failures_total{reason="not-started"} 1');
    expect(text).toContain('funding_document_refusals_total{reason="document-unsafe"} 0');
    expect((await browser.upload(pdf)).json).toMatchObject({ status: 'delivered', number: 1 });
  });

  it('starts a process while a document arrives', async () => {
    let prepared = 0;
    const browser = await open({
      prepare: () => (prepared += 1),
      async inspect() {
        expect(prepared).toBe(1);
        return { kind: 'accepted', extension: 'pdf' };
      },
    });
    expect((await browser.upload(pdf)).status).toBe(201);
  });

  it('gets a document of several chunks as it was sent', async () => {
    const large = createTextPdf('A large statement', 700_000);
    let seen: { readonly bytes: number; readonly content: Buffer } | undefined;
    const browser = await open({
      async inspect({ bytes, content }) {
        seen = { bytes, content: await collectChunks(content()) };
        return { kind: 'accepted', extension: 'pdf' };
      },
    });
    await browser.upload(large);
    expect([seen?.bytes, seen?.content.equals(large)]).toEqual([large.byteLength, true]);
  });

  it('reads the file of a store on SQLite in the child only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bff-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const store = await openStore(`file:${join(folder, 'store.db')}`);
    const open = vi.spyOn(store.contentFiles!, 'open');
    const settings = { documents: { undoSeconds: 10 } };
    bff = await startBff({ store, settings, inspections: undefined });
    const browser = bff.openBrowser();
    await browser.apply();
    expect((await browser.upload(pdf)).status).toBe(202);
    const truncated = await browser.upload(pdf.slice(0, 300), 'other.pdf');
    expect(isProblem(truncated, 'document-damaged')).toBe(true);
    expect(open).not.toHaveBeenCalled();
  });

  it('reports an application that is erased meanwhile', async () => {
    let reference = '';
    const browser = await open({
      async inspect({ bytes, content }) {
        await bff.store.erase(reference);
        // Refuses an incomplete document, as the real inspection does.
        return (await collectChunks(content())).byteLength === bytes
          ? { kind: 'accepted', extension: 'pdf' }
          : { kind: 'refused', code: 'document-damaged', detail: 'pdf-cut-off' };
      },
    });
    await bff.delivery.stop();
    reference = (await browser.send('GET', apiPaths.application)).json.reference;
    expect(isProblem(await browser.upload(pdf), 'application-missing')).toBe(true);
  });

  function openWith(verdict: Verdict): Promise<Browser> {
    return open({
      async inspect({ content }) {
        await collectChunks(content());
        return verdict;
      },
    });
  }

  function listEvents(...events: readonly string[]): readonly object[] {
    const lines = bff.logLines.map((line) => JSON.parse(line));
    return lines.filter(({ event }) => events.includes(event));
  }

  async function open(changes: Partial<InspectionPool>): Promise<Browser> {
    const unused: InspectionPool = {
      prepare: () => undefined,
      inspect: () => Promise.reject(new Error('No document is expected')),
      close: () => Promise.resolve(),
    };
    bff = await startBff({ inspections: { ...unused, ...changes } });
    const browser = bff.openBrowser();
    await browser.apply();
    return browser;
  }
});

describe('the virus scanner', () => {
  let bff: TestBff;
  let browser: Browser;
  let scan: Scan;

  beforeEach(async () => {
    bff = await startBff({
      async scanDocument(content) {
        await collectChunks(content);
        return scan;
      },
    });
    browser = bff.openBrowser();
    await browser.apply();
  });

  afterEach(() => bff.close());

  it('rejects a document with a reason and a metric', async () => {
    scan = 'infected';
    expect(isProblem(await browser.upload(pdf), 'document-infected')).toBe(true);
    const list = await browser.send('GET', apiPaths.documents);
    expect(list.json.documents).toMatchObject([
      { number: 1, status: 'rejected', problem: 'document-infected' },
    ]);
    expect(bff.sandbox.context.state.documents.size).toBe(0);
    const { text } = await browser.send('GET', '/metrics');
    expect(text).toContain('funding_document_refusals_total{reason="document-infected"} 1');
  });

  it('delays the delivery while it does not answer', async () => {
    scan = 'scanner-unanswered';
    const answer = await browser.upload(pdf);
    expect([answer.status, answer.json.status, answer.json.delayed]).toEqual([
      202,
      'received',
      true,
    ]);
    expect(bff.logLines.some((line) => line.includes('document-unscanned'))).toBe(true);
    const { text } = await browser.send('GET', '/metrics');
    expect(text).toContain('funding_scanner_failures_total{reason="scanner-unanswered"} 1');
    expect(text).toContain('funding_scanner_failures_total{reason="scanner-size-limit"} 0');
    scan = 'clean';
    bff.time.advance(60_000);
    await until(() => bff.sandbox.context.state.documents.size === 1);
  });
});

function toArchive(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([pdf, writeZip([{ name: 'a.txt', data: 'a' }])]));
}

function createHugePicture(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(writePng(toHeader({ width: 50_000, height: 50_000 }), toPicture()));
}

function withOpening(action: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(withCatalog(`/OpenAction<<${action}>>`));
}
