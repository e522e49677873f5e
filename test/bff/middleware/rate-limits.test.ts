// How often one address and one session may ask: through the whole BFF, on a date that only the test moves.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../../bff/store/database.ts';
import type { Store } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createApplication, createRig, isProblem, secondKey, type Rig } from '../bff-rig.ts';
import { unlimited } from '../../support/unlimited.ts';
import { createManualTime, until } from '../manual-time.ts';

const address = '203.0.113.9';
const minuteMs = 60_000;

function createLimited(limits: object, clientAddress: string | undefined = address): Promise<Rig> {
  return createRig({
    settings: { limits: { ...unlimited, ...limits } },
    variables: { TRUSTED_PROXIES: '10.0.0.0/8' },
    ...(clientAddress === undefined ? {} : { clientAddress }),
  });
}

function ask(rig: Rig, forwardedFor?: string) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return rig.openBrowser().send('GET', apiPaths.configuration, undefined, headers);
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

describe('the limit of requests from an address', () => {
  it('refuses what is beyond it, says until when, and lets a page read that', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 2 });
    expect(await listStatuses([ask(rig), ask(rig)])).toEqual([200, 200]);
    vi.advanceTimersByTime(20_500);
    const refused = await ask(rig);
    expect(refused.status).toBe(429);
    expect(isProblem(refused, 'too-many-requests')).toBe(true);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after');
    expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:8080');
  });

  it('begins anew after a minute', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 1 });
    expect(await listStatuses([ask(rig), ask(rig)])).toEqual([200, 429]);
    vi.advanceTimersByTime(minuteMs);
    expect((await ask(rig)).status).toBe(200);
  });

  it('is that of the applicant behind a trusted proxy', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 1 }, '10.1.2.3');
    const answers = [ask(rig, '198.51.100.1'), ask(rig, '198.51.100.2'), ask(rig, '198.51.100.1')];
    expect(await listStatuses(answers)).toEqual([200, 200, 429]);
  });

  it('is shared by the addresses of one IPv6 line', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 1 }, '10.1.2.3');
    const answers = [ask(rig, '2001:db9::1'), ask(rig, '2001:db9::2'), ask(rig, '2001:db9:0:1::1')];
    expect(await listStatuses(answers)).toEqual([200, 429, 200]);
  });

  it('is not escaped by a header that nobody vouches for', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 1 });
    expect(await listStatuses([ask(rig, '1.1.1.1'), ask(rig, '1.1.1.2')])).toEqual([200, 429]);
  });

  it('leaves health, metrics and the widget alone', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 1 });
    expect(await listStatuses([ask(rig), ask(rig)])).toEqual([200, 429]);
    const browser = rig.openBrowser();
    const paths = ['/livez', '/readyz', '/metrics'];
    expect(await listStatuses(paths.map((path) => browser.send('GET', path)))).toEqual([
      200, 200, 200,
    ]);
  });

  it('counts nobody whose address is unknown', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 1 }, '');
    expect(await listStatuses([ask(rig), ask(rig)])).toEqual([200, 200]);
  });

  it('is none when it is 0', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 0 });
    expect(await listStatuses(Array.from({ length: 400 }, () => ask(rig)))).not.toContain(429);
  });
});

describe('the limit of sessions from an address', () => {
  it('counts those that begin, not those that are resumed', async () => {
    const rig = await createLimited({ sessionsPerMinutePerAddress: 2 });
    const browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    for (let time = 0; time < 3; time += 1) {
      expect((await browser.send('POST', apiPaths.session)).status).toBe(200);
    }
    expect((await rig.openBrowser().send('POST', apiPaths.session)).status).toBe(200);
    const refused = await rig.openBrowser().send('POST', apiPaths.session);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('set-cookie')).toBeNull();
  });
});

describe('the limit of applications', () => {
  it('counts for one session what is kept, not what is sent again', async () => {
    const rig = await createLimited({ applicationsPerHourPerSession: 1 });
    const browser = rig.openBrowser();
    const wrong = createApplication({ name: 'Bakery [create-lead/invalid-field-value]' });
    for (let time = 0; time < 2; time += 1) expect((await browser.apply(wrong)).status).toBe(422);
    const corrected = createApplication();
    const refused = await browser.apply(corrected, secondKey);
    expect(isProblem(refused, 'too-many-requests')).toBe(true);
    expect(rig.calls.filter((path) => path.endsWith('/creditapp'))).toHaveLength(1);
    vi.advanceTimersByTime(60 * minuteMs);
    expect((await browser.apply(corrected, secondKey)).status).toBe(201);
  });

  it('counts those of all sessions of an address', async () => {
    const rig = await createLimited({ applicationsPerHourPerAddress: 1 });
    expect((await rig.openBrowser().apply()).status).toBe(201);
    const other = rig.openBrowser();
    expect((await other.apply(createApplication(), secondKey)).status).toBe(429);
    expect((await other.send('GET', apiPaths.application)).status).toBe(409);
  });
});

