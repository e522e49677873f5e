// The delivery of documents and reports: after their application, and never too often.

import { beforeEach, describe, expect, it } from 'vitest';
import { createSealing } from '../../../bff/journal/sealing.ts';
import { createDeliveryRig, duplicate, type DeliveryRig } from './delivery-rig.ts';

describe('the delivery of documents and reports', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.journal.close();
  });

  it('delivers documents and reports after their application, with all their pieces', async () => {
    await rig.addChild('d1', 'document', ['%PDF', '-1.7']);
    await rig.addChild('r1', 'asset-report', ['{"report"', ':{}}']);
    await rig.delivery.runDue();
    expect(rig.sent[0]).toContain('lead a1');
    expect(rig.sent.slice(1).sort()).toEqual([
      'file L1 march.pdf Bank Verification -Acme 8 %PDF-1.7',
      'report L1 {"report":{}}',
    ]);
    expect(await rig.findChild('d1')).toMatchObject({ state: 'accepted', serviceId: 'D1' });
    expect(await rig.findChild('r1')).toMatchObject({ state: 'accepted', serviceId: 'R1' });
    expect(await rig.journal.readChunk('d1', 0)).toBeUndefined();
  });

  it('sends no document of an application that is unconfirmed', async () => {
    rig.answers.push(duplicate);
    await rig.addChild('d1', 'document', ['x']);
    await rig.runFor(3_600_000);
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findChild('d1')).state).toBe('received');
  });

  it('sends a document three times at most when nobody can say whether it arrived, then holds it', async () => {
    await rig.addChild('d1', 'document', ['x']);
    rig.childAnswers.push({ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(24 * 3_600_000);
    expect(rig.sent.filter((line) => line.startsWith('file'))).toHaveLength(3);
    expect((await rig.findChild('d1')).state).toBe('held');
    expect(await rig.journal.readChunk('d1', 0)).toBeDefined();
    expect(rig.events).toContainEqual({
      event: 'child-held',
      kind: 'document',
      reference: 'a1',
      attempts: 3,
    });
  });

  it('leaves minutes between sends that may each leave a copy, so that an outage passes', async () => {
    await rig.addChild('d1', 'document', ['x']);
    rig.childAnswers.push({ kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(59_999);
    expect(rig.sent.filter((line) => line.startsWith('file'))).toHaveLength(1);
    await rig.runFor(300_000);
    expect(rig.sent.filter((line) => line.startsWith('file'))).toHaveLength(2);
    await rig.runFor(60_000);
    expect((await rig.findChild('d1')).state).toBe('accepted');
  });

  it('keeps a document whose data key is missing, and sends it once the key is back', async () => {
    await rig.delivery.runDue();
    await rig.addChild('d1', 'document', ['x']);
    const withoutKey = rig.createLoop(rig.journal, {
      sealing: createSealing({ 2: Buffer.alloc(32, 2).toString('base64') }),
    });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await withoutKey.runDue();
      rig.time.advance(900_000);
    }
    expect(await rig.findChild('d1')).toMatchObject({ state: 'waiting', uncertainAttempts: 0 });
    await rig.delivery.runDue();
    expect((await rig.findChild('d1')).state).toBe('accepted');
  });

  it('counts a crash while sending as one of the three', async () => {
    await rig.delivery.runDue();
    await rig.addChild('d1', 'document', ['x']);
    for (let crash = 0; crash < 4; crash += 1) {
      await rig.journal.claimDue(rig.time.clock(), rig.time.clock() + 1);
      rig.time.advance(2);
    }
    await rig.delivery.runDue();
    expect(rig.sent.filter((line) => line.startsWith('file'))).toEqual([]);
    expect((await rig.findChild('d1')).state).toBe('held');
  });

  it('tries a report again after a processing failure, three times in all', async () => {
    await rig.addChild('r1', 'asset-report', ['{}']);
    const failed = { kind: 'rejected', rejection: { reason: 'processing-failed' } } as const;
    rig.childAnswers.push(failed, failed, failed);
    await rig.runFor(600_000);
    expect(rig.sent.filter((line) => line.startsWith('report'))).toHaveLength(3);
    expect((await rig.findChild('r1')).state).toBe('held');
  });

  it('never gives up a document that could not be sent', async () => {
    await rig.addChild('d1', 'document', ['x']);
    rig.childAnswers.push(...Array.from({ length: 10 }, () => ({ kind: 'not-sent' }) as const));
    await rig.runFor(8 * 3_600_000);
    expect((await rig.findChild('d1')).state).toBe('accepted');
  });
});
