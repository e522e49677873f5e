// An attempt: its request, its result, and its log events. `retry-policy.test.ts` has the decision after each outcome.

import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryWorker } from '../../../bff/delivery/delivery-worker.ts';
import { type Scan, scanFailures } from '../../../bff/documents/clamd.ts';
import type { Outcome, PreApproval } from '../../../bff/funding-service/funding-service.ts';
import {
  createDeliveryRig,
  createTestEncryption,
  type DeliveryRig,
  duplicate,
  hourMs,
  notSent,
  repeat,
  unknown,
} from './delivery-rig.ts';

const lead = 'lead a1 {"ID":"a1"}';

let rig: DeliveryRig;

beforeEach(async () => {
  rig = await createDeliveryRig();
  return () => rig.store.close();
});

/** The row of an application, such as `a1`, or of an attachment. */
async function expectRow(id: string, expected: object): Promise<void> {
  const row = await (id.startsWith('a') ? rig.findApplication(id) : rig.findAttachment(id));
  expect(row).toMatchObject(expected);
}

describe('the delivery of an application', () => {
  it('erases the lead of an accepted application', async () => {
    await rig.worker.runDue();
    expect(rig.sent).toEqual([lead]);
    const application = await rig.findApplication();
    await expectRow('a1', { state: 'accepted', serviceId: 'L1', encryptedLead: undefined });
    expect(application.encryptedTrackingUrl?.toString()).not.toContain('service.example');
    expect(rig.events).toMatchObject([{ event: 'delivery-recorded', attempts: 1 }]);
  });

  it('reports a tracking URL that is not safe', async () => {
    await rig.createWorker({}, { isTrackingUrlSafe: () => false }).runDue();
    expect(rig.events).toContainEqual({ event: 'tracking-url-refused', reference: 'a1' });
  });

  it('sends the same bytes under the same ID after a backoff', async () => {
    rig.answers.push(notSent, unknown, unknown);
    await rig.runFor(1_999);
    await expectRow('a1', { state: 'waiting', uncertainAttempts: 0, lastOutcome: 'not-sent' });
    expect(rig.sent).toEqual([lead]);
    await rig.runFor(60_000);
    expect(rig.sent).toEqual([lead, lead, lead, lead]);
    await expectRow('a1', { state: 'accepted', uncertainAttempts: 2 });
  });

  it('records and reports the reason of a refusal', async () => {
    rig.answers.push(
      { kind: 'refused', refusal: { reason: 'partner-headers-missing' } },
      { kind: 'refused', refusal: { reason: 'missing-field', field: 'AnnualRevenue' } },
    );
    await rig.worker.runDue();
    await expectRow('a1', { lastOutcome: 'partner-headers-missing' });
    await rig.runFor(60_000);
    await expectRow('a1', { state: 'rejected', lastOutcome: 'missing-field' });
    const subject = { kind: 'application', reference: 'a1' };
    const rejected = { ...subject, reason: 'missing-field', fields: ['/business/annualRevenue'] };
    expect(rig.events.filter(({ event }) => event !== 'delivery-recorded')).toEqual([
      { event: 'delivery-refused', ...subject, reason: 'partner-headers-missing' },
      { event: 'delivery-rejected', ...rejected },
    ]);
  });

  it('continues after a row that cannot be decrypted', async () => {
    await rig.addApplication('a2', 'not the right place');
    await rig.worker.runDue();
    await expectRow('a2', { state: 'waiting', lastOutcome: 'broken', uncertainAttempts: 0 });
    await expectRow('a1', { state: 'accepted' });
    const event = expect.objectContaining({ event: 'delivery-broken', reference: 'a2' }) as unknown;
    expect(rig.events).toContainEqual(event);
  });

  it.each([
    [[unknown, duplicate], true],
    [[duplicate], false],
  ])('is unconfirmed after a duplicate: %j', async (answers, wasExpected) => {
    rig.answers.push(...answers);
    await rig.runFor(100 * hourMs);
    await expectRow('a1', { state: 'unconfirmed' });
    expect(rig.sent).toHaveLength(answers.length);
    const event = { event: 'application-unconfirmed', reference: 'a1', wasExpected };
    expect(rig.events).toContainEqual(event);
  });

  const toOffers = (referenceId: string): Outcome<PreApproval> => ({
    kind: 'accepted',
    value: { status: 'qualified', offers: [], referenceId, trackingUrl: undefined },
  });

  it.each([
    ['of this lead is accepted', [toOffers('a1')], 'accepted', 'L9', 0],
    ['of another lead is ignored', [toOffers('a7')], 'unconfirmed', undefined, 0],
    ['is verified later', [unknown, toOffers('a1')], 'accepted', 'L9', 1],
  ])('a candidate id %s', async (_name, offers, state, serviceId, uncertainAttempts) => {
    const refusal = { reason: 'duplicate-id', candidateId: 'L9' } as const;
    rig.answers.push(...repeat<never>({ kind: 'refused', refusal }, offers.length));
    rig.offerAnswers.push(...offers);
    await rig.worker.runDue();
    expect(rig.sent).toEqual([lead, 'offers L9']);
    const waiting = { state: 'waiting', lastOutcome: 'duplicate-id', uncertainAttempts };
    await expectRow('a1', uncertainAttempts > 0 ? waiting : { state });
    await rig.runFor(hourMs);
    await expectRow('a1', { state, serviceId, uncertainAttempts });
  });

  it.each([
    [9, { state: 'accepted' }],
    [10, { state: 'held', heldReason: 'interrupted', uncertainAttempts: 10 }],
  ])('after %i interrupted attempts is %j', async (times, expected) => {
    await rig.interrupt('application', times);
    await rig.worker.runDue();
    await expectRow('a1', expected);
    expect(rig.sent).toHaveLength(times === 9 ? 1 : 0);
  });
});

