// The delivery of applications, step by step: every way an attempt can end.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Outcome, PreApproval } from '../../../bff/funding-service/funding-service.ts';
import { until } from '../manual-time.ts';
import {
  accepted,
  createDeliveryRig,
  duplicate,
  holdAnswer,
  type DeliveryRig,
} from './delivery-rig.ts';

const hourMs = 3_600_000;

describe('the delivery of an application', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('delivers an application and erases what was sent', async () => {
    await rig.delivery.runDue();
    expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}']);
    const application = await rig.findApplication();
    expect(application).toMatchObject({
      state: 'accepted',
      serviceId: 'L1',
      encryptedLead: undefined,
    });
    expect(application.encryptedTrackingUrl?.toString()).not.toContain('service.example');
  });

  it('tries again what was not sent, when its pause is over', async () => {
    rig.answers.push({ kind: 'not-sent' });
    await rig.delivery.runDue();
    expect(await rig.findApplication()).toMatchObject({
      state: 'waiting',
      uncertainAttempts: 0,
      lastOutcome: 'not-sent',
    });
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
    expect(await rig.store.findNextDueMs(['application'])).toBe(90_000);
  });

  it('records for the operator why an applicant is refused, or has to wait', async () => {
    const missing = { reason: 'missing-field', field: 'AnnualRevenue' } as const;
    rig.answers.push(
      { kind: 'refused', refusal: { reason: 'partner-headers-missing' } },
      { kind: 'refused', refusal: missing },
    );
    await rig.delivery.runDue();
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

  it('takes what a dead process was sending for unknown, and sends it again', async () => {
    await rig.claim();
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
    await until(() => rig.time.listTimers().includes(2_000));
    rig.time.advance(2_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await restarted.stop();
  });

  it('keeps the lease of a call that takes long', async () => {
    const answer = holdAnswer(rig.answers);
    const running = rig.delivery.runDue();
    await until(() => rig.sent.length === 1);
    for (let minute = 0; minute < 10; minute += 1) rig.time.advance(60_000);
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
    answer(accepted);
    await running;
    expect((await rig.findApplication()).state).toBe('accepted');
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('is not stopped by a row that is broken', async () => {
    await rig.addApplication('a2', 'not the right place');
    await rig.delivery.runDue();
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

  describe('when the service has it already', () => {
    const withCandidate: Outcome<never> = {
      kind: 'refused',
      refusal: { reason: 'duplicate-id', candidateId: 'L9' },
    };
    const toOffers = (referenceId: string): Outcome<PreApproval> => ({
      kind: 'accepted',
      value: { status: 'qualified', offers: [], referenceId, trackingUrl: undefined },
    });

    it('leaves it unconfirmed, and never sends it again', async () => {
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

    it('raises an alarm over a duplicate that nothing explains', async () => {
      rig.answers.push(duplicate);
      await rig.delivery.runDue();
      expect(rig.events).toContainEqual({
        event: 'application-unconfirmed',
        reference: 'a1',
        wasExpected: false,
      });
    });

    it('believes an id that comes with the refusal when the service proves it', async () => {
      rig.answers.push(withCandidate);
      rig.offerAnswers.push(toOffers('a1'));
      await rig.delivery.runDue();
      expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L9' });
      expect(rig.sent).toEqual(['lead a1 {"ID":"a1"}', 'offers L9']);
    });

    it('leaves it unconfirmed when the id is of another lead', async () => {
      rig.answers.push(withCandidate);
      rig.offerAnswers.push(toOffers('a7'));
      await rig.delivery.runDue();
      expect(await rig.findApplication()).toMatchObject({
        state: 'unconfirmed',
        serviceId: undefined,
      });
    });

    it('comes back to an id that cannot be looked up now, since it will be told again', async () => {
      rig.answers.push(withCandidate, withCandidate);
      rig.offerAnswers.push({ kind: 'unknown' }, toOffers('a1'));
      await rig.delivery.runDue();
      expect(await rig.findApplication()).toMatchObject({
        state: 'waiting',
        lastOutcome: 'duplicate-id',
        uncertainAttempts: 1,
      });
      await rig.runFor(hourMs);
      expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L9' });
    });
  });

  describe('in the end', () => {
    it('holds it after 72 hours of attempts, whole, for an operator', async () => {
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

    it('gives it 72 hours more when an operator says so', async () => {
      rig.answers.push(...Array.from({ length: 2_000 }, () => ({ kind: 'not-sent' }) as const));
      await rig.runFor(80 * hourMs);
      await rig.store.retry('a1');
      await rig.runFor(71 * hourMs);
      expect((await rig.findApplication()).state).toBe('waiting');
    });

    it('holds a row that was being sent ten times when the process ended', async () => {
      await rig.interrupt('application', 9);
      await rig.interrupt('application', 1);
      rig.answers.push(accepted);
      await rig.delivery.runDue();
      expect(rig.sent).toEqual([]);
      expect(await rig.findApplication()).toMatchObject({
        state: 'held',
        heldReason: 'interrupted',
        uncertainAttempts: 10,
      });
    });

    it('still sends a row that was interrupted nine times', async () => {
      await rig.interrupt('application', 9);
      await rig.delivery.runDue();
      expect((await rig.findApplication()).state).toBe('accepted');
    });
  });
});
