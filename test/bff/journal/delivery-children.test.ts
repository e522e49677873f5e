// The delivery of documents and reports: after their application, and never too often.

import { beforeEach, describe, expect, it } from 'vitest';
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

  it('sends a document three times at most when nobody can say whether it arrived', async () => {
    await rig.addChild('d1', 'document', ['x']);
    rig.childAnswers.push({ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(600_000);
    expect(rig.sent.filter((line) => line.startsWith('file'))).toHaveLength(3);
    expect((await rig.findChild('d1')).state).toBe('rejected');
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
    expect((await rig.findChild('d1')).state).toBe('rejected');
  });

  it('tries a report again after a processing failure, three times in all', async () => {
    await rig.addChild('r1', 'asset-report', ['{}']);
    const failed = { kind: 'rejected', rejection: { reason: 'processing-failed' } } as const;
    rig.childAnswers.push(failed, failed, failed);
    await rig.runFor(600_000);
    expect(rig.sent.filter((line) => line.startsWith('report'))).toHaveLength(3);
    expect((await rig.findChild('r1')).state).toBe('rejected');
  });

  it('never gives up a document that could not be sent', async () => {
    await rig.addChild('d1', 'document', ['x']);
    rig.childAnswers.push(...Array.from({ length: 10 }, () => ({ kind: 'not-sent' }) as const));
    await rig.runFor(8 * 3_600_000);
    expect((await rig.findChild('d1')).state).toBe('accepted');
  });
});
