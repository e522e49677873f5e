// `GET /v1/session` for held, unconfirmed, erased, and delayed rows.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryKind, AttemptResult } from '../../../bff/store/store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { sessionSchema, type Session } from '../../../shared/api/session.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { secondKey, type Answer, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

const smallPdf = createTextPdf('small');
const report = '{"report":{"asset_report_id":"1","items":[{"accounts":[]}]}}';
const contactRequest = '{"consent":{"id":"contact","version":"placeholder-1"}}';
const held = { state: 'held', reason: 'deadline', isUncertain: false } as const;
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
const resultTimeoutMs = 8_000;

describe('GET /v1/session', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff({ delivers: false });
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it('shows a held application as received and delayed', async () => {
    await apply();
    await recordResult('application', held);
    expect((await session()).application).toMatchObject({ status: 'received', delayed: true });
    const answer = await browser.send('GET', apiPaths.application);
    expect([answer.status, answer.json.status, answer.json.delayed]).toEqual([
      200,
      'received',
      true,
    ]);
  });

  it('shows held attachments as received', async () => {
    await apply();
    await recordResult('application', { state: 'accepted', serviceId: 'lead-1' });
    await submitAttachments();
    for (const kind of ['document', 'bank-report', 'contact'] as const)
      await recordResult(kind, held);
    expect(await session()).toMatchObject({
      documents: [{ number: 1, status: 'received', delayed: true }],
      assetReport: { status: 'received', delayed: true },
      contact: { status: 'received' },
    });
  });

  it('shows attachments of an unconfirmed application as received', async () => {
    await apply();
    await recordResult('application', { state: 'unconfirmed' });
    await submitAttachments();
    expect(await session()).toMatchObject({
      application: { status: 'confirming', delayed: false },
      documents: [{ status: 'received', delayed: false }],
      assetReport: { status: 'received', delayed: false },
      contact: { status: 'received' },
    });
  });

  it('omits an erased application', async () => {
    const first = await apply();
    await submitAttachments();
    await bff.store.erase(first);
    expect(await session()).toMatchObject({
      application: null,
      documents: [],
      assetReport: null,
      contact: null,
    });
    expect(isProblem(await browser.send('GET', apiPaths.application), 'application-missing')).toBe(
      true,
    );
    expect(isProblem(await browser.upload(smallPdf), 'application-missing')).toBe(true);
    const again = await unanswered(browser.apply(createApplication(), secondKey));
    expect(again.json.reference).not.toBe(first);
  });

  it('does not accept an erased application again with its key', async () => {
    const first = await apply();
    await bff.store.erase(first);
    expect(isProblem(await browser.apply(), 'idempotency-key-reused')).toBe(true);
  });

  it('shows a document without its erased name', async () => {
    await apply();
    await recordResult('application', { state: 'accepted', serviceId: 'lead-1' });
    await submitAttachments();
    await recordResult('document', { state: 'accepted', serviceId: 'document-1' });
    bff.time.advance(60_000);
    await bff.store.purge({ ...keepAll, recordDays: 0 });
    const [document] = (await session()).documents;
    expect(document).toEqual({
      number: 1,
      category: 'bank-statements-jan',
      bytes: smallPdf.byteLength,
      status: 'delivered',
      delayed: false,
    });
    expect((await browser.send('GET', apiPaths.documents)).json.documents).toEqual([document]);
  });

  it('omits erased documents', async () => {
    await apply();
    await recordResult('application', { state: 'accepted', serviceId: 'lead-1' });
    await submitAttachments();
    for (const kind of ['document', 'bank-report', 'contact'] as const) {
      await recordResult(kind, { state: 'held', reason: 'deadline', isUncertain: false });
    }
    bff.time.advance(60_000);
    await bff.store.purge({ ...keepAll, undeliveredDays: 0 });
    expect(await session()).toMatchObject({
      application: { status: 'accepted' },
      documents: [],
      assetReport: null,
      contact: null,
    });
  });

  it('shows a new application as delayed while the funding service is unavailable', async () => {
    await unanswered(bff.openBrowser('http://other.localhost:8080').apply());
    // Five failures in a row, and one probe.
    for (let call = 0; call < 6; call += 1) {
      bff.time.advance(15 * 60_000);
      bff.faults.push({ path: '/creditapp', result: unreachable });
      await bff.delivery.runDue();
    }
    const answer = await browser.apply();
    expect(answer.json).toMatchObject({ status: 'received', delayed: true });
    const { state } = (await bff.store.findApplication(answer.json.reference)) ?? {};
    expect(state).toBe('received');
  });

  async function apply(): Promise<string> {
    return (await unanswered(browser.apply())).json.reference;
  }

  async function submitAttachments(): Promise<void> {
    const { application } = await session();
    for (const give of [
      () => browser.upload(smallPdf),
      () => browser.send('POST', apiPaths.assetReport, report),
      () => browser.send('POST', apiPaths.contact, contactRequest),
    ]) {
      const answer = await (application?.status === 'accepted' ? unanswered(give()) : give());
      expect(answer.status).toBe(202);
    }
  }

  /** Nothing is delivered, so the request waits until its timeout. */
  async function unanswered(pending: Promise<Answer>): Promise<Answer> {
    await until(() => bff.time.listTimers().includes(resultTimeoutMs));
    bff.time.advance(resultTimeoutMs);
    return pending;
  }

  async function session(): Promise<Session> {
    return sessionSchema.parse((await browser.send('GET', apiPaths.session)).json);
  }

  /** Records a result like the delivery worker. */
  async function recordResult(kind: DeliveryKind, result: AttemptResult): Promise<void> {
    const claim = await bff.store.claimDue(kind, 1_000);
    if (!claim || claim.kind === 'unreadable') throw new Error(`No ${kind} is due`);
    expect(await bff.store.recordResult(claim, result)).toBe(true);
  }
});

const keepAll = { recordDays: 1, undeliveredDays: 1, rejectedDays: 1, evidenceDays: 1 };
