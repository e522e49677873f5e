// The rate limits of a BFF, on a manual clock, and the count in memory.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../../bff/store/database.ts';
import type { Store } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Environment } from '../../../shared/api/configuration.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { secondKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff, createTestConfig } from '../../support/bff.ts';
import { unlimited } from '../../support/unlimited.ts';
import { createManualTime, until } from '../../support/manual-time.ts';
import {
  createMemoryLimits,
  createRateLimits,
  type LimitStore,
} from '../../../bff/middleware/rate-limits.ts';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import { createWidgetFolder, type TestWidgetFolder } from '../../support/widget-folder.ts';
import { consume, options } from './consume.ts';

const address = '203.0.113.9';
const minuteMs = 60_000;

function createLimited(
  limits: object,
  clientAddress: string | undefined = address,
): Promise<TestBff> {
  return startBff({
    settings: { limits: { ...unlimited, ...limits } },
    variables: { TRUSTED_PROXIES: '10.0.0.0/8' },
    ...(clientAddress === undefined ? {} : { clientAddress }),
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
  it('refuses further requests with a Retry-After that the page can read', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 2 });
    expect(await listStatuses([ask(bff), ask(bff)])).toEqual([200, 200]);
    vi.advanceTimersByTime(20_500);
    const refused = await ask(bff);
    expect(refused.status).toBe(429);
    expect(isProblem(refused, 'too-many-requests')).toBe(true);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after');
    expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:8080');
  });

  it('starts again after a minute', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 1 });
    expect(await listStatuses([ask(bff), ask(bff)])).toEqual([200, 429]);
    vi.advanceTimersByTime(minuteMs);
    expect((await ask(bff)).status).toBe(200);
  });

  it('counts the applicants behind a trusted proxy', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 1 }, '10.1.2.3');
    const answers = [ask(bff, '198.51.100.1'), ask(bff, '198.51.100.2'), ask(bff, '198.51.100.1')];
    expect(await listStatuses(answers)).toEqual([200, 200, 429]);
  });

  it('counts the addresses of a /64 network together', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 1 }, '10.1.2.3');
    const answers = [ask(bff, '2001:db9::1'), ask(bff, '2001:db9::2'), ask(bff, '2001:db9:0:1::1')];
    expect(await listStatuses(answers)).toEqual([200, 429, 200]);
  });

  it('ignores X-Forwarded-For of an untrusted peer', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 1 });
    expect(await listStatuses([ask(bff, '1.1.1.1'), ask(bff, '1.1.1.2')])).toEqual([200, 429]);
  });

  it('does not count health checks or metrics', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 1 });
    expect(await listStatuses([ask(bff), ask(bff)])).toEqual([200, 429]);
    const browser = bff.openBrowser();
    const paths = ['/livez', '/readyz', '/metrics'];
    expect(await listStatuses(paths.map((path) => browser.send('GET', path)))).toEqual([
      200, 200, 200,
    ]);
  });

  it('does not count an unknown address', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 1 }, '');
    expect(await listStatuses([ask(bff), ask(bff)])).toEqual([200, 200]);
  });

  it('is off at 0', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 0 });
    expect(await listStatuses(Array.from({ length: 400 }, () => ask(bff)))).not.toContain(429);
  });
});

describe('the rate limit of sessions per address', () => {
  it('counts new sessions, but not resumed ones', async () => {
    const bff = await createLimited({ sessionsPerMinutePerAddress: 2 });
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
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
    const bff = await createLimited({ applicationsPerHourPerSession: 1 });
    const browser = bff.openBrowser();
    const wrong = createApplication({ name: 'Bakery [create-lead/invalid-field-value]' });
    for (let time = 0; time < 2; time += 1) expect((await browser.apply(wrong)).status).toBe(422);
    const corrected = createApplication();
    const refused = await browser.apply(corrected, secondKey);
    expect(isProblem(refused, 'too-many-requests')).toBe(true);
    expect(bff.calls.filter((path) => path.endsWith('/creditapp'))).toHaveLength(1);
    vi.advanceTimersByTime(60 * minuteMs);
    expect((await browser.apply(corrected, secondKey)).status).toBe(201);
  });

  it('counts all sessions of an address', async () => {
    const bff = await createLimited({ applicationsPerHourPerAddress: 1 });
    expect((await bff.openBrowser().apply()).status).toBe(201);
    const other = bff.openBrowser();
    expect((await other.apply(createApplication(), secondKey)).status).toBe(429);
    expect((await other.send('GET', apiPaths.application)).status).toBe(409);
  });
});

