// The delivery of applications, step by step: every way an attempt can end.

import { beforeEach, describe, expect, it } from 'vitest';
import type { LeadCreated, Outcome } from '../../../bff/funding-service/funding-service.ts';
import { testNow, until } from '../manual-time.ts';
import { accepted, createDeliveryRig, duplicate, type DeliveryRig } from './delivery-rig.ts';

describe('the delivery of an application', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.journal.close();
  });

  it('delivers an application and erases what was sent', async () => {
    await rig.delivery.runDue();
    expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}']);
    const application = await rig.findApplication();
    expect(application).toMatchObject({
      state: 'accepted',
      serviceId: 'L1',
      sealedLead: undefined,
    });
    expect(application.sealedTrackingUrl?.toString()).not.toContain('service.example');
  });

  it('tries again what was not rig.sent, when its pause is over', async () => {
    rig.answers.push({ kind: 'not-sent' });
    await rig.delivery.runDue();
    expect(await rig.findApplication()).toMatchObject({ state: 'waiting', uncertainAttempts: 0 });
    rig.time.advance(1_999);
    await rig.delivery.runDue();
    expect(rig.sent).toHaveLength(1);
    rig.time.advance(1);
    await rig.delivery.runDue();
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('sends the same bytes under the same ID after an unknown outcome', async () => {
    rig.answers.push({ kind: 'unknown' }, { kind: 'unknown' });
    await rig.runFor(60_000);
    expect(rig.sent).toHaveLength(3);
    expect(new Set(rig.sent).size).toBe(1);
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('waits as long as the service asks', async () => {
    rig.answers.push({ kind: 'throttled', retryAfterMs: 90_000 });
    await rig.delivery.runDue();
    expect(await rig.journal.findNextDue()).toBe(testNow + 90_000);
  });

  it('leaves a lead unconfirmed when an unknown outcome is followed by a duplicate', async () => {
    rig.answers.push({ kind: 'unknown' }, duplicate);
    await rig.runFor(60_000);
    expect((await rig.findApplication()).state).toBe('unconfirmed');
    expect(rig.events).toContainEqual({
      event: 'lead-unconfirmed',
      reference: 'a1',
      wasExpected: true,
    });
    await rig.runFor(3_600_000);
    expect(rig.sent).toHaveLength(2);
  });

  it('raises an alarm over a duplicate that nothing explains', async () => {
    rig.answers.push(duplicate);
    await rig.delivery.runDue();
    expect((await rig.findApplication()).state).toBe('unconfirmed');
    expect(rig.events).toContainEqual({
      event: 'lead-unconfirmed',
      reference: 'a1',
      wasExpected: false,
    });
  });

  it('takes what a dead process was sending for unknown, and sends it again', async () => {
    await rig.journal.claimDue(rig.time.clock(), rig.time.clock() + 180_000);
    rig.answers.push(duplicate);
    await rig.delivery.start();
    await until(async () => (await rig.findApplication()).state === 'unconfirmed');
    expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}']);
    await rig.delivery.stop();
  });

  it('goes on after a restart with what waited', async () => {
    rig.answers.push({ kind: 'not-sent' });
    await rig.delivery.runDue();
    const restarted = rig.createLoop();
    await restarted.start();
    await until(() => rig.time.listTimers().length === 1);
    rig.time.advance(2_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await restarted.stop();
  });

  it('keeps the lease of a call that takes long', async () => {
    let answer: (outcome: Outcome<LeadCreated>) => void = () => undefined;
    rig.answers.push(() => new Promise((resolve) => (answer = resolve)));
    const running = rig.delivery.runDue();
    await until(() => rig.sent.length === 1);
    for (let minute = 0; minute < 10; minute += 1) rig.time.advance(60_000);
    expect(await rig.journal.claimDue(rig.time.clock(), rig.time.clock() + 1)).toBeUndefined();
    answer(accepted);
    await running;
    expect((await rig.findApplication()).state).toBe('accepted');
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('is not stopped by a row that is broken', async () => {
    await rig.journal.addSession({ id: 's2', origin: 'o', createdAt: 1, endedAt: undefined });
    await rig.addApplication('a2', 's2', 'not the right place');
    await rig.delivery.runDue();
    expect((await rig.findApplication('a2')).state).toBe('waiting');
    expect((await rig.findApplication('a1')).state).toBe('accepted');
    expect(rig.events).toContainEqual(
      expect.objectContaining({ event: 'delivery-broken', reference: 'a2' }),
    );
  });
});
