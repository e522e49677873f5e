import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryWorker } from '../../../bff/delivery/delivery-worker.ts';
import type { Scan } from '../../../bff/documents/clamd.ts';
import type { Outcome, PreApproval } from '../../../bff/funding-service/funding-service.ts';
import { createEncryption } from '../../../bff/store/encryption.ts';
import { until } from '../../support/manual-time.ts';
import {
  accepted,
  createDeliveryRig,
  type DeliveryRig,
  duplicate,
  holdAnswer,
} from './delivery-rig.ts';

const hourMs = 3_600_000;

describe('the delivery of an application', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('erases the lead of an accepted application', async () => {
    await rig.worker.runDue();
    expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}']);
    const application = await rig.findApplication();
    expect(application).toMatchObject({
      state: 'accepted',
      serviceId: 'L1',
      encryptedLead: undefined,
    });
    expect(application.encryptedTrackingUrl?.toString()).not.toContain('service.example');
  });

  it('retries after a backoff', async () => {
    rig.answers.push({ kind: 'not-sent' });
    await rig.worker.runDue();
    expect(await rig.findApplication()).toMatchObject({
      state: 'waiting',
      uncertainAttempts: 0,
      lastOutcome: 'not-sent',
    });
    rig.time.advance(1_999);
    await rig.worker.runDue();
    expect(rig.sent).toHaveLength(1);
    rig.time.advance(1);
    await rig.worker.runDue();
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('sends the same bytes under the same ID after an unknown outcome', async () => {
    rig.answers.push({ kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(60_000);
    expect(rig.sent).toHaveLength(3);
    expect(new Set(rig.sent).size).toBe(1);
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('waits for Retry-After', async () => {
    rig.answers.push({ kind: 'throttled', retryAfterMs: 90_000 });
    await rig.worker.runDue();
    expect(await rig.store.findNextDueMs(['application'])).toBe(90_000);
  });

  it('records the reason of a refusal', async () => {
    const missing = { reason: 'missing-field', field: 'AnnualRevenue' } as const;
    rig.answers.push(
      { kind: 'refused', refusal: { reason: 'partner-headers-missing' } },
      { kind: 'refused', refusal: missing },
    );
    await rig.worker.runDue();
    expect((await rig.findApplication()).lastOutcome).toBe('partner-headers-missing');
    await rig.runFor(60_000);
    expect(await rig.findApplication()).toMatchObject({
      state: 'rejected',
      lastOutcome: 'missing-field',
    });
    expect(rig.events).toContainEqual({
      event: 'delivery-refused',
      kind: 'application',
      reference: 'a1',
      reason: 'partner-headers-missing',
    });
  });

  it('sends a row again that an ended process was sending', async () => {
    await rig.claim();
    rig.answers.push(duplicate);
    await rig.worker.start();
    await until(async () => (await rig.findApplication()).state === 'unconfirmed');
    expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}']);
    await rig.worker.stop();
  });

  it('continues after a restart', async () => {
    rig.answers.push({ kind: 'not-sent' });
    await rig.worker.runDue();
    const restarted = rig.createWorker();
    await restarted.start();
    await until(() => rig.time.listTimers().includes(2_000));
    rig.time.advance(2_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await restarted.stop();
  });

  it('keeps the lease during a long call', async () => {
    const answer = holdAnswer(rig.answers);
    const running = rig.worker.runDue();
    await until(() => rig.sent.length === 1);
    for (let minute = 0; minute < 10; minute += 1) rig.time.advance(60_000);
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
    answer(accepted);
    await running;
    expect((await rig.findApplication()).state).toBe('accepted');
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('continues after a row that cannot be decrypted', async () => {
    await rig.addApplication('a2', 'not the right place');
    await rig.worker.runDue();
    expect(await rig.findApplication('a2')).toMatchObject({
      state: 'waiting',
      lastOutcome: 'broken',
      uncertainAttempts: 0,
    });
    expect((await rig.findApplication('a1')).state).toBe('accepted');
    expect(rig.events).toContainEqual(
      expect.objectContaining({ event: 'delivery-broken', reference: 'a2' }),
    );
  });

  describe('after a duplicate', () => {
    const withCandidate: Outcome<never> = {
      kind: 'refused',
      refusal: { reason: 'duplicate-id', candidateId: 'L9' },
    };
    const toOffers = (referenceId: string): Outcome<PreApproval> => ({
      kind: 'accepted',
      value: { status: 'qualified', offers: [], referenceId, trackingUrl: undefined },
    });

    it('leaves the application unconfirmed', async () => {
      rig.answers.push({ kind: 'unknown' }, duplicate);
      await rig.runFor(60_000);
      expect((await rig.findApplication()).state).toBe('unconfirmed');
      expect(rig.events).toContainEqual({
        event: 'application-unconfirmed',
        reference: 'a1',
        wasExpected: true,
      });
      await rig.runFor(100 * hourMs);
      expect(rig.sent).toHaveLength(2);
    });

    it('reports a duplicate without an uncertain attempt', async () => {
      rig.answers.push(duplicate);
      await rig.worker.runDue();
      expect(rig.events).toContainEqual({
        event: 'application-unconfirmed',
        reference: 'a1',
        wasExpected: false,
      });
    });

    it('accepts a verified candidate id', async () => {
      rig.answers.push(withCandidate);
      rig.offerAnswers.push(toOffers('a1'));
      await rig.worker.runDue();
      expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L9' });
      expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}', 'offers L9']);
    });

    it('ignores the candidate id of another lead', async () => {
      rig.answers.push(withCandidate);
      rig.offerAnswers.push(toOffers('a7'));
      await rig.worker.runDue();
      expect(await rig.findApplication()).toMatchObject({
        state: 'unconfirmed',
        serviceId: undefined,
      });
    });

    it('retries if the candidate id cannot be verified', async () => {
      rig.answers.push(withCandidate, withCandidate);
      rig.offerAnswers.push({ kind: 'unknown' }, toOffers('a1'));
      await rig.worker.runDue();
      expect(await rig.findApplication()).toMatchObject({
        state: 'waiting',
        lastOutcome: 'duplicate-id',
        uncertainAttempts: 1,
      });
      await rig.runFor(hourMs);
      expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L9' });
    });
  });

  describe('at a limit', () => {
    it('holds the application after 72 hours', async () => {
      rig.answers.push(...Array.from({ length: 2_000 }, () => ({ kind: 'unknown' }) as const));
      await rig.runFor(71 * hourMs);
      expect((await rig.findApplication()).state).toBe('waiting');
      await rig.runFor(2 * hourMs);
      const held = await rig.findApplication();
      expect(held).toMatchObject({
        state: 'held',
        heldReason: 'deadline',
        lastOutcome: 'unknown',
        uncertainAttempts: rig.sent.length,
      });
      expect(held.encryptedLead).toBeDefined();
      expect(rig.events).toContainEqual({
        event: 'delivery-held',
        kind: 'application',
        reference: 'a1',
        reason: 'deadline',
        attempts: rig.sent.length,
        outcome: 'unknown',
      });
    });

    it("allows 72 more hours after an operator's retry", async () => {
      rig.answers.push(...Array.from({ length: 2_000 }, () => ({ kind: 'not-sent' }) as const));
      await rig.runFor(80 * hourMs);
      await rig.store.retry('a1');
      await rig.runFor(71 * hourMs);
      expect((await rig.findApplication()).state).toBe('waiting');
    });

    it('holds a row after ten interrupted attempts', async () => {
      await rig.interrupt('application', 9);
      await rig.interrupt('application', 1);
      rig.answers.push(accepted);
      await rig.worker.runDue();
      expect(rig.sent).toEqual([]);
      expect(await rig.findApplication()).toMatchObject({
        state: 'held',
        heldReason: 'interrupted',
        uncertainAttempts: 10,
      });
    });

    it('sends a row after nine interrupted attempts', async () => {
      await rig.interrupt('application', 9);
      await rig.worker.runDue();
      expect((await rig.findApplication()).state).toBe('accepted');
    });
  });
});

const failed = { kind: 'refused', refusal: { reason: 'processing-failed' } } as const;

describe('the delivery of documents and reports', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('delivers documents and reports after their application', async () => {
    await rig.addAttachment('d1', 'document', ['%PDF', '-1.7']);
    await rig.addAttachment('r1', 'bank-report', ['{"report"', ':{}}']);
    await rig.worker.runDue();
    expect(rig.sent[0]).toContain('lead a1');
    expect(rig.sent.slice(1).sort()).toEqual([
      'file L1 march.pdf Bank Verification -Acme 8 %PDF-1.7',
      'report L1 {"report":{}}',
    ]);
    expect(await rig.findAttachment('d1')).toMatchObject({ state: 'accepted', serviceId: 'D1' });
    expect(await rig.findAttachment('r1')).toMatchObject({ state: 'accepted', serviceId: 'R1' });
    expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
    expect(rig.events.map(({ event }) => event)).not.toContain('possible-duplicate');
  });

  it('sends no document of an unconfirmed application', async () => {
    rig.answers.push(duplicate);
    await rig.addAttachment('d1', 'document', ['x']);
    await rig.runFor(hourMs);
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findAttachment('d1')).state).toBe('received');
  });

  it('holds a document after three uncertain attempts', async () => {
    await rig.addAttachment('d1', 'document', ['x']);
    rig.attachmentAnswers.push({ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(24 * hourMs);
    expect(countSent('file')).toBe(3);
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'held',
      heldReason: 'uncertain',
      lastOutcome: 'unknown',
      uncertainAttempts: 3,
    });
    expect(await rig.store.readChunk('d1', 0)).toBeDefined();
    expect(rig.events).toContainEqual({
      event: 'delivery-held',
      kind: 'document',
      reference: 'a1',
      reason: 'uncertain',
      attempts: 3,
      outcome: 'unknown',
    });
  });

  it("sends a document three more times after an operator's retry", async () => {
    await rig.addAttachment('d1', 'document', ['x']);
    rig.attachmentAnswers.push(...Array.from({ length: 9 }, () => ({ kind: 'unknown' }) as const));
    await rig.runFor(24 * hourMs);
    await rig.store.retry('a1');
    await rig.runFor(59_999);
    expect(countSent('file')).toBe(4);
    await rig.runFor(1);
    expect(countSent('file')).toBe(5);
    await rig.runFor(24 * hourMs);
    expect(countSent('file')).toBe(6);
  });

  it('reports how many copies of a document may exist', async () => {
    await rig.addAttachment('d1', 'document', ['x']);
    rig.attachmentAnswers.push({ kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(hourMs);
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
    expect(rig.events).toContainEqual({
      event: 'possible-duplicate',
      kind: 'document',
      reference: 'a1',
      copies: 3,
    });
  });

  it('waits minutes between uncertain attempts', async () => {
    await rig.addAttachment('d1', 'document', ['x']);
    rig.attachmentAnswers.push({ kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(59_999);
    expect(countSent('file')).toBe(1);
    await rig.runFor(300_000);
    expect(countSent('file')).toBe(2);
    await rig.runFor(60_000);
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
  });

  it('sends a document once its missing data key is back', async () => {
    await rig.worker.runDue();
    await rig.addAttachment('d1', 'document', ['x']);
    const withoutKey = rig.createWorker(rig.store, {
      encryption: createEncryption({
        keys: { 2: Buffer.alloc(32, 2).toString('base64') },
        currentId: '2',
      }),
    });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await withoutKey.runDue();
      rig.time.advance(900_000);
    }
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'waiting',
      uncertainAttempts: 0,
    });
    await rig.worker.runDue();
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
  });

  it('counts a crash during an attempt as uncertain', async () => {
    await rig.accept();
    await rig.addAttachment('d1', 'document', ['x']);
    await rig.interrupt('document', 3);
    await rig.worker.runDue();
    expect(countSent('file')).toBe(0);
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'held',
      heldReason: 'uncertain',
      uncertainAttempts: 3,
    });
  });

  it('sends a report three times after processing failures', async () => {
    await rig.addAttachment('r1', 'bank-report', ['{}']);
    rig.attachmentAnswers.push(failed, failed, failed);
    await rig.runFor(600_000);
    expect(countSent('report')).toBe(3);
    expect((await rig.findAttachment('r1')).state).toBe('held');
  });

  it('holds a document after 72 hours without a connection', async () => {
    await rig.addAttachment('d1', 'document', ['x']);
    rig.attachmentAnswers.push(
      ...Array.from({ length: 2_000 }, () => ({ kind: 'not-sent' }) as const),
    );
    await rig.runFor(71 * hourMs);
    expect((await rig.findAttachment('d1')).state).toBe('waiting');
    await rig.runFor(2 * hourMs);
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'held',
      heldReason: 'deadline',
      uncertainAttempts: 0,
    });
  });

  function countSent(what: string): number {
    return rig.sent.filter((line) => line.startsWith(what)).length;
  }
});

