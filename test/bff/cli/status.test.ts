// `status`: what is waiting, alarms, what needs the operator, and the exit code for scheduled jobs.

import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, waiting, type CliRig } from './cli-rig.ts';

describe('status', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
  });

  const addHeldDocument = async () => {
    await rig.add();
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.recordResult({ ...held, reason: 'uncertain' }, 'document');
  };

  it('reports an empty store', async () => {
    const { id } = await rig.store.readIdentity();
    const { code, out, err } = await rig.run('status');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const line of [
      `Store ${id.slice(0, 8)}, created 2026-11-20T10:00:00Z, has received 0 applications.`,
      'receiving                          0             0                 0',
      'unconfirmed             0',
      'Nothing is waiting for the funding service.',
      'No alarms.',
      'Nothing needs attention.',
    ]) {
      expect(out).toContain(`${line}\n`);
    }
  });

  it('shows what is waiting with its age', async () => {
    await rig.add();
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    rig.time.advance(90_000);
    await rig.add(second);
    const { code, json } = await rig.run('status', '--json');
    expect(code).toBe(0);
    const none = { count: 0, oldestAt: null, oldestReference: null };
    expect(json).toMatchObject({
      environment: 'sandbox',
      store: { createdAt: '2026-11-20T10:00:00.000Z', applicationsReceived: 2 },
      at: '2026-11-20T10:01:30.000Z',
      rows: expect.arrayContaining([
        { kind: 'application', state: 'accepted', count: 1, oldestAt: null },
        { kind: 'document', state: 'received', count: 1, oldestAt: '2026-11-20T10:00:00.000Z' },
      ]),
      waiting: [
        {
          kind: 'application',
          count: 1,
          oldestAt: '2026-11-20T10:01:30.000Z',
          oldestReference: second,
        },
        {
          kind: 'document',
          count: 1,
          oldestAt: '2026-11-20T10:00:00.000Z',
          oldestReference: first,
        },
        { kind: 'bank-report', ...none },
        { kind: 'contact', ...none },
      ],
      alarms: [],
      needsOperator: [],
      needsOperatorCount: 0,
    });
    expect((await rig.run('status')).out).toContain(
      `\n\n1 application waiting for the funding service (oldest 0 s)\n  oldest: ${second} (000-002)\n` +
        `1 document waiting for the funding service (oldest 1 min)\n  oldest: ${first} (000-001)\n\n`,
    );
  });

  it('continues if the oldest row has just been delivered', async () => {
    await rig.add();
    const { out } = await rig.runOn({ findWaitingReference: async () => undefined }, 'status');
    expect(out).toContain('1 application waiting for the funding service (oldest 0 s)\n\n');
  });

  it('exits with 3 if there is an alarm', async () => {
    await addHeldDocument();
    rig.time.advance(7_500_000);
    await rig.add(second);
    await rig.recordResult({ state: 'unconfirmed' });
    const { code, out } = await rig.run('status');
    expect(code).toBe(3);
    for (const text of [
      'attachment-held: 1 row, oldest 2 h 5 min',
      'application-unconfirmed: 1 row, oldest 0 s',
      '1 application and 1 document need attention: run "show <reference>"\n',
      `  ${first} (000-001)  document  held: uncertain\n    since 2026-11-20T10:00:00Z (2 h 5 min ago)\n`,
      `  ${second} (000-002)  application  unconfirmed`,
    ]) {
      expect(out).toContain(text);
    }
    const { json } = await rig.run('status', '--json');
    expect(json.alarms).toEqual([
      { code: 'attachment-held', count: 1, oldestAgeSeconds: 7_500 },
      { code: 'application-unconfirmed', count: 1, oldestAgeSeconds: 0 },
    ]);
    expect(json.needsOperator[0]).toEqual({
      reference: first,
      shortReference: '000-001',
      kind: 'document',
      state: 'held',
      heldReason: 'uncertain',
      lastOutcome: null,
      since: '2026-11-20T10:00:00.000Z',
    });
  });

  it('raises an alarm after two minutes of refusals', async () => {
    await rig.add();
    await rig.recordResult({ ...waiting, delayMs: 1, isRefused: true, outcome: 'unrecognized' });
    expect((await rig.run('status')).code).toBe(0);
    rig.time.advance(120_001);
    const { code, out } = await rig.run('status');
    expect(code).toBe(3);
    expect(out).toContain('application-refused: 1 row, oldest 2 min');
    expect(out).toContain(
      `1 application needs attention: run "show ${first}"\n  ${first} (000-001)  application  refused: unrecognized\n`,
    );
  });

  it('lists at most twenty rows', async () => {
    await addHeldDocument();
    for (let index = 10; index < 32; index += 1) {
      await rig.add(`0199c0de-0000-7000-8000-0000000000${index}`);
      await rig.recordResult(held);
    }
    const { out } = await rig.run('status');
    expect(out.match(/ {2}held: /g)).toHaveLength(20);
    expect(out).toContain('22 applications and 1 document need attention');
    expect(out).toContain('  and 3 more');
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});
