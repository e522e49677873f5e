// The delivery of documents, reports and wishes to be contacted: after their application, and never too often.

import { beforeEach, describe, expect, it } from 'vitest';
import { createEncryption } from '../../../bff/store/encryption.ts';
import { createDeliveryRig, duplicate, type DeliveryRig } from './delivery-rig.ts';

const hourMs = 3_600_000;
const failed = { kind: 'refused', refusal: { reason: 'processing-failed' } } as const;

describe('the delivery of documents and reports', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('delivers documents and reports after their application, with all their pieces', async () => {
    await rig.addAttachment('d1', 'document', ['%PDF', '-1.7']);
    await rig.addAttachment('r1', 'bank-report', ['{"report"', ':{}}']);
    await rig.delivery.runDue();
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

  it('sends no document of an application that is unconfirmed', async () => {
    rig.answers.push(duplicate);
    await rig.addAttachment('d1', 'document', ['x']);
    await rig.runFor(hourMs);
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findAttachment('d1')).state).toBe('received');
  });

  it('sends a document three times at most when nobody can say whether it arrived, then holds it', async () => {
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

  it('sends a document three times more when an operator says so', async () => {
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

  it('says how many copies there may be of what has arrived in the end', async () => {
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

  it('leaves minutes between sends that may each leave a copy, so that an outage passes', async () => {
    await rig.addAttachment('d1', 'document', ['x']);
    rig.attachmentAnswers.push({ kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(59_999);
    expect(countSent('file')).toBe(1);
    await rig.runFor(300_000);
    expect(countSent('file')).toBe(2);
    await rig.runFor(60_000);
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
  });

  it('keeps a document whose data key is missing, and sends it once the key is back', async () => {
    await rig.delivery.runDue();
    await rig.addAttachment('d1', 'document', ['x']);
    const withoutKey = rig.createLoop(rig.store, {
      encryption: createEncryption({ 2: Buffer.alloc(32, 2).toString('base64') }),
    });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await withoutKey.runDue();
      rig.time.advance(900_000);
    }
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'waiting',
      uncertainAttempts: 0,
    });
    await rig.delivery.runDue();
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
  });

  it('counts a crash while sending as one of the three', async () => {
    await rig.accept();
    await rig.addAttachment('d1', 'document', ['x']);
    await rig.interrupt('document', 3);
    await rig.delivery.runDue();
    expect(countSent('file')).toBe(0);
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'held',
      heldReason: 'uncertain',
      uncertainAttempts: 3,
    });
  });

  it('tries a report again after a processing failure, three times in all', async () => {
    await rig.addAttachment('r1', 'bank-report', ['{}']);
    rig.attachmentAnswers.push(failed, failed, failed);
    await rig.runFor(600_000);
    expect(countSent('report')).toBe(3);
    expect((await rig.findAttachment('r1')).state).toBe('held');
  });

  it('holds a document that could not be sent for 72 hours', async () => {
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

describe('the delivery of a wish to be contacted', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    await rig.addAttachment('c1', 'contact', []);
    return () => rig.store.close();
  });

  it('follows its application', async () => {
    await rig.delivery.runDue();
    expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}', 'contact L1']);
    expect((await rig.findAttachment('c1')).state).toBe('accepted');
  });

  it('is repeated after unknown outcomes as often as it takes, with the ordinary pauses', async () => {
    rig.contactAnswers.push(...Array.from({ length: 6 }, () => ({ kind: 'unknown' }) as const));
    await rig.runFor(2_000 + 4_000);
    expect(await rig.findAttachment('c1')).toMatchObject({ state: 'waiting', attempts: 3 });
    await rig.runFor(hourMs);
    expect(await rig.findAttachment('c1')).toMatchObject({ state: 'accepted', attempts: 7 });
    expect(rig.events.map(({ event }) => event)).not.toContain('possible-duplicate');
  });

  it('waits after a refusal that nobody recognizes', async () => {
    rig.contactAnswers.push({ kind: 'refused', refusal: { reason: 'unrecognized' } });
    await rig.delivery.runDue();
    expect(await rig.findAttachment('c1')).toMatchObject({
      state: 'waiting',
      lastOutcome: 'unrecognized',
    });
  });

  it('waits for the operator where the fault is ours', async () => {
    rig.contactAnswers.push({
      kind: 'refused',
      refusal: { reason: 'partner-headers-missing' },
    });
    await rig.delivery.runDue();
    expect((await rig.findAttachment('c1')).state).toBe('waiting');
    expect(rig.events).toContainEqual({
      event: 'delivery-refused',
      kind: 'contact',
      reference: 'a1',
      reason: 'partner-headers-missing',
    });
  });

  it('needs no key', async () => {
    await rig.accept();
    const withoutKey = rig.createLoop(rig.store, {
      encryption: createEncryption({ 2: Buffer.alloc(32, 2).toString('base64') }),
    });
    await withoutKey.runDue();
    expect((await rig.findAttachment('c1')).state).toBe('accepted');
  });
});
