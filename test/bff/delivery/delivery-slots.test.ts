// Which kinds may be claimed, by what is under way and by what the service takes.

import { beforeEach, describe, expect, it } from 'vitest';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import type { Readiness } from '../../../bff/funding-service/funding-service.ts';
import { createSlots, type Slots } from '../../../bff/delivery/delivery-worker.ts';
import { until } from '../manual-time.ts';
import { createDeliveryRig, hang } from './delivery-rig.ts';

const attachments = ['document', 'bank-report', 'contact'] as const;

describe('the slots of a delivery', () => {
  let readiness: Map<PartnerOperation, Readiness>;
  let slots: Slots;

  beforeEach(() => {
    readiness = new Map();
    slots = create(8);
  });

  it('give two to each kind of child', () => {
    for (const kind of attachments) {
      slots.take(kind);
      expect(slots.isFree(kind)).toBe(true);
      slots.take(kind);
      expect(slots.isFree(kind)).toBe(false);
    }
    expect(slots.listFree()).toEqual(['application']);
  });

  it('give all to applications', () => {
    for (let count = 0; count < 7; count += 1) slots.take('application');
    expect(slots.listFree()).toContain('application');
    slots.take('application');
    expect(slots.listFree()).toEqual([]);
  });

  it('keep two from children altogether', () => {
    slots = create(5);
    for (const kind of attachments) slots.take(kind);
    expect(slots.listFree()).toEqual(['application']);
    slots.take('application');
    expect(slots.isFree('application')).toBe(true);
  });

  it('let a child through where there is but one', () => {
    slots = create(1);
    expect(slots.isFree('document')).toBe(true);
    slots.take('document');
    expect(slots.listFree()).toEqual([]);
  });

  it('are there again once they are given back', () => {
    slots.take('document');
    const giveBack = slots.take('document');
    giveBack();
    expect(slots.isFree('document')).toBe(true);
  });

  it('go round, so that a backlog of one kind does not shut out another', () => {
    slots.take('application');
    expect(slots.listFree()[0]).toBe('document');
    slots.take('document');
    expect(slots.listFree()).toEqual(['bank-report', 'contact', 'application', 'document']);
  });

  it('give none of what is paused', () => {
    readiness.set('upload-file', { kind: 'unavailable', retryAfterMs: 30_000 });
    expect(slots.isPaused('document')).toBe(true);
    expect(slots.listFree()).toEqual(['application', 'bank-report', 'contact']);
  });

  it('give one to a probe, whatever is still under way from before', () => {
    slots.take('application');
    readiness.set('create-lead', { kind: 'half-open' });
    expect(slots.isFree('application')).toBe(true);
    const giveBack = slots.take('application');
    expect(slots.isFree('application')).toBe(false);
    giveBack();
    expect(slots.isFree('application')).toBe(true);
  });

  it('know when the first pause ends that has an end', () => {
    expect(slots.findPauseEndMs()).toBeUndefined();
    readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: undefined });
    expect(slots.findPauseEndMs()).toBeUndefined();
    readiness.set('upload-file', { kind: 'unavailable', retryAfterMs: 30_000 });
    readiness.set('contact-user', { kind: 'unavailable', retryAfterMs: 5_000 });
    expect(slots.findPauseEndMs()).toBe(5_000);
  });

  function create(maxConcurrent: number): Slots {
    return createSlots({
      fundingService: { readiness: (operation) => readiness.get(operation) ?? { kind: 'ready' } },
      maxConcurrent,
    });
  }
});

describe('a delivery whose uploads hang', () => {
  it('sends a new lead at once', async () => {
    const rig = await createDeliveryRig();
    for (let count = 1; count <= 8; count += 1) {
      await rig.addApplication(`b${count}`);
      await rig.accept(`b${count}`);
      await rig.addAttachment(`d${count}`, 'document', ['x'], `b${count}`);
      await rig.addAttachment(`r${count}`, 'bank-report', ['{}'], `b${count}`);
    }
    await rig.accept('a1');
    hang(rig.attachmentAnswers, 16);
    await rig.delivery.start();
    await until(() => rig.sent.length === 4);
    await rig.addApplication('a2');
    rig.delivery.wake();
    await until(async () => (await rig.findApplication('a2')).state === 'accepted');
    expect(rig.sent.filter((line) => !line.startsWith('lead'))).toHaveLength(4);
    await rig.store.close();
  });

  it('sends documents while leads keep coming', async () => {
    const rig = await createDeliveryRig();
    await rig.accept();
    for (let count = 1; count <= 40; count += 1) await rig.addApplication(`b${count}`);
    await rig.addAttachment('d1', 'document', ['x']);
    await rig.delivery.start();
    await until(async () => (await rig.findAttachment('d1')).state === 'accepted');
    expect(rig.sent.findIndex((line) => line.startsWith('file'))).toBeLessThan(10);
    await rig.delivery.stop();
    await rig.store.close();
  });
});
