// `GET /v1/session` for held, unconfirmed, erased, and delayed rows.

import { describe, expect, it } from 'vitest';
import type { AttemptResult, DeliveryKind } from '../../../bff/store/store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { sessionSchema } from '../../../shared/api/session.ts';
import { secondKey, type Answer } from '../../support/applicant.ts';
import { contactRequest, createApplication, createBankReport } from '../../support/applications.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { openBff, passTime, readJson, toOutcome } from '../open-bff.ts';

const smallPdf = createTextPdf('small');
const held = { state: 'held', reason: 'deadline', isUncertain: false } as const;
const accepted = { state: 'accepted', serviceId: 'lead-1' } as const;
const attachments = ['document', 'bank-report', 'contact'] as const;
const unreachable = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;

/** An application that nothing delivers. Its rows get these results, as a delivery worker would record them. */
async function open(results: Partial<Record<DeliveryKind, AttemptResult>> = {}) {
  const bff = await openBff({ delivers: false });
  const { browser, store, time } = bff;

  /** Nothing is delivered, so the request waits until its timeout. */
  async function waitOut(pending: Promise<Answer>): Promise<Answer> {
    await passTime(bff, 8_000);
    return pending;
  }

  async function record(kind: DeliveryKind): Promise<void> {
    const result = results[kind];
    if (!result) return;
    const claim = await store.claimDue(kind, 1_000);
    if (!claim || claim.kind === 'unreadable') throw new Error(`No ${kind} is due`);
    expect(await store.recordResult(claim, result)).toBe(true);
  }

  const { reference } = (await waitOut(browser.apply())).json;
  await record('application');
  for (const give of [
    () => browser.upload(smallPdf),
    () => browser.send('POST', apiPaths.assetReport, createBankReport('1')),
    () => browser.send('POST', apiPaths.contact, contactRequest),
  ]) {
    const answer = results.application === accepted ? waitOut(give()) : give();
    expect((await answer).status).toBe(202);
  }
  for (const kind of attachments) await record(kind);
  time.advance(60_000);
  const readSession = async () => sessionSchema.parse(await readJson(browser, apiPaths.session));
  return { ...bff, reference, waitOut, readSession };
}

describe('GET /v1/session', () => {
  it.each<[string, Parameters<typeof open>[0], object]>([
    [
      'a held application as received and delayed',
      { application: held },
      { application: { status: 'received', delayed: true } },
    ],
    [
      'held attachments as received',
      { application: accepted, document: held, 'bank-report': held, contact: held },
      {
        documents: [{ number: 1, status: 'received', delayed: true }],
        assetReport: { status: 'received', delayed: true },
        contact: { status: 'received' },
      },
    ],
    [
      'attachments of an unconfirmed application as received',
      { application: { state: 'unconfirmed' } },
      {
        application: { status: 'confirming', delayed: false },
        documents: [{ status: 'received', delayed: false }],
        assetReport: { status: 'received', delayed: false },
        contact: { status: 'received' },
      },
    ],
  ])('shows %s', async (_what, results, session) => {
    const { browser, readSession } = await open(results);
    const shown = await readSession();
    expect(shown).toMatchObject(session);
    const answer = await browser.send('GET', apiPaths.application);
    expect([answer.status, answer.json]).toEqual([200, shown.application]);
  });

  it('omits an erased application, and does not accept its key again', async () => {
    const { browser, store, reference, readSession, waitOut } = await open();
    await store.erase(reference);
    expect(await readSession()).toMatchObject({
      application: null,
      documents: [],
      assetReport: null,
      contact: null,
    });
    const status = await browser.send('GET', apiPaths.application);
    expect(toOutcome(status)).toBe('409 application-missing');
    expect(toOutcome(await browser.apply())).toBe('422 idempotency-key-reused');
    const again = await waitOut(browser.apply(createApplication(), secondKey));
    expect(again.json.reference).not.toBe(reference);
  });

  const keepAll = { recordDays: 1, undeliveredDays: 1, rejectedDays: 1, evidenceDays: 1 };

  it('shows a document without its erased name', async () => {
    const { browser, store, readSession } = await open({
      application: accepted,
      document: { state: 'accepted', serviceId: 'document-1' },
    });
    await store.purge({ ...keepAll, recordDays: 0 });
    const { documents } = await readSession();
    expect(documents).toEqual([
      {
        number: 1,
        category: 'bank-statements-jan',
        bytes: smallPdf.byteLength,
        status: 'delivered',
        delayed: false,
      },
    ]);
    expect((await readJson(browser, apiPaths.documents)).documents).toEqual(documents);
  });

  it('omits erased attachments', async () => {
    const { store, readSession } = await open({
      application: accepted,
      document: held,
      'bank-report': held,
      contact: held,
    });
    await store.purge({ ...keepAll, undeliveredDays: 0 });
    expect(await readSession()).toMatchObject({
      application: { status: 'accepted' },
      documents: [],
      assetReport: null,
      contact: null,
    });
  });

  it('shows a new application as delayed while the funding service is unavailable', async () => {
    const bff = await open();
    // Five failures in a row, and one probe.
    for (let call = 0; call < 6; call += 1) {
      bff.time.advance(15 * 60_000);
      bff.faults.push({ path: '/creditapp', result: unreachable });
      await bff.delivery.runDue();
    }
    // The response does not wait for the funding service.
    const { json } = await bff.openBrowser('http://other.localhost:8080').apply();
    expect(json).toMatchObject({ status: 'received', delayed: true });
    expect((await bff.store.findApplication(json.reference))?.state).toBe('received');
  });
});
