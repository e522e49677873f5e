// The rate limits of a BFF, on a manual clock, and the count in memory.

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { StoreError } from '../../../bff/store/database.ts';
import type { Store } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Environment } from '../../../shared/api/configuration.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createKey, secondKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { createTestConfig, type TestBff, type TestBffOptions } from '../../support/bff.ts';
import { unlimited } from '../../support/unlimited.ts';
import { createManualTime, until } from '../../support/manual-time.ts';
import { createMemoryLimits, createRateLimits } from '../../../bff/middleware/rate-limits.ts';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import { createWidgetFolder } from '../../support/widget-folder.ts';
import {
  listEvents,
  openBff,
  readMetrics,
  startSession,
  toOutcome,
  type OpenBff,
} from '../open-bff.ts';
import { consume, options } from './consume.ts';

const address = '203.0.113.9';
const minuteMs = 60_000;

function openLimited(limits: object, options: TestBffOptions = {}): Promise<OpenBff> {
  return openBff({
    settings: { limits: { ...unlimited, ...limits } },
    variables: { TRUSTED_PROXIES: '10.0.0.0/8' },
    clientAddress: address,
    ...options,
  });
}

function ask(bff: TestBff, forwardedFor?: string) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return bff.openBrowser().send('GET', apiPaths.configuration, undefined, headers);
}

async function listStatuses(answers: Promise<{ readonly status: number }>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status);
}

// The library counts by the machine's clock.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the rate limit of requests per address', () => {
  it('refuses further requests for a minute, with a Retry-After that the page can read', async () => {
    const bff = await openLimited({ requestsPerMinutePerAddress: 2 });
    expect(await listStatuses([ask(bff), ask(bff)])).toEqual([200, 200]);
    vi.advanceTimersByTime(20_500);
    const refused = await ask(bff);
    expect(toOutcome(refused)).toBe('429 too-many-requests');
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after');
    expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:8080');
    const paths = ['/livez', '/readyz', '/metrics'];
    const others = paths.map((path) => bff.browser.send('GET', path));
    expect(await listStatuses(others)).toEqual([200, 200, 200]);
    vi.advanceTimersByTime(40_000);
    expect((await ask(bff)).status).toBe(200);
  });

  it.each<[string, string, (string | undefined)[], number[]]>([
    [
      'the applicants behind a trusted proxy',
      '10.1.2.3',
      ['198.51.100.1', '198.51.100.2', '198.51.100.1'],
      [200, 200, 429],
    ],
    [
      'the addresses of a /64 network together',
      '10.1.2.3',
      ['2001:db9::1', '2001:db9::2', '2001:db9:0:1::1'],
      [200, 429, 200],
    ],
    ['no X-Forwarded-For of an untrusted peer', address, ['1.1.1.1', '1.1.1.2'], [200, 429]],
    ['no unknown address', '', [undefined, undefined], [200, 200]],
  ])('counts %s', async (_whom, clientAddress, forwarded, statuses) => {
    const bff = await openLimited({ requestsPerMinutePerAddress: 1 }, { clientAddress });
    expect(await listStatuses(forwarded.map((value) => ask(bff, value)))).toEqual(statuses);
  });

  it('is off at 0', async () => {
    const bff = await openLimited({ requestsPerMinutePerAddress: 0 });
    expect(await listStatuses(Array.from({ length: 400 }, () => ask(bff)))).not.toContain(429);
  });
});

describe('the rate limit of sessions per address', () => {
  it('counts new sessions, but not resumed ones', async () => {
    const bff = await openLimited({ sessionsPerMinutePerAddress: 2 });
    const { browser } = bff;
    await startSession(browser);
    for (let time = 0; time < 3; time += 1) {
      expect((await browser.send('POST', apiPaths.session)).status).toBe(200);
    }
    expect((await bff.openBrowser().send('POST', apiPaths.session)).status).toBe(200);
    const refused = await bff.openBrowser().send('POST', apiPaths.session);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('set-cookie')).toBeNull();
  });
});

describe('the rate limit of applications', () => {
  it('does not count a repeated application', async () => {
    const bff = await openLimited({ applicationsPerHourPerSession: 1 });
    const { browser } = bff;
    const wrong = createApplication({ name: 'Bakery [create-lead/invalid-field-value]' });
    for (let time = 0; time < 2; time += 1) expect((await browser.apply(wrong)).status).toBe(422);
    const corrected = createApplication();
    const refused = await browser.apply(corrected, secondKey);
    expect(toOutcome(refused)).toBe('429 too-many-requests');
    expect(bff.calls.filter((path) => path.endsWith('/creditapp'))).toHaveLength(1);
    vi.advanceTimersByTime(60 * minuteMs);
    expect((await browser.apply(corrected, secondKey)).status).toBe(201);
  });

  it('counts all sessions of an address', async () => {
    const bff = await openLimited({ applicationsPerHourPerAddress: 1 });
    expect((await bff.openBrowser().apply()).status).toBe(201);
    const other = bff.openBrowser();
    expect((await other.apply(createApplication(), secondKey)).status).toBe(429);
    expect((await other.send('GET', apiPaths.application)).status).toBe(409);
  });
});

