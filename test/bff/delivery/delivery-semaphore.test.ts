import { beforeEach, describe, expect, it } from 'vitest';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import type { Readiness } from '../../../bff/funding-service/funding-service.ts';
import {
  createDeliverySemaphore,
  type DeliverySemaphore,
} from '../../../bff/delivery/delivery-worker.ts';
import { until } from '../manual-time.ts';
import { createDeliveryRig, hang } from './delivery-rig.ts';

const attachments = ['document', 'bank-report', 'contact'] as const;

describe('createDeliverySemaphore', () => {
  let readiness: Map<PartnerOperation, Readiness>;
  let semaphore: DeliverySemaphore;

  beforeEach(() => {
    readiness = new Map();
    semaphore = create(8);
  });

  it('allows two deliveries per kind of attachment', () => {
    for (const kind of attachments) {
      semaphore.acquire(kind);
      expect(semaphore.isFree(kind)).toBe(true);
      semaphore.acquire(kind);
      expect(semaphore.isFree(kind)).toBe(false);
    }
    expect(semaphore.listFree()).toEqual(['application']);
  });

  it('allows applications to use all permits', () => {
    for (let count = 0; count < 7; count += 1) semaphore.acquire('application');
    expect(semaphore.listFree()).toContain('application');
    semaphore.acquire('application');
    expect(semaphore.listFree()).toEqual([]);
  });

  it('reserves two permits for applications', () => {
    semaphore = create(5);
    for (const kind of attachments) semaphore.acquire(kind);
    expect(semaphore.listFree()).toEqual(['application']);
    semaphore.acquire('application');
    expect(semaphore.isFree('application')).toBe(true);
  });

  it('allows an attachment to use the only permit', () => {
    semaphore = create(1);
    expect(semaphore.isFree('document')).toBe(true);
    semaphore.acquire('document');
    expect(semaphore.listFree()).toEqual([]);
  });

  it('allows another delivery after a release', () => {
    semaphore.acquire('document');
    const release = semaphore.acquire('document');
    release();
    expect(semaphore.isFree('document')).toBe(true);
  });

  it('lists the kind that was acquired longest ago first', () => {
    semaphore.acquire('application');
    expect(semaphore.listFree()[0]).toBe('document');
    semaphore.acquire('document');
    expect(semaphore.listFree()).toEqual(['bank-report', 'contact', 'application', 'document']);
  });

  it('allows no delivery while the operation is unavailable', () => {
    readiness.set('upload-file', { kind: 'unavailable', retryAfterMs: 30_000 });
    expect(semaphore.isUnavailable('document')).toBe(true);
    expect(semaphore.listFree()).toEqual(['application', 'bank-report', 'contact']);
  });

  it('allows one trial delivery while the breaker is half-open', () => {
    semaphore.acquire('application');
    readiness.set('create-lead', { kind: 'half-open' });
    expect(semaphore.isFree('application')).toBe(true);
    const release = semaphore.acquire('application');
    expect(semaphore.isFree('application')).toBe(false);
    release();
    expect(semaphore.isFree('application')).toBe(true);
  });

  it('finds when the first unavailable operation can be called', () => {
    expect(semaphore.findRetryAfterMs()).toBeUndefined();
    readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: undefined });
    expect(semaphore.findRetryAfterMs()).toBeUndefined();
    readiness.set('upload-file', { kind: 'unavailable', retryAfterMs: 30_000 });
    readiness.set('contact-user', { kind: 'unavailable', retryAfterMs: 5_000 });
    expect(semaphore.findRetryAfterMs()).toBe(5_000);
  });

  function create(maxConcurrent: number): DeliverySemaphore {
    const readinessOf = (operation: PartnerOperation): Readiness =>
      readiness.get(operation) ?? { kind: 'ready' };
    return createDeliverySemaphore({ readiness: readinessOf }, maxConcurrent);
  }
});

describe('the delivery worker', () => {
  it('sends a new application while uploads hang', async () => {
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

  it('sends documents during a backlog of applications', async () => {
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