describe('the delivery of a contact request', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    await rig.addAttachment('c1', 'contact', []);
    return () => rig.store.close();
  });

  it('follows its application', async () => {
    await rig.worker.runDue();
    expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}', 'contact L1']);
    expect((await rig.findAttachment('c1')).state).toBe('accepted');
  });

  it('is repeated after unknown outcomes without a limit', async () => {
    rig.contactAnswers.push(...Array.from({ length: 6 }, () => ({ kind: 'unknown' }) as const));
    await rig.runFor(2_000 + 4_000);
    expect(await rig.findAttachment('c1')).toMatchObject({ state: 'waiting', attempts: 3 });
    await rig.runFor(hourMs);
    expect(await rig.findAttachment('c1')).toMatchObject({ state: 'accepted', attempts: 7 });
    expect(rig.events.map(({ event }) => event)).not.toContain('possible-duplicate');
  });

  it('waits after an unknown refusal', async () => {
    rig.contactAnswers.push({ kind: 'refused', refusal: { reason: 'unrecognized' } });
    await rig.worker.runDue();
    expect(await rig.findAttachment('c1')).toMatchObject({
      state: 'waiting',
      lastOutcome: 'unrecognized',
    });
  });

  it('waits after a refusal that an operator must fix', async () => {
    rig.contactAnswers.push({
      kind: 'refused',
      refusal: { reason: 'partner-headers-missing' },
    });
    await rig.worker.runDue();
    expect((await rig.findAttachment('c1')).state).toBe('waiting');
    expect(rig.events).toContainEqual({
      event: 'delivery-refused',
      kind: 'contact',
      reference: 'a1',
      reason: 'partner-headers-missing',
    });
  });

  it('needs no data key', async () => {
    await rig.accept();
    const withoutKey = rig.createWorker(rig.store, {
      encryption: createEncryption({
        keys: { 2: Buffer.alloc(32, 2).toString('base64') },
        currentId: '2',
      }),
    });
    await withoutKey.runDue();
    expect((await rig.findAttachment('c1')).state).toBe('accepted');
  });
});

