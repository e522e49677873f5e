// The session's end: kept off while somebody is there, warned of in time, said once.

import { describe, expect, it } from 'vitest';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { createSession, fail, ok } from '../../support/fake-funding-api.ts';
import { begin, createWatch, minute, toTime } from '../../support/watched-session.ts';

const maxMs = sessionLifetime.maxSeconds * 1000;

describe('a session that nobody uses', () => {
  it('is warned of five minutes before its end, and said to have ended, without being asked about', async () => {
    const world = createWatch();
    world.open();
    expect(world.polling.delays).toEqual([25 * minute]);
    await world.waitForTimer();
    expect([world.watch.notice, world.watch.canStay]).toEqual(['ends', true]);
    await world.waitForTimer();
    expect([world.watch.notice, world.asked, world.polling.waiting]).toEqual(['ended', 0, 0]);
  });

  it('is made longer by one press', async () => {
    const world = createWatch();
    world.open();
    await world.waitForTimer();
    await world.watch.stay();
    expect([world.watch.notice, world.asked]).toEqual([undefined, 1]);
    expect(world.watch.endsAt).toBe(begin + 55 * minute);
  });

  it('stays warned of when the press was not heard, and says why', async () => {
    const world = createWatch();
    world.open();
    await world.waitForTimer();
    world.api.session = fail('network');
    await world.watch.stay();
    expect(world.watch).toMatchObject({ notice: 'ends', problem: 'network', canStay: true });
    world.api.session = ok(createSession());
    await world.watch.stay();
    expect(world.watch).toMatchObject({ notice: undefined, problem: undefined });
  });

  it('has ended when the BFF says so', async () => {
    const world = createWatch();
    world.open();
    await world.waitForTimer();
    world.api.session = fail('session-missing');
    await world.watch.stay();
    expect(world.watch.notice).toBe('ended');
  });

  it('is not offered to be longer when it is as long as it can be', async () => {
    const world = createWatch();
    world.open();
    await world.waitForTimer();
    world.setLife(4 * minute);
    await world.watch.stay();
    expect(world.watch).toMatchObject({ notice: 'ends', canStay: false });
    world.channels.send(world.watch.endsAt! + 20 * minute);
    expect(world.watch).toMatchObject({ notice: undefined, canStay: true });
  });
});

describe('a session that is used', () => {
  it('is asked for every five minutes at the most, however much is typed', async () => {
    const world = createWatch();
    world.open();
    for (let minutes = 0; minutes < 60; minutes += 1) {
      world.wait(minute);
      world.watch.use();
      world.watch.use();
      await world.polling.settle();
    }
    expect([world.asked, world.watch.notice]).toEqual([12, undefined]);
  });

  it('is not warned of while answers of the BFF are lost, but only once it is close', async () => {
    const world = createWatch();
    world.open();
    world.api.session = fail('network');
    world.wait(24 * minute);
    world.watch.use();
    await world.polling.settle();
    expect(world.watch.notice).toBeUndefined();
    world.wait(minute);
    await world.polling.tick();
    expect([world.watch.notice, world.asked]).toEqual(['ends', 2]);
  });

  it('is made longer by typing once the warning is there, asking only now and then', async () => {
    const world = createWatch();
    world.open();
    await world.waitForTimer();
    world.api.session = fail('network');
    world.watch.use();
    await world.polling.settle();
    world.watch.use();
    expect([world.watch.notice, world.asked]).toEqual(['ends', 1]);
    world.api.session = ok(createSession());
    world.wait(20_000);
    world.watch.use();
    await world.polling.settle();
    expect(world.watch.notice).toBeUndefined();
  });

  it('is not warned of when somebody was there a moment ago', async () => {
    const world = createWatch();
    world.open(9 * minute);
    world.wait(3 * minute);
    world.watch.use();
    expect(world.asked).toBe(0);
    world.wait(minute);
    await world.polling.tick();
    expect([world.watch.notice, world.asked]).toEqual([undefined, 1]);
  });
});

