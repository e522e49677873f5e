// `/v1/documents` with a sandbox: delivery, refusals, limits, and changes of a held document.

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { InspectionPool } from '../../../bff/documents/inspection-pool.ts';
import { maxUploadsPerProcess } from '../../../bff/documents/upload-semaphore.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Claim } from '../../../bff/store/store.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { documentStatusSchema } from '../../../shared/api/attachments.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import {
  createKey,
  toUploadHeaders,
  type ApiHeaders,
  type Browser,
} from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import type { TestBff, TestBffOptions } from '../../support/bff.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { getLargePdf, getPhotoJpeg } from '../../support/files/realistic-files.ts';
import { acceptingInspections } from '../../support/inspections.ts';
import { createManualTime, until } from '../../support/manual-time.ts';
import { unlimited } from '../../support/unlimited.ts';
import {
  createCountedBody,
  listEvents,
  openApplied,
  openBff,
  passTime,
  post,
  readJson,
  readMetrics,
  startSession,
  toOutcome,
} from '../open-bff.ts';

const smallPdf = createTextPdf('small');
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
const listSent = ({ sandbox }: TestBff) => [...sandbox.context.state.documents.values()];
const list = async (browser: Browser) => (await readJson(browser, apiPaths.documents)).documents;
const upload = (browser: Browser, number: number) =>
  browser.upload(createTextPdf(`number ${number}`), `${number}.pdf`);
const toCategory = (category: string | undefined) => ({ [apiHeaders.documentCategory]: category });

