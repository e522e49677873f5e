// The contract of handoffs.

import { beforeEach, describe, expect, it } from 'vitest';
import { toHandoffState } from '../../../../bff/store/handoffs.ts';
import { abandonedMs } from '../../../../bff/store/retention.ts';
import type { HandoffSecret, NewHandoff } from '../../../../bff/store/store.ts';
import { handoffLifetime } from '../../../../shared/api/handoff.ts';
import { accepted, type OpenTestDatabase, retention, runTwenty, useStoreRig } from './rig.ts';
import { bytes, createHandoff, createSession } from './rows.ts';

const pairingMs = handoffLifetime.pairingSeconds * 1000;
const idleMs = handoffLifetime.idleSeconds * 1000;
const maxMs = handoffLifetime.maxSeconds * 1000;
const start = 1_000_000;

export function describeHandoffs(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    rig.now = start;
    await rig.add('a1', { receivedAt: start });
  });

  const add = (id = 'h1', changes: Partial<NewHandoff> = {}) =>
    rig.store.addHandoff({ ...createHandoff(id, start), ...changes }, start);
  const claim = (at = start, phone = 'p1', secret: HandoffSecret = { tokenHash: 't-h1' }) =>
    rig.store.claimHandoff(secret, { id: phone, origin: 'https://bff', createdAt: at });
  const confirm = (number = '42', at = start) => rig.store.confirmHandoff('h1', number, at);

  async function connect() {
    await add();
    await claim();
    return (await confirm())!;
  }

  const findState = async (at = start) =>
    toHandoffState((await rig.store.findLatestHandoff('a1'))!, at);

  describe('a new handoff', () => {
    it('waits for five minutes', async () => {
      const { tokenHash: _token, codeHash: _code, ...handoff } = createHandoff('h1', start);
      const expected = { ...handoff, state: 'waiting', expiresAt: start + pairingMs };
      expect(await add()).toEqual(expected);
      expect(await findState(start + pairingMs - 1)).toBe('waiting');
      expect(await findState(start + pairingMs)).toBe('expired');
    });

    it('revokes the earlier handoff of its application only', async () => {
      await connect();
      await rig.add('a2');
      await add('h2', { applicationId: 'a2', sessionId: 's2' });
      expect(await findState()).toBe('connected');
      await add('h3');
      expect((await rig.store.findPhoneHandoff('p1'))?.state).toBe('revoked');
      expect((await rig.store.findLatestHandoff('a1'))?.id).toBe('h3');
    });

    it('is the only active one of twenty concurrent ones', async () => {
      await runTwenty((number) => add(`h${number}`));
      const claims = await runTwenty((number) =>
        claim(start, `p${number}`, { tokenHash: `t-h${number}` }),
      );
      expect(claims.filter(({ isClaimed }) => isClaimed)).toHaveLength(1);
    });
  });

  describe('a claim', () => {
    it.each([{ tokenHash: 't-h1' }, { codeHash: 'c-h1' }])('with %o succeeds', async (secret) => {
      await add();
      const { isClaimed, handoff } = await claim(start + 1, 'p1', secret);
      const times = { expiresAt: start + 1 + pairingMs, endsAt: start + 1 + maxMs };
      expect(isClaimed).toBe(true);
      expect(handoff).toMatchObject({ state: 'claimed', phoneSessionId: 'p1', ...times });
      expect((await rig.store.findSession('p1'))?.scope).toBe('upload');
      expect(await rig.store.findPhoneHandoff('p1')).toEqual(handoff);
    });

    it.each([{ tokenHash: 'c-h1' }, { codeHash: 't-h1' }])('with %o fails', async (secret) => {
      await add();
      expect(await claim(start, 'p1', secret)).toEqual({ isClaimed: false, handoff: undefined });
    });

    it('succeeds for one of twenty phones', async () => {
      await add();
      const claims = await runTwenty((number) => claim(start, `p${number}`));
      const winner = `p${claims.findIndex(({ isClaimed }) => isClaimed) + 1}`;
      const sessions = await runTwenty((number) => rig.store.findSession(`p${number}`));
      expect(claims.filter(({ isClaimed }) => isClaimed)).toHaveLength(1);
      expect(sessions.flatMap((session) => session?.id ?? [])).toEqual([winner]);
      expect((await rig.store.findLatestHandoff('a1'))?.phoneSessionId).toBe(winner);
    });

    it('after five minutes fails, and changes nothing', async () => {
      const handoff = await add();
      expect(await claim(start + pairingMs)).toEqual({ isClaimed: false, handoff });
      expect(await rig.store.findSession('p1')).toBeUndefined();
    });

    it('never lasts longer than the session of the desktop', async () => {
      await add('h1', { endsAt: start + 60_000 });
      expect((await claim(start + 1)).handoff?.expiresAt).toBe(start + 60_000);
    });
  });

  describe('a confirmation', () => {
    it('does nothing before a claim', async () => {
      await add();
      expect((await confirm())?.state).toBe('waiting');
    });

    it.each([
      ['connects with the right number', '42', 0, 'connected', idleMs],
      ['ends the handoff with a wrong number', '17', 0, 'wrong-number', pairingMs],
      ['fails five minutes after the claim', '42', pairingMs, 'expired', pairingMs],
    ])('%s', async (_name, number, afterMs, state, endsMs) => {
      await add();
      await claim();
      const handoff = await confirm(number, start + afterMs);
      expect(toHandoffState(handoff!, start + afterMs)).toBe(state);
      expect(handoff?.expiresAt).toBe(start + endsMs);
      // It counts once.
      expect(await confirm('42', start + afterMs)).toEqual(handoff);
    });
  });

  describe('a connected handoff', () => {
    it('ends after the idle time', async () => {
      await connect();
      expect(await findState(start + idleMs - 1)).toBe('connected');
      expect(await findState(start + idleMs)).toBe('ended');
    });

    it('restarts its idle time, but writes nothing soon after that', async () => {
      const extended = await rig.store.extendHandoff(await connect(), start + idleMs / 2);
      expect(extended.expiresAt).toBe(start + 1.5 * idleMs);
      expect(await rig.store.findLatestHandoff('a1')).toEqual(extended);
      expect(await rig.store.extendHandoff(extended, start + idleMs / 2 + 1_000)).toBe(extended);
    });

    it('ends after two hours of use', async () => {
      let handoff = await connect();
      for (let at = start; at < start + maxMs; at += idleMs / 2) {
        handoff = await rig.store.extendHandoff(handoff, at);
      }
      expect(handoff.expiresAt).toBe(start + maxMs);
    });

    it.each(['declined', 'revoked', 'ended'] as const)('stays %s', async (state) => {
      const connected = await connect();
      expect(await rig.store.endHandoff('h1', state)).toBe(true);
      expect(await rig.store.endHandoff('h1', 'declined')).toBe(false);
      await rig.store.extendHandoff(connected, start + idleMs / 2);
      expect(await findState()).toBe(state);
    });

    it('is revoked with the session of the desktop only', async () => {
      await connect();
      await rig.add('a2');
      await rig.store.endSession(createSession('s2'), start);
      expect(await findState()).toBe('connected');
      await rig.store.endSession(createSession('s1'), start);
      expect(await findState()).toBe('revoked');
    });
  });

  it('is deleted with the erasure of its application', async () => {
    await connect();
    await rig.store.erase('a1');
    expect(await rig.store.findPhoneHandoff('p1')).toBeUndefined();
    expect(await claim(start, 'p2')).toEqual({ isClaimed: false, handoff: undefined });
  });

  it('is purged after every session that can use it, with the name of the business', async () => {
    const name = bytes(7);
    const row = { receivedAt: start, encryptedBusinessName: name };
    for (const id of ['a2', 'a3']) await rig.add(id, row);
    await connect();
    for (let count = 1; count <= 3; count += 1) await rig.attempt(accepted);
    await rig.store.erase('a3');
    const find = async () => [
      (await rig.store.findSession('s1'))?.id,
      (await rig.find('a3')).encryptedBusinessName,
      (await rig.find('a2')).encryptedBusinessName,
      (await rig.store.findSession('p1'))?.id,
      (await rig.store.findLatestHandoff('a1'))?.id,
    ];
    rig.now = start + abandonedMs - 1;
    await rig.store.purge(retention);
    expect(await find()).toEqual(['s1', undefined, name, 'p1', 'h1']);
    rig.now += 1;
    await rig.store.purge(retention);
    expect(await find()).toEqual(['s1', undefined, undefined, undefined, undefined]);
  });
}
