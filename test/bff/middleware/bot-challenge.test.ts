// What a provider's answer means: taken, to be tried again, or for the operator to look at.

import { describe, expect, it } from 'vitest';
import {
  createConfiguredChallenge,
  createSiteverifyChallenge,
} from '../../../bff/middleware/bot-checks.ts';
import { listenRecording } from '../../support/servers.ts';
import { createTestConfig } from '../bff-rig.ts';
import { production, readValid } from '../config/config-source.ts';

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

const patience = new AbortController().signal;

const base = {
  provider: 'turnstile',
  siteKey: 'site-key',
  secret: 'secret-canary',
  verifyUrl: 'https://provider.example/siteverify',
  pageHosts: ['www.partner.example'],
} as const;

function createAnswering(text: string, status = 200, changes: object = {}) {
  const asked: Asked[] = [];
  const challenge = createSiteverifyChallenge({
    ...base,
    ...changes,
    fetch: async (url, init) => {
      asked.push({ url: String(url), init: init ?? {} });
      return new Response(text, { status });
    },
  });
  return { challenge, asked };
}

const passed = JSON.stringify({ success: true, hostname: 'www.partner.example' });
const refusedBy = (...codes: string[]) => JSON.stringify({ success: false, 'error-codes': codes });

describe('a provider’s answer', () => {
  it.each([
    ['a solved challenge', passed, 200, 'passed'],
    ['a host in capitals', passed.replace('www', 'WWW'), 200, 'passed'],
    ['no host told in a rush', '{"success":true,"hostname":"not-provided"}', 200, 'passed'],
    ['another host', '{"success":true,"hostname":"evil.example"}', 200, 'other-host'],
    ['a host that begins alike', passed.replace('.example', '.example.evil'), 200, 'other-host'],
    ['no host', '{"success":true}', 200, 'other-host'],
    ['a token used twice', refusedBy('timeout-or-duplicate'), 200, 'token-refused'],
    ['a token refused with 400', refusedBy('invalid-input-response'), 400, 'token-refused'],
    ['no reason', '{"success":false}', 200, 'token-refused'],
    ['a wrong secret', refusedBy('invalid-input-secret'), 200, 'secret-refused'],
    ['another site key', refusedBy('sitekey-secret-mismatch'), 200, 'secret-refused'],
    ['a fault of its own', refusedBy('internal-error'), 200, 'unreachable'],
    ['a fault with a page', '<html>', 502, 'unreachable'],
    ['a success behind a fault', passed, 500, 'unreachable'],
    [
      'success as a text',
      '{"success":"true","hostname":"www.partner.example"}',
      200,
      'answer-unreadable',
    ],
    [
      'success as a number',
      '{"success":1,"hostname":"www.partner.example"}',
      200,
      'answer-unreadable',
    ],
    ['nothing', '', 200, 'answer-unreadable'],
    ['a page', '<html>success</html>', 200, 'answer-unreadable'],
    ['more than any answer', `${passed}${' '.repeat(70_000)}`, 200, 'unreachable'],
  ])('that is %s', async (_what, text, status, verdict) => {
    const { challenge } = createAnswering(text, status);
    expect(await challenge.verify('token', '203.0.113.9', patience)).toBe(verdict);
  });

  it('is asked for with the secret and the token, without the applicant’s address, following nobody', async () => {
    const { challenge, asked } = createAnswering(passed);
    await challenge.verify('token-1', '203.0.113.9', patience);
    expect(asked[0]!.url).toBe(base.verifyUrl);
    expect(String(asked[0]!.init.body)).toBe('secret=secret-canary&response=token-1');
    expect(asked[0]!.init).toMatchObject({ method: 'POST', redirect: 'error' });
  });

  it('is asked of hCaptcha with the site key, so that no other site’s token counts', async () => {
    const { challenge, asked } = createAnswering(passed, 200, { provider: 'hcaptcha' });
    await challenge.verify('token-1', undefined, patience);
    expect(String(asked[0]!.init.body)).toContain('sitekey=site-key');
  });

  it('may tell any host where the providers’ test keys are used', async () => {
    const { challenge } = createAnswering('{"success":true}', 200, { pageHosts: undefined });
    expect(await challenge.verify('token', undefined, patience)).toBe('passed');
  });

  it('is none where nothing listens', async () => {
    const challenge = createSiteverifyChallenge({
      ...base,
      verifyUrl: 'http://127.0.0.1:1/',
      fetch,
    });
    expect(await challenge.verify('token', undefined, patience)).toBe('unreachable');
  });

  it('is none where it leads elsewhere', async () => {
    const elsewhere = await listenRecording((_request, response) => void response.end(passed));
    const provider = await listenRecording(
      (_request, response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const challenge = createSiteverifyChallenge({ ...base, verifyUrl: provider.url, fetch });
    expect(await challenge.verify('token', undefined, patience)).toBe('unreachable');
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

  it('is none by default', () => {
    expect(configure(createTestConfig(), 'example.com')).toBeUndefined();
  });

  it.each([
    ['www.partner.example', 'passed'],
    ['apply.partner.example', 'passed'],
    ['shop.elsewhere.example', 'passed'],
    ['example.com', 'other-host'],
  ])('takes tokens from %s: %s', async (hostname, verdict) => {
    const config = readValid({
      ...production,
      ...variables,
      CROSS_SITE_ORIGINS: 'https://shop.elsewhere.example',
    });
    expect(await configure(config, hostname)?.verify('token', undefined, patience)).toBe(verdict);
  });

  it('takes tokens from any host in the sandbox', async () => {
    const challenge = configure(createTestConfig({}, variables), 'example.com');
    expect(await challenge?.verify('token', undefined, patience)).toBe('passed');
  });
});