describe('the delivery of an attachment', () => {
  it('follows its application', async () => {
    await rig.addAttachment('d1', 'document', ['%PDF', '-1.7']);
    await rig.addAttachment('r1', 'bank-report', ['{"report"', ':{}}']);
    await rig.addAttachment('c1', 'contact');
    await rig.worker.runDue();
    expect(rig.sent[0]).toBe(lead);
    expect(rig.sent.slice(1).sort()).toEqual([
      'contact L1',
      'file L1 march.pdf Bank Verification -Acme 8 %PDF-1.7',
      'report L1 {"report":{}}',
    ]);
    await expectRow('d1', { state: 'accepted', serviceId: 'D1' });
    await expectRow('r1', { state: 'accepted', serviceId: 'R1' });
    await expectRow('c1', { state: 'accepted' });
    expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
    expect(rig.countEvents('possible-duplicate')).toBe(0);
  });

  it('is held after three uncertain attempts, and after three more from a retry', async () => {
    await rig.addAttachment('d1', 'document');
    rig.attachmentAnswers.push(...repeat(unknown, 9));
    await rig.runFor(24 * hourMs);
    expect(rig.countSent('file')).toBe(3);
    await expectRow('d1', {
      state: 'held',
      heldReason: 'uncertain',
      lastOutcome: 'unknown',
      uncertainAttempts: 3,
    });
    expect(await rig.store.readChunk('d1', 0)).toBeDefined();
    const subject = { kind: 'document', reference: 'a1', attempts: 3 };
    const event = { event: 'delivery-held', reason: 'uncertain', outcome: 'unknown', ...subject };
    expect(rig.events).toContainEqual(event);
    await rig.store.retry('a1');
    await rig.runFor(59_999);
    expect(rig.countSent('file')).toBe(4);
    await rig.runFor(24 * hourMs);
    expect(rig.countSent('file')).toBe(6);
  });

  it('reports how many copies may exist', async () => {
    await rig.addAttachment('d1', 'document');
    rig.attachmentAnswers.push(unknown, unknown);
    await rig.runFor(hourMs);
    await expectRow('d1', { state: 'accepted' });
    const subject = { kind: 'document', reference: 'a1' };
    expect(rig.events).toContainEqual({ event: 'possible-duplicate', ...subject, copies: 3 });
  });

  it('counts a crash during an attempt as uncertain', async () => {
    await rig.accept();
    await rig.addAttachment('d1', 'document');
    await rig.interrupt('document', 3);
    await rig.worker.runDue();
    expect(rig.sent).toEqual([]);
    await expectRow('d1', { state: 'held', heldReason: 'uncertain', uncertainAttempts: 3 });
  });

  it('waits for a missing data key, unless it has no content', async () => {
    await rig.accept();
    await rig.addAttachment('d1', 'document');
    await rig.addAttachment('c1', 'contact');
    const withoutKey = rig.createWorker({}, { encryption: createTestEncryption(2) });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await withoutKey.runDue();
      rig.time.advance(900_000);
    }
    await expectRow('c1', { state: 'accepted' });
    await expectRow('d1', { state: 'waiting', uncertainAttempts: 0 });
    await rig.worker.runDue();
    await expectRow('d1', { state: 'accepted' });
  });
});

