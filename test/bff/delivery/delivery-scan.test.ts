// Documents before a virus scanner: what is clean goes on, what is not goes nowhere, and in doubt nothing goes.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Scan } from '../../../bff/documents/clamd.ts';
import type { DeliveryWorker } from '../../../bff/delivery/delivery-worker.ts';
import { createDeliveryRig, type DeliveryRig } from './delivery-rig.ts';

const hourMs = 3_600_000;

describe('the delivery of documents before a scanner', () => {
  let rig: DeliveryRig;
  let delivery: DeliveryWorker;
  let scans: (Scan | Error)[];
  let scanned: string[];

  beforeEach(async () => {
    rig = await createDeliveryRig();
    scans = [];
    scanned = [];
    delivery = rig.createLoop(rig.store, {
      async scanDocument(content) {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) pieces.push(piece);
        scanned.push(Buffer.concat(pieces).toString());
        const scan = scans.shift() ?? 'clean';
        if (scan instanceof Error) throw scan;
        return scan;
      },
    });
    await rig.accept();
    await rig.addAttachment('d1', 'document', ['%PDF', '-1.7']);
    return () => rig.store.close();
  });

  it('sends a clean document, whole', async () => {
    await delivery.runDue();
    expect(scanned).toEqual(['%PDF-1.7']);
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
  });

  it('sends nothing of an infected one and says so', async () => {
    scans.push('infected');
    await delivery.runDue();
    expect(rig.sent).toEqual([]);
    expect(await rig.findAttachment('d1')).toMatchObject({
      state: 'rejected',
      lastOutcome: 'infected',
    });
    expect(rig.events).toContainEqual({ event: 'document-infected', reference: 'a1' });
  });

  it.each(['scanner-unanswered', 'scanner-answer-unknown', 'scanner-size-limit'] as const)(
    'keeps a document that nobody can say is clean (%s), and asks again',
    async (scan) => {
      scans.push(scan, scan);
      await delivery.runDue();
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
      await delivery.runDue();
      expect(rig.sent).toEqual([]);
      rig.time.advance(60_000);
      await delivery.runDue();
      expect([scanned.length, rig.sent.length]).toEqual([3, 1]);
      expect((await rig.findAttachment('d1')).state).toBe('accepted');
    },
  );

  it('asks again before each time a document is sent', async () => {
    rig.attachmentAnswers.push({ kind: 'not-sent' });
    scans.push('clean', 'infected');
    await delivery.runDue();
    rig.time.advance(60_000);
    await delivery.runDue();
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findAttachment('d1')).state).toBe('rejected');
  });

  it('holds a document for an operator after three days without an answer, sent to nobody', async () => {
    for (let hour = 0; hour < 73; hour += 1) {
      scans.push('scanner-unanswered');
      await delivery.runDue();
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

  it('sends nothing when the content cannot be read for the scanner', async () => {
    scans.push(new Error('The content is broken'));
    await delivery.runDue();
    expect(rig.sent).toEqual([]);
    expect((await rig.findAttachment('d1')).state).toBe('waiting');
    expect(rig.events.map(({ event }) => event)).toContain('delivery-broken');
  });

  it('shows it no report, and sends that', async () => {
    await rig.addAttachment('r1', 'bank-report', ['{}']);
    scans.push('infected');
    await delivery.runDue();
    expect(scanned).toEqual(['%PDF-1.7']);
    expect(rig.sent).toEqual(['report L1 {}']);
  });
});
