// What happens in masses, and how little of it is written: by itself, and through the whole BFF.

import { beforeEach, describe, expect, it } from 'vitest';
import { createRarely } from '../../../bff/logging/rate-limited-log.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createApplication, createRig, firstKey, type Rig } from '../bff-rig.ts';
import { createManualTime } from '../manual-time.ts';
import type { Challenge } from '../../../bff/config/hooks.ts';

const minuteMs = 60_000;
const masses = 50;

describe('what is told rarely', () => {
  it('is told at once, then with how often it was after the pause, each thing for itself', () => {
    const time = createManualTime();
    const rarely = createRarely(time.clock, minuteMs);
    expect([rarely('a'), rarely('a'), rarely('a'), rarely('b')]).toEqual([
      1,
      undefined,
      undefined,
      1,
    ]);
    time.advance(minuteMs);
    expect([rarely('a'), rarely('a')]).toEqual([3, undefined]);
  });

  it('is told again when the clock was set back', () => {
    let now = 10 * minuteMs;
    const rarely = createRarely(() => now, minuteMs);
    rarely('a');
    now = 0;
    expect(rarely('a')).toBe(1);
  });
});

describe('the log of a BFF', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await createRig();
  });

  /** The lines that a mass of requests brings about, without their times. */
  async function listLines(send: () => Promise<unknown>): Promise<readonly object[]> {
    const before = rig.logLines.length;
    for (let sent = 0; sent < masses; sent += 1) await send();
    return rig.logLines.slice(before).map((line) => {
      const { time: _time, level: _level, ...said } = JSON.parse(line);
      return said;
    });
  }

  async function readCount(counter: string): Promise<string | undefined> {
    const { text } = await rig.openBrowser().send('GET', '/metrics');
    return text
      .split('\n')
      .find((line) => line.startsWith(`${counter} `))
      ?.split(' ')[1];
  }

  it('has one line a minute of what the gate refuses for one reason, and counts all', async () => {
    const send = () => rig.openBrowser('https://evil.example').send('GET', apiPaths.offers);
    expect(await listLines(send)).toEqual([
      {
        event: 'gate-refused',
        requestId: expect.any(String),
        reason: 'origin-not-listed',
        refused: 1,
      },
    ]);
    rig.time.advance(minuteMs);
    const { headers } = await send();
    expect(JSON.parse(rig.logLines.at(-1)!)).toMatchObject({
      event: 'gate-refused',
      requestId: headers.get('x-request-id'),
      refused: masses,
    });
    const counter = 'funding_gate_refusals_total{reason="origin-not-listed"}';
    expect(await readCount(counter)).toBe(String(masses + 1));
  });

  it('has one line a minute of requests without a session', async () => {
    const lines = await listLines(() => rig.openBrowser().send('GET', apiPaths.offers));
    expect(lines).toMatchObject([
      { event: 'request', route: apiPaths.offers, status: 401, code: 'session-missing' },
    ]);
    expect(await readCount('funding_requests_total{status="401"}')).toBe(String(masses));
  });

  it('has two of requests with a session that is none', async () => {
    const headers = { authorization: 'Funding canary' };
    const send = () => rig.openBrowser().send('GET', apiPaths.offers, undefined, headers);
    expect(await listLines(send)).toMatchObject([
      { event: 'session-refused', reason: 'invalid', refused: 1 },
      { event: 'request', status: 401, requests: 1 },
    ]);
    const counter = 'funding_session_refusals_total{reason="invalid"}';
    expect(await readCount(counter)).toBe(String(masses));
  });

  it.each([
    ['an address that is none', 'GET', '/canary.php', 404],
    ['a method that is none', 'DELETE', '/livez', 405],
    ['a probe', 'GET', '/livez', 200],
    ['metrics without their token', 'GET', '/metrics', 401],
  ])('has one line a minute of %s', async (_what, method, path, status) => {
    rig = await createRig({ variables: { METRICS_TOKEN: 'sixteen-letters-' } });
    const lines = await listLines(() => rig.openBrowser().send(method, path));
    expect(lines).toMatchObject([{ event: 'request', status, requests: 1 }]);
    rig.time.advance(minuteMs);
    await rig.openBrowser().send(method, path);
    expect(JSON.parse(rig.logLines.at(-1)!)).toMatchObject({ status, requests: masses });
    expect(rig.logLines.join('')).not.toContain('canary');
  });

  it('has one line a minute of challenges that were not solved', async () => {
    const challenge: Challenge = {
      provider: 'partners-own',
      siteKey: 'site-key',
      verify: async () => 'token-refused',
    };
    rig = await createRig({ challenge });
    const browser = rig.openBrowser();
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

  it('has a line of every request that one of our pages sends, answered or refused', async () => {
    const browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    const lines = await listLines(() => browser.send('GET', apiPaths.application));
    expect(lines).toHaveLength(masses);
    expect(lines[0]).not.toHaveProperty('requests');
  });
});
