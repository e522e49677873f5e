// Inspection and virus scan of uploaded documents. A refused document leaves only a log event.

import { describe, expect, it, vi } from 'vitest';
import type { Scan } from '../../../bff/documents/clamd.ts';
import {
  InspectionUnavailableError,
  type InspectionPool,
} from '../../../bff/documents/inspection-pool.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { toUploadHeaders } from '../../support/applicant.ts';
import { collectChunks } from '../../support/collect-chunks.ts';
import { toHeader, toPicture, writePng } from '../../support/files/images.ts';
import { writeZip } from '../../support/files/office.ts';
import { createTextPdf, withCatalog } from '../../support/files/pdf.ts';
import { until } from '../../support/manual-time.ts';
import {
  createCountedBody,
  listEvents,
  openApplied,
  readJson,
  readMetrics,
  toOutcome,
} from '../open-bff.ts';
import { createFolder } from '../../support/temporary-folder.ts';

const pdf = createTextPdf('A statement');
const pdfWithArchive = Buffer.concat([pdf, writeZip([{ name: 'a.txt', data: 'a' }])]);
const hugePicture = writePng(toHeader({ width: 50_000, height: 50_000 }), toPicture());

describe('a refused document', () => {
  it.each([
    ['a PDF with an appended archive', 'pdf', pdfWithArchive, 'document-unsafe'],
    ['a text file', 'pdf', Buffer.from('hello'), 'document-type-mismatch'],
    ['a huge image', 'png', hugePicture, 'document-too-many-pixels'],
  ])('(%s) is not stored, but logged and counted', async (_what, type, content, code) => {
    const bff = await openApplied();
    const answer = await bff.browser.upload(new Uint8Array(content), `Quillmark statement.${type}`);
    expect(toOutcome(answer)).toBe(`422 ${code}`);
    expect(listEvents(bff, 'document-refused')).toEqual([
      expect.objectContaining({
        level: 40,
        requestId: answer.json.requestId,
        code,
        detail: expect.stringMatching(/^[a-z-]+$/),
      }),
    ]);
    expect(bff.logLines.join('')).not.toContain('Quillmark');
    expect(await readMetrics(bff)).toContain(`funding_document_refusals_total{reason="${code}"} 1`);
    expect((await bff.browser.upload(pdf)).json).toMatchObject({ number: 1, status: 'delivered' });
  });

  it.each([
    ['page.exe', '422 document-type-refused', 0],
    ['page.pdf', '422 document-type-mismatch', 1],
  ])('named %s is not received beyond its first chunk', async (name, outcome, reads) => {
    const { browser } = await openApplied();
    const page = new TextEncoder().encode('<!doctype html>'.padEnd(300_000));
    const { body, countReads } = createCountedBody([page, page], 'stalls');
    const headers = toUploadHeaders(name, 9_000_000);
    const answer = await browser.send('POST', apiPaths.documents, body, headers);
    expect([toOutcome(answer), countReads()]).toEqual([outcome, reads]);
  });

  it.each([
    [{ scripts: 'accept' }, '201'],
    [{ scripts: 'refuse' }, '422 document-scripts'],
    [{ extensions: ['png'] }, '422 document-type-refused'],
  ])('depends on the settings: %j returns %s', async (documents, outcome) => {
    const { browser } = await openApplied({ settings: { documents } });
    const scripted = withCatalog('/OpenAction<</S/JavaScript/JS(app.alert)>>');
    expect(toOutcome(await browser.upload(new Uint8Array(scripted)))).toBe(outcome);
  });
});

