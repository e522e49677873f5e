// What every store must do with the state of logins, as a suite that runs on each: both engines, and a process by itself.

import { beforeEach, describe, expect, it } from 'vitest';
import {
  createLoginPauses,
  type LoginPauses,
  type LoginStore,
} from '../../../../bff/funding-service/login-pauses.ts';

export interface LoginStoreRig {
  readonly store: LoginStore;
  /** Epoch milliseconds of the store's own clock. */
  now: number;
  close(): Promise<void>;
}

const minuteMs = 60_000;
const refused = { kind: 'refused' } as const;
const unreachable = { kind: 'unreachable' } as const;
const granted = { kind: 'granted', token: 'A' } as const;

export function describeLogins(name: string, open: () => Promise<LoginStoreRig>): void {
  describe(`logins that share ${name}`, () => {
    let rig: LoginStoreRig;
    let pauses: LoginPauses;

    beforeEach(async () => {
      rig = await open();
      pauses = createLoginPauses(rig.store, 'credentials');
      return () => rig.close();
    });

    /** Begins a login and refuses it; answers how long the pause is that follows. */
    async function refuseOne(): Promise<number | undefined> {
      const turn = await pauses.begin();
      if (turn.kind !== 'mine') throw new Error(`The turn was ${turn.kind}`);
      return (await pauses.end(turn.number, refused))?.forMs;
    }

    it('give a turn to one of many who ask at the same time, again and again', async () => {
      for (let round = 0; round < 5; round += 1) {
        const turns = await Promise.all(Array.from({ length: 30 }, () => pauses.begin()));
        expect(turns.filter(({ kind }) => kind === 'mine')).toEqual([{ kind: 'mine', number: 1 }]);
        expect(turns.filter(({ kind }) => kind === 'taken')).toHaveLength(29);
        await pauses.end(1, granted);
      }
    });

    it('give the next turn as soon as one has worked', async () => {
      await pauses.begin();
      expect(await pauses.end(1, granted)).toBeUndefined();
      expect(await pauses.begin()).toEqual({ kind: 'mine', number: 1 });
    });

    it('pause one, five and fifteen minutes after refusals, for everybody', async () => {
      for (const minutes of [1, 5, 15, 15]) {
        expect(await refuseOne()).toBe(minutes * minuteMs);
        rig.now += minutes * minuteMs - 1;
        expect(await pauses.begin()).toEqual({
          kind: 'paused',
          pause: { kind: 'refused', forMs: 1 },
        });
        rig.now += 1;
      }
    });

    it('begin anew after a login that worked', async () => {
      await refuseOne();
      rig.now += minuteMs;
      await pauses.begin();
      await pauses.end(2, granted);
      expect(await refuseOne()).toBe(minuteMs);
    });

    it.each([
      [undefined, 1],
      [30_000, 0.5],
      [86_400_000, 15],
    ])('wait as a throttled login asks (%s ms), for %s minutes', async (retryAfterMs, minutes) => {
      await pauses.begin();
      const pause = { kind: 'throttled', forMs: minutes * minuteMs } as const;
      expect(await pauses.end(1, { kind: 'throttled', retryAfterMs })).toEqual(pause);
      expect(await pauses.begin()).toEqual({ kind: 'paused', pause });
      rig.now += minutes * minuteMs;
      expect(await refuseOne()).toBe(minuteMs);
    });

    it('do not count a login that never reached the service, and forget none that was refused', async () => {
      await refuseOne();
      rig.now += minuteMs;
      for (let round = 0; round < 3; round += 1) {
        expect(await pauses.begin()).toEqual({ kind: 'mine', number: 2 });
        expect(await pauses.end(2, unreachable)).toBeUndefined();
      }
      expect(await refuseOne()).toBe(5 * minuteMs);
    });

    it('take a login nobody has ended for over after fifteen seconds, and for refused', async () => {
      await pauses.begin();
      rig.now += 14_999;
      expect(await pauses.begin()).toEqual({ kind: 'taken' });
      rig.now += 1;
      expect(await pauses.begin()).toEqual({ kind: 'mine', number: 2 });
      rig.now += 15_000;
      expect(await pauses.begin()).toEqual({
        kind: 'paused',
        pause: { kind: 'refused', forMs: 5 * minuteMs - 15_000 },
      });
      rig.now += 5 * minuteMs - 15_000;
      expect(await pauses.begin()).toEqual({ kind: 'mine', number: 3 });
    });

    it('let nobody whose turn is over change what a later one found', async () => {
      await pauses.begin();
      rig.now += 15_000;
      expect(await refuseOne()).toBe(5 * minuteMs);
      await pauses.end(1, unreachable);
      expect((await pauses.begin()).kind).toBe('paused');
    });

    it('wait for nobody with other credentials', async () => {
      await refuseOne();
      const others = createLoginPauses(rig.store, 'new password');
      expect(await others.begin()).toEqual({ kind: 'mine', number: 1 });
    });

    it('wait no longer than a pause lasts when the clock is set back', async () => {
      await refuseOne();
      rig.now -= 24 * 60 * minuteMs;
      expect(await pauses.begin()).toEqual({ kind: 'mine', number: 2 });
    });
  });
}
