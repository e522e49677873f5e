// The variables of the challenge: all of them or none, and what is wrong is named with its mend.

import { describe, expect, it } from 'vitest';
import { listProblems, production, readValid } from './config-source.ts';

const variables = {
  ...production,
  CHALLENGE_PROVIDER: 'hcaptcha',
  CHALLENGE_SITE_KEY: 'site-key',
  CHALLENGE_SECRET: 'secret-canary',
};

describe('the configuration of the challenge', () => {
  it('is none by default', () => {
    expect(readValid(production).challenge).toBeUndefined();
  });

  it.each([
    ['hcaptcha', 'https://api.hcaptcha.com/siteverify'],
    ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
  ])('knows where %s is asked', (provider, verifyUrl) => {
    const { challenge } = readValid({ ...variables, CHALLENGE_PROVIDER: provider });
    expect(challenge).toEqual({
      provider,
      siteKey: 'site-key',
      secret: 'secret-canary',
      verifyUrl,
    });
  });

  it('takes another address', () => {
    const url = 'https://siteverify.partner.example/check';
    expect(readValid({ ...variables, CHALLENGE_VERIFY_URL: url }).challenge?.verifyUrl).toBe(url);
  });

  it.each([
    ['an unknown provider', { CHALLENGE_PROVIDER: 'recaptcha' }, 'CHALLENGE_PROVIDER is not known'],
    ['no site key', { CHALLENGE_SITE_KEY: '' }, 'CHALLENGE_SITE_KEY is not set'],
    ['no secret', { CHALLENGE_SECRET: '' }, 'CHALLENGE_SECRET is not set'],
    ['http', { CHALLENGE_VERIFY_URL: 'http://a.example' }, 'CHALLENGE_VERIFY_URL is not https'],
    ['a secret without a provider', { CHALLENGE_PROVIDER: '' }, 'CHALLENGE_PROVIDER is not set'],
  ])('refuses %s', (_what, changes, problem) => {
    const problems = listProblems({ ...variables, ...changes });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join('')).not.toContain('secret-canary');
  });

  it.each([
    ['CHALLENGE_SITE_KEY', 'site-key'],
    ['CHALLENGE_SECRET', 'secret-canary'],
    ['CHALLENGE_VERIFY_URL', 'https://siteverify.partner.example/check'],
  ])('refuses %s where nobody is asked', (name, value) => {
    expect(listProblems({ ...production, [name]: value })).toEqual([
      expect.stringContaining('CHALLENGE_PROVIDER is not set, though other'),
    ]);
  });
});