describe('the inspection of a document', () => {
  const open = (changes: Partial<InspectionPool>) =>
    openApplied({
      inspections: {
        prepare: () => undefined,
        inspect: () => Promise.reject(new Error('No document is expected')),
        close: () => Promise.resolve(),
        ...changes,
      },
    });

  it('gets a document of several chunks, and decides which extension is delivered', async () => {
    const large = createTextPdf('A large statement', 700_000);
    let prepared = 0;
    const seen: unknown[] = [];
    const { browser, sandbox } = await open({
      prepare: () => (prepared += 1),
      async inspect({ bytes, content }) {
        seen.push(prepared, bytes, (await collectChunks(content())).equals(large));
        return { kind: 'accepted', extension: 'jpg' };
      },
    });
    await browser.upload(large);
    // The process of the inspection was started while the document arrived.
    expect(seen).toEqual([1, large.byteLength, true]);
    expect([...sandbox.context.state.documents.values()]).toMatchObject([{ ext: 'jpg' }]);
  });

  it('refuses a document that it cannot check', async () => {
    const bff = await open({
      async inspect(_document, onFailure) {
        onFailure?.({ reason: 'crash', signal: 'SIGSEGV' });
        onFailure?.({ reason: 'timeout' });
        return { kind: 'not-checked', reason: 'timeout' };
      },
    });
    const answer = await bff.browser.upload(pdf, 'Quillmark statement.pdf');
    expect(toOutcome(answer)).toBe('422 document-not-checked');
    expect((await readJson(bff.browser, apiPaths.documents)).documents).toEqual([]);
    const { requestId } = answer.json;
    expect(listEvents(bff, 'inspection-failed', 'document-refused')).toMatchObject([
      { level: 40, requestId, attempt: 1, reason: 'crash', signal: 'SIGSEGV' },
      { level: 40, requestId, attempt: 2, reason: 'timeout' },
      { level: 40, requestId, code: 'document-not-checked', detail: 'timeout' },
    ]);
    expect(bff.logLines.join('')).not.toContain('Quillmark');
    const metrics = await readMetrics(bff);
    expect(metrics).toContain('funding_inspection_failures_total{reason="crash"} 1');
    expect(metrics).toContain('funding_inspection_failures_total{reason="timeout"} 1');
  });

  it('returns 503 after an internal fault', async () => {
    let faults = 1;
    const bff = await open({
      async inspect() {
        if (faults === 0) return { kind: 'accepted', extension: 'pdf' };
        faults -= 1;
        throw new InspectionUnavailableError('not-started', new Error('Quillmark'));
      },
    });
    const answer = await bff.browser.upload(pdf, 'Quillmark statement.pdf');
    expect(toOutcome(answer)).toBe('503 inspection-unavailable');
    expect(answer.headers.get('retry-after')).toBe('10');
    expect(listEvents(bff, 'inspection-unavailable')).toMatchObject([
      { level: 50, requestId: answer.json.requestId, reason: 'not-started' },
    ]);
    expect(bff.logLines.join('')).not.toContain('Quillmark');
    const metrics = await readMetrics(bff);
    expect(metrics).toContain('funding_inspection_failures_total{reason="not-started"} 1');
    expect(metrics).toContain('funding_document_refusals_total{reason="document-unsafe"} 0');
    expect((await bff.browser.upload(pdf)).json).toMatchObject({ status: 'delivered', number: 1 });
  });

  it('reads the file of a store on SQLite in the child only', async () => {
    const store = await openStore(`file:${createFolder()}/store.db`);
    const openFile = vi.spyOn(store.contentFiles!, 'open');
    const settings = { documents: { undoSeconds: 10 } };
    const { browser } = await openApplied({ store, settings, inspections: undefined });
    expect((await browser.upload(pdf)).status).toBe(202);
    const truncated = await browser.upload(pdf.slice(0, 300), 'other.pdf');
    expect(toOutcome(truncated)).toBe('422 document-damaged');
    expect(openFile).not.toHaveBeenCalled();
  });

  it('reports an application that is erased meanwhile', async () => {
    const bff = await open({
      async inspect({ bytes, content }) {
        await bff.store.erase(reference);
        // Refuses an incomplete document, as the real inspection does.
        return (await collectChunks(content())).byteLength === bytes
          ? { kind: 'accepted', extension: 'pdf' }
          : { kind: 'refused', code: 'document-damaged', detail: 'pdf-cut-off' };
      },
    });
    await bff.delivery.stop();
    const { reference } = await readJson(bff.browser, apiPaths.application);
    expect(toOutcome(await bff.browser.upload(pdf))).toBe('409 application-missing');
  });
});

describe('the virus scanner', () => {
  async function open(scan: Scan) {
    const scans = [scan];
    const bff = await openApplied({
      async scanDocument(content) {
        await collectChunks(content);
        return scans.shift() ?? 'clean';
      },
    });
    return { ...bff, answer: await bff.browser.upload(pdf) };
  }

  it('rejects a document with a reason and a metric', async () => {
    const bff = await open('infected');
    expect(toOutcome(bff.answer)).toBe('422 document-infected');
    expect((await readJson(bff.browser, apiPaths.documents)).documents).toMatchObject([
      { number: 1, status: 'rejected', problem: 'document-infected' },
    ]);
    expect(bff.sandbox.context.state.documents.size).toBe(0);
    const count = 'funding_document_refusals_total{reason="document-infected"} 1';
    expect(await readMetrics(bff)).toContain(count);
  });

  it('delays the delivery while it does not answer', async () => {
    const bff = await open('scanner-unanswered');
    expect(bff.answer.status).toBe(202);
    expect(bff.answer.json).toMatchObject({ status: 'received', delayed: true });
    expect(listEvents(bff, 'document-unscanned')).toHaveLength(1);
    const metrics = await readMetrics(bff);
    expect(metrics).toContain('funding_scanner_failures_total{reason="scanner-unanswered"} 1');
    expect(metrics).toContain('funding_scanner_failures_total{reason="scanner-size-limit"} 0');
    bff.time.advance(60_000);
    await until(() => bff.sandbox.context.state.documents.size === 1);
  });
});
