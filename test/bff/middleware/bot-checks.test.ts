// Bot checks of an application: honeypot, minimum fill time, and challenge. A refused application is not stored.

import { describe, expect, it } from 'vitest';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import type { ProblemCode } from '../../../shared/api/problem-codes.ts';
import { unlimited } from '../../support/unlimited.ts';
import { firstKey, secondKey, type Answer, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import type { TestBff } from '../../support/bff.ts';
import { openBff, readJson, readMetrics, startSession, toOutcome } from '../open-bff.ts';
import { createManualTime, until } from '../../support/manual-time.ts';
import type { Challenge, ChallengeVerdict } from '../../../bff/config/hooks.ts';

function file(
  browser: Browser,
  headers: Readonly<Record<string, string>> = {},
  key = firstKey,
): Promise<Answer> {
  return browser.send('POST', apiPaths.application, JSON.stringify(createApplication()), {
    [apiHeaders.idempotencyKey]: key,
    ...headers,
  });
}

async function expectNothingStored(bff: TestBff, browser: Browser): Promise<void> {
  expect((await readJson(browser, apiPaths.application)).code).toBe('application-missing');
  expect(await bff.store.countStates()).toEqual([]);
  expect(bff.calls).toEqual([]);
}

async function readMetric(bff: TestBff, sign: string): Promise<string | undefined> {
  const name = `funding_bot_check_failures_total{check="${sign}"} `;
  const lines = (await readMetrics(bff)).split('\n');
  return lines.find((line) => line.startsWith(name))?.slice(name.length);
}

/** A BFF whose applicant has a session. */
async function openStarted(...options: Parameters<typeof openBff>) {
  const bff = await openBff(...options);
  await startSession(bff.browser);
  return bff;
}

describe('an application with a filled honeypot', () => {
  it('is refused until the honeypot is empty', async () => {
    const bff = await openStarted();
    const { browser } = bff;
    const refused = await file(browser, { [apiHeaders.honeypot]: '1' });
    expect(toOutcome(refused)).toBe('422 automation-suspected');
    await expectNothingStored(bff, browser);
    expect(await readMetric(bff, 'honeypot')).toBe('1');
    expect((await file(browser)).status).toBe(201);
  });
});

describe('an application before the minimum fill time', () => {
  const settings = { limits: { ...unlimited, minimumFillSeconds: 4 } };

  it('is accepted after Retry-After', async () => {
    const bff = await openStarted({ settings });
    const { browser } = bff;
    bff.time.advance(1_500);
    const refused = await file(browser);
    expect(toOutcome(refused)).toBe('429 too-soon');
    expect(refused.headers.get('retry-after')).toBe('3');
    await expectNothingStored(bff, browser);
    expect(await readMetric(bff, 'too-soon')).toBe('1');
    bff.time.advance(2_499);
    expect((await file(browser)).status).toBe(429);
    bff.time.advance(1);
    expect((await file(browser)).status).toBe(201);
  });

  it('is accepted if the clock was set back since the session started', async () => {
    const time = createManualTime();
    let setBackMs = 0;
    const bff = await openStarted({
      settings,
      time: { ...time, clock: () => time.clock() - setBackMs },
    });
    const { browser } = bff;
    setBackMs = 20 * 60_000;
    expect((await file(browser)).status).toBe(201);
  });

  it('is answered at once if the store already has it', async () => {
    const bff = await openStarted({ settings });
    const { browser } = bff;
    bff.time.advance(4_000);
    const filed = await file(browser);
    const another = bff.openBrowser();
    await startSession(another);
    expect((await file(another)).json).toEqual(filed.json);
  });
});

describe('an application with a challenge', () => {
  interface Verified {
    readonly token: string;
    readonly address: string | undefined;
  }

  async function open(verdict: ChallengeVerdict | 'throws') {
    const verified: Verified[] = [];
    const challenge: Challenge = {
      provider: 'partners-own',
      siteKey: 'site-key',
      async verify(token, address) {
        verified.push({ token, address });
        if (verdict === 'throws') throw new Error('secret-canary');
        return verdict;
      },
    };
    const bff = await openStarted({ challenge, clientAddress: '203.0.113.9' });
    const { browser } = bff;
    return { bff, browser, verified };
  }

  it('needs the site key that the configuration shows', async () => {
    const { browser } = await open('passed');
    const { json } = await browser.send('GET', apiPaths.configuration);
    expect(json.challenge).toEqual({ provider: 'partners-own', siteKey: 'site-key' });
  });

  it('is accepted with the token of a solved challenge', async () => {
    const { browser, verified } = await open('passed');
    const answer = await file(browser, { [apiHeaders.challenge]: 'token-1' });
    expect(answer.status).toBe(201);
    expect(verified).toEqual([{ token: 'token-1', address: '203.0.113.9' }]);
  });

  it.each<[ChallengeVerdict | 'throws', number, ProblemCode]>([
    ['token-refused', 403, 'challenge-required'],
    ['other-host', 403, 'challenge-required'],
    ['unreachable', 503, 'challenge-unavailable'],
    ['answer-unreadable', 503, 'challenge-unavailable'],
    ['secret-refused', 503, 'challenge-unavailable'],
    ['throws', 500, 'internal'],
    // A hook may return any value.
    ['token-canary of 203.0.113.9' as never, 503, 'challenge-unavailable'],
    [true as never, 503, 'challenge-unavailable'],
  ])('is not stored if the verdict is %s', async (verdict, status, code) => {
    const { bff, browser } = await open(verdict);
    const answer = await file(browser, { [apiHeaders.challenge]: 'token-canary' });
    expect(toOutcome(answer)).toBe(`${status} ${code}`);
    await expectNothingStored(bff, browser);
    expect(bff.logLines.join('')).not.toContain('canary');
  });

  it('is refused with Retry-After if its challenge cannot be checked', async () => {
    const { bff, browser } = await open('secret-refused');
    const answer = await file(browser, { [apiHeaders.challenge]: 'token' });
    expect(answer.headers.get('retry-after')).toBe('10');
    expect(bff.logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ event: 'challenge-failed', reason: 'secret-refused' }),
    );
    expect(await readMetric(bff, 'challenge-unavailable')).toBe('1');
  });

  it.each([
    ['missing', {}],
    ['empty', { [apiHeaders.challenge]: '' }],
    ['with a space', { [apiHeaders.challenge]: 'a b' }],
    ['too long', { [apiHeaders.challenge]: 'a'.repeat(8_193) }],
  ])('is refused without a call to the provider if the token is %s', async (_what, headers) => {
    const { bff, browser, verified } = await open('passed');
    expect(toOutcome(await file(browser, headers))).toBe('403 challenge-required');
    expect(verified).toEqual([]);
    await expectNothingStored(bff, browser);
    expect(await readMetric(bff, 'challenge')).toBe('1');
  });

  it('is sent to the provider once, after it passed the other checks', async () => {
    const { browser, verified } = await open('passed');
    const wrong = JSON.stringify({ ...createApplication(), signature: {} });
    const headers = { [apiHeaders.idempotencyKey]: secondKey, [apiHeaders.challenge]: 'token-1' };
    expect((await browser.send('POST', apiPaths.application, wrong, headers)).status).toBe(400);
    await file(browser, { [apiHeaders.challenge]: 'token-2' });
    expect((await file(browser)).status).toBe(201);
    expect(verified.map(({ token }) => token)).toEqual(['token-2']);
  });

  it('is refused if the provider does not answer within five seconds', async () => {
    let isAborted = false;
    const challenge: Challenge = {
      provider: 'partners-own',
      siteKey: 'site-key',
      verify: (_token, _address, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            isAborted = true;
          });
        }),
    };
    const bff = await openStarted({ challenge });
    const { browser } = bff;
    const answer = file(browser, { [apiHeaders.challenge]: 'token' });
    await until(() => bff.time.listTimers().includes(5_000));
    bff.time.advance(5_000);
    expect(toOutcome(await answer)).toBe('503 challenge-unavailable');
    expect(isAborted).toBe(true);
    await expectNothingStored(bff, browser);
  });
});
