// Tests for the session: its extension, the notices about its end, several tabs, and closing.

import { describe, expect, it } from 'vitest';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { withSessionResponse } from '../../../widget/app/loading.ts';
import { canExtend, SessionController } from '../../../widget/app/session.ts';
import { initialState, Store } from '../../../widget/app/store.ts';
import { createAcceptedForm } from '../../support/create-feature.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  FakeFundingApi,
  ok,
} from '../../support/fake-funding-api.ts';
import { createFakeChannels } from '../../support/fake-page.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

const minuteMs = 60_000;
const maxMs = sessionLifetime.maxSeconds * 1000;
const startMs = Date.parse('2026-11-20T15:00:00.000Z');

/** A session of a form, with a clock and timers that the test controls. */
function create({ hasApplication = false, channels = createFakeChannels() } = {}) {
  const timers = createManualPolling();
  const api = new FakeFundingApi();
  let nowMs = startMs;
  let lifeMs = 30 * minuteMs;
  let requests = 0;
  api.getSession = async () => {
    requests += 1;
    const { session } = api;
    if (!session.ok) return session;
    const { application } = session.value;
    return ok(createSession({ expiresAt: toTime(nowMs + lifeMs), application }));
  };
  if (hasApplication) api.session = ok(createSession({ application: acceptedStatus }));
  const form = createAcceptedForm({
    step: 'funding-need',
    application: hasApplication ? acceptedStatus : undefined,
  });
  const store: Store = new Store([(before, after) => session.react(before, after)], {
    ...initialState,
    form,
  });
  const session = new SessionController({
    store,
    api,
    timers: timers.environment,
    now: () => new Date(nowMs),
    sessionChannelName: 'session',
    openSessionChannel: channels.open,
  });

  function take(expiresAt: string): void {
    store.update((state) => withSessionResponse(state, { expiresAt }, new Date(nowMs)));
  }

  function setConnected(isConnected: boolean): void {
    store.update((state) => ({ ...state, isConnected }));
  }

  setConnected(true);
  return {
    api,
    channels,
    session,
    store,
    timers,
    setConnected,
    /** The BFF reports a session that ends in `ms`. */
    open: (ms = 30 * minuteMs) => take(toTime(nowMs + ms)),
    take,
    /** Sets the lifetime of sessions that are requested from now on. */
    setLife(ms: number): void {
      lifeMs = ms;
    },
    advance(ms: number): void {
      nowMs += ms;
    },
    /** Advances the clock to the timer that was started last, and runs it. */
    async runTimer(): Promise<void> {
      nowMs += timers.delays.at(-1) ?? 0;
      await timers.tick();
    },
    /** The applicant closes the application on this device. */
    close(): void {
      api.session = fail('session-missing');
      store.update((state) => ({
        ...initialState,
        isConnected: state.isConnected,
        closing: { ...initialState.closing, closedStep: 'submitted' },
      }));
    },
    updateForm(changes: Partial<typeof form>): void {
      store.update((state) => ({ ...state, form: { ...form, ...state.form, ...changes } }));
    },
    get state() {
      return store.state.session;
    },
    get requests() {
      return requests;
    },
  };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

describe('an inactive session', () => {
  it('shows a warning five minutes before its end', async () => {
    const world = create();
    world.open();
    expect(world.timers.delays).toEqual([25 * minuteMs]);
    await world.runTimer();
    expect(world.state.notice).toBe('ends');
    expect(canExtend(world.store.state)).toBe(true);
  });

  it('ends without a request', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    await world.runTimer();
    expect(world.state.notice).toBe('ended');
    expect(world.requests).toBe(0);
    expect(world.timers.waiting).toBe(0);
  });

  it('is extended by the button', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    await world.session.extend();
    expect(world.requests).toBe(1);
    expect(world.state).toMatchObject({ notice: undefined, endsAt: startMs + 55 * minuteMs });
  });

  it('keeps the warning after a failed extension', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    world.api.session = fail('network');
    await world.session.extend();
    expect(world.state).toMatchObject({ notice: 'ends', problem: 'network' });
    world.api.session = ok(createSession());
    await world.session.extend();
    expect(world.state).toMatchObject({ notice: undefined, problem: undefined });
  });

  it('ends when the BFF has no session', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    world.api.session = fail('session-missing');
    await world.session.extend();
    expect(world.state.notice).toBe('ended');
  });

  it('offers no extension at its maximum lifetime', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    world.setLife(4 * minuteMs);
    await world.session.extend();
    expect(world.state.notice).toBe('ends');
    expect(canExtend(world.store.state)).toBe(false);
  });

  it('offers an extension again after another tab has extended it', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    world.setLife(4 * minuteMs);
    await world.session.extend();
    world.channels.send((world.state.endsAt ?? 0) + 20 * minuteMs);
    expect(world.state.notice).toBeUndefined();
    expect(canExtend(world.store.state)).toBe(true);
  });
});