describe('a page that nobody sees', () => {
  it('is told nothing, and leaves no timer', async () => {
    const world = createWatch();
    world.open();
    await world.polling.setHidden(true);
    expect(world.polling.waiting).toBe(0);
    world.wait(40 * minute);
    expect([world.watch.notice, world.asked]).toEqual([undefined, 0]);
  });

  it('counts as used when somebody comes back to it', async () => {
    const world = createWatch();
    world.open();
    await world.polling.setHidden(true);
    world.wait(28 * minute);
    await world.polling.setHidden(false);
    expect([world.watch.notice, world.asked]).toEqual([undefined, 1]);
  });

  it('says that the session has ended when somebody comes back too late', async () => {
    const world = createWatch();
    world.open();
    await world.polling.setHidden(true);
    world.wait(3 * 60 * minute);
    world.api.session = fail('session-missing');
    await world.polling.setHidden(false);
    expect(world.watch.notice).toBe('ended');
  });
});

describe('a session with an application', () => {
  it('is asked about before it is warned of, and offers nothing that would not help', async () => {
    const world = createWatch({ hasApplication: true });
    world.open(60 * minute);
    world.setLife(maxMs / 2);
    await world.waitForTimer();
    expect([world.watch.notice, world.asked]).toEqual([undefined, 1]);
    world.setLife(5 * minute);
    await world.waitForTimer();
    expect(world.watch).toMatchObject({ notice: 'ends', canStay: false });
    expect(world.asked).toBe(2);
  });

  it('is not asked for however much is done', async () => {
    const world = createWatch({ hasApplication: true });
    world.open(maxMs);
    world.wait(60 * minute);
    world.watch.use();
    await world.polling.settle();
    expect(world.asked).toBe(0);
  });

  it('is asked about when it was opened only to send the application', async () => {
    const world = createWatch();
    world.open();
    await world.waitForTimer();
    await world.waitForTimer();
    world.setLife(maxMs);
    world.watch.followApplication();
    await world.polling.settle();
    expect([world.watch.notice, world.polling.waiting]).toEqual([undefined, 1]);
  });

  it('is asked about when nobody knew of one before', async () => {
    const { watch, polling } = createWatch();
    watch.followApplication();
    await polling.settle();
    expect(watch.endsAt).toBe(begin + 30 * minute);
  });
});

describe('a watch over a session', () => {
  it.each([
    ['over', toTime(begin)],
    ['long over', toTime(begin - 60 * minute)],
    ['longer than its maximum', toTime(begin + maxMs + 120 * minute)],
    ['of no length', 'tomorrow'],
  ])('does not believe a clock by which the session is %s', (_what, expiresAt) => {
    const { watch, polling } = createWatch();
    watch.take({ expiresAt });
    expect([watch.endsAt, watch.notice, polling.waiting]).toEqual([undefined, undefined, 0]);
  });

  it('says once that the session has ended, until another step is shown', async () => {
    const world = createWatch();
    world.open();
    await world.waitForTimer();
    await world.waitForTimer();
    const said = world.changes;
    world.watch.use();
    world.watch.dismiss();
    world.watch.dismiss();
    expect([world.watch.notice, world.asked, world.changes - said]).toEqual([undefined, 0, 1]);
  });

  it('leaves no timer, listener or channel behind, and goes on when it is back', () => {
    const { watch, polling, channels, open } = createWatch();
    open();
    watch.disconnect();
    open();
    expect([polling.waiting, polling.listeners, channels.size]).toEqual([0, 0, 0]);
    watch.connect();
    expect([polling.waiting, polling.listeners, channels.size]).toEqual([1, 1, 1]);
  });

  it('forgets a session that was ended, whatever is still on its way', async () => {
    const world = createWatch();
    world.open();
    await world.waitForTimer();
    const staying = world.watch.stay();
    world.watch.forget();
    await staying;
    expect([world.watch.notice, world.watch.endsAt, world.polling.waiting]).toEqual([
      undefined,
      undefined,
      0,
    ]);
  });
});