describe('an application that is not stored', () => {
  /** Per hour. */
  const allowed = 2;
  const limits = { applicationsPerHourPerSession: allowed, applicationsPerHourPerAddress: allowed };

  async function openLimited(options: Parameters<typeof startBff>[0]) {
    const bff = await startBff({
      settings: { limits: { ...unlimited, ...limits } },
      clientAddress: address,
      ...options,
    });
    return { bff, browser: bff.openBrowser() };
  }

  it('does not count while the store is unavailable', async () => {
    const time = createManualTime();
    const store = await openStore('file::memory:', { clock: time.clock });
    let isUnavailable = true;
    const addApplication: Store['addApplication'] = (...added) =>
      isUnavailable
        ? Promise.reject(new StoreError('STORE_UNAVAILABLE', 'Away'))
        : store.addApplication(...added);
    const { browser } = await openLimited({ time, store: { ...store, addApplication } });
    for (let time = 0; time <= allowed; time += 1) {
      expect(isProblem(await browser.apply(), 'storage-unavailable')).toBe(true);
    }
    isUnavailable = false;
    expect((await browser.apply()).status).toBe(201);
  });

  it('does not count after an earlier application', async () => {
    const { bff, browser } = await openLimited({});
    expect((await browser.apply()).status).toBe(201);
    for (let number = 1; number <= allowed + 1; number += 1) {
      const other = await browser.apply(createApplication({ employees: number }), secondKey);
      expect(isProblem(other, 'application-exists')).toBe(true);
    }
    const another = bff.openBrowser();
    const otherKey = '0199c0de-0000-4000-8000-000000000003';
    expect((await another.apply(createApplication(), otherKey)).status).toBe(201);
  });

  it('returns its count even if others were refused meanwhile', async () => {
    const failures: (() => void)[] = [];
    const time = createManualTime();
    const store = await openStore('file::memory:', { clock: time.clock });
    let isUnavailable = true;
    const addApplication: Store['addApplication'] = (...added) =>
      isUnavailable
        ? new Promise((_resolve, reject) => {
            failures.push(() => reject(new StoreError('STORE_UNAVAILABLE', 'Away')));
          })
        : store.addApplication(...added);
    const { bff, browser } = await openLimited({
      time,
      settings: { limits: { ...unlimited, applicationsPerHourPerAddress: 1 } },
      store: { ...store, addApplication },
    });
    const tried = browser.apply();
    await until(() => failures.length === 1);
    const another = bff.openBrowser();
    const file = () => another.apply(createApplication(), secondKey);
    expect(await listStatuses([file(), file(), file()])).toEqual([429, 429, 429]);
    isUnavailable = false;
    failures[0]!();
    expect((await tried).status).toBe(503);
    expect((await file()).status).toBe(201);
  });

  it('does not count for the address if the session’s limit refuses it', async () => {
    const { bff, browser } = await openLimited({
      settings: {
        limits: {
          ...unlimited,
          applicationsPerHourPerSession: 1,
          applicationsPerHourPerAddress: 2,
        },
      },
    });
    const wrong = createApplication({ name: 'Bakery [create-lead/invalid-field-value]' });
    expect((await browser.apply(wrong)).status).toBe(422);
    for (let time = 0; time < 3; time += 1) {
      expect((await browser.apply(createApplication(), secondKey)).status).toBe(429);
    }
    const another = bff.openBrowser();
    const otherKey = '0199c0de-0000-4000-8000-000000000003';
    expect((await another.apply(createApplication(), otherKey)).status).toBe(201);
  });
});

describe('the rate limits of a session', () => {
  it('count uploads as requests', async () => {
    const bff = await createLimited({ requestsPerMinutePerSession: 3 });
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    const look = () => browser.send('GET', apiPaths.session);
    const upload = () => browser.upload(new Uint8Array(9));
    expect(await listStatuses([look(), upload(), look()])).toEqual([200, 409, 200]);
    expect(await listStatuses([look(), upload()])).toEqual([429, 429]);
  });

  it('count documents together with bank reports', async () => {
    const bff = await createLimited({ uploadsPerHourPerSession: 2 });
    const browser = bff.openBrowser();
    await browser.apply();
    const upload = () => browser.upload(new Uint8Array(9));
    const report = () => browser.send('POST', apiPaths.assetReport, '{}');
    // Both are refused after they were inspected.
    expect((await upload()).status).toBe(422);
    expect((await report()).status).toBe(422);
    expect(await listStatuses([upload(), report()])).toEqual([429, 429]);
  });

  it('are separate for each session', async () => {
    const bff = await createLimited({ requestsPerMinutePerSession: 1 });
    const browsers = [bff.openBrowser(), bff.openBrowser()];
    for (const browser of browsers) await browser.send('POST', apiPaths.session);
    const looks = browsers.map((browser) => browser.send('GET', apiPaths.session));
    expect(await listStatuses(looks)).toEqual([200, 200]);
  });
});

describe('a refusal', () => {
  it('is logged once per minute without the address', async () => {
    const bff = await createLimited({ requestsPerMinutePerAddress: 1 });
    await ask(bff);
    const before = bff.logLines.length;
    for (let time = 0; time < 3; time += 1) await ask(bff);
    expect(bff.logLines.slice(before).map((line) => JSON.parse(line))).toMatchObject([
      { event: 'rate-limited', limit: 'requests-by-address', refused: 1 },
    ]);
    bff.time.advance(minuteMs);
    await ask(bff);
    expect(JSON.parse(bff.logLines.at(-1)!)).toMatchObject({ event: 'rate-limited', refused: 3 });
    const metrics = await bff.openBrowser().send('GET', '/metrics');
    expect(metrics.text).toContain('funding_rate_limited_total{limit="requests-by-address"} 4');
    expect(bff.logLines.join('')).not.toContain(address);
  });
});

