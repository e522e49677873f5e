// The log's rate limit, alone and in a BFF that receives the same request many times.

import { beforeEach, describe, expect, it } from 'vitest';
import { createRateLimitedLog } from '../../../bff/logging/rate-limited-log.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { firstKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { readMetrics } from '../open-bff.ts';
import { createManualTime } from '../../support/manual-time.ts';
import type { Challenge } from '../../../bff/config/hooks.ts';

const minuteMs = 60_000;
const requestCount = 50;

describe('createRateLimitedLog', () => {
  const counts: number[] = [];
  const log = ({ count }: { readonly event: 'x'; readonly count: number }) => counts.push(count);
  const toEvent = (count: number) => ({ event: 'x', count }) as const;

  beforeEach(() => {
    counts.length = 0;
  });

  it('logs the first event of each kind', () => {
    const logRateLimited = createRateLimitedLog(log, createManualTime().clock, minuteMs);
    for (const kind of ['a', 'a', 'a', 'b']) logRateLimited(kind, toEvent);
    expect(counts).toEqual([1, 1]);
  });

  it('counts the skipped events in the first one after the interval', () => {
    const time = createManualTime();
    const logRateLimited = createRateLimitedLog(log, time.clock, minuteMs);
    for (let sent = 0; sent < 3; sent += 1) logRateLimited('a', toEvent);
    time.advance(minuteMs);
    for (let sent = 0; sent < 2; sent += 1) logRateLimited('a', toEvent);
    expect(counts).toEqual([1, 3]);
  });

  it('logs again after the clock was set back', () => {
    let now = 10 * minuteMs;
    const logRateLimited = createRateLimitedLog(log, () => now, minuteMs);
    logRateLimited('a', toEvent);
    now = 0;
    logRateLimited('a', toEvent);
    expect(counts).toEqual([1, 1]);
  });
});

describe('the log of a BFF', () => {
  let bff: TestBff;

  beforeEach(async () => {
    bff = await startBff();
  });

  /** The log lines of `requestCount` requests, without times and levels. */
  async function listLines(send: () => Promise<unknown>): Promise<readonly object[]> {
    const before = bff.logLines.length;
    for (let sent = 0; sent < requestCount; sent += 1) await send();
    return bff.logLines.slice(before).map((line) => {
      const { time: _time, level: _level, ...rest } = JSON.parse(line);
      return rest;
    });
  }

  it('logs one origin gate refusal per minute and reason', async () => {
    const send = () => bff.openBrowser('https://evil.example').send('GET', apiPaths.offers);
    expect(await listLines(send)).toEqual([
      {
        event: 'origin-gate-refused',
        requestId: expect.any(String),
        reason: 'origin-not-listed',
        refused: 1,
      },
    ]);
    bff.time.advance(minuteMs);
    const { headers } = await send();
    expect(JSON.parse(bff.logLines.at(-1)!)).toMatchObject({
      event: 'origin-gate-refused',
      requestId: headers.get('x-request-id'),
      refused: requestCount,
    });
  });

  it('logs one request without a session per minute', async () => {
    const lines = await listLines(() => bff.openBrowser().send('GET', apiPaths.offers));
    expect(lines).toMatchObject([
      { event: 'request', route: apiPaths.offers, status: 401, code: 'session-missing' },
    ]);
    expect(await readMetrics(bff)).toContain(`requests_total{status="401"} ${requestCount}\n`);
  });

  it('logs one refused session per minute', async () => {
    const headers = { authorization: 'Funding canary' };
    const send = () => bff.openBrowser().send('GET', apiPaths.offers, undefined, headers);
    expect(await listLines(send)).toMatchObject([
      { event: 'session-refused', reason: 'invalid', refused: 1 },
      { event: 'request', status: 401, requests: 1 },
    ]);
  });

  it.each([
    ['an unknown path', 'GET', '/canary.php', 404],
    ['an unsupported method', 'DELETE', '/livez', 405],
    ['a health check', 'GET', '/livez', 200],
    ['metrics without the token', 'GET', '/metrics', 401],
  ])('logs one line per minute for %s', async (_name, method, path, status) => {
    bff = await startBff({ variables: { METRICS_TOKEN: 'sixteen-letters-' } });
    const lines = await listLines(() => bff.openBrowser().send(method, path));
    expect(lines).toMatchObject([{ event: 'request', status, requests: 1 }]);
    bff.time.advance(minuteMs);
    await bff.openBrowser().send(method, path);
    expect(JSON.parse(bff.logLines.at(-1)!)).toMatchObject({ status, requests: requestCount });
    expect(bff.logLines.join('')).not.toContain('canary');
  });

  it('logs one refused challenge per minute', async () => {
    const challenge: Challenge = {
      provider: 'partners-own',
      siteKey: 'site-key',
      verify: async () => 'token-refused',
    };
    bff = await startBff({ challenge });
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    const file = () =>
      browser.send('POST', apiPaths.application, JSON.stringify(createApplication()), {
        [apiHeaders.idempotencyKey]: firstKey,
        [apiHeaders.challenge]: 'token',
      });
    expect(await listLines(file)).toMatchObject([
      { event: 'challenge-refused', reason: 'token-refused', refused: 1 },
    ]);
  });

  it('logs every request of an allowed page', async () => {
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    const lines = await listLines(() => browser.send('GET', apiPaths.application));
    expect(lines).toHaveLength(requestCount);
    expect(lines[0]).not.toHaveProperty('requests');
  });
});
