// The contract of handoffs.

import { beforeEach, describe, expect, it } from 'vitest';
import { toHandoffState } from '../../../../bff/store/handoffs.ts';
import { abandonedMs } from '../../../../bff/store/retention.ts';
import type { HandoffRow, NewHandoff } from '../../../../bff/store/store.ts';
import { handoffLifetime } from '../../../../shared/api/handoff.ts';
import { accepted, day, rejected, useStoreRig, type OpenTestDatabase } from './rig.ts';
import { createAttachment, createNewApplication, createSession } from './rows.ts';

const pairingMs = handoffLifetime.pairingSeconds * 1000;
const idleMs = handoffLifetime.idleSeconds * 1000;
const maxMs = handoffLifetime.maxSeconds * 1000;
const retention = { recordDays: 30, undeliveredDays: 40, rejectedDays: 7, evidenceDays: 100 };
const start = 1_000_000;

export function describeHandoffs(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    rig.now = start;
    await rig.store.addApplication(createNewApplication({ receivedAt: start }), []);
  });

  const add = (changes: Partial<NewHandoff> = {}) =>
    rig.store.addHandoff(createHandoff(changes), start);
  const claim = (at = start, phone = 'p1', tokenHash = 't1') =>
    rig.store.claimHandoff({ tokenHash }, { id: phone, origin: 'https://bff', createdAt: at });

  async function connect(): Promise<HandoffRow> {
    await add();
    await claim();
    return (await rig.store.confirmHandoff('h1', '42', start))!;
  }

  const findState = async (at = start) =>
    toHandoffState((await rig.store.findLatestHandoff('a1'))!, at);

  describe('a new handoff', () => {
    it('waits for five minutes', async () => {
      expect(await add()).toEqual({
        id: 'h1',
        applicationId: 'a1',
        sessionId: 's1',
        state: 'waiting',
        number: '42',
        choices: ['17', '42', '90'],
        expiresAt: start + pairingMs,
        endsAt: start + day,
        phoneSessionId: undefined,
      });
      expect(await findState(start + pairingMs - 1)).toBe('waiting');
      expect(await findState(start + pairingMs)).toBe('expired');
    });

    it('revokes the earlier handoff of the application', async () => {
      await connect();
      await add({ id: 'h2', tokenHash: 't2', codeHash: 'c2' });
      expect((await rig.store.findPhoneHandoff('p1'))?.state).toBe('revoked');
      expect((await rig.store.findLatestHandoff('a1'))?.id).toBe('h2');
    });

    it('leaves handoffs of other applications alone', async () => {
      await connect();
      await rig.add('a2');
      const other = { applicationId: 'a2', sessionId: 's-a2' };
      await add({ id: 'h2', tokenHash: 't2', codeHash: 'c2', ...other });
      expect(await findState()).toBe('connected');
    });

    it('is refused after the rejection of the application', async () => {
      await rig.attempt(rejected);
      expect(await add()).toBeUndefined();
    });

    it('is refused after the erasure of the application', async () => {
      await rig.store.erase('a1');
      expect(await add()).toBeUndefined();
    });

    it('leaves one of twenty concurrent ones active', async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `h${index}`);
      await Promise.all(ids.map((id) => add({ id, tokenHash: `t${id}`, codeHash: `c${id}` })));
      const claims = await Promise.all(ids.map((id) => claim(start, `p${id}`, `t${id}`)));
      expect(claims.filter(({ isClaimed }) => isClaimed)).toHaveLength(1);
    });
  });

  describe('a claim', () => {
    it('adds the phone session', async () => {
      await add();
      const { isClaimed, handoff } = await claim(start + 1);
      expect(isClaimed).toBe(true);
      expect(handoff).toMatchObject({
        state: 'claimed',
        phoneSessionId: 'p1',
        expiresAt: start + 1 + pairingMs,
        endsAt: start + 1 + maxMs,
      });
      expect((await rig.store.findSession('p1'))?.scope).toBe('upload');
      expect((await rig.store.findPhoneHandoff('p1'))?.id).toBe('h1');
    });

    it('succeeds with the code', async () => {
      await add();
      const phone = { id: 'p1', origin: 'https://bff', createdAt: start };
      expect((await rig.store.claimHandoff({ codeHash: 'c1' }, phone)).isClaimed).toBe(true);
    });

    it('finds no unknown token', async () => {
      await add();
      expect(await claim(start, 'p1', 'c1')).toEqual({ isClaimed: false, handoff: undefined });
    });

    it('succeeds for one of twenty phones', async () => {
      await add();
      const phones = Array.from({ length: 20 }, (_, index) => `p${index}`);
      const claims = await Promise.all(phones.map((phone) => claim(start, phone)));
      const winners = phones.filter((_phone, index) => claims[index]?.isClaimed);
      const sessions = await Promise.all(phones.map((phone) => rig.store.findSession(phone)));
      expect(winners).toHaveLength(1);
      expect(sessions.flatMap((session) => session?.id ?? [])).toEqual(winners);
      expect((await rig.store.findLatestHandoff('a1'))?.phoneSessionId).toBe(winners[0]);
    });

    it('fails after five minutes', async () => {
      await add();
      const { isClaimed, handoff } = await claim(start + pairingMs);
      expect([isClaimed, handoff?.state, handoff?.phoneSessionId]).toEqual([
        false,
        'waiting',
        undefined,
      ]);
      expect(await rig.store.findSession('p1')).toBeUndefined();
    });

    it('never lasts longer than the session of the desktop', async () => {
      await add({ endsAt: start + 60_000 });
      expect((await claim(start + 1)).handoff?.expiresAt).toBe(start + 60_000);
    });
  });

  describe('a confirmation', () => {
    it('connects with the right number', async () => {
      expect(await connect()).toMatchObject({ state: 'connected', expiresAt: start + idleMs });
    });

    it('ends the handoff with a wrong number', async () => {
      await add();
      await claim();
      expect((await rig.store.confirmHandoff('h1', '17', start))?.state).toBe('wrong-number');
      expect((await rig.store.confirmHandoff('h1', '42', start))?.state).toBe('wrong-number');
    });

    it('fails five minutes after the claim', async () => {
      await add();
      await claim();
      const late = await rig.store.confirmHandoff('h1', '42', start + pairingMs);
      expect(toHandoffState(late!, start + pairingMs)).toBe('expired');
    });

    it('fails before a claim', async () => {
      await add();
      expect((await rig.store.confirmHandoff('h1', '42', start))?.state).toBe('waiting');
    });
  });

  describe('a connected handoff', () => {
    it('ends after the idle time', async () => {
      await connect();
      expect(await findState(start + idleMs - 1)).toBe('connected');
      expect(await findState(start + idleMs)).toBe('ended');
    });

    it('restarts its idle time', async () => {
      const extended = await rig.store.extendHandoff(await connect(), start + idleMs / 2);
      expect(extended.expiresAt).toBe(start + 1.5 * idleMs);
      expect((await rig.store.findLatestHandoff('a1'))?.expiresAt).toBe(start + 1.5 * idleMs);
    });

    it('writes nothing for a request soon after another', async () => {
      const connected = await connect();
      expect(await rig.store.extendHandoff(connected, start + 1_000)).toBe(connected);
    });

    it('ends after two hours of use', async () => {
      let handoff = await connect();
      for (let at = start; at < start + maxMs; at += idleMs / 2) {
        handoff = await rig.store.extendHandoff(handoff, at);
      }
      expect(handoff.expiresAt).toBe(start + maxMs);
    });

    it.each(['declined', 'revoked', 'ended'] as const)('becomes %s', async (state) => {
      const { id } = await connect();
      expect(await rig.store.endHandoff(id, state)).toBe(true);
      expect(await findState()).toBe(state);
    });

    it('keeps its first end', async () => {
      const { id } = await connect();
      await rig.store.endHandoff(id, 'declined');
      expect(await rig.store.endHandoff(id, 'revoked')).toBe(false);
      expect(await findState()).toBe('declined');
    });

    it('does not return after its end', async () => {
      const connected = await connect();
      await rig.store.endHandoff('h1', 'revoked');
      await rig.store.extendHandoff(connected, start + idleMs / 2);
      expect(await findState()).toBe('revoked');
    });

    it('is revoked with the session of the desktop', async () => {
      await connect();
      await rig.store.endSession(createSession('s1'), start);
      expect(await findState()).toBe('revoked');
    });

    it('survives the end of another session', async () => {
      await connect();
      await rig.add('a2', { session: createSession('s2') });
      await rig.store.endSession(createSession('s2'), start);
      expect(await findState()).toBe('connected');
    });
  });

  it('records which attachments a phone sent', async () => {
    await rig.store.beginAttachment({ ...createAttachment('d1'), handoffId: 'h1' }, 9);
    await rig.complete('d2', 'two');
    expect((await rig.store.findAttachment('d1'))?.handoffId).toBe('h1');
    expect((await rig.store.findAttachment('d2'))?.handoffId).toBeUndefined();
  });

  it('changes only attachments that its phone sent', async () => {
    await rig.store.beginAttachment({ ...createAttachment('d1'), handoffId: 'h1' }, 9);
    const completed = { fingerprint: 'd1', bytes: 1, limit: 9 };
    await rig.store.completeAttachment('d1', completed);
    const change = (handoffId: string) =>
      rig.store.changeCategory('a1', 1, 'ein-letter', 9, handoffId);
    expect((await change('h2')).kind).toBe('not-found');
    expect((await rig.store.withdrawDocument('a1', 1, 'h2')).kind).toBe('not-found');
    expect((await change('h1')).kind).toBe('changed');
    expect((await rig.store.withdrawDocument('a1', 1, 'h1')).kind).toBe('changed');
  });

  it('leaves with the erasure of its application', async () => {
    await connect();
    await rig.store.erase('a1');
    expect(await rig.store.findPhoneHandoff('p1')).toBeUndefined();
    expect(await claim(start, 'p2')).toEqual({ isClaimed: false, handoff: undefined });
  });

  it('is purged after every session that can use it', async () => {
    await connect();
    rig.now = start + abandonedMs - 1;
    await rig.store.purge(retention);
    expect(await rig.store.findLatestHandoff('a1')).toBeDefined();
    rig.now = start + abandonedMs;
    await rig.store.purge(retention);
    expect(await rig.store.findLatestHandoff('a1')).toBeUndefined();
    expect(await rig.store.findSession('p1')).toBeUndefined();
    expect(await rig.store.findSession('s1')).toBeDefined();
  });
}