describe('an unverified client address', () => {
  it('is logged once per hour', async () => {
    const bff = await createLimited({});
    const listProblems = () => bff.logLines.filter((line) => line.includes('unverified'));
    for (let time = 0; time < 2; time += 1) await ask(bff, '198.51.100.1');
    expect(listProblems().map((line) => JSON.parse(line))).toMatchObject([
      { event: 'client-address-unverified', reason: 'untrusted-proxy' },
    ]);
    bff.time.advance(60 * minuteMs);
    await ask(bff, '198.51.100.1');
    expect(listProblems()).toHaveLength(2);
  });
});

describe('the rate limit of element files', () => {
  let folder: TestWidgetFolder;

  beforeEach(() => {
    // The library counts by the machine's clock.
    vi.useFakeTimers({ toFake: ['Date'] });
    folder = createWidgetFolder('1.2.3-9c40', { 'funding-application.js': 'entry' });
  });
  afterEach(() => {
    vi.useRealTimers();
    folder.remove();
  });

  const entryPath = '/widget/funding-application.js';

  it('refuses further requests, also for unknown files', async () => {
    const browser = await openLimited({ widgetRequestsPerMinutePerAddress: 2 });
    expect((await browser.send('GET', entryPath)).status).toBe(200);
    expect((await browser.send('GET', '/widget/chunks/missing.js')).status).toBe(404);
    vi.advanceTimersByTime(20_000);
    for (const path of [entryPath, '/widget/chunks/missing.js']) {
      const refused = await browser.send('GET', path);
      expect(isProblem(refused, 'too-many-requests')).toBe(true);
      expect(refused.headers.get('retry-after')).toBe('40');
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    }
    vi.advanceTimersByTime(40_000);
    expect((await browser.send('GET', entryPath)).status).toBe(200);
  });

  it('is separate from requests to /v1', async () => {
    const browser = await openLimited({
      widgetRequestsPerMinutePerAddress: 1,
      requestsPerMinutePerAddress: 1,
    });
    expect((await browser.send('GET', entryPath)).status).toBe(200);
    expect((await browser.send('GET', '/livez')).status).toBe(200);
    expect((await browser.send('GET', apiPaths.configuration)).status).toBe(200);
  });

  it('lets 200 people at one address load the form per minute', () => {
    const filesOfForm = 12;
    const { widgetRequestsPerMinutePerAddress } = defaultSettings().limits;
    expect(widgetRequestsPerMinutePerAddress).toBeGreaterThanOrEqual(200 * filesOfForm);
  });

  it('counts in the memory of the process', () => {
    const names: string[] = [];
    const limitStore: LimitStore = {
      ...createMemoryLimits(),
      createLimiter(options) {
        names.push(options.name);
        return createMemoryLimits().createLimiter(options);
      },
    };
    createRateLimits({
      config: { ...createTestConfig(), settings: defaultSettings() },
      limitStore,
      findRateLimitAddress: () => '203.0.113.9',
      counters: { countRateLimit: () => undefined },
      logRateLimited: () => undefined,
    });
    expect(names).toContain('requests-by-address');
    expect(names).not.toContain('widget-requests-by-address');
  });

  async function openLimited(limits: object) {
    const limited = await startBff({
      widget: indexWidget(folder.directory, '1.2.3-9c40'),
      settings: { limits: { ...unlimited, ...limits } },
      clientAddress: '203.0.113.9',
    });
    return limited.openBrowser();
  }
});

describe('the rate limit of applications per address', () => {
  /** The limit in this environment, or undefined if there is none. */
  function findLimit(environment: Environment, settings = defaultSettings()): number | undefined {
    const points = new Map<string, number>();
    createRateLimits({
      config: { ...createTestConfig(), environment, settings },
      limitStore: {
        ...createMemoryLimits(),
        createLimiter(options) {
          points.set(options.name, options.points);
          return createMemoryLimits().createLimiter(options);
        },
      },
      findRateLimitAddress: () => address,
      counters: { countRateLimit: () => undefined },
      logRateLimited: () => undefined,
    });
    return points.get('applications-by-address');
  }

  it('is one application a minute by default, for a shop with one tablet', () => {
    expect(findLimit('production')).toBe(60);
    expect(findLimit('staging')).toBe(60);
  });

  it('is off by default in the sandbox', () => {
    expect(findLimit('sandbox')).toBe(undefined);
  });

  it('is the setting in every environment', () => {
    const { limits, ...others } = defaultSettings();
    const settings = { ...others, limits: { ...limits, applicationsPerHourPerAddress: 5 } };
    expect(findLimit('production', settings)).toBe(5);
    expect(findLimit('sandbox', settings)).toBe(5);
  });
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
