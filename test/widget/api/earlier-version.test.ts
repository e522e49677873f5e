// While a BFF is updated: pages that were loaded before meet the new one, and new pages meet one of before.

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { documentStatusSchema } from '../../../shared/api/attachments.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createFundingApi } from '../../../widget/api/funding-api.ts';
import { firstKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { createBankStatement } from '../../support/files/realistic-files.ts';

interface Recorded {
  /** Method and path. */
  readonly asked: string;
  readonly status: number;
  readonly body?: unknown;
}

const consent = { id: 'contact', version: '1' };
const settings = {
  consents: [{ ...consent, label: 'You may call me', text: 'About calls.', required: false }],
};
const application = JSON.stringify({ ...createApplication(), consents: [consent] });
const mistaken = application.replace('75000', '0');
const report = { report: { asset_report_id: 'a', items: [{ accounts: [{}] }] } };

/** What the last version without handles, limits and inspection answered to the questions below; long lists were cut to one. */
const earlier: readonly Recorded[] = JSON.parse(
  await readFile(new URL('../../fixtures/earlier-answers.json', import.meta.url), 'utf8'),
);

/** Words of which an earlier widget knows a closed list, by the name they stand under. */
const words = new Set(['asked', 'status', 'code', 'decision', 'contact', 'environment', 'group']);
/** Objects that an earlier widget refuses when there is more in them. */
const strict = /\/(?:fundingReasons|businessTypes|creditScores|consents|errors)\/\d+$/;

it('a widget that was loaded before gets all it knows of, under the same names and in the same words', async () => {
  const bff = await startBff({ settings });
  const now = await askAsBefore(bff);
  await bff.close();
  expect(listMissing(earlier, now)).toEqual([]);
});

it('a widget understands every answer of an earlier BFF, and asks nothing that is not known there', async () => {
  const left = earlier.filter(({ asked }) => asked !== 'POST /v1/documents');
  const api = createFundingApi('http://bff.example', async (input, init) => {
    const next = left.shift();
    expect(`${init?.method} ${new URL(String(input)).pathname}`).toBe(next?.asked);
    return new Response(next?.body ? JSON.stringify(next.body) : null, { status: next!.status });
  });
  expect(await api.submitApplication(application, firstKey)).toMatchObject({
    code: 'session-missing',
  });
  expect(await api.getConfiguration()).toMatchObject({ ok: true });
  expect(await api.openSession()).toMatchObject({ ok: true });
  expect(await api.submitApplication(mistaken, firstKey)).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/fundingNeed/amount' }],
  });
  expect(await api.submitApplication(application, firstKey)).toMatchObject({ ok: true });
  expect(await api.getApplication()).toMatchObject({ value: { status: 'accepted' } });
  expect(await api.submitAssetReport(report)).toMatchObject({ ok: true });
  expect(await api.getOffers()).toMatchObject({ value: { decision: 'pending' } });
  expect(await api.getOffers()).toMatchObject({ value: { decision: 'qualified' } });
  expect(await api.enableContact(consent)).toMatchObject({ ok: true });
  expect(await api.openSession()).toMatchObject({ value: { documents: [{ number: 1 }] } });
  expect(await api.endSession()).toMatchObject({ ok: true });
  expect(left).toEqual([]);
});

it('a widget understands what an earlier BFF says of an upload', () => {
  const { body } = earlier.find(({ asked }) => asked === 'POST /v1/documents')!;
  expect(documentStatusSchema.parse(body)).toEqual(body);
});

it('a widget takes a problem that only a later BFF knows for one of the BFF', async () => {
  const body = { type: 'urn:x', title: 'New', status: 409, code: 'of-tomorrow', requestId: '1' };
  const answer = new Response(JSON.stringify(body), {
    status: 409,
    headers: { 'retry-after': '7' },
  });
  const api = createFundingApi('http://bff.example', async () => answer);
  expect(await api.getApplication()).toEqual({
    ok: false,
    code: 'internal',
    errors: [],
    retryAfterMs: 7_000,
  });
});

/** The questions of before, as they were recorded. */
async function askAsBefore(bff: TestBff): Promise<Recorded[]> {
  const browser = bff.openBrowser();
  const answers: Recorded[] = [];
  async function ask(asked: string, text?: string): Promise<void> {
    const [method = '', path = ''] = asked.split(' ');
    const key = path === apiPaths.application ? { [apiHeaders.idempotencyKey]: firstKey } : {};
    const { status, json } = await browser.send(method, path, text, key);
    answers.push({ asked, status, body: json });
  }
  await ask('POST /v1/application', application);
  await ask('GET /v1/configuration');
  await ask('POST /v1/session', '{}');
  await ask('POST /v1/application', mistaken);
  await ask('POST /v1/application', application);
  await ask('GET /v1/application');
  const { status, json } = await browser.upload(Uint8Array.from(await createBankStatement()));
  answers.push({ asked: 'POST /v1/documents', status, body: json });
  await ask('POST /v1/asset-report', JSON.stringify(report));
  await ask('GET /v1/offers');
  bff.time.advance(10_000);
  await ask('GET /v1/offers');
  await ask('POST /v1/contact', JSON.stringify({ consent }));
  await ask('POST /v1/session', '{}');
  await ask('DELETE /v1/session');
  return answers;
}

/** Where something is gone, of another kind, another word, or more than may be. */
function listMissing(before: unknown, now: unknown, path = ''): string[] {
  if (typeof before === 'object' && before !== null) {
    const is = Object(now);
    const added = strict.test(path) ? Object.keys(is).filter((key) => !(key in before)) : [];
    const missing = Object.entries(before).flatMap(([key, value]) =>
      listMissing(value, is[key], `${path}/${key}`),
    );
    return [...missing, ...added.map((key) => `${path}/+${key}`)];
  }
  const isWord = words.has(path.slice(path.lastIndexOf('/') + 1));
  const isSame = isWord || before === null ? before === now : typeof before === typeof now;
  return isSame ? [] : [path];
}