describe('an active session', () => {
  it('is extended every five minutes', async () => {
    const world = create();
    world.open();
    for (let minutes = 0; minutes < 60; minutes += 1) {
      world.advance(minuteMs);
      world.session.noteActivity();
      world.session.noteActivity();
      await world.timers.settle();
    }
    expect(world.requests).toBe(12);
    expect(world.state.notice).toBeUndefined();
  });

  it('shows the warning on time when extensions fail', async () => {
    const world = create();
    world.open();
    world.api.session = fail('network');
    world.advance(24 * minuteMs);
    world.session.noteActivity();
    await world.timers.settle();
    expect(world.state.notice).toBeUndefined();
    world.advance(minuteMs);
    await world.timers.tick();
    expect(world.state.notice).toBe('ends');
    expect(world.requests).toBe(2);
  });

  it('retries the extension at most every 15 seconds during the warning', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    world.api.session = fail('network');
    world.session.noteActivity();
    await world.timers.settle();
    world.session.noteActivity();
    expect(world.requests).toBe(1);
    world.api.session = ok(createSession());
    world.advance(20_000);
    world.session.noteActivity();
    await world.timers.settle();
    expect(world.state.notice).toBeUndefined();
  });

  it('is extended instead of a warning after recent activity', async () => {
    const world = create();
    world.open(9 * minuteMs);
    world.advance(3 * minuteMs);
    world.session.noteActivity();
    expect(world.requests).toBe(0);
    world.advance(minuteMs);
    await world.timers.tick();
    expect(world.state.notice).toBeUndefined();
    expect(world.requests).toBe(1);
  });
});

describe('a hidden page', () => {
  it('has no timer', async () => {
    const world = create();
    world.open();
    await world.timers.setHidden(true);
    expect(world.timers.waiting).toBe(0);
    world.advance(40 * minuteMs);
    expect(world.state.notice).toBeUndefined();
    expect(world.requests).toBe(0);
  });

  it('extends the session when it becomes visible', async () => {
    const world = create();
    world.open();
    await world.timers.setHidden(true);
    world.advance(28 * minuteMs);
    await world.timers.setHidden(false);
    expect(world.state.notice).toBeUndefined();
    expect(world.requests).toBe(1);
  });

  it('shows that the session has ended when it becomes visible', async () => {
    const world = create();
    world.open();
    await world.timers.setHidden(true);
    world.advance(3 * 60 * minuteMs);
    world.api.session = fail('session-missing');
    await world.timers.setHidden(false);
    expect(world.state.notice).toBe('ended');
  });
});

describe('the session of a submitted application', () => {
  it('is requested before the warning', async () => {
    const world = create({ hasApplication: true });
    world.open(60 * minuteMs);
    world.setLife(maxMs / 2);
    await world.runTimer();
    expect(world.state.notice).toBeUndefined();
    expect(world.requests).toBe(1);
  });

  it('offers no extension', async () => {
    const world = create({ hasApplication: true });
    world.open(60 * minuteMs);
    world.setLife(5 * minuteMs);
    await world.runTimer();
    expect(world.state.notice).toBe('ends');
    expect(canExtend(world.store.state)).toBe(false);
  });

  it('is not extended by activity', async () => {
    const world = create({ hasApplication: true });
    world.open(maxMs);
    world.advance(60 * minuteMs);
    world.session.noteActivity();
    await world.timers.settle();
    expect(world.requests).toBe(0);
  });

  it('is requested if the submission started another session', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    await world.runTimer();
    world.setLife(maxMs);
    world.updateForm({ isSubmitting: true });
    world.api.session = ok(createSession({ application: acceptedStatus }));
    world.updateForm({ isSubmitting: false, application: acceptedStatus });
    await world.timers.settle();
    expect(world.state.notice).toBeUndefined();
    expect(world.timers.waiting).toBe(1);
  });

  it('is requested if its end is unknown', async () => {
    const world = create();
    world.updateForm({ isSubmitting: true });
    world.api.session = ok(createSession({ application: acceptedStatus }));
    world.updateForm({ isSubmitting: false, application: acceptedStatus });
    await world.timers.settle();
    expect(world.state.endsAt).toBe(startMs + 30 * minuteMs);
  });
});