describe('an application that is not kept', () => {
  /** As many as may be kept in an hour. */
  const allowed = 2;
  const limits = { applicationsPerHourPerSession: allowed, applicationsPerHourPerAddress: allowed };

  async function openLimited(options: Parameters<typeof createRig>[0]) {
    const rig = await createRig({
      settings: { limits: { ...unlimited, ...limits } },
      clientAddress: address,
      ...options,
    });
    return { rig, browser: rig.openBrowser() };
  }

  it('costs nothing while the store is away', async () => {
    const time = createManualTime();
    const store = await openStore('file::memory:', { clock: time.clock });
    let isAway = true;
    const addApplication: Store['addApplication'] = (...added) =>
      isAway
        ? Promise.reject(new StoreError('STORE_UNAVAILABLE', 'Away'))
        : store.addApplication(...added);
    const { browser } = await openLimited({ time, store: { ...store, addApplication } });
    for (let time = 0; time <= allowed; time += 1) {
      expect(isProblem(await browser.apply(), 'storage-unavailable')).toBe(true);
    }
    isAway = false;
    expect((await browser.apply()).status).toBe(201);
  });

  it('costs nothing beside one that was filed before', async () => {
    const { rig, browser } = await openLimited({});
    expect((await browser.apply()).status).toBe(201);
    for (let number = 1; number <= allowed + 1; number += 1) {
      const other = await browser.apply(createApplication({ employees: number }), secondKey);
      expect(isProblem(other, 'application-exists')).toBe(true);
    }
    const another = rig.openBrowser();
    const otherKey = '0199c0de-0000-4000-8000-000000000003';
    expect((await another.apply(createApplication(), otherKey)).status).toBe(201);
  });

  it('makes room however many were refused while it was tried', async () => {
    const failures: (() => void)[] = [];
    const time = createManualTime();
    const store = await openStore('file::memory:', { clock: time.clock });
    let isAway = true;
    const addApplication: Store['addApplication'] = (...added) =>
      isAway
        ? new Promise((_resolve, reject) => {
            failures.push(() => reject(new StoreError('STORE_UNAVAILABLE', 'Away')));
          })
        : store.addApplication(...added);
    const { rig, browser } = await openLimited({
      time,
      settings: { limits: { ...unlimited, applicationsPerHourPerAddress: 1 } },
      store: { ...store, addApplication },
    });
    const tried = browser.apply();
    await until(() => failures.length === 1);
    const another = rig.openBrowser();
    const file = () => another.apply(createApplication(), secondKey);
    expect(await listStatuses([file(), file(), file()])).toEqual([429, 429, 429]);
    isAway = false;
    failures[0]!();
    expect((await tried).status).toBe(503);
    expect((await file()).status).toBe(201);
  });

  it('costs the address nothing when the session’s limit refuses it', async () => {
    const { rig, browser } = await openLimited({
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
    const another = rig.openBrowser();
    const otherKey = '0199c0de-0000-4000-8000-000000000003';
    expect((await another.apply(createApplication(), otherKey)).status).toBe(201);
  });
});

describe('the limits of a session', () => {
  it('count requests, uploads among them', async () => {
    const rig = await createLimited({ requestsPerMinutePerSession: 3 });
    const browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    const look = () => browser.send('GET', apiPaths.session);
    const upload = () => browser.upload(new Uint8Array(9));
    expect(await listStatuses([look(), upload(), look()])).toEqual([200, 409, 200]);
    expect(await listStatuses([look(), upload()])).toEqual([429, 429]);
  });

  it('count documents and asset reports together', async () => {
    const rig = await createLimited({ uploadsPerHourPerSession: 2 });
    const browser = rig.openBrowser();
    await browser.apply();
    const upload = () => browser.upload(new Uint8Array(9));
    const report = () => browser.send('POST', apiPaths.assetReport, '{}');
    // Refused as well, after it was looked at.
    expect((await upload()).status).toBe(422);
    expect((await report()).status).toBe(422);
    expect(await listStatuses([upload(), report()])).toEqual([429, 429]);
  });

  it('are each session’s own', async () => {
    const rig = await createLimited({ requestsPerMinutePerSession: 1 });
    const browsers = [rig.openBrowser(), rig.openBrowser()];
    for (const browser of browsers) await browser.send('POST', apiPaths.session);
    const looks = browsers.map((browser) => browser.send('GET', apiPaths.session));
    expect(await listStatuses(looks)).toEqual([200, 200]);
  });
});

describe('what is written of refusals', () => {
  it('is one line a minute for each limit, a count, and no address', async () => {
    const rig = await createLimited({ requestsPerMinutePerAddress: 1 });
    await ask(rig);
    const before = rig.logLines.length;
    for (let time = 0; time < 3; time += 1) await ask(rig);
    expect(rig.logLines.slice(before).map((line) => JSON.parse(line))).toMatchObject([
      { event: 'rate-limited', limit: 'requests-by-address', refused: 1 },
    ]);
    rig.time.advance(minuteMs);
    await ask(rig);
    expect(JSON.parse(rig.logLines.at(-1)!)).toMatchObject({ event: 'rate-limited', refused: 3 });
    const metrics = await rig.openBrowser().send('GET', '/metrics');
    expect(metrics.text).toContain('funding_rate_limited_total{limit="requests-by-address"} 4');
    expect(rig.logLines.join('')).not.toContain(address);
  });
});

describe('a doubt about the applicants’ addresses', () => {
  it('is told once an hour', async () => {
    const rig = await createLimited({});
    const listDoubts = () => rig.logLines.filter((line) => line.includes('unverified'));
    for (let time = 0; time < 2; time += 1) await ask(rig, '198.51.100.1');
    expect(listDoubts().map((line) => JSON.parse(line))).toMatchObject([
      { event: 'client-address-unverified', reason: 'untrusted-proxy' },
    ]);
    rig.time.advance(60 * minuteMs);
    await ask(rig, '198.51.100.1');
    expect(listDoubts()).toHaveLength(2);
  });
});