describe('the delivery of documents with a scanner', () => {
  let worker: DeliveryWorker;
  let scans: (Scan | Error)[];
  let scanned: string[];

  beforeEach(async () => {
    scans = [];
    scanned = [];
    worker = rig.createWorker(
      {},
      {
        async scanDocument(content) {
          const chunks: Uint8Array[] = [];
          for await (const chunk of content) chunks.push(chunk);
          scanned.push(Buffer.concat(chunks).toString());
          const scan = scans.shift() ?? 'clean';
          if (scan instanceof Error) throw scan;
          return scan;
        },
      },
    );
    await rig.accept();
    await rig.addAttachment('d1', 'document', ['%PDF', '-1.7']);
  });

  it.each(scanFailures)('wait without a verdict: %s', async (scan) => {
    scans.push(scan, scan);
    await worker.runDue();
    await expectRow('d1', { state: 'waiting', lastOutcome: scan, uncertainAttempts: 0 });
    const event = { event: 'document-unscanned', reference: 'a1', reason: scan };
    expect(rig.events).toContainEqual(event);
    rig.time.advance(60_000);
    await worker.runDue();
    expect(rig.sent).toEqual([]);
    rig.time.advance(60_000);
    await worker.runDue();
    expect(scanned).toEqual(['%PDF-1.7', '%PDF-1.7', '%PDF-1.7']);
    await expectRow('d1', { state: 'accepted' });
  });

  it('scans a document before each attempt, and rejects an infected one', async () => {
    rig.attachmentAnswers.push(notSent);
    scans.push('clean', 'infected');
    await worker.runDue();
    rig.time.advance(60_000);
    await worker.runDue();
    expect(rig.sent).toHaveLength(1);
    await expectRow('d1', { state: 'rejected', lastOutcome: 'infected' });
    expect(rig.events.at(-1)).toEqual({ event: 'document-infected', reference: 'a1' });
  });

  it('sends no document that cannot be decrypted for the scan', async () => {
    scans.push(new Error('The content is broken'));
    await worker.runDue();
    expect(rig.sent).toEqual([]);
    await expectRow('d1', { state: 'waiting' });
    expect(rig.countEvents('delivery-broken')).toBe(1);
  });

  it('does not scan bank reports', async () => {
    await rig.addAttachment('r1', 'bank-report', ['{}']);
    scans.push('infected');
    await worker.runDue();
    expect(scanned).toEqual(['%PDF-1.7']);
    expect(rig.sent).toEqual(['report L1 {}']);
  });
});
