// The mail provider that a mistyped domain probably means.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { suggestEmail } from '../../../widget/form/email-domains.ts';

/** From lists of mistakes in public repositories (among them blendle/emailcorrect), which the providers were not chosen from. */
const mistakes = `
  gmail.com: gmial.com gmal.com gmai.com gnail.com gamil.com gmil.com gail.com mgail.com gmaill.com gmali.com gmsil.com gmeil.com
    gemail.com gmaik.com gmail.co gmail.cm gmail.om gmail.con gmail.cim gmail.comm gmail.xom gmailcom gmai.co
  yahoo.com: yaho.com yahooo.com yhoo.com yhaoo.com yaoo.com yahho.com uahoo.com ayhoo.com yahoo.co yahoo.cm yahoo.con
  hotmail.com: hotmial.com hotmal.com hotmai.com hotmil.com hotmaill.com hotnail.com hotrmail.com hoitmail.com homail.com htmail.com
    otmail.com hotamil.com hotmail.con hitmail.com hormail.com hotmaio.com
  outlook.com: outlok.com outllok.com outloo.com outook.com outlool.com outlookk.com putlook.com outlook.con
  icloud.com: iclod.com icoud.com iclud.com iclou.com icloud.con
  googlemail.com: gogglemail.com googlmail.com goglemail.com
  protonmail.com: protonmai.com protonmal.com
  proton.me: prton.me
  live.com: live.con`;

describe('suggestEmail', () => {
  it.each(
    mistakes
      .trim()
      .split(/\n(?=  \w+[\w.]*:)/)
      .flatMap((row) => {
        const [provider = '', list = ''] = row.trim().split(': ');
        return list.split(/\s+/).map((domain) => [domain, provider] as const);
      }),
  )('suggests for %s %s', (domain, provider) => {
    expect(suggestEmail(`ana@${domain}`)).toBe(`ana@${provider}`);
  });

  it.each([
    'gmail.com',
    'GMAIL.com',
    'gmx.com',
    'ymail.com',
    'mail.com',
    'email.com',
    'me.com',
    'mac.com',
    'pm.me',
    'protonmail.com',
    'hotmail.co.uk',
    'yahoo.com.mx',
    'live.com.mx',
    'olive.com',
    'life.com',
    'bakery.example',
    'outlook.es',
    'cox.com',
    'verizon.com',
  ])('suggests nothing for %s', (domain) => {
    expect(suggestEmail(`ana@${domain}`)).toBeUndefined();
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
    const file = new URL('../../fixtures/mail-domains/free-mail-providers.txt', import.meta.url);
    const domains = readFileSync(file, 'utf8').trim().split(/\s+/);
    const wrong = domains.filter((domain) => suggestEmail(`ana@${domain}`) !== undefined);
    expect(domains.length).toBeGreaterThan(3_000);
    expect(wrong.length / domains.length, wrong.join(' ')).toBeLessThan(0.003);
  });
});
