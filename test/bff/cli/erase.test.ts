// `erase`: asks for --yes, reports what is lost, and never erases during an attempt.

import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, type CliRig } from './cli-rig.ts';

describe('erase', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  const listLost = async () => (await rig.run('erase', first, '--yes', '--json')).json.lost;
  const document = (number: number, state: string, isUncertain = false) => ({
    kind: 'document',
    number,
    state,
    isUncertain,
  });

  it('shows what would be lost without --yes', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.recordResult(held, 'document');
    const { code, err, json } = await rig.run('erase', first, '--json');
    expect([code, json.error]).toEqual([2, 'not-confirmed']);
    expect(err).toBe(
      `Nothing was erased. To erase ${first} (000-001), add --yes.\n` +
        'Not confirmed as delivered, so it would be lost:\n  document 1 (held)\n',
    );
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
    const { code, out } = await rig.runOn({ scrub }, 'erase', first, '--yes');
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
    const { err } = await rig.run('erase', first);
    expect(err).toContain('Nothing would be lost: everything was delivered or rejected.\n');
    const { out } = await rig.run('erase', first, '--yes');
    expect(out).toContain('Nothing is lost: everything was delivered or rejected.\n');
  });

  it('reports no loss the second time', async () => {
    await rig.run('erase', first, '--yes');
    rig.time.advance(60_000);
    const again = 'It was erased before (2026-11-20T10:00:00Z).\n';
    expect((await rig.run('erase', first)).err).toContain(again);
    expect((await rig.run('erase', first, '--yes')).out).toContain(again);
    const { json } = await rig.run('erase', first, '--yes', '--json');
    expect(json).toEqual({ reference: first, lost: [], isOverwritten: true });
  });

  it('marks what the funding service may have', async () => {
    await rig.recordResult({ state: 'unconfirmed' });
    const uncertain = ' (unconfirmed, the funding service may have it)\n';
    expect((await rig.run('erase', first)).err).toContain(uncertain);
    await rig.store.resolve(first, '006A');
    await rig.addAttachment('d1');
    await rig.recordResult({ ...held, reason: 'uncertain', isUncertain: true }, 'document');
    await rig.addAttachment('d2');
    expect(await listLost()).toEqual([document(1, 'held', true), document(2, 'received')]);
  });

  it('lists an application and its documents', async () => {
    await rig.addAttachment('d1');
    const application = { ...document(1, 'received'), kind: 'application', number: null };
    expect(await listLost()).toEqual([application, document(1, 'received')]);
  });

  it('reports no loss for an incomplete upload', async () => {
    await rig.recordResult(accepted);
    const upload = { id: 'd1', applicationId: first, category: 'other', createdAt: 0 };
    await rig.store.beginAttachment({ ...upload, kind: 'document' }, 9);
    expect(await listLost()).toEqual([]);
  });

  it('reports no loss for what is delivered meanwhile', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    const erase: typeof rig.store.erase = async (id) => {
      await rig.recordResult({ state: 'accepted', serviceId: '069D' }, 'document');
      return rig.store.erase(id);
    };
    const { json } = await rig.runOn({ erase }, 'erase', first, '--yes', '--json');
    expect(json.lost).toEqual([]);
  });

  it('reports that the disk is not overwritten yet', async () => {
    const run = (...more: string[]) =>
      rig.runOn({ scrub: async () => false }, 'erase', first, '--yes', ...more);
    expect((await run()).out).toContain('The disk still contains the erased data');
    expect(await run('--json')).toMatchObject({ code: 0, json: { isOverwritten: false } });
  });

  it('erases unreadable rows', async () => {
    await rig.addAttachment('d1');
    const findApplication = () => Promise.reject(new SyntaxError('not JSON'));
    const { out } = await rig.runOn({ findApplication }, 'erase', first, '--yes');
    expect(out).toContain(
      '  application (unreadable, the funding service may have it)\n  document 1 (received)\n',
    );
    expect((await rig.store.findApplication(first))?.state).toBe('erased');
  });

  it('erases nothing during an attempt', async () => {
    await rig.claim();
    const { code, err, json } = await rig.run('erase', first, '--yes', '--json');
    expect([code, json.error]).toEqual([1, 'sending']);
    expect(err).toContain('Try again in a few minutes, while a BFF runs.');
    expect((await rig.store.findApplication(first))?.encryptedLead).toBeDefined();
  });
});