describe('the delivery of documents with a scanner', () => {
  let rig: DeliveryRig;
  let worker: DeliveryWorker;
  let scans: (Scan | Error)[];
  let scanned: string[];

  beforeEach(async () => {
    rig = await createDeliveryRig();
    scans = [];
    scanned = [];
    worker = rig.createWorker(rig.store, {
      async scanDocument(content) {
        const chunks: Uint8Array[] = [];
        for await (const chunk of content) chunks.push(chunk);
        scanned.push(Buffer.concat(chunks).toString());
        const scan = scans.shift() ?? 'clean';
        if (scan instanceof Error) throw scan;
        return scan;
      },
    });
    await rig.accept();
    await rig.addAttachment('d1', 'document', ['%PDF', '-1.7']);
    return () => rig.store.close();
  });

  it('sends a clean document', async () => {
    await worker.runDue();
    expect(scanned).toEqual(['%PDF-1.7']);
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
  });

  it('rejects an infected document', async () => {
    scans.push('infected');
    await worker.runDue();
    expect(rig.sent).toEqual([]);
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'rejected',
      lastOutcome: 'infected',
    });
    expect(rig.events).toContainEqual({ event: 'document-infected', reference: 'a1' });
  });

  it.each(['scanner-unanswered', 'scanner-answer-unknown', 'scanner-size-limit'] as const)(
    'keeps a document without a verdict: %s',
    async (scan) => {
      scans.push(scan, scan);
      await worker.runDue();
      expect(await rig.findAttachment('d1')).toMatchObject({
        state: 'waiting',
        lastOutcome: scan,
        uncertainAttempts: 0,
      });
      expect(rig.events).toContainEqual({
        event: 'document-unscanned',
        reference: 'a1',
        reason: scan,
      });
      rig.time.advance(60_000);
      await worker.runDue();
      expect(rig.sent).toEqual([]);
      rig.time.advance(60_000);
      await worker.runDue();
      expect([scanned.length, rig.sent.length]).toEqual([3, 1]);
      expect((await rig.findAttachment('d1')).state).toBe('accepted');
    },
  );

  it('scans a document before each attempt', async () => {
    rig.attachmentAnswers.push({ kind: 'not-sent' });
    scans.push('clean', 'infected');
    await worker.runDue();
    rig.time.advance(60_000);
    await worker.runDue();
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findAttachment('d1')).state).toBe('rejected');
  });

  it('holds a document after three days without a verdict', async () => {
    for (let hour = 0; hour < 73; hour += 1) {
      scans.push('scanner-unanswered');
      await worker.runDue();
      rig.time.advance(hourMs);
    }
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'held',
      heldReason: 'deadline',
      lastOutcome: 'scanner-unanswered',
    });
    expect(rig.sent).toEqual([]);
    expect(await rig.store.readChunk('d1', 0)).toBeDefined();
  });

  it('sends no document that cannot be decrypted for the scan', async () => {
    scans.push(new Error('The content is broken'));
    await worker.runDue();
    expect(rig.sent).toEqual([]);
    expect((await rig.findAttachment('d1')).state).toBe('waiting');
    expect(rig.events.map(({ event }) => event)).toContain('delivery-broken');
  });

  it('does not scan bank reports', async () => {
    await rig.addAttachment('r1', 'bank-report', ['{}']);
    scans.push('infected');
    await worker.runDue();
    expect(scanned).toEqual(['%PDF-1.7']);
    expect(rig.sent).toEqual(['report L1 {}']);
  });
});