/** The masked name of the business, which `claimHandoff` does not return: it is part of the application. */
export function describeBusinessName(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);
  const name = Uint8Array.from([7, 7]);

  beforeEach(async () => {
    const application = createNewApplication({ receivedAt: 100 });
    await rig.store.addApplication({ ...application, encryptedBusinessName: name }, []);
  });

  const findName = async () => (await rig.find()).encryptedBusinessName;

  it('survives the acceptance of the application', async () => {
    await rig.attempt(accepted);
    expect(await findName()).toEqual(name);
  });

  it('is purged after every session that can use it', async () => {
    rig.now = 100 + abandonedMs - 1;
    await rig.store.purge(retention);
    expect(await findName()).toEqual(name);
    rig.now += 1;
    await rig.store.purge(retention);
    expect(await findName()).toBeUndefined();
  });

  it('is erased with the application', async () => {
    await rig.store.erase('a1');
    expect(await findName()).toBeUndefined();
  });
}

function createHandoff(changes: Partial<NewHandoff>): NewHandoff {
  return {
    id: 'h1',
    applicationId: 'a1',
    sessionId: 's1',
    tokenHash: 't1',
    codeHash: 'c1',
    number: '42',
    choices: ['17', '42', '90'],
    endsAt: start + day,
    ...changes,
  };
}