describe('SessionController', () => {
  it.each([
    ['now', toTime(startMs)],
    ['in the past', toTime(startMs - 60 * minuteMs)],
    ['after the maximum lifetime', toTime(startMs + maxMs + 120 * minuteMs)],
    ['at an invalid time', 'tomorrow'],
  ])('ignores a session that ends %s', (_when, expiresAt) => {
    const { store, take, timers } = create();
    take(expiresAt);
    expect(store.state.session).toMatchObject({ endsAt: undefined, notice: undefined });
    expect(timers.waiting).toBe(0);
  });

  it('shows that the session has ended until the step changes', async () => {
    const world = create();
    world.open();
    await world.runTimer();
    await world.runTimer();
    world.session.noteActivity();
    expect(world.state.notice).toBe('ended');
    expect(world.requests).toBe(0);
    world.updateForm({ step: 'business' });
    expect(world.state.notice).toBeUndefined();
  });

  it('removes timers, listeners, and channels when it is disconnected', () => {
    const { timers, channels, open, setConnected } = create();
    open();
    setConnected(false);
    open();
    expect(timers).toMatchObject({ waiting: 0, listeners: 0 });
    expect(channels.size).toBe(0);
    setConnected(true);
    expect(timers).toMatchObject({ waiting: 1, listeners: 1 });
    expect(channels.size).toBe(1);
  });
});

describe('several tabs', () => {
  it('share an extension', async () => {
    const channels = createFakeChannels();
    const one = create({ channels });
    const other = create({ channels });
    one.open();
    other.open();
    await one.runTimer();
    expect(one.state.notice).toBe('ends');
    other.advance(26 * minuteMs);
    other.session.noteActivity();
    await other.timers.settle();
    expect(one.requests).toBe(0);
    expect(one.state).toMatchObject({ notice: undefined, endsAt: other.state.endsAt });
  });

  it.each([
    ['no time', 'tomorrow'],
    ['an earlier time', startMs + minuteMs],
    ['a time after the maximum lifetime', startMs + 30 * 24 * 60 * minuteMs],
  ])('ignore a message with %s', (_what, message) => {
    const { channels, open, store } = create();
    open();
    channels.send(message);
    expect(store.state.session.endsAt).toBe(startMs + 30 * minuteMs);
  });

  it('show that one of them has closed the application', async () => {
    const channels = createFakeChannels();
    const one = create({ channels, hasApplication: true });
    const other = create({ channels, hasApplication: true });
    one.open();
    other.open();
    other.api.session = fail('session-missing');
    one.close();
    await other.timers.settle();
    expect(other.state.notice).toBe('ended');
    expect(other.store.state.form?.application).toEqual(acceptedStatus);
    expect(one.state.notice).toBeUndefined();
  });

  it('show that one of them has closed the application during a request', async () => {
    const channels = createFakeChannels();
    const one = create({ channels });
    const other = create({ channels });
    one.open();
    other.open();
    other.advance(6 * minuteMs);
    other.session.noteActivity();
    other.api.session = fail('session-missing');
    one.close();
    await other.timers.settle();
    expect(other.state.notice).toBe('ended');
  });

  it('show that the session belongs to another application by now', async () => {
    const world = create({ hasApplication: true });
    world.open();
    world.api.session = ok(createSession());
    world.channels.send(0);
    await world.timers.settle();
    expect(world.state.notice).toBe('ended');
  });

  it('keep a session that was not closed, although a message says so', async () => {
    const world = create({ hasApplication: true });
    world.open();
    world.channels.send(0);
    await world.timers.settle();
    expect(world.state.notice).toBeUndefined();
    expect(world.timers.waiting).toBe(1);
  });

  it('do not share the end of a session token', () => {
    const channels = createFakeChannels();
    const messages: unknown[] = [];
    channels.open('session', (endsAt) => messages.push(endsAt));
    const { api, close, open } = create({ channels });
    api.endsWithPage = true;
    open();
    close();
    expect(messages).toEqual([]);
  });

  it('do not share a session token', () => {
    const channels = createFakeChannels();
    const messages: unknown[] = [];
    channels.open('session', (endsAt) => messages.push(endsAt));
    const { api, open, store } = create({ channels });
    api.endsWithPage = true;
    open();
    channels.send(startMs + 50 * minuteMs);
    expect(messages).toEqual([startMs + 50 * minuteMs]);
    expect(store.state.session.endsAt).toBe(startMs + 30 * minuteMs);
  });
});
