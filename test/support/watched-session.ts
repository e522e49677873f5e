// A session watch with a BFF in memory, a manual clock, and manual timers.

import { SessionWatch } from '../../widget/flow/session-watch.ts';
import { createFakeChannels } from './fake-page.ts';
import { createSession, FakeFundingApi, ok } from './fake-funding-api.ts';
import { createManualPolling } from './manual-polling.ts';

export const minute = 60_000;
/** Start time of every watch. */
export const begin = Date.parse('2026-11-20T15:00:00.000Z');

export function createWatch({ hasApplication = false, channels = createFakeChannels() } = {}) {
  const polling = createManualPolling();
  const api = new FakeFundingApi();
  let now = begin;
  let asked = 0;
  let changes = 0;
  /** Lifetime of a session that is requested now. */
  let lifeMs = 30 * minute;
  api.getSession = async () => {
    asked += 1;
    const { session } = api;
    return session.ok ? ok(createSession({ expiresAt: toTime(now + lifeMs) })) : session;
  };
  const watch = new SessionWatch({
    api,
    polling: polling.environment,
    now: () => new Date(now),
    hasApplication: () => hasApplication,
    openChannel: channels.open,
    onChange: () => {
      changes += 1;
    },
  });
  watch.connect();
  return {
    watch,
    api,
    polling,
    channels,
    /** Opens the session, as when the form loads. */
    open: (ms = 30 * minute) => watch.take({ expiresAt: toTime(now + ms) }),
    wait: (ms: number) => {
      now += ms;
    },
    /** Advances the clock to the next timer. */
    waitForTimer: async () => {
      now += polling.delays.at(-1) ?? 0;
      await polling.tick();
    },
    setLife: (ms: number) => {
      lifeMs = ms;
    },
    get asked() {
      return asked;
    },
    get changes() {
      return changes;
    },
  };
}

export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
