// `erase`: asks for --yes, reports what is lost, and never erases during an attempt.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, type CliRig } from './cli-rig.ts';

describe('erase', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  afterEach(() => rig.store.close());

  it('shows what would be lost without --yes', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.recordResult(held, 'document');
    const { code, out, err } = await rig.run('erase', first);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      `Nothing was erased. To erase ${first} (000-001), add --yes.\n` +
        'Not confirmed as delivered, so it would be lost:\n  document 1 (held)\n',
    );
    expect((await rig.run('erase', first, '--json')).json.error).toBe('not-confirmed');
    expect(await rig.store.readChunk('d1', 0)).toBeDefined();
  });

  it('erases the data, then overwrites the disk', async () => {
    await rig.recordResult(held);
    await rig.addAttachment('d1');
    await rig.add(second);
    let scrubbed = 0;
    const scrub = async () => {
      scrubbed += 1;
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      return true;
    };
    const openStore = async () => ({ ...rig.store, scrub, close: async () => undefined });
    const { code, out } = await rig.runWith({ openStore }, 'erase', first, '--yes');
    expect(code).toBe(0);
    expect(out).toBe(
      `Erased all personal data of ${first}.\n` +
        'Not confirmed as delivered, so it is lost:\n  application (held)\n  document 1 (received)\n',
    );
    expect(scrubbed).toBe(1);
    expect(await rig.store.findApplication(first)).toMatchObject({ state: 'erased' });
    expect((await rig.store.findApplication(first))?.encryptedLead).toBeUndefined();
    expect((await rig.store.findApplication(second))?.encryptedLead).toBeDefined();
  });

  it('reports no loss if everything was delivered', async () => {
    await rig.recordResult(accepted);
    expect((await rig.run('erase', first)).err).toContain(
      'Nothing would be lost: everything was delivered or rejected.\n',
    );
    expect((await rig.run('erase', first, '--yes')).out).toBe(
      `Erased all personal data of ${first}.\n` +
        'Nothing is lost: everything was delivered or rejected.\n',
    );
    const { json } = await rig.run('erase', first, '--yes', '--json');
    expect(json).toEqual({ reference: first, lost: [], isOverwritten: true });
  });

  it('reports no loss the second time', async () => {
    await rig.run('erase', first, '--yes');
    rig.time.advance(60_000);
    const again = 'It was erased before (2026-11-20T10:00:00Z).\n';
    expect((await rig.run('erase', first)).err).toContain(again);
    expect((await rig.run('erase', first, '--yes')).out).toBe(
      `Erased all personal data of ${first}.\n${again}`,
    );
    expect((await rig.run('erase', first, '--yes', '--json')).json.lost).toEqual([]);
  });

  it('marks what the funding service may have', async () => {
    await rig.recordResult({ state: 'unconfirmed' });
    expect((await rig.run('erase', first)).err).toContain(
      '  application (unconfirmed, the funding service may have it)\n',
    );
    await rig.store.resolve(first, '006A');
    await rig.addAttachment('d1');
    await rig.recordResult({ ...held, reason: 'uncertain', isUncertain: true }, 'document');
    await rig.addAttachment('d2');
    expect((await rig.run('erase', first)).err).toContain(
      '  document 1 (held, the funding service may have it)\n  document 2 (received)\n',
    );
    expect((await rig.run('erase', first, '--yes', '--json')).json.lost).toEqual([
      { kind: 'document', number: 1, state: 'held', isUncertain: true },
      { kind: 'document', number: 2, state: 'received', isUncertain: false },
    ]);
  });

  it('lists what is lost as JSON', async () => {
    await rig.addAttachment('d1');
    expect((await rig.run('erase', first, '--yes', '--json')).json.lost).toEqual([
      { kind: 'application', number: null, state: 'received', isUncertain: false },
      { kind: 'document', number: 1, state: 'received', isUncertain: false },
    ]);
  });

  it('reports no loss for an incomplete upload', async () => {
    await rig.recordResult(accepted);
    await rig.store.beginAttachment(
      {
        id: 'd1',
        applicationId: first,
        kind: 'document',
        category: 'bank-statements-jan',
        createdAt: rig.time.clock(),
      },
      9,
    );
    expect((await rig.run('erase', first, '--yes', '--json')).json.lost).toEqual([]);
  });

  it('reports no loss for what is delivered meanwhile', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    const erase: typeof rig.store.erase = async (id) => {
      await rig.recordResult({ state: 'accepted', serviceId: '069D' }, 'document');
      return rig.store.erase(id);
    };
    const openStore = async () => ({ ...rig.store, erase, close: async () => undefined });
    const { json } = await rig.runWith({ openStore }, 'erase', first, '--yes', '--json');
    expect(json.lost).toEqual([]);
  });

  it('reports that the disk is not overwritten yet', async () => {
    const scrub = async () => false;
    const openStore = async () => ({ ...rig.store, scrub, close: async () => undefined });
    const run = (...more: string[]) => rig.runWith({ openStore }, 'erase', first, '--yes', ...more);
    expect((await run()).out).toContain('The disk still contains the erased data');
    const { code, json } = await run('--json');
    expect({ code, isOverwritten: json.isOverwritten }).toEqual({ code: 0, isOverwritten: false });
  });

  it('erases unreadable rows', async () => {
    await rig.addAttachment('d1');
    const findApplication = () => Promise.reject(new SyntaxError('not JSON'));
    const openStore = async () => ({ ...rig.store, findApplication, close: async () => {} });
    const { code, out } = await rig.runWith({ openStore }, 'erase', first, '--yes');
    expect(code).toBe(0);
    expect(out).toContain(
      '  application (unreadable, the funding service may have it)\n  document 1 (received)\n',
    );
    expect((await rig.store.findApplication(first))?.state).toBe('erased');
  });

  it('erases nothing during an attempt', async () => {
    await rig.claim();
    const { code, err, json } = await rig.run('erase', first, '--yes', '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('sending');
    expect(err).toContain('Try again in a few minutes, while a BFF runs.');
    expect((await rig.store.findApplication(first))?.encryptedLead).toBeDefined();
  });
});
