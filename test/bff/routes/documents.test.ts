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
import { type Browser, createKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { acceptingInspections } from '../../support/inspections.ts';
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

  it.each<[string, (file: Buffer) => Buffer]>([
    ['another byte at its start', (file) => Buffer.from(file).fill('z', 100, 101)],
    ['another byte at its end', (file) => Buffer.from(file).fill('z', file.byteLength - 1)],
    ['two chunks exchanged', (file) => Buffer.concat([0, 2, 1, 3].map((at) => chunk(file, at)))],
  ])('delivers a document of the same name with %s', async (_name, change) => {
    await bff.close();
    bff = await startBff({ inspections: acceptingInspections });
    browser = bff.openBrowser();
    await browser.apply();
    const file = Buffer.alloc(900_000, 'a').fill('b', chunkBytes, 2 * chunkBytes);
    file.write('%PDF-1.7');
    for (const content of [file, change(file), file]) {
      expect((await browser.upload(new Uint8Array(content))).status).toBe(201);
    }
    expect(bff.sandbox.context.state.documents.size).toBe(2);
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

describe('a held document', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff({ settings: { documents: { undoSeconds: 30 } } });
    browser = bff.openBrowser();
    await browser.apply();
  });

  afterEach(() => bff.close());

  const change = (body: object) =>
    browser.send('POST', apiPaths.documentCategory, JSON.stringify(body));
  const remove = (number: number) =>
    browser.send('POST', apiPaths.documentRemoval, JSON.stringify({ number }));
  const list = async () => (await browser.send('GET', apiPaths.documents)).json.documents;
  const delivered = () => [...bff.sandbox.context.state.documents.values()];
  const uploadWithoutCategory = () =>
    browser.upload(smallPdf, 'scan.pdf', { [apiHeaders.documentCategory]: undefined });
  const pass = async (seconds: number) => {
    bff.time.advance(seconds * 1000);
    await bff.delivery.runDue();
  };

  it('is received, and can be changed', async () => {
    const answer = await browser.upload(smallPdf);
    expect([answer.status, answer.json]).toEqual([
      202,
      {
        number: 1,
        name: 'statement.pdf',
        category: 'bank-statements-jan',
        bytes: smallPdf.byteLength,
        status: 'received',
        delayed: false,
        changeable: { needsCategory: false, heldSeconds: 30 },
      },
    ]);
    await pass(29);
    expect(delivered()).toEqual([]);
  });

  it('is delivered by the worker at the end of its time, when no page asks', async () => {
    await browser.upload(smallPdf);
    for (let seconds = 0; seconds < 30; seconds += 10) {
      await until(() => bff.time.listTimers().length > 0);
      bff.time.advance(10_000);
    }
    // The service has the document before the store has the result.
    await until(async () => (await list())[0].status === 'delivered');
    expect(delivered()).toHaveLength(1);
    const [document] = await list();
    expect(document).not.toHaveProperty('changeable');
  });

  it('is delivered with the category that the applicant chose last', async () => {
    await browser.upload(smallPdf);
    const answer = await change({ number: 1, category: 'aging-report' });
    expect([answer.status, answer.json.category]).toEqual([200, 'aging-report']);
    await pass(30);
    expect(delivered()[0]?.category).toBe('Cuurent Aging AR and AP Report');
  });

  it('waits ten minutes for a category, then goes as "other"', async () => {
    const answer = await uploadWithoutCategory();
    expect(answer.json).toMatchObject({
      category: 'other',
      changeable: { needsCategory: true, heldSeconds: 600 },
    });
    await pass(599);
    expect(delivered()).toEqual([]);
    await pass(1);
    expect(delivered()[0]?.category).toBe('Other');
  });

  it('waits only for the time of Undo once it has a category', async () => {
    await uploadWithoutCategory();
    const answer = await change({ number: 1, category: 'ein-letter' });
    expect(answer.json.changeable).toEqual({ needsCategory: false, heldSeconds: 30 });
  });

  it('is erased when the applicant removes it', async () => {
    await browser.upload(smallPdf);
    expect((await remove(1)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await remove(1)).status).toBe(204);
    await pass(30);
    expect(delivered()).toEqual([]);
    const { reference } = (await browser.send('GET', apiPaths.application)).json;
    const [row] = await bff.store.listAttachments(reference, 'document');
    expect(row).toMatchObject({ state: 'erased', encryptedName: undefined });
    expect(await bff.store.readChunk(row?.id ?? '', 0)).toBeUndefined();
  });

  it('can be uploaded again after its removal', async () => {
    await browser.upload(smallPdf);
    await remove(1);
    expect((await browser.upload(smallPdf)).json).toMatchObject({ number: 2, status: 'received' });
  });

  it('cannot be changed or removed after its delivery', async () => {
    await browser.upload(smallPdf);
    await pass(30);
    expect(isProblem(await remove(1), 'document-sent')).toBe(true);
    expect(isProblem(await change({ number: 1, category: 'other' }), 'document-sent')).toBe(true);
    expect(delivered()).toHaveLength(1);
  });

  it('cannot be changed by another session', async () => {
    await browser.upload(smallPdf);
    const stranger = bff.openBrowser();
    await stranger.apply(undefined, createKey());
    const body = JSON.stringify({ number: 1, category: 'other' });
    const changed = await stranger.send('POST', apiPaths.documentCategory, body);
    expect(isProblem(changed, 'document-missing')).toBe(true);
    await stranger.send('POST', apiPaths.documentRemoval, '{"number":1}');
    expect(await list()).toMatchObject([{ number: 1, category: 'bank-statements-jan' }]);
  });

  it.each([
    [{ number: 0, category: 'other' }, 'invalid-request'],
    [{ number: 1.5, category: 'other' }, 'invalid-request'],
    [{ number: '1', category: 'other' }, 'invalid-request'],
    [{ number: 1, category: 'other', serviceId: 'L1' }, 'invalid-request'],
    [{ number: 1, category: 'bank-verification' }, 'document-category-invalid'],
    [{ number: 2, category: 'other' }, 'document-missing'],
  ] as const)('refuses the change %j', async (body, code) => {
    await browser.upload(smallPdf);
    expect(isProblem(await change(body), code)).toBe(true);
  });
});

/** Bytes of each chunk except the last. */
const chunkBytes = 262_143;

function chunk(content: Buffer, number: number): Buffer {
  return content.subarray(number * chunkBytes, (number + 1) * chunkBytes);
}
