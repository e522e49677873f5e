// Single values that a configuration outside the sandbox must not hold, each told by its name; and texts it must not lack.

import { describe, expect, it } from 'vitest';
import { defaultConsents } from '../../../bff/config/default-settings.ts';
import { developmentDataKey, developmentSessionKey } from '../../../bff/config/sandbox-defaults.ts';
import { listProblems, production, strongKey } from './config-source.ts';

const bilingual = {
  consents: defaultConsents.map((consent) => ({
    ...consent,
    version: '2026-11',
    label: { en: 'I agree', es: 'Acepto' },
    text: { en: 'Our counsel wrote this.', es: 'Lo escribió nuestra asesoría legal.' },
  })),
};

describe('the configuration', () => {
  const cases: [string, Record<string, string>, string][] = [
    [
      'a secret that is given twice',
      { FUNDING_PASSWORD_FILE: '/run/secrets/password' },
      'FUNDING_PASSWORD is set twice',
    ],
    [
      'a secret’s file that is not there',
      { SESSION_KEYS: '', SESSION_KEYS_FILE: '/nowhere' },
      'SESSION_KEYS_FILE names a file that cannot be read',
    ],
    [
      'a secret’s file that is empty',
      { DATA_KEYS: '', DATA_KEYS_FILE: '/run/secrets/empty' },
      'DATA_KEYS_FILE names an empty file',
    ],
    [
      'settings that are not there',
      { FUNDING_SETTINGS: '/nowhere' },
      'FUNDING_SETTINGS names a file that cannot be read',
    ],
    [
      'a service over http',
      { FUNDING_BASE_URL: 'http://api.service.example' },
      'FUNDING_BASE_URL is not https',
    ],
    [
      'a service on this machine',
      { FUNDING_AUTH_URL: 'https://localhost:8082' },
      'FUNDING_AUTH_URL points at this machine',
    ],
    [
      'a service address with a query',
      { FUNDING_BASE_URL: 'https://a.example/?x=1' },
      'FUNDING_BASE_URL is no plain address',
    ],
    [
      'a public address over http',
      { PUBLIC_URL: 'http://apply.partner.example' },
      'PUBLIC_URL is not https',
    ],
    [
      'a public address with a path',
      { PUBLIC_URL: 'https://partner.example/apply' },
      'PUBLIC_URL holds something that is no origin',
    ],
    [
      'an origin over http',
      { ALLOWED_ORIGINS: 'http://partner.example' },
      'ALLOWED_ORIGINS is not https',
    ],
    [
      'an origin that is a pattern',
      { ALLOWED_ORIGINS: 'https://*.partner.example/x' },
      'ALLOWED_ORIGINS holds something that is no origin',
    ],
    [
      'the sandbox’s secret',
      { FUNDING_CLIENT_SECRET: 'sandbox-secret' },
      "FUNDING_CLIENT_SECRET holds the sandbox's value",
    ],
    [
      'the development key for sessions',
      { SESSION_KEYS: `1:${developmentSessionKey}` },
      'SESSION_KEYS holds a development key',
    ],
    [
      'the development key for data',
      { DATA_KEYS: `1:${developmentDataKey}` },
      'DATA_KEYS holds a development key',
    ],
    [
      'a short key',
      { DATA_KEYS: `1:${Buffer.from('short').toString('base64')}` },
      'DATA_KEYS holds a weak key',
    ],
    [
      'a key of one letter',
      { SESSION_KEYS: `1:${Buffer.alloc(32, 'a').toString('base64')}` },
      'SESSION_KEYS holds a weak key',
    ],
    ['a key without a number', { SESSION_KEYS: strongKey(1) }, 'SESSION_KEYS is no list of keys'],
    [
      'two keys of one number',
      { SESSION_KEYS: `1:${strongKey(1)},1:${strongKey(9)}` },
      'SESSION_KEYS holds an id twice',
    ],
    [
      'a number that begins with 0',
      { SESSION_KEYS: `01:${strongKey(1)}` },
      'SESSION_KEYS holds an id that begins with 0. Write 1, not 01.',
    ],
    ['one key for both', { DATA_KEYS: `1:${strongKey(1)}` }, 'DATA_KEYS shares a key'],
    [
      'a partner’s name with a curly apostrophe',
      { FUNDING_PARTNER_NAME: 'Rosa’s Supply' },
      'FUNDING_PARTNER_NAME holds a character that a header cannot carry',
    ],
    [
      'a partner’s name of two lines',
      { FUNDING_PARTNER_NAME: 'Rosa\nSupply' },
      'FUNDING_PARTNER_NAME holds a character that a header cannot carry',
    ],
    [
      'a partner’s id with a letter beyond ASCII',
      { FUNDING_PARTNER_ID: 'P-é' },
      'FUNDING_PARTNER_ID holds a character that a header cannot carry',
    ],
    ['an empty list of session keys', { SESSION_KEYS: ',' }, 'SESSION_KEYS holds no key'],
    ['an empty list of data keys', { DATA_KEYS: ' , ' }, 'DATA_KEYS holds no key'],
    ['an empty list of origins', { ALLOWED_ORIGINS: ',' }, 'ALLOWED_ORIGINS holds no origin'],
    ['no page at all', { ALLOWED_ORIGINS: '' }, 'ALLOWED_ORIGINS is not set'],
    [
      'a page of another site over http',
      { CROSS_SITE_ORIGINS: 'http://other.example' },
      'CROSS_SITE_ORIGINS is not https',
    ],
    [
      'a page that is on the same and on another site',
      { CROSS_SITE_ORIGINS: 'https://other.example https://partner.example/' },
      'CROSS_SITE_ORIGINS repeats an origin of ALLOWED_ORIGINS. Keep it in ALLOWED_ORIGINS when',
    ],
    [
      'the own origin as another site',
      { CROSS_SITE_ORIGINS: 'https://apply.partner.example' },
      'CROSS_SITE_ORIGINS holds the origin of PUBLIC_URL. Take it out',
    ],
    [
      'a public address on this machine, by another name',
      { PUBLIC_URL: 'https://apply.localhost' },
      'PUBLIC_URL points at this machine',
    ],
    ['a token that is short', { METRICS_TOKEN: 'fifteen-letters' }, 'METRICS_TOKEN is no token'],
    ['a token with a blank', { METRICS_TOKEN: 'two words, long' }, 'METRICS_TOKEN is no token'],
    [
      'a scanner at no address',
      { CLAMD_URL: 'localhost:3310' },
      'CLAMD_URL is no address of a scanner. Write for example tcp://localhost:3310',
    ],
    ['a port that is none', { BFF_PORT: '99999' }, 'BFF_PORT is no port'],
    [
      'a proxy that is no range',
      { TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/99' },
      'TRUSTED_PROXIES holds something that is no range',
    ],
    ['no proxy beside one', { TRUSTED_PROXIES: 'none 10.0.0.0/8' }, 'Write for example 10.0.0.0/8'],
    ['an empty list of proxies', { TRUSTED_PROXIES: ' , ' }, 'TRUSTED_PROXIES holds no range'],
  ];

  it.each(cases)('refuses %s', (_name, variables, expected) => {
    const problems = listProblems({ ...production, ...variables });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  it('asks for the notice to applicants who do not qualify, in each language, in production', () => {
    const listFor = (offers: object, environment = 'production') =>
      listProblems(
        { ...production, FUNDING_ENVIRONMENT: environment },
        {
          '/etc/funding/settings.json': JSON.stringify({ ...bilingual, offers }),
        },
      );
    const notice = { en: 'The creditor is …', es: 'El acreedor es …' };
    expect(listFor({ notQualifiedNotice: notice })).toEqual([]);
    expect(listFor({ noticeElsewhere: true })).toEqual([]);
    expect(listFor({ notQualifiedNotice: ' ' })).toEqual([
      'FUNDING_SETTINGS leaves offers.notQualifiedNotice empty, the notice to applicants who do not qualify (12 CFR 1002.9). Write the text your counsel approved, or set offers.noticeElsewhere to true where they get it by letter.',
    ]);
    for (const written of [notice.en, { en: notice.en, es: '' }, { en: '', es: notice.es }]) {
      expect(listFor({ notQualifiedNotice: written, noticeElsewhere: true })).toEqual([
        'FUNDING_SETTINGS offers a language that offers.notQualifiedNotice is not written in. Write it in each of locales, or set locales to ["en"].',
      ]);
    }
    expect(listFor({}, 'staging')).toEqual([]);
  });

  it('takes no placeholder for the notice, in any language', () => {
    const es = '[Texto provisional: reemplácelo antes de producción] El acreedor es …';
    const offers = { notQualifiedNotice: { en: 'The creditor is …', es } };
    const settings = JSON.stringify({ ...bilingual, offers });
    expect(listProblems(production, { '/etc/funding/settings.json': settings })).toEqual([
      'FUNDING_SETTINGS leaves the placeholder text of offers.notQualifiedNotice. Write the text your counsel approved.',
    ]);
  });
});
