// `/v1/documents` with a sandbox.

import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentStatusSchema } from '../../../shared/api/attachments.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import {
  getLargePdf,
  getPhotoJpeg,
  getScanPng,
  getStatementPdf,
} from '../../support/files/realistic-files.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import type { Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

const smallPdf = createTextPdf('small');

describe('POST /v1/documents', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff({ settings: { documents: { maxBytes: 8_000_000, maxFiles: 3 } } });
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it.each([
    ['a PDF', getStatementPdf],
    ['a photo of several megabytes', getPhotoJpeg],
    ['a scan', getScanPng],
    ['a file of exactly twelve chunks', () => getLargePdf(12 * 262_143)],
  ])('delivers %s byte for byte', async (_name, getFile) => {
    await browser.apply();
    const file = await getFile();
    const content = new Uint8Array(await readFile(file.path));
    const answer = await browser.upload(content, file.name);
    expect([answer.status, documentStatusSchema.parse(answer.json)]).toEqual([
      201,
      {
        number: 1,
        name: file.name,
        category: 'bank-statements-jan',
        bytes: file.bytes,
        status: 'delivered',
        delayed: false,
      },
    ]);
    const [record] = bff.sandbox.context.state.documents.values();
    expect(record).toMatchObject({
      name: file.nameWithoutExtension,
      ext: file.extension,
      category: 'Bank Statements - Jan',
    });
    expect(Buffer.compare(record?.content ?? new Uint8Array(), content)).toBe(0);
  });

  it('sends the exact spelling of a category with the name of the aggregator', async () => {
    await bff.close();
    bff = await startBff({
      settings: { documents: { showInternalCategories: ['bank-verification'] } },
    });
    browser = bff.openBrowser();
    await browser.apply();
    await browser.upload(smallPdf, 'a.pdf', { [apiHeaders.documentCategory]: 'aging-report' });
    await browser.upload(smallPdf, 'b.pdf', { [apiHeaders.documentCategory]: 'bank-verification' });
    const records = [...bff.sandbox.context.state.documents.values()];
    expect(records.map(({ category }) => category)).toEqual([
      'Cuurent Aging AR and AP Report',
      'Bank Verification -Aggregator',
    ]);
  });

  it('sends the extension of the content and a safe name', async () => {
    await browser.apply();
    const photo = new Uint8Array(await readFile((await getPhotoJpeg()).path));
    const answer = await browser.upload(photo, '../März\u202E 2026.JPEG');
    expect(answer.json.name).toBe('_März 2026.jpg');
    const [record] = bff.sandbox.context.state.documents.values();
    expect([record?.name, record?.ext]).toEqual(['_März 2026', 'jpg']);
  });

  it('delivers a repeated document once', async () => {
    await browser.apply();
    const first = await browser.upload(smallPdf);
    const again = await browser.upload(smallPdf);
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(bff.sandbox.context.state.documents.size).toBe(1);
  });

  it('delivers the same bytes again in another category', async () => {
    await browser.apply();
    await browser.upload(smallPdf);
    await browser.upload(smallPdf, undefined, { [apiHeaders.documentCategory]: 'other' });
    expect(bff.sandbox.context.state.documents.size).toBe(2);
  });

  it('delivers a document after the application is accepted', async () => {
    bff.faults.push({ path: '/creditapp', result: { kind: 'not-sent', failure: 'X' } });
    await browser.apply();
    const answer = await browser.upload(smallPdf);
    expect([answer.status, answer.json.status]).toEqual([202, 'received']);
    await until(() => bff.time.listTimers().length === 1);
    bff.time.advance(2_000);
    await until(async () => (await list()).json.documents[0].status === 'delivered');
  });

  it('returns "received" if the funding service does not respond', async () => {
    await browser.apply();
    bff.faults.push({ path: '/UploadFileApiV1', result: { kind: 'not-sent', failure: 'X' } });
    const answer = await browser.upload(smallPdf);
    expect([answer.status, answer.json.status]).toEqual([202, 'received']);
    await until(() => bff.time.listTimers().length === 1);
    bff.time.advance(2_000);
    await until(async () => (await list()).json.documents[0].status === 'delivered');
    expect(bff.sandbox.context.state.documents.size).toBe(1);
  });

  it('accepts a rejected document again', async () => {
    await browser.apply(createApplication({ name: 'Bakery [upload-file/category-not-allowed]' }));
    const answer = await browser.upload(smallPdf);
    expect(isProblem(answer, 'document-rejected')).toBe(true);
    expect((await list()).json.documents).toMatchObject([{ number: 1, status: 'rejected' }]);
    expect(isProblem(await browser.upload(smallPdf), 'document-rejected')).toBe(true);
    expect((await list()).json.documents).toHaveLength(2);
  });

  it('keeps a document after a rejection that is not about the document', async () => {
    await browser.apply(createApplication({ name: 'Bakery [upload-file/content-not-base64]' }));
    expect((await browser.upload(smallPdf)).status).toBe(202);
    expect((await list()).json.documents).toMatchObject([{ number: 1, status: 'received' }]);
    const alarm = bff.logLines.find((line) => line.includes('delivery-refused'));
    expect(JSON.parse(alarm ?? '{}')).toMatchObject({ level: 50, reason: 'content-not-base64' });
  });

  describe('rejects', () => {
    const cases: [
      string,
      {
        content?: Uint8Array<ArrayBuffer>;
        name?: string;
        headers?: Record<string, string | undefined>;
      },
      Parameters<typeof isProblem>[1],
      number,
    ][] = [
      [
        'a text file with the name of a PDF',
        { content: new TextEncoder().encode('hello') },
        'document-type-mismatch',
        422,
      ],
      ['a PDF with the name of a PNG', { name: 'a.png' }, 'document-type-mismatch', 422],
      ['a type that is not accepted', { name: 'a.exe' }, 'document-type-refused', 422],
      ['a name without an extension', { name: 'statement' }, 'document-type-refused', 422],
      ['an empty document', { content: new Uint8Array() }, 'document-empty', 422],
      [
        'a document that is too large',
        { headers: { 'content-length': '8000001' } },
        'document-too-large',
        413,
      ],
      [
        'a document without a length',
        { headers: { 'content-length': undefined } },
        'document-length-required',
        411,
      ],
      [
        'an invalid length',
        { headers: { 'content-length': 'abc' } },
        'document-length-required',
        411,
      ],
      [
        'a document shorter than announced',
        { headers: { 'content-length': String(smallPdf.byteLength + 1) } },
        'document-incomplete',
        400,
      ],
      [
        'a document longer than announced',
        { headers: { 'content-length': '9' } },
        'document-incomplete',
        400,
      ],
      [
        'no name',
        { headers: { [apiHeaders.documentName]: undefined } },
        'document-name-invalid',
        400,
      ],
      ['an empty name', { name: ' ' }, 'document-name-invalid', 400],
      [
        'a name with invalid percent-encoding',
        { headers: { [apiHeaders.documentName]: '%E0%A4%A' } },
        'document-name-invalid',
        400,
      ],
      [
        'no category',
        { headers: { [apiHeaders.documentCategory]: undefined } },
        'document-category-invalid',
        400,
      ],
      [
        'an unknown category',
        { headers: { [apiHeaders.documentCategory]: 'Other' } },
        'document-category-invalid',
        400,
      ],
      [
        'an internal category',
        { headers: { [apiHeaders.documentCategory]: 'funding-call' } },
        'document-category-invalid',
        400,
      ],
    ];

    it.each(cases)('%s', async (_name, given, code, status) => {
      await browser.apply();
      const answer = await browser.upload(given.content ?? smallPdf, given.name, given.headers);
      expect([answer.json.code, answer.status]).toEqual([code, status]);
      expect((await list()).json.documents).toEqual([]);
      expect(bff.sandbox.context.state.documents.size).toBe(0);
    });

    it('a document without an application', async () => {
      await browser.send('POST', apiPaths.session);
      expect(isProblem(await browser.upload(smallPdf), 'application-missing')).toBe(true);
    });

    it('a document of a rejected application', async () => {
      await browser.apply(createApplication({ name: 'B [create-lead/invalid-field-value]' }));
      expect(isProblem(await browser.upload(smallPdf), 'application-rejected')).toBe(true);
    });

    it('one document too many, but accepts a repeated one', async () => {
      await browser.apply();
      for (const name of ['1.pdf', '2.pdf', '3.pdf']) await browser.upload(smallPdf, name);
      const answer = await browser.upload(smallPdf, '4.pdf');
      expect(isProblem(answer, 'document-limit-reached')).toBe(true);
      expect((await browser.upload(smallPdf, '3.pdf')).status).toBe(201);
      expect((await list()).json.documents).toHaveLength(3);
    });
  });

  it('stores nothing of an incomplete upload', async () => {
    const { json } = await browser.apply();
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(new TextEncoder().encode('%PDF-1.7\n'));
        else if (pulls < 5) controller.enqueue(new Uint8Array(700_000));
        else controller.error(new Error('the browser went away'));
      },
    });
    const answer = await browser.send('POST', apiPaths.documents, body, {
      'content-type': 'application/octet-stream',
      'content-length': '7000000',
      [apiHeaders.documentName]: 'a.pdf',
      [apiHeaders.documentCategory]: 'other',
    });
    expect(isProblem(answer, 'document-incomplete')).toBe(true);
    const probe = {
      id: 'probe',
      applicationId: json.reference,
      kind: 'document',
      category: 'other',
      createdAt: 0,
    } as const;
    expect(await bff.store.beginAttachment(probe, 1)).toBe('begun');
  });

  it('lists no documents without an application', async () => {
    await browser.send('POST', apiPaths.session);
    expect((await list()).json).toEqual({ documents: [] });
  });

  function list() {
    return browser.send('GET', apiPaths.documents);
  }
});
