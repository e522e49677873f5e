// The mail provider that a mistyped domain probably means.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { suggestEmail } from '../../../widget/form/email-domains.ts';

const readFixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/mail-domains/${name}`, import.meta.url), 'utf8').trim();

/** Domains, each with the provider that it probably means, or `none`. */
const domains = readFixture('mistakes.txt')
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .flatMap((line) => {
    const [provider = '', list = ''] = line.split(': ');
    return list.split(' ').map((domain) => [domain, provider] as const);
  });

describe('suggestEmail', () => {
  it('has 80 examples', () => {
    expect(domains.length).toBeGreaterThan(80);
  });

  it.each(domains)('suggests for %s: %s', (domain, provider) => {
    const suggested = provider === 'none' ? undefined : `ana@${provider}`;
    expect(suggestEmail(`ana@${domain}`)).toBe(suggested);
  });

  it('keeps the name as it is typed', () => {
    expect(suggestEmail(' Ana.Ruiz+Loan@GMIAL.COM ')).toBe('Ana.Ruiz+Loan@gmail.com');
  });

  it.each(['', 'ana', 'ana@', '@gmial.com', 'ana@b@gmial.com', 'a b@gmial.com'])(
    'suggests nothing for the incomplete address %j',
    (email) => {
      expect(suggestEmail(email)).toBeUndefined();
    },
  );

  it('suggests another domain for at most 0.3% of real mail domains', () => {
    // The list of the npm package @activeprospect/freemail (ISC). It also contains registered misspellings, such as `yaho.com`.
    const real = readFixture('free-mail-providers.txt').split(/\s+/);
    const wrong = real.filter((domain) => suggestEmail(`ana@${domain}`) !== undefined);
    expect(real.length).toBeGreaterThan(3_000);
    expect(wrong.length / real.length, wrong.join(' ')).toBeLessThan(0.003);
  });
});