describe('POST /v1/documents', () => {
  it.each([
    ['a photo of several megabytes', getPhotoJpeg],
    ['a file of exactly twelve chunks', () => getLargePdf(12 * chunkBytes)],
  ])('delivers %s byte for byte', async (_name, getFile) => {
    const bff = await openApplied();
    const file = await getFile();
    const content = new Uint8Array(await readFile(file.path));
    const answer = await bff.browser.upload(content, file.name);
    expect(answer.status).toBe(201);
    expect(documentStatusSchema.parse(answer.json)).toEqual({
      number: 1,
      name: file.name,
      category: 'bank-statements-jan',
      bytes: file.bytes,
      status: 'delivered',
      delayed: false,
    });
    const [record] = listSent(bff);
    expect(record).toMatchObject({
      name: file.nameWithoutExtension,
      ext: file.extension,
      category: 'Bank Statements - Jan',
    });
    expect(Buffer.compare(record?.content ?? new Uint8Array(), content)).toBe(0);
  });

  it('sends the exact spelling of a category with the name of the aggregator', async () => {
    const showInternalCategories = ['bank-verification'];
    const time = createManualTime();
    const aggregatorName = 'Acme Link';
    const bff = await openApplied({
      time,
      sandbox: createSandbox({ now: time.clock, aggregatorName }),
      settings: { aggregatorName, documents: { showInternalCategories } },
    });
    for (const category of ['aging-report', ...showInternalCategories]) {
      await bff.browser.upload(smallPdf, `${category}.pdf`, toCategory(category));
    }
    expect(listSent(bff).map(({ category }) => category)).toEqual([
      'Cuurent Aging AR and AP Report',
      'Bank Verification -Acme Link',
    ]);
  });

  it('sends the extension of the content and a safe name', async () => {
    const bff = await openApplied();
    const photo = new Uint8Array(await readFile((await getPhotoJpeg()).path));
    const { json } = await bff.browser.upload(photo, '../März\u202E 2026.JPEG');
    expect(json.name).toBe('_März 2026.jpg');
    expect(listSent(bff)).toMatchObject([{ name: '_März 2026', ext: 'jpg' }]);
  });

  it('delivers a repeated document once', async () => {
    const bff = await openApplied();
    const first = await bff.browser.upload(smallPdf);
    const again = await bff.browser.upload(smallPdf);
    expect([again.status, again.json]).toEqual([201, first.json]);
    await bff.browser.upload(smallPdf, undefined, toCategory('other'));
    // Another category is another document.
    expect(listSent(bff)).toHaveLength(2);
  });

  it.each<[string, (file: Buffer) => Buffer]>([
    ['another byte at its start', (file) => Buffer.from(file).fill('z', 100, 101)],
    ['another byte at its end', (file) => Buffer.from(file).fill('z', file.byteLength - 1)],
    ['two chunks exchanged', (file) => Buffer.concat([0, 2, 1, 3].map((at) => chunk(file, at)))],
  ])('delivers a document of the same name with %s', async (_name, change) => {
    const bff = await openApplied({ inspections: acceptingInspections });
    const file = Buffer.alloc(900_000, 'a').fill('b', chunkBytes, 2 * chunkBytes);
    file.write('%PDF-1.7');
    for (const content of [file, change(file), file]) {
      expect((await bff.browser.upload(new Uint8Array(content))).status).toBe(201);
    }
    expect(listSent(bff)).toHaveLength(2);
  });

  it.each([
    ['the application is accepted', '/creditapp'],
    ['the service responds', '/UploadFileApiV1'],
  ])('delivers a document once %s', async (_when, path) => {
    const bff = await openBff();
    bff.faults.push({ path, result: unreachable });
    await bff.browser.apply();
    const answer = await bff.browser.upload(smallPdf);
    expect([answer.status, answer.json.status]).toEqual([202, 'received']);
    await passTime(bff);
    await until(async () => (await list(bff.browser))[0].status === 'delivered');
    expect(listSent(bff)).toHaveLength(1);
  });

  it.each<[string, string, { content?: string; name?: string; headers?: ApiHeaders }]>(
    // prettier-ignore
    [
      ['a text with the name of a PDF', '422 document-type-mismatch', { content: 'hello' }],
      ['a PDF with the name of a PNG', '422 document-type-mismatch', { name: 'a.png' }],
      ['a type that is not accepted', '422 document-type-refused', { name: 'a.exe' }],
      ['a name without an extension', '422 document-type-refused', { name: 'statement' }],
      ['an empty document', '422 document-empty', { content: '' }],
      ['an empty name', '400 document-name-invalid', { name: ' ' }],
      ['no name', '400 document-name-invalid', { headers: { [apiHeaders.documentName]: undefined } }],
      ['invalid percent-encoding', '400 document-name-invalid', { headers: { [apiHeaders.documentName]: '%E0%A4%A' } }],
      ['too many bytes', '413 document-too-large', { headers: { 'content-length': '8000001' } }],
      ['no length', '411 document-length-required', { headers: { 'content-length': undefined } }],
      ['an invalid length', '411 document-length-required', { headers: { 'content-length': 'abc' } }],
      ['fewer bytes than announced', '400 document-incomplete', { headers: { 'content-length': String(smallPdf.byteLength + 1) } }],
      ['more bytes than announced', '400 document-incomplete', { headers: { 'content-length': '9' } }],
      ['an unknown category', '400 document-category-invalid', { headers: toCategory('Other') }],
      ['an internal category', '400 document-category-invalid', { headers: toCategory('funding-call') }],
    ],
  )('rejects %s', async (_what, outcome, { content, name, headers }) => {
    const bff = await openApplied({ settings: { documents: { maxBytes: 8_000_000 } } });
    const bytes = content === undefined ? smallPdf : new TextEncoder().encode(content);
    expect(toOutcome(await bff.browser.upload(bytes, name, headers))).toBe(outcome);
    expect(await list(bff.browser)).toEqual([]);
    expect(listSent(bff)).toEqual([]);
  });

  it('rejects a document without an active application', async () => {
    const { browser } = await openBff();
    await startSession(browser);
    expect(toOutcome(await browser.upload(smallPdf))).toBe('409 application-missing');
    expect(await list(browser)).toEqual([]);
    await browser.apply(createApplication({ name: 'B [create-lead/invalid-field-value]' }));
    expect(toOutcome(await browser.upload(smallPdf))).toBe('422 application-rejected');
  });
});

describe('the limits of documents', () => {
  it('reject one document too many, but accept a repeated one', async () => {
    const { browser } = await openApplied({ settings: { documents: { maxFiles: 3 } } });
    for (const number of [1, 2, 3]) await upload(browser, number);
    expect(toOutcome(await upload(browser, 4))).toBe('409 document-limit-reached');
    expect((await upload(browser, 3)).status).toBe(201);
    expect(await list(browser)).toHaveLength(3);
  });

  const openWithFirst = async () => {
    const settings = { documents: { maxBytes: 4_000, maxTotalBytes: 5_000 } };
    const bff = await openApplied({ settings });
    await bff.browser.upload(createTextPdf('first', 3_000), '1.pdf');
    return bff;
  };

  it('read no document that exceeds the total size by one byte', async () => {
    const { browser } = await openWithFirst();
    const { body, countReads } = createCountedBody([createTextPdf('second', 2_001)]);
    const headers = toUploadHeaders('2.pdf', 2_001);
    const answer = await browser.send('POST', apiPaths.documents, body, headers);
    expect([toOutcome(answer), countReads()]).toEqual(['409 document-space-exhausted', 0]);
    expect((await browser.upload(createTextPdf('second', 2_000), '2.pdf')).status).toBe(201);
  });

  it('do not count a document that is stored already', async () => {
    const { browser } = await openWithFirst();
    await browser.upload(createTextPdf('second', 2_000), '2.pdf');
    expect((await browser.upload(createTextPdf('first', 3_000), '1.pdf')).status).toBe(201);
    const other = await browser.upload(createTextPdf('other', 3_000), '1.pdf');
    expect(toOutcome(other)).toBe('409 document-space-exhausted');
  });
});

