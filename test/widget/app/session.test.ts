// Tests for the session: its extension, the notices about its end, several tabs, and closing.

import { describe, expect, it } from 'vitest';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { withSessionResponse } from '../../../widget/app/loading.ts';
import { canExtend, SessionController } from '../../../widget/app/session.ts';
import { initialState } from '../../../widget/app/store.ts';
import {
  createAcceptedForm,
  createAcceptedState,
  createFeature,
} from '../../support/create-feature.ts';
import { acceptedStatus, createSession, fail, ok } from '../../support/fake-funding-api.ts';
import { createFakeChannels } from '../../support/fake-page.ts';

const minuteMs = 60_000;
const maxMs = sessionLifetime.maxSeconds * 1000;
const startMs = Date.parse('2026-11-20T15:00:00.000Z');
const toTime = (ms: number) => new Date(ms).toISOString();

interface Options {
  readonly hasApplication?: boolean;
  readonly channels?: ReturnType<typeof createFakeChannels>;
  /** The BFF has reported a session that ends after this time. 0: none. */
  readonly lifeMs?: number;
}

/** A session of a form, with a clock and timers that the test controls. */
function open({
  hasApplication = false,
  channels = createFakeChannels(),
  lifeMs = 30 * minuteMs,
}: Options = {}) {
  const application = hasApplication ? acceptedStatus : null;
  const form = createAcceptedForm({ step: 'funding-need', application: application ?? undefined });
  const created = createFeature(
    (environment) =>
      new SessionController({
        ...environment,
        timers: environment.polling,
        sessionChannelName: 'session',
        openSessionChannel: channels.open,
      }),
    createAcceptedState({ form, isConnected: false }),
  );
  const { api, environment, feature: session, polling: timers, store } = created;
  let nextLifeMs = 30 * minuteMs;
  let requests = 0;
  api.session = ok(createSession({ application }));
  api.getSession = async () => {
    requests += 1;
    const { session: response } = api;
    if (!response.ok) return response;
    const expiresAt = toTime(environment.now().getTime() + nextLifeMs);
    return ok({ ...response.value, expiresAt });
  };

  function take(expiresAt: string): void {
    store.update((state) => withSessionResponse(state, { expiresAt }, environment.now()));
  }

  function setConnected(isConnected: boolean): void {
    store.update((state) => ({ ...state, isConnected }));
  }

  setConnected(true);
  if (lifeMs > 0) take(toTime(startMs + lifeMs));
  return {
    api,
    channels,
    session,
    store,
    timers,
    setConnected,
    /** The BFF reports a session with this end. */
    take,
    /** Sets the lifetime of sessions that are requested from now on. */
    setLife(ms: number): void {
      nextLifeMs = ms;
    },
    advance: created.advance,
    /** The applicant types. */
    async act(): Promise<void> {
      session.noteActivity();
      await timers.settle();
    },
    /** Advances the clock to the timer that was started last, and runs it. */
    async runTimer(): Promise<void> {
      created.advance(timers.delays.at(-1) ?? 0);
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
    async submit(): Promise<void> {
      store.updateForm((current) => ({ ...current, isSubmitting: true }));
      api.session = ok(createSession({ application: acceptedStatus }));
      const sent = { isSubmitting: false, application: acceptedStatus };
      store.updateForm((current) => ({ ...current, ...sent }));
      await timers.settle();
    },
    get state() {
      return store.state.session;
    },
    get canExtend() {
      return canExtend(store.state);
    },
    get requests() {
      return requests;
    },
  };
}

/** A session whose warning is shown. */
async function openWarned() {
  const world = open();
  await world.runTimer();
  return world;
}

describe('an inactive session', () => {
  it('shows a warning five minutes before its end, and ends without a request', async () => {
    const world = open();
    expect(world.timers.delays).toEqual([25 * minuteMs]);
    await world.runTimer();
    expect(world).toMatchObject({ state: { notice: 'ends' }, canExtend: true });
    await world.runTimer();
    expect(world).toMatchObject({
      state: { notice: 'ended' },
      requests: 0,
      timers: { waiting: 0 },
    });
  });

  it('keeps the warning after a failed extension', async () => {
    const world = await openWarned();
    world.api.session = fail('network');
    await world.session.extend();
    expect(world.state).toMatchObject({ notice: 'ends', problem: 'network' });
    world.api.session = ok(createSession());
    await world.session.extend();
    expect(world.state).toMatchObject({ notice: undefined, problem: undefined });
  });

  it('offers no extension at its maximum lifetime, until another tab extends it', async () => {
    const world = await openWarned();
    world.setLife(4 * minuteMs);
    await world.session.extend();
    expect(world).toMatchObject({ state: { notice: 'ends' }, canExtend: false });
    world.channels.send((world.state.endsAt ?? 0) + 20 * minuteMs);
    expect(world).toMatchObject({ state: { notice: undefined }, canExtend: true });
  });

  it('shows that it has ended until the step changes', async () => {
    const world = await openWarned();
    await world.runTimer();
    await world.act();
    expect(world).toMatchObject({ state: { notice: 'ended' }, requests: 0 });
    world.store.updateForm((form) => ({ ...form, step: 'business' }));
    expect(world.state.notice).toBeUndefined();
  });
});

describe('an active session', () => {
  it('is extended every five minutes', async () => {
    const world = open();
    for (let minutes = 0; minutes < 60; minutes += 1) {
      world.advance(minuteMs);
      world.session.noteActivity();
      await world.act();
    }
    expect(world).toMatchObject({ requests: 12, state: { notice: undefined } });
  });

  it('shows the warning on time when extensions fail', async () => {
    const world = open();
    world.api.session = fail('network');
    world.advance(24 * minuteMs);
    await world.act();
    expect(world.state.notice).toBeUndefined();
    world.advance(minuteMs);
    await world.timers.tick();
    expect(world).toMatchObject({ state: { notice: 'ends' }, requests: 2 });
  });

  it('retries the extension at most every 15 seconds during the warning', async () => {
    const world = await openWarned();
    world.api.session = fail('network');
    await world.act();
    await world.act();
    expect(world.requests).toBe(1);
    world.api.session = ok(createSession());
    world.advance(15_000);
    await world.act();
    expect(world.state.notice).toBeUndefined();
  });

  it('is extended instead of a warning after recent activity', async () => {
    const world = open({ lifeMs: 9 * minuteMs });
    world.advance(3 * minuteMs);
    await world.act();
    expect(world.requests).toBe(0);
    world.advance(minuteMs);
    await world.timers.tick();
    expect(world).toMatchObject({ state: { notice: undefined }, requests: 1 });
  });
});

describe('a hidden page', () => {
  it.each([
    ['extends the session', 28 * minuteMs, ok(createSession()), undefined],
    ['shows that the session has ended', 180 * minuteMs, fail('session-missing'), 'ended'],
  ] as const)('%s when it becomes visible', async (_what, ms, session, notice) => {
    const world = open();
    await world.timers.setHidden(true);
    expect(world.timers.waiting).toBe(0);
    world.advance(ms);
    expect(world).toMatchObject({ state: { notice: undefined }, requests: 0 });
    world.api.session = session;
    await world.timers.setHidden(false);
    expect(world.state.notice).toBe(notice);
    expect(world.requests).toBe(1);
  });
});

describe('the session of a submitted application', () => {
  it('is requested before the warning', async () => {
    const world = open({ hasApplication: true, lifeMs: 60 * minuteMs });
    world.setLife(maxMs / 2);
    await world.runTimer();
    expect(world).toMatchObject({ state: { notice: undefined }, requests: 1 });
  });

  it('is not extended by activity', async () => {
    const world = open({ hasApplication: true, lifeMs: maxMs });
    world.advance(60 * minuteMs);
    await world.act();
    expect(world.requests).toBe(0);
  });

  it('is requested if the submission started another session', async () => {
    const world = await openWarned();
    await world.runTimer();
    world.setLife(maxMs);
    await world.submit();
    expect(world).toMatchObject({ state: { notice: undefined }, timers: { waiting: 1 } });
  });

  it('is requested if its end is unknown', async () => {
    const world = open({ lifeMs: 0 });
    await world.submit();
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
    const world = open({ lifeMs: 0 });
    world.take(expiresAt);
    expect(world.state).toMatchObject({ endsAt: undefined, notice: undefined });
    expect(world.timers.waiting).toBe(0);
  });

  it('removes timers, listeners, and channels when it is disconnected', () => {
    const { timers, channels, take, setConnected } = open();
    setConnected(false);
    take(toTime(startMs + 30 * minuteMs));
    expect(timers).toMatchObject({ waiting: 0, listeners: 0 });
    expect(channels.size).toBe(0);
    setConnected(true);
    expect(timers).toMatchObject({ waiting: 1, listeners: 1 });
    expect(channels.size).toBe(1);
  });
});

describe('several tabs', () => {
  function openTwo(options: Options = {}) {
    const channels = createFakeChannels();
    return { one: open({ channels, ...options }), other: open({ channels, ...options }) };
  }

  it('share an extension', async () => {
    const { one, other } = openTwo();
    await one.runTimer();
    expect(one.state.notice).toBe('ends');
    other.advance(26 * minuteMs);
    await other.act();
    expect(one.requests).toBe(0);
    expect(one.state).toMatchObject({ notice: undefined, endsAt: other.state.endsAt });
  });

  it.each([
    ['no time', 'tomorrow'],
    ['an earlier time', startMs + minuteMs],
    ['a time after the maximum lifetime', startMs + 30 * 24 * 60 * minuteMs],
  ])('ignore a message with %s', (_what, message) => {
    const world = open();
    world.channels.send(message);
    expect(world.state.endsAt).toBe(startMs + 30 * minuteMs);
  });

  it('show that one of them has closed the application during a request', async () => {
    const { one, other } = openTwo();
    other.advance(6 * minuteMs);
    other.session.noteActivity();
    other.api.session = fail('session-missing');
    one.close();
    await other.timers.settle();
    expect(other.state.notice).toBe('ended');
  });

  it.each([
    ['belongs to another application by now', null, 'ended', 0],
    ['was not closed, although a message says so', acceptedStatus, undefined, 1],
  ] as const)('show whether the session %s', async (_why, application, notice, waiting) => {
    const world = open({ hasApplication: true });
    world.api.session = ok(createSession({ application }));
    world.channels.send(0);
    await world.timers.settle();
    expect(world.state.notice).toBe(notice);
    expect(world.timers.waiting).toBe(waiting);
  });

  it('share neither a session token nor its end', () => {
    const channels = createFakeChannels();
    const messages: unknown[] = [];
    channels.open('session', (endsAt) => messages.push(endsAt));
    const world = open({ channels, lifeMs: 0 });
    world.api.endsWithPage = true;
    world.take(toTime(startMs + 30 * minuteMs));
    const message = startMs + 50 * minuteMs;
    channels.send(message);
    expect(world.state.endsAt).toBe(startMs + 30 * minuteMs);
    world.close();
    expect(messages).toEqual([message]);
  });
});
