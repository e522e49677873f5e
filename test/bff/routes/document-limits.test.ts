// Limits of `POST /v1/documents`: concurrent uploads and total size.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InspectionPool } from '../../../bff/documents/inspection-pool.ts';
import { maxUploadsPerProcess } from '../../../bff/documents/upload-semaphore.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { collectChunks } from '../../support/collect-chunks.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { unlimited } from '../../support/unlimited.ts';
import type { Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

/** Functions that end the pending inspections. */
const held: (() => void)[] = [];

/** Accepts every document when the test releases it. */
const patientInspections: InspectionPool = {
  prepare: () => undefined,
  async inspect({ content }) {
    await collectChunks(content());
    await new Promise<void>((resolve) => {
      held.push(resolve);
    });
    return { kind: 'accepted', extension: 'pdf' };
  },
  close: () => Promise.resolve(),
};

describe('concurrent uploads', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    held.length = 0;
    bff = await startBff({ inspections: patientInspections });
    browser = bff.openBrowser();
    await browser.apply();
  });

  afterEach(() => bff.close());

  it('are limited to two per session', async () => {
    const first = [upload(browser, 1), upload(browser, 2)];
    await until(() => held.length === 2);
    const third = await upload(browser, 3);
    expect(isProblem(third, 'too-many-requests')).toBe(true);
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '2']);
    letGo();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([201, 201]);
    const again = upload(browser, 3);
    await until(() => held.length === 1);
    letGo();
    expect((await again).status).toBe(201);
  });

  it('do not count for the hourly limit while they wait for a permit', async () => {
    await bff.close();
    bff = await startBff({
      inspections: patientInspections,
      settings: { limits: { ...unlimited, uploadsPerHourPerSession: 3 } },
    });
    browser = bff.openBrowser();
    await browser.apply();
    const first = [upload(browser, 1), upload(browser, 2)];
    await until(() => held.length === 2);
    const before = bff.logLines.length;
    for (let time = 0; time < 5; time += 1) expect((await upload(browser, 3)).status).toBe(429);
    expect(bff.logLines.slice(before).map((line) => JSON.parse(line))).toMatchObject([
      { event: 'rate-limited', limit: 'uploads-at-once-by-session', refused: 1 },
    ]);
    letGo();
    await Promise.all(first);
    const third = upload(browser, 3);
    await until(() => held.length === 1);
    letGo();
    expect((await third).status).toBe(201);
    expect((await upload(browser, 4)).headers.get('retry-after')).toBe('3600');
    const { text } = await browser.send('GET', '/metrics');
    expect(text).toContain('funding_rate_limited_total{limit="uploads-at-once-by-session"} 5');
    expect(text).toContain('funding_rate_limited_total{limit="uploads-by-session"} 1');
  });

  it('are counted per session', async () => {
    const first = [upload(browser, 1), upload(browser, 2)];
    const other = await openOther(0);
    const another = upload(other, 1);
    await until(() => held.length === 3);
    letGo();
    expect((await Promise.all([...first, another])).map(({ status }) => status)).toEqual([
      201, 201, 201,
    ]);
  });

  it('are limited for all sessions together', async () => {
    const others: Browser[] = [];
    while (others.length < maxUploadsPerProcess / 2) others.push(await openOther(others.length));
    const taken = others.flatMap((other) => [upload(other, 1), upload(other, 2)]);
    await until(() => held.length === maxUploadsPerProcess);
    const refused = await upload(browser, 1);
    expect(isProblem(refused, 'too-busy')).toBe(true);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    const { text } = await browser.send('GET', '/metrics');
    expect(text).toContain('funding_rate_limited_total{limit="uploads-at-once"} 1');
    letGo();
    expect((await Promise.all(taken)).every(({ status }) => status === 201)).toBe(true);
  });

  /** Opens a session with an application of its own. */
  async function openOther(number: number): Promise<Browser> {
    const other = bff.openBrowser();
    const key = `0199c0de-0000-4000-9000-${String(number).padStart(12, '0')}`;
    await other.apply(createApplication(), key);
    return other;
  }

  it('release their permit if they are refused', async () => {
    for (let number = 0; number < 5; number += 1) {
      const answer = await browser.upload(new TextEncoder().encode('hello'));
      expect(isProblem(answer, 'document-type-mismatch')).toBe(true);
    }
  });
});

describe('the total size of documents', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff({ settings: { documents: { maxBytes: 4_000, maxTotalBytes: 5_000 } } });
    browser = bff.openBrowser();
    await browser.apply();
    await browser.upload(createTextPdf('first', 3_000), '1.pdf');
  });

  afterEach(() => bff.close());

  it('may reach the limit', async () => {
    expect((await browser.upload(createTextPdf('second', 2_000), '2.pdf')).status).toBe(201);
  });

  it('may not exceed the limit by one byte', async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls += 1;
          controller.enqueue(createTextPdf('second', 2_001));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const answer = await browser.send('POST', apiPaths.documents, body, {
      'content-type': 'application/octet-stream',
      'content-length': '2001',
      'x-document-name': '2.pdf',
      'x-document-category': 'other',
    });
    expect([answer.status, answer.json.code, pulls]).toEqual([409, 'document-space-exhausted', 0]);
  });

  it('is checked for concurrent uploads', async () => {
    const answers = await Promise.all([
      browser.upload(createTextPdf('second', 1_500), '2.pdf'),
      browser.upload(createTextPdf('third', 1_500), '3.pdf'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const list = await browser.send('GET', apiPaths.documents);
    expect(list.json.documents).toHaveLength(2);
  });

  it('ignores a document that is stored already', async () => {
    await browser.upload(createTextPdf('second', 2_000), '2.pdf');
    expect((await browser.upload(createTextPdf('first', 3_000), '1.pdf')).status).toBe(201);
    const other = await browser.upload(createTextPdf('other', 3_000), '1.pdf');
    expect(isProblem(other, 'document-space-exhausted')).toBe(true);
  });
});

function upload(browser: Browser, number: number) {
  return browser.upload(createTextPdf(`number ${number}`), `${number}.pdf`);
}

function letGo(): void {
  for (const end of held.splice(0)) end();
}