describe('concurrent uploads', () => {
  /** Accepts each document when the test releases it. */
  async function openPatient(options: TestBffOptions = {}) {
    const pending: (() => void)[] = [];
    const inspections: InspectionPool = {
      ...acceptingInspections,
      async inspect(document) {
        const verdict = await acceptingInspections.inspect(document);
        await new Promise<void>((resolve) => pending.push(resolve));
        return verdict;
      },
    };
    const release = () => {
      for (const accept of pending.splice(0)) accept();
    };
    const arrived = (count: number) => until(() => pending.length === count);
    return { ...(await openApplied({ inspections, ...options })), arrived, release };
  }

  const openOther = async ({ openBrowser }: TestBff) => {
    const other = openBrowser();
    await other.apply(createApplication(), createKey());
    return other;
  };

  it('do not count for the hourly limit while they wait for a permit', async () => {
    const limits = { ...unlimited, uploadsPerHourPerSession: 3 };
    const bff = await openPatient({ settings: { limits } });
    const first = [upload(bff.browser, 1), upload(bff.browser, 2)];
    await bff.arrived(2);
    for (let time = 0; time < 5; time += 1) {
      expect((await upload(bff.browser, 3)).status).toBe(429);
    }
    expect(listEvents(bff, 'rate-limited')).toMatchObject([
      { limit: 'uploads-at-once-by-session', refused: 1 },
    ]);
    bff.release();
    await Promise.all(first);
    const third = upload(bff.browser, 3);
    await bff.arrived(1);
    bff.release();
    expect((await third).status).toBe(201);
    expect((await upload(bff.browser, 4)).headers.get('retry-after')).toBe('3600');
    const metrics = await readMetrics(bff);
    expect(metrics).toContain('funding_rate_limited_total{limit="uploads-at-once-by-session"} 5');
    expect(metrics).toContain('funding_rate_limited_total{limit="uploads-by-session"} 1');
  });

  it('are limited for all sessions together', async () => {
    const bff = await openPatient();
    const taken: ReturnType<typeof upload>[] = [];
    while (taken.length < maxUploadsPerProcess) {
      const other = await openOther(bff);
      taken.push(upload(other, 1), upload(other, 2));
    }
    await bff.arrived(maxUploadsPerProcess);
    const refused = await upload(bff.browser, 1);
    expect([toOutcome(refused), refused.headers.get('retry-after')]).toEqual([
      '503 too-busy',
      '10',
    ]);
    expect(await readMetrics(bff)).toContain(
      'funding_rate_limited_total{limit="uploads-at-once"} 1',
    );
    bff.release();
    expect((await Promise.all(taken)).every(({ status }) => status === 201)).toBe(true);
  });

  it('release their permit if they are refused', async () => {
    const { browser } = await openPatient();
    for (let number = 0; number < 5; number += 1) {
      const answer = await browser.upload(new TextEncoder().encode('hello'));
      expect(toOutcome(answer)).toBe('422 document-type-mismatch');
    }
  });
});

describe.each(['beginAttachment', 'addChunk', 'completeAttachment'] as const)(
  'an upload whose application ends before %s',
  (step) => {
    it.each([
      ['erased', '409 application-missing'],
      ['rejected', '422 application-rejected'],
    ])('fails if the application was %s', async (how, outcome) => {
      const time = createManualTime();
      const store = await openStore('file::memory:', { clock: time.clock });
      const errors = [{ pointer: '/business/name', code: 'rejected' }] as const;
      let reference = '';
      const original = store[step] as (...given: unknown[]) => Promise<unknown>;
      const ending = async (...given: unknown[]) => {
        if (how === 'rejected') {
          const claim = await store.claimDue('application', 1_000, reference);
          await store.recordResult(claim as Claim, { state: how, errors });
        } else await store.erase(reference);
        return original(...given);
      };
      const bff = await openBff({ time, store: { ...store, [step]: ending } });
      bff.faults.push({ path: '/creditapp', result: unreachable });
      reference = (await bff.browser.apply()).json.reference;
      await bff.delivery.stop();
      time.advance(60_000);
      const answer = await bff.browser.upload(smallPdf);
      expect(toOutcome(answer)).toBe(outcome);
      expect(answer.json.errors).toEqual(how === 'rejected' ? errors : undefined);
      if (how === 'rejected') return;
      for (const { id, state } of await store.listAttachments(reference, 'document')) {
        expect([state, await store.readChunk(id, 0)]).toEqual(['erased', undefined]);
      }
    });
  },
);

