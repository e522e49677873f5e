// `erase`: only when told twice, never while sending, and with word of what is lost.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, createCliRig, first, held, second, type CliRig } from './cli-rig.ts';

describe('erase', () => {
  let rig: CliRig;

  beforeEach(async () => {
    rig = await createCliRig();
    await rig.add();
  });

  afterEach(() => rig.store.close());

  it('asks for --yes, and says what would be lost', async () => {
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.recordResult(held, 'document');
    const { code, out, err } = await rig.run('erase', first);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      'Nothing was erased: give --yes as well.\n' +
        'Not known to be delivered, so it would be lost:\n  document 1 (held)\n',
    );
    expect((await rig.run('erase', first, '--json')).json.error).toBe('not-confirmed');
    expect(await rig.store.readChunk('d1', 0)).toBeDefined();
  });

  it('erases, says what is lost, and has the disk overwritten', async () => {
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
      `Erased: everything personal of ${first}.\n` +
        'Not known to be delivered, so it is lost:\n  application (held)\n  document 1 (received)\n',
    );
    expect(scrubbed).toBe(1);
    expect(await rig.store.findApplication(first)).toMatchObject({ state: 'erased' });
    expect((await rig.store.findApplication(first))?.encryptedLead).toBeUndefined();
    expect((await rig.store.findApplication(second))?.encryptedLead).toBeDefined();
  });

  it('says that nothing is lost of what was delivered', async () => {
    await rig.recordResult(accepted);
    expect((await rig.run('erase', first)).err).toContain(
      'Nothing would be lost: all that was still there was delivered or refused.\n',
    );
    expect((await rig.run('erase', first, '--yes')).out).toBe(
      `Erased: everything personal of ${first}.\n` +
        'Nothing is lost: all that was still there was delivered or refused.\n',
    );
    const { json } = await rig.run('erase', first, '--yes', '--json');
    expect(json).toEqual({ reference: first, lost: [], isOverwritten: true });
  });

  it('does not call lost again what an earlier time has erased', async () => {
    await rig.run('erase', first, '--yes');
    rig.time.advance(60_000);
    const again = 'It was erased before (2026-11-20T10:00:00Z).\n';
    expect((await rig.run('erase', first)).err).toContain(again);
    expect((await rig.run('erase', first, '--yes')).out).toBe(
      `Erased: everything personal of ${first}.\n${again}`,
    );
    expect((await rig.run('erase', first, '--yes', '--json')).json.lost).toEqual([]);
  });

  it('says what the service may have although it never said so', async () => {
    await rig.recordResult({ state: 'unconfirmed' });
    expect((await rig.run('erase', first)).err).toContain(
      '  application (unconfirmed: the funding service may have it)\n',
    );
    await rig.store.resolve(first, '006A');
    await rig.addAttachment('d1');
    await rig.recordResult({ ...held, reason: 'uncertain', isUncertain: true }, 'document');
    await rig.addAttachment('d2');
    expect((await rig.run('erase', first)).err).toContain(
      '  document 1 (held: the funding service may have it)\n  document 2 (received)\n',
    );
    expect((await rig.run('erase', first, '--yes', '--json')).json.lost).toEqual([
      { kind: 'document', number: 1, state: 'held', isUncertain: true },
      { kind: 'document', number: 2, state: 'received', isUncertain: false },
    ]);
  });

  it('tells programs what is lost', async () => {
    await rig.addAttachment('d1');
    expect((await rig.run('erase', first, '--yes', '--json')).json.lost).toEqual([
      { kind: 'application', number: null, state: 'received', isUncertain: false },
      { kind: 'document', number: 1, state: 'received', isUncertain: false },
    ]);
  });

  it('does not call lost an upload that never ended', async () => {
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

  it('does not call lost what was delivered between its looks', async () => {
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

  it('says when the disk could not be overwritten yet', async () => {
    const scrub = async () => false;
    const openStore = async () => ({ ...rig.store, scrub, close: async () => undefined });
    const run = (...more: string[]) => rig.runWith({ openStore }, 'erase', first, '--yes', ...more);
    expect((await run()).out).toContain('so the disk still holds what was erased');
    const { code, json } = await run('--json');
    expect({ code, isOverwritten: json.isOverwritten }).toEqual({ code: 0, isOverwritten: false });
  });

  it('erases what cannot be read', async () => {
    await rig.addAttachment('d1');
    const findApplication = () => Promise.reject(new SyntaxError('not JSON'));
    const openStore = async () => ({ ...rig.store, findApplication, close: async () => {} });
    const { code, out } = await rig.runWith({ openStore }, 'erase', first, '--yes');
    expect(code).toBe(0);
    expect(out).toContain(
      '  application (unreadable: the funding service may have it)\n  document 1 (received)\n',
    );
    expect((await rig.store.findApplication(first))?.state).toBe('erased');
  });

  it('is refused while it is being sent', async () => {
    await rig.claim();
    const { code, err, json } = await rig.run('erase', first, '--yes', '--json');
    expect(code).toBe(1);
    expect(json.error).toBe('sending');
    expect(err).toContain('Try again in a few minutes, while a BFF runs.');
    expect((await rig.store.findApplication(first))?.encryptedLead).toBeDefined();
  });
});
