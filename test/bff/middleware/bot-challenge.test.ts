// The verdicts of Turnstile and hCaptcha, and the configuration of the challenge.

import { describe, expect, it } from 'vitest';
import {
  createConfiguredChallenge,
  createSiteverifyChallenge,
} from '../../../bff/middleware/bot-checks.ts';
import type { ChallengeConfig } from '../../../bff/config/config.ts';
import { listenRecording } from '../../support/servers.ts';
import { createTestConfig } from '../../support/bff.ts';
import { production, readValid } from '../config/config-source.ts';

interface SentRequest {
  readonly url: string;
  readonly init: RequestInit;
}

const { signal } = new AbortController();

const base = {
  provider: 'turnstile',
  siteKey: 'site-key',
  secret: 'secret-canary',
  verifyUrl: 'https://provider.example/siteverify',
} as const;
const pageHosts = ['www.partner.example'];

function createResponding(text: string, status = 200, config: ChallengeConfig = base) {
  const sent: SentRequest[] = [];
  const challenge = createSiteverifyChallenge(config, pageHosts, async (url, init) => {
    sent.push({ url: String(url), init: init ?? {} });
    return new Response(text, { status });
  });
  return { challenge, sent };
}

const passed = JSON.stringify({ success: true, hostname: 'www.partner.example' });
const refusedWith = (...codes: string[]) =>
  JSON.stringify({ success: false, 'error-codes': codes });

describe('the verdict', () => {
  it.each(
    // prettier-ignore
    [
      ['a solved challenge', passed, 200, 'passed'],
      ['a host in uppercase', passed.replace('www', 'WWW'), 200, 'passed'],
      ['a withheld host', '{"success":true,"hostname":"not-provided"}', 200, 'passed'],
      ['another host', '{"success":true,"hostname":"evil.example"}', 200, 'other-host'],
      ['a host with an allowed prefix', passed.replace('.example', '.example.evil'), 200, 'other-host'],
      ['no host', '{"success":true}', 200, 'other-host'],
      ['a token used twice', refusedWith('timeout-or-duplicate'), 200, 'token-refused'],
      ['a token refused with 400', refusedWith('invalid-input-response'), 400, 'token-refused'],
      ['a refusal without a code', '{"success":false}', 200, 'token-refused'],
      ['a wrong secret', refusedWith('invalid-input-secret'), 200, 'secret-refused'],
      ['another site key', refusedWith('sitekey-secret-mismatch'), 200, 'secret-refused'],
      ['an internal error', refusedWith('internal-error'), 200, 'unreachable'],
      ['a 502 with HTML', '<html>', 502, 'unreachable'],
      ['a success with status 500', passed, 500, 'unreachable'],
      ['success as a string', '{"success":"true","hostname":"www.partner.example"}', 200, 'answer-unreadable'],
      ['success as a number', '{"success":1,"hostname":"www.partner.example"}', 200, 'answer-unreadable'],
      ['an empty body', '', 200, 'answer-unreadable'],
      ['HTML', '<html>success</html>', 200, 'answer-unreadable'],
      ['a body that is too large', `${passed}${' '.repeat(70_000)}`, 200, 'unreachable'],
    ],
  )('of %s is as expected', async (_name, text, status, verdict) => {
    const { challenge } = createResponding(text, status);
    expect(await challenge.verify('token', '203.0.113.9', signal)).toBe(verdict);
  });

  it('is requested with the secret and the token only', async () => {
    const { challenge, sent } = createResponding(passed);
    await challenge.verify('token-1', '203.0.113.9', signal);
    expect(sent[0]!.url).toBe(base.verifyUrl);
    expect(String(sent[0]!.init.body)).toBe('secret=secret-canary&response=token-1');
    expect(sent[0]!.init).toMatchObject({ method: 'POST', redirect: 'error' });
  });

  it('is requested from hCaptcha with the site key', async () => {
    const { challenge, sent } = createResponding(passed, 200, { ...base, provider: 'hcaptcha' });
    await challenge.verify('token-1', undefined, signal);
    expect(String(sent[0]!.init.body)).toContain('sitekey=site-key');
  });

  it('accepts any host without configured hosts', async () => {
    const challenge = createSiteverifyChallenge(base, undefined, async () =>
      Response.json({ success: true }),
    );
    expect(await challenge.verify('token', undefined, signal)).toBe('passed');
  });

  it('is unreachable without a server', async () => {
    const config = { ...base, verifyUrl: 'http://127.0.0.1:1/' };
    const challenge = createSiteverifyChallenge(config, pageHosts, fetch);
    expect(await challenge.verify('token', undefined, signal)).toBe('unreachable');
  });

  it('is unreachable after a redirect', async () => {
    const elsewhere = await listenRecording((_request, response) => void response.end(passed));
    const provider = await listenRecording(
      (_request, response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const config = { ...base, verifyUrl: provider.url };
    const challenge = createSiteverifyChallenge(config, pageHosts, fetch);
    expect(await challenge.verify('token', undefined, signal)).toBe('unreachable');
    expect([provider.seen.length, elsewhere.seen.length]).toEqual([1, 0]);
    await Promise.all([provider.close(), elsewhere.close()]);
  });
});

describe('the configured challenge', () => {
  const variables = {
    CHALLENGE_PROVIDER: 'turnstile',
    CHALLENGE_SITE_KEY: 'site-key',
    CHALLENGE_SECRET: 'secret',
  };

  function configure(config: Parameters<typeof createConfiguredChallenge>[0], hostname: string) {
    return createConfiguredChallenge(config, async () =>
      Response.json({ success: true, hostname }),
    );
  }

  it('is off by default', () => {
    expect(configure(createTestConfig(), 'example.com')).toBeUndefined();
  });

  it.each([
    ['www.partner.example', 'passed'],
    ['apply.partner.example', 'passed'],
    ['shop.elsewhere.example', 'passed'],
    ['example.com', 'other-host'],
  ])('checks a token from %s: %s', async (hostname, verdict) => {
    const config = readValid({
      ...production,
      ...variables,
      CROSS_SITE_ORIGINS: 'https://shop.elsewhere.example',
    });
    expect(await configure(config, hostname)?.verify('token', undefined, signal)).toBe(verdict);
  });

  it('accepts a token from any host in the sandbox', async () => {
    const challenge = configure(createTestConfig({}, variables), 'example.com');
    expect(await challenge?.verify('token', undefined, signal)).toBe('passed');
  });
});