describe('a held document', () => {
  async function openHeld(headers?: ApiHeaders) {
    const bff = await openApplied({ settings: { documents: { undoSeconds: 30 } } });
    const answer = await bff.browser.upload(smallPdf, undefined, headers);
    const pass = async (seconds: number) => {
      bff.time.advance(seconds * 1000);
      await bff.delivery.runDue();
    };
    return { ...bff, answer, pass };
  }
  const change = (browser: Browser, body: object) => post(browser, apiPaths.documentCategory, body);
  const remove = (browser: Browser) => post(browser, apiPaths.documentRemoval, { number: 1 });

  it('is received, and can be changed', async () => {
    const bff = await openHeld();
    expect([bff.answer.status, bff.answer.json]).toEqual([
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
    const changed = await change(bff.browser, { number: 1, category: 'aging-report' });
    expect([changed.status, changed.json.category]).toEqual([200, 'aging-report']);
    await bff.pass(29);
    expect(listSent(bff)).toEqual([]);
    await bff.pass(1);
    expect(listSent(bff)).toMatchObject([{ category: 'Cuurent Aging AR and AP Report' }]);
    // It can't be changed or removed after its delivery.
    expect(toOutcome(await remove(bff.browser))).toBe('409 document-sent');
    const late = await change(bff.browser, { number: 1, category: 'other' });
    expect(toOutcome(late)).toBe('409 document-sent');
  });

  it('is delivered by the worker at the end of its time, when no page asks', async () => {
    const bff = await openHeld();
    for (let seconds = 0; seconds < 30; seconds += 10) await passTime(bff, 10_000);
    // The service has the document before the store has the result.
    await until(async () => (await list(bff.browser))[0].status === 'delivered');
    expect(listSent(bff)).toHaveLength(1);
    expect((await list(bff.browser))[0]).not.toHaveProperty('changeable');
  });

  it('waits ten minutes for a category, then goes as "other"', async () => {
    const bff = await openHeld(toCategory(undefined));
    expect(bff.answer.json).toMatchObject({
      category: 'other',
      changeable: { needsCategory: true, heldSeconds: 600 },
    });
    await bff.pass(599);
    expect(listSent(bff)).toEqual([]);
    await bff.pass(1);
    expect(listSent(bff)).toMatchObject([{ category: 'Other' }]);
  });

  it('waits only for the time of Undo once it has a category', async () => {
    const { browser } = await openHeld(toCategory(undefined));
    const { json } = await change(browser, { number: 1, category: 'ein-letter' });
    expect(json.changeable).toEqual({ needsCategory: false, heldSeconds: 30 });
  });

  it('is erased when the applicant removes it', async () => {
    const bff = await openHeld();
    for (let time = 0; time < 2; time += 1) expect((await remove(bff.browser)).status).toBe(204);
    expect(await list(bff.browser)).toEqual([]);
    await bff.pass(30);
    expect(listSent(bff)).toEqual([]);
    const { reference } = await readJson(bff.browser, apiPaths.application);
    const [row] = await bff.store.listAttachments(reference, 'document');
    expect(row).toMatchObject({ state: 'erased', encryptedName: undefined });
    expect(await bff.store.readChunk(row?.id ?? '', 0)).toBeUndefined();
    const again = await bff.browser.upload(smallPdf);
    expect(again.json).toMatchObject({ number: 2, status: 'received' });
  });

  it('cannot be changed by another session', async () => {
    const { browser, openBrowser } = await openHeld();
    const stranger = openBrowser();
    await stranger.apply(undefined, createKey());
    const changed = await change(stranger, { number: 1, category: 'other' });
    expect(toOutcome(changed)).toBe('404 document-missing');
    await remove(stranger);
    expect(await list(browser)).toMatchObject([{ number: 1, category: 'bank-statements-jan' }]);
  });

  it.each([
    [{ number: 0, category: 'other' }, '400 invalid-request'],
    [{ number: 1.5, category: 'other' }, '400 invalid-request'],
    [{ number: '1', category: 'other' }, '400 invalid-request'],
    [{ number: 1, category: 'other', serviceId: 'L1' }, '400 invalid-request'],
    [{ number: 1, category: 'bank-verification' }, '400 document-category-invalid'],
    [{ number: 2, category: 'other' }, '404 document-missing'],
  ])('refuses the change %j', async (body, outcome) => {
    const { browser } = await openHeld();
    expect(toOutcome(await change(browser, body))).toBe(outcome);
  });
});

/** Bytes of each chunk except the last. */
const chunkBytes = 262_143;

function chunk(content: Buffer, number: number): Buffer {
  return content.subarray(number * chunkBytes, (number + 1) * chunkBytes);
}