describe('an application that is not stored', () => {
  const wrong = createApplication({ name: 'Bakery [create-lead/invalid-field-value]' });

  /** A store that takes applications only if `isAvailable`. */
  async function createAway() {
    const time = createManualTime();
    const store = await openStore('file::memory:', { clock: time.clock });
    const away = { isAvailable: false, failures: [] as (() => void)[], holds: false };
    const addApplication: Store['addApplication'] = (...added) => {
      if (away.isAvailable) return store.addApplication(...added);
      const failure = new StoreError('STORE_UNAVAILABLE', 'Away');
      if (!away.holds) return Promise.reject(failure);
      return new Promise((_resolve, reject) => away.failures.push(() => reject(failure)));
    };
    return { away, options: { time, store: { ...store, addApplication } } };
  }

  it('does not count while the store is unavailable', async () => {
    const { away, options: storing } = await createAway();
    const limits = { applicationsPerHourPerSession: 2, applicationsPerHourPerAddress: 2 };
    const { browser } = await openLimited(limits, storing);
    for (let time = 0; time <= 2; time += 1) {
      const answer = await browser.apply();
      expect(toOutcome(answer)).toBe('503 storage-unavailable');
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    away.isAvailable = true;
    expect((await browser.apply()).status).toBe(201);
  });

  it('returns its count even if others were refused meanwhile', async () => {
    const { away, options: storing } = await createAway();
    away.holds = true;
    const bff = await openLimited({ applicationsPerHourPerAddress: 1 }, storing);
    const tried = bff.browser.apply();
    await until(() => away.failures.length === 1);
    const another = bff.openBrowser();
    const file = () => another.apply(createApplication(), secondKey);
    expect(await listStatuses([file(), file(), file()])).toEqual([429, 429, 429]);
    away.isAvailable = true;
    away.failures[0]!();
    expect((await tried).status).toBe(503);
    expect((await file()).status).toBe(201);
  });

  it.each([
    ['after an earlier application', 2, createApplication(), '409 application-exists'],
    ['for the address if the session’s limit refuses it', 1, wrong, '429 too-many-requests'],
  ])('does not count %s', async (_when, perSession, first, outcome) => {
    const limits = {
      applicationsPerHourPerSession: perSession,
      applicationsPerHourPerAddress: 2,
    };
    const bff = await openLimited(limits);
    await bff.browser.apply(first);
    for (let number = 1; number <= 3; number += 1) {
      const other = createApplication({ employees: number });
      expect(toOutcome(await bff.browser.apply(other, secondKey))).toBe(outcome);
    }
    const another = bff.openBrowser();
    expect((await another.apply(createApplication(), createKey())).status).toBe(201);
  });
});

describe('the rate limits of a session', () => {
  it('count uploads as requests', async () => {
    const bff = await openLimited({ requestsPerMinutePerSession: 3 });
    const { browser } = bff;
    await startSession(browser);
    const look = () => browser.send('GET', apiPaths.session);
    const upload = () => browser.upload(new Uint8Array(9));
    expect(await listStatuses([look(), upload(), look()])).toEqual([200, 409, 200]);
    expect(await listStatuses([look(), upload()])).toEqual([429, 429]);
  });

  it('count documents together with bank reports', async () => {
    const bff = await openLimited({ uploadsPerHourPerSession: 2 });
    const { browser } = bff;
    await browser.apply();
    const upload = () => browser.upload(new Uint8Array(9));
    const report = () => browser.send('POST', apiPaths.assetReport, '{}');
    // Both are refused after they were inspected.
    expect((await upload()).status).toBe(422);
    expect((await report()).status).toBe(422);
    expect(await listStatuses([upload(), report()])).toEqual([429, 429]);
  });

  it('are separate for each session', async () => {
    const bff = await openLimited({ requestsPerMinutePerSession: 1 });
    const browsers = [bff.openBrowser(), bff.openBrowser()];
    for (const browser of browsers) await browser.send('POST', apiPaths.session);
    const looks = browsers.map((browser) => browser.send('GET', apiPaths.session));
    expect(await listStatuses(looks)).toEqual([200, 200]);
  });
});

it('a refusal is logged once per minute without the address', async () => {
  const bff = await openLimited({ requestsPerMinutePerAddress: 1 });
  for (let time = 0; time < 4; time += 1) await ask(bff);
  const limit = 'requests-by-address';
  expect(listEvents(bff, 'rate-limited')).toMatchObject([{ limit, refused: 1 }]);
  bff.time.advance(minuteMs);
  await ask(bff);
  expect(listEvents(bff, 'rate-limited').at(-1)).toMatchObject({ limit, refused: 3 });
  expect(await readMetrics(bff)).toContain(`funding_rate_limited_total{limit="${limit}"} 4`);
  expect(bff.logLines.join('')).not.toContain(address);
});

it('an unverified client address is logged once per hour', async () => {
  const bff = await openLimited({});
  for (let time = 0; time < 2; time += 1) await ask(bff, '198.51.100.1');
  const event = 'client-address-unverified';
  expect(listEvents(bff, event)).toMatchObject([{ reason: 'untrusted-proxy' }]);
  bff.time.advance(60 * minuteMs);
  await ask(bff, '198.51.100.1');
  expect(listEvents(bff, event)).toHaveLength(2);
});

describe('the rate limit of element files', () => {
  const entryPath = '/widget/funding-application.js';

  async function openFiles(limits: object) {
    const folder = createWidgetFolder('1.2.3-9c40', { 'funding-application.js': 'entry' });
    onTestFinished(() => folder.remove());
    return openLimited(limits, { widget: indexWidget(folder.directory, '1.2.3-9c40') });
  }

  it('refuses further requests, also for unknown files', async () => {
    const { browser } = await openFiles({ widgetRequestsPerMinutePerAddress: 2 });
    expect((await browser.send('GET', entryPath)).status).toBe(200);
    expect((await browser.send('GET', '/widget/chunks/missing.js')).status).toBe(404);
    vi.advanceTimersByTime(20_000);
    for (const path of [entryPath, '/widget/chunks/missing.js']) {
      const refused = await browser.send('GET', path);
      expect(toOutcome(refused)).toBe('429 too-many-requests');
      expect(Object.fromEntries(refused.headers)).toMatchObject({
        'retry-after': '40',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      });
    }
    vi.advanceTimersByTime(40_000);
    expect((await browser.send('GET', entryPath)).status).toBe(200);
  });

  it('is separate from requests to /v1', async () => {
    const { browser } = await openFiles({
      widgetRequestsPerMinutePerAddress: 1,
      requestsPerMinutePerAddress: 1,
    });
    const paths = [entryPath, '/livez', apiPaths.configuration];
    const answers = paths.map((path) => browser.send('GET', path));
    expect(await listStatuses(answers)).toEqual([200, 200, 200]);
  });

  it('lets 200 people at one address load the form per minute', () => {
    const filesOfForm = 12;
    const { widgetRequestsPerMinutePerAddress } = defaultSettings().limits;
    expect(widgetRequestsPerMinutePerAddress).toBeGreaterThanOrEqual(200 * filesOfForm);
  });
});

/** The points of each limit that the shared store counts. */
function listSharedLimits(environment: Environment, settings = defaultSettings()) {
  const points = new Map<string, number>();
  createRateLimits({
    config: { ...createTestConfig(), environment, settings },
    limitStore: {
      ...createMemoryLimits(),
      createLimiter(limit) {
        points.set(limit.name, limit.points);
        return createMemoryLimits().createLimiter(limit);
      },
    },
    findRateLimitAddress: () => address,
    counters: { countRateLimit: () => undefined },
    logRateLimited: () => undefined,
  });
  return points;
}

it('processes share the limits of requests, but not of element files', () => {
  const names = [...listSharedLimits('production').keys()];
  expect(names).toContain('requests-by-address');
  expect(names).not.toContain('widget-requests-by-address');
});

it.each<[Environment, number | undefined, number | undefined]>([
  // One application a minute, for a shop with one tablet.
  ['production', undefined, 60],
  ['staging', undefined, 60],
  ['sandbox', undefined, undefined],
  ['production', 5, 5],
  ['sandbox', 5, 5],
])('an address in %s with the setting %s may send %s applications', (environment, set, limit) => {
  const { limits, ...others } = defaultSettings();
  const changes = set === undefined ? {} : { applicationsPerHourPerAddress: set };
  const settings = { ...others, limits: { ...limits, ...changes } };
  expect(listSharedLimits(environment, settings).get('applications-by-address')).toBe(limit);
});

describe('rate limits in memory', () => {
  it('count each key separately', async () => {
    const limiter = createMemoryLimits().createLimiter(options);
    expect(await consume(limiter, 'a', 'b', 'a')).toEqual([true, true, false]);
  });

  it('count each limit separately', async () => {
    const store = createMemoryLimits();
    const [one, other] = ['one', 'other'].map((name) => store.createLimiter({ ...options, name }));
    expect(await consume(one!, 'a')).toEqual([true]);
    expect(await consume(other!, 'a')).toEqual([true]);
  });

  it('evict the least recently used key', async () => {
    const limiter = createMemoryLimits(2).createLimiter(options);
    await consume(limiter, 'a', 'b', 'a', 'c');
    expect(await consume(limiter, 'a', 'c')).toEqual([false, false]);
    expect(await consume(limiter, 'b')).toEqual([true]);
  });
});
