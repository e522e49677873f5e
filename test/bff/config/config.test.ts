// The configuration: defaults of the sandbox, required values, and all problems at once.

import { describe, expect, it } from 'vitest';
import { describeMissingApplyPage, readServingParts } from '../../../bff/config/config.ts';
import defaultSettings from '../../../bff/config/default-settings.json' with { type: 'json' };
import type { Challenge, Hooks } from '../../../bff/config/hooks.ts';
import { developmentDataKey, developmentSessionKey } from '../../../bff/config/sandbox-defaults.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { createFullApplication } from '../../support/applications.ts';
import { listProblems, production, readValid, settings, strongKey } from './config-source.ts';

/** Avoids the problem of the missing notice. */
const offers = { noticeElsewhere: true };

const bilingual = {
  consents: defaultSettings.consents.map((consent) => ({
    ...consent,
    version: '2026-11',
    label: { en: 'I agree', es: 'Acepto' },
    text: { en: 'Our counsel wrote this.', es: 'Lo escribió nuestra asesoría legal.' },
  })),
};

describe('readConfig', () => {
  it('needs only FUNDING_ENVIRONMENT in the sandbox', () => {
    const config = readValid({ FUNDING_ENVIRONMENT: 'sandbox' });
    expect(config).toMatchObject({
      service: {
        authUrl: 'http://localhost:8082',
        baseUrl: 'http://localhost:8082/rest',
        clientId: 'sandbox-client',
        partnerName: 'Sandbox Partner',
      },
      allowedOrigins: ['http://localhost:8080'],
      publicOrigin: 'http://localhost:8081',
      databaseUrl: 'file:.data/store.db',
      port: 8081,
      settings: { bankConnection: 'demonstration' },
    });
  });

  it('uses the ports of npm start in the sandbox', () => {
    const ports = { PAGE_PORT: '1', BFF_PORT: '2', SANDBOX_PORT: '3' };
    expect(readValid({ FUNDING_ENVIRONMENT: 'sandbox', ...ports })).toMatchObject({
      service: { authUrl: 'http://localhost:3' },
      allowedOrigins: ['http://localhost:1'],
      publicOrigin: 'http://localhost:2',
      port: 2,
    });
  });

  it('accepts a complete production configuration', () => {
    const config = readValid(production);
    expect(config.service.baseUrl).toBe('https://api.service.example/rest');
    expect(config.allowedOrigins).toEqual([
      'https://www.partner.example',
      'https://partner.example',
    ]);
    expect(Object.keys(config.dataKeys.keys)).toEqual(['1', '2']);
    expect(config.dataKeys.currentId).toBe('2');
    expect(config.settings.bankConnection).toBe('off');
  });

  it.each([
    ['https://partner.example', ''],
    ['https://partner.example/', ''],
    ['https://partner.example/funding', '/funding'],
    ['https://partner.example/api/v2.1/funding/', '/api/v2.1/funding'],
  ])('reads the base path of %s', (PUBLIC_URL, basePath) => {
    expect(readValid({ ...production, PUBLIC_URL })).toMatchObject({
      publicUrl: `https://partner.example${basePath}`,
      publicOrigin: 'https://partner.example',
      basePath,
    });
  });

  it('accepts pages on other sites', () => {
    const CROSS_SITE_ORIGINS = 'https://www.other.example, https://third.example';
    const both = readValid({ ...production, CROSS_SITE_ORIGINS });
    expect(both.allowedOrigins).toHaveLength(2);
    expect(both.crossSiteOrigins).toEqual(['https://www.other.example', 'https://third.example']);
    const { ALLOWED_ORIGINS: _left, ...rest } = production;
    const others = readValid({ ...rest, CROSS_SITE_ORIGINS });
    expect(others.allowedOrigins).toEqual([]);
    expect(others.crossSiteOrigins).toEqual(both.crossSiteOrigins);
    expect(readValid(production).crossSiteOrigins).toEqual([]);
  });

  it('allows a default page in the sandbox only without CROSS_SITE_ORIGINS', () => {
    const sandbox = { FUNDING_ENVIRONMENT: 'sandbox' };
    expect(readValid(sandbox).allowedOrigins).toEqual(['http://localhost:8080']);
    const CROSS_SITE_ORIGINS = 'http://localhost:8080';
    const config = readValid({ ...sandbox, CROSS_SITE_ORIGINS });
    expect([config.allowedOrigins, config.crossSiteOrigins]).toEqual([[], [CROSS_SITE_ORIGINS]]);
  });

  it('makes the first data key the current one', () => {
    const DATA_KEYS = `1:${strongKey(3)},2:${strongKey(2)}`;
    expect(readValid({ ...production, DATA_KEYS }).dataKeys.currentId).toBe('1');
  });

  it('makes the first session key the current one', () => {
    const SESSION_KEYS = `1:${strongKey(4)},2:${strongKey(5)}`;
    const { keys, currentId } = readValid({ ...production, SESSION_KEYS }).sessionKeys;
    expect([currentId, Object.keys(keys)]).toEqual(['1', ['1', '2']]);
  });

  it('requires an environment', () => {
    expect(listProblems({ FUNDING_ENVIRONMENT: 'prod' })).toEqual([
      'FUNDING_ENVIRONMENT is not an environment. Set it to sandbox, staging, or production.',
    ]);
  });

  it('reports every missing variable once', () => {
    const problems = listProblems({ FUNDING_ENVIRONMENT: 'staging' });
    const names = problems.map((problem) => problem.split(' ')[0]);
    expect(names.sort()).toEqual([
      'ALLOWED_ORIGINS',
      'DATABASE_URL',
      'DATA_KEYS',
      'FUNDING_AUTH_URL',
      'FUNDING_BASE_URL',
      'FUNDING_CLIENT_ID',
      'FUNDING_CLIENT_SECRET',
      'FUNDING_PARTNER_ID',
      'FUNDING_PARTNER_NAME',
      'FUNDING_PASSWORD',
      'FUNDING_USERNAME',
      'PUBLIC_URL',
      'SESSION_KEYS',
      'TRUSTED_PROXIES',
    ]);
  });

  it('accepts only a UUID as STORE_ID', () => {
    const STORE_ID = ' 0199C0DE-0000-4000-8000-00000000000A ';
    expect(readValid({ ...production, STORE_ID }).storeId).toBe(STORE_ID.trim().toLowerCase());
    expect(readValid(production).storeId).toBeUndefined();
    expect(listProblems({ ...production, STORE_ID: '0199c0de' })).toEqual([
      'STORE_ID is not the id of a store. Copy the id from the output of "check".',
    ]);
  });

  it('never repeats a value', () => {
    const wrong = Object.fromEntries(Object.keys(production).map((name) => [name, 'canary-value']));
    const problems = listProblems({ ...wrong, FUNDING_ENVIRONMENT: 'production' });
    expect(problems.length).toBeGreaterThan(6);
    expect(problems.join('\n')).not.toContain('canary');
  });

  it('reads a secret from a file', () => {
    const { FUNDING_PASSWORD: _left, ...rest } = production;
    const config = readValid({ ...rest, FUNDING_PASSWORD_FILE: '/run/secrets/password' });
    expect(config.service.password).toBe('from-a-file');
  });

  it('requires TRUSTED_PROXIES outside the sandbox', () => {
    const read = (TRUSTED_PROXIES: string) =>
      readValid({ ...production, TRUSTED_PROXIES }).trustedProxies;
    expect(read('10.0.0.0/8, 192.0.2.7')).toEqual(['10.0.0.0/8', '192.0.2.7']);
    expect(read('none')).toEqual([]);
    const { TRUSTED_PROXIES: _left, ...rest } = production;
    expect(listProblems(rest)).toEqual([
      'TRUSTED_PROXIES is not set. Set it to the addresses or ranges of your proxies as the BFF sees them, or to none if browsers connect to the BFF directly.',
    ]);
    expect(readValid({ FUNDING_ENVIRONMENT: 'sandbox' }).trustedProxies).toEqual([]);
  });

  it('reads an optional CLAMD_URL', () => {
    const url = 'unix:/run/clamav/clamd.ctl';
    expect(readValid(production).clamdUrl).toBeUndefined();
    expect(readValid({ ...production, CLAMD_URL: url }).clamdUrl).toBe(url);
  });

  it('reads an optional webhook', () => {
    expect(readValid(production).webhook).toBeUndefined();
    const [url, one, two] = ['https://10.0.0.7/events?token=1', webhookSecret(1), webhookSecret(2)];
    const variables = { ...production, WEBHOOK_URL: url, WEBHOOK_SECRETS: `${two},\n${one}` };
    expect(readValid(variables).webhook).toEqual({ url, secrets: [two, one] });
  });

  it('reads an optional METRICS_TOKEN', () => {
    const token = 'sixteen-letters-';
    expect(readValid({ ...production, METRICS_TOKEN: ' ' }).metricsToken).toBeUndefined();
    expect(readValid({ ...production, METRICS_TOKEN: token }).metricsToken).toBe(token);
    const problems = listProblems({ ...production, METRICS_TOKEN_FILE: '/run/secrets/empty' });
    expect(problems).toEqual(['METRICS_TOKEN_FILE names an empty file. Write the value into it.']);
  });

  it('refuses default consents in production', () => {
    const problems = listProblems(production, { '/etc/funding/settings.json': '{}' });
    expect(problems).toHaveLength(defaultSettings.consents.length + 1);
    expect(problems[0]).toContain('a placeholder text in the consent credit-authorization');
  });

  it('refuses a placeholder in one language', () => {
    const consents = defaultSettings.consents.map((consent) => ({
      ...consent,
      version: '2026-11',
      text: { ...consent.text, en: 'Our counsel wrote this.' },
    }));
    const file = { '/etc/funding/settings.json': JSON.stringify({ offers, consents }) };
    expect(listProblems(production, file)).toHaveLength(4);
    expect(listProblems({ ...production, FUNDING_ENVIRONMENT: 'staging' }, file)).toEqual([]);
  });

  it('refuses a consent without a translation', () => {
    const file = {
      '/etc/funding/settings.json': JSON.stringify({ ...settings, offers, locales: ['en', 'es'] }),
    };
    const problems = listProblems(production, file);
    expect(problems).toHaveLength(settings.consents.length);
    expect(problems[0]).toMatch(
      /lacks a translation of the consent .*\. Translate its label, its text,/,
    );
  });

  it('refuses a consent label without a translation', () => {
    const text = { en: 'Our counsel wrote this.', es: 'Lo escribió nuestra asesoría legal.' };
    const write = (label: unknown) => ({
      '/etc/funding/settings.json': JSON.stringify({
        offers,
        consents: defaultSettings.consents.map((consent) => ({
          ...consent,
          version: '2026-11',
          text,
          label,
        })),
      }),
    });
    expect(listProblems(production, write('I agree'))).toHaveLength(
      defaultSettings.consents.length,
    );
    expect(listProblems(production, write({ en: 'I agree', es: 'Acepto' }))).toEqual([]);
  });

  it('refuses the demonstration bank in production only', () => {
    const file = {
      '/etc/funding/settings.json': JSON.stringify({
        ...settings,
        bankConnection: 'demonstration',
        aggregatorName: 'FinLink',
      }),
    };
    expect(listProblems(production, file)).toEqual([
      'FUNDING_SETTINGS uses the demonstration bank. Set bankConnection to off or host.',
    ]);
    expect(listProblems({ ...production, FUNDING_ENVIRONMENT: 'staging' }, file)).toEqual([]);
  });

  it('accepts a host that only begins with localhost', () => {
    expect(listProblems({ ...production, PUBLIC_URL: 'https://localhosting.com' })).toEqual([]);
  });

  it('requires aggregatorName for a bank connection', () => {
    const listFor = (changes: object) =>
      listProblems(production, {
        '/etc/funding/settings.json': JSON.stringify({ ...settings, ...changes }),
      });
    expect(listFor({ bankConnection: 'host' })).toEqual([
      'FUNDING_SETTINGS connects banks, but aggregatorName is not set. Set it to the name that the funding service uses, or set bankConnection to off.',
    ]);
    expect(listFor({ bankConnection: 'host', aggregatorName: 'FinLink' })).toEqual([]);
    expect(listFor({ bankConnection: 'off' })).toEqual([]);
  });

  it('refuses a pattern that is invalid with the Unicode flag', () => {
    const text = JSON.stringify({ ...settings, serviceTexts: { duplicate: ['already\\-there'] } });
    const problems = listProblems(production, { '/etc/funding/settings.json': text });
    expect(problems.join()).toContain('serviceTexts.duplicate.0 must be a regular expression');
  });

  it('reports every error of the settings file with its path', () => {
    const text = JSON.stringify({
      ...settings,
      documents: { maxBytes: 0, color: 'red' },
      businessTypes: [],
      serviceTexts: { duplicate: ['('] },
    });
    const problems = listProblems(production, { '/etc/funding/settings.json': text });
    expect(problems.join('\n')).toContain('documents.maxBytes must be at least 1');
    expect(problems.join('\n')).toContain('documents.color is not a setting. Remove it.');
    expect(problems.join('\n')).toContain('businessTypes must not be empty');
    expect(problems.join('\n')).toContain('serviceTexts.duplicate.0 must be a regular expression');
  });

  it('requires maxTotalBytes to be at least maxBytes', () => {
    const { maxBytes, maxFiles, maxTotalBytes, extensions } =
      readValid(production).settings.documents;
    expect([maxBytes, maxFiles, maxTotalBytes]).toEqual([10_485_760, 20, 62_914_560]);
    expect(extensions).toEqual(['pdf', 'jpg', 'jpeg', 'png']);
    const text = JSON.stringify({ ...settings, documents: { maxTotalBytes: 10_485_759 } });
    expect(listProblems(production, { '/etc/funding/settings.json': text }).join('\n')).toContain(
      'documents.maxTotalBytes must be at least maxBytes',
    );
  });

  it('checks the retention periods', () => {
    const kept = { recordDays: 30, undeliveredDays: 30, rejectedDays: 7, evidenceDays: 1825 };
    expect(readValid(production).settings.retention).toEqual(kept);
    const listFor = (retention: object) => {
      const text = JSON.stringify({ ...settings, retention });
      return listProblems(production, { '/etc/funding/settings.json': text }).join('\n');
    };
    expect(listFor({ recordDays: 2, undeliveredDays: 4, rejectedDays: 0, evidenceDays: 4 })).toBe(
      '',
    );
    expect(listFor({ recordDays: 1 })).toContain('retention.recordDays must be at least 2');
    // A session shows the record, so the record must not end before the session.
    const tooShortDays = Math.ceil(sessionLifetime.maxSeconds / 86_400) - 1;
    expect(listFor({ recordDays: tooShortDays })).toContain('retention.recordDays must be');
    expect(listFor({ undeliveredDays: 3 })).toContain(
      'retention.undeliveredDays must be at least 4',
    );
    expect(listFor({ undeliveredDays: 40, evidenceDays: 39 })).toContain(
      'retention.evidenceDays must be at least recordDays, undeliveredDays, and rejectedDays',
    );
  });

  it('refuses a settings file that is not JSON', () => {
    expect(listProblems(production, { '/etc/funding/settings.json': '{' })).toEqual([
      'FUNDING_SETTINGS names an invalid file: line 1, column 2 ends too early. Add the missing value and brackets.',
    ]);
  });

  const cases: [string, Record<string, string>, string][] = [
    [
      'a secret that is set twice',
      { FUNDING_PASSWORD_FILE: '/run/secrets/password' },
      'FUNDING_PASSWORD and FUNDING_PASSWORD_FILE are both set. Unset one of them.',
    ],
    [
      'a secret in a missing file',
      { SESSION_KEYS: '', SESSION_KEYS_FILE: '/nowhere' },
      'SESSION_KEYS_FILE names a file that cannot be read',
    ],
    [
      'a secret in an empty file',
      { DATA_KEYS: '', DATA_KEYS_FILE: '/run/secrets/empty' },
      'DATA_KEYS_FILE names an empty file',
    ],
    [
      'a missing settings file',
      { FUNDING_SETTINGS: '/nowhere' },
      'FUNDING_SETTINGS names a file that cannot be read',
    ],
    [
      'a funding service over http',
      { FUNDING_BASE_URL: 'http://api.service.example' },
      'FUNDING_BASE_URL is not an https URL',
    ],
    [
      'a funding service on this machine',
      { FUNDING_AUTH_URL: 'https://localhost:8082' },
      'FUNDING_AUTH_URL points to this machine',
    ],
    [
      'a base URL with a query',
      { FUNDING_BASE_URL: 'https://a.example/?x=1' },
      'FUNDING_BASE_URL is not a plain URL',
    ],
    [
      'a public URL over http',
      { PUBLIC_URL: 'http://apply.partner.example' },
      'PUBLIC_URL is not an https URL',
    ],
    [
      'a public URL with a query',
      { PUBLIC_URL: 'https://partner.example/?apply' },
      'PUBLIC_URL has a path that is not plain',
    ],
    [
      'a public URL with an encoded path',
      { PUBLIC_URL: 'https://partner.example/%61pply' },
      'PUBLIC_URL has a path that is not plain',
    ],
    [
      'a public URL below a folder of the element',
      { PUBLIC_URL: 'https://partner.example/widget' },
      'PUBLIC_URL has a path that is not plain',
    ],
    [
      'a public URL without a host',
      { PUBLIC_URL: 'partner.example/funding' },
      'PUBLIC_URL contains an origin without a scheme',
    ],
    [
      'an origin over http',
      { ALLOWED_ORIGINS: 'http://partner.example' },
      'ALLOWED_ORIGINS is not an https URL',
    ],
    [
      'an origin that is a pattern',
      { ALLOWED_ORIGINS: 'https://*.partner.example/x' },
      'ALLOWED_ORIGINS contains a wildcard',
    ],
    [
      'a secret of the sandbox',
      { FUNDING_CLIENT_SECRET: 'sandbox-secret' },
      "FUNDING_CLIENT_SECRET has the sandbox's value",
    ],
    [
      'the development key for sessions',
      { SESSION_KEYS: `1:${developmentSessionKey}` },
      'SESSION_KEYS contains a development key',
    ],
    [
      'the development key for data',
      { DATA_KEYS: `1:${developmentDataKey}` },
      'DATA_KEYS contains a development key',
    ],
    [
      'a short key',
      { DATA_KEYS: `1:${Buffer.from('short').toString('base64')}` },
      'DATA_KEYS contains a weak key',
    ],
    [
      'a key with one repeated byte',
      { SESSION_KEYS: `1:${Buffer.alloc(32, 'a').toString('base64')}` },
      'SESSION_KEYS contains a weak key',
    ],
    [
      'a key without an id',
      { SESSION_KEYS: strongKey(1) },
      'SESSION_KEYS contains a key without an id',
    ],
    [
      'two keys with one id',
      { SESSION_KEYS: `1:${strongKey(1)},1:${strongKey(9)}` },
      'SESSION_KEYS contains an id twice',
    ],
    [
      'a key id with a leading zero',
      { SESSION_KEYS: `01:${strongKey(1)}` },
      'SESSION_KEYS contains an id with a leading zero. Write 1 instead of 01.',
    ],
    ['a key shared by both lists', { DATA_KEYS: `1:${strongKey(1)}` }, 'DATA_KEYS shares a key'],
    [
      'a partner name with a curly apostrophe',
      { FUNDING_PARTNER_NAME: 'Rosa’s Supply' },
      'FUNDING_PARTNER_NAME contains a character that is not valid in an HTTP header',
    ],
    [
      'a partner name with two lines',
      { FUNDING_PARTNER_NAME: 'Rosa\nSupply' },
      'FUNDING_PARTNER_NAME contains a character that is not valid in an HTTP header',
    ],
    [
      'a partner id with a letter beyond ASCII',
      { FUNDING_PARTNER_ID: 'P-é' },
      'FUNDING_PARTNER_ID contains a character that is not valid in an HTTP header',
    ],
    ['an empty list of session keys', { SESSION_KEYS: ',' }, 'SESSION_KEYS contains no key'],
    ['an empty list of data keys', { DATA_KEYS: ' , ' }, 'DATA_KEYS contains no key'],
    ['an empty list of origins', { ALLOWED_ORIGINS: ',' }, 'ALLOWED_ORIGINS contains no origin'],
    ['no origin at all', { ALLOWED_ORIGINS: '' }, 'ALLOWED_ORIGINS is not set'],
    [
      'a cross-site origin over http',
      { CROSS_SITE_ORIGINS: 'http://other.example' },
      'CROSS_SITE_ORIGINS is not an https URL',
    ],
    [
      'an origin in both lists',
      { CROSS_SITE_ORIGINS: 'https://other.example https://partner.example/' },
      'CROSS_SITE_ORIGINS repeats an origin of ALLOWED_ORIGINS. List it in ALLOWED_ORIGINS only if',
    ],
    [
      'the BFF’s own origin as another site',
      { CROSS_SITE_ORIGINS: 'https://apply.partner.example' },
      'CROSS_SITE_ORIGINS contains the origin of PUBLIC_URL. Remove it',
    ],
    [
      'a public URL on a subdomain of localhost',
      { PUBLIC_URL: 'https://apply.localhost' },
      'PUBLIC_URL points to this machine',
    ],
    ...listWebhookProblems(),
    ['a short token', { METRICS_TOKEN: 'fifteen-letters' }, 'METRICS_TOKEN is not a token'],
    ['a token with a space', { METRICS_TOKEN: 'two words, long' }, 'METRICS_TOKEN is not a token'],
    [
      'a scanner without a scheme',
      { CLAMD_URL: 'localhost:3310' },
      'CLAMD_URL is not the address of a scanner. Use tcp://host:3310',
    ],
    ['an invalid port', { BFF_PORT: '99999' }, 'BFF_PORT is not a port'],
    [
      'an invalid proxy range',
      { TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/99' },
      'TRUSTED_PROXIES contains an invalid CIDR range',
    ],
    ['none next to a proxy', { TRUSTED_PROXIES: 'none 10.0.0.0/8' }, 'or set it to none.'],
    ['an empty list of proxies', { TRUSTED_PROXIES: ' , ' }, 'TRUSTED_PROXIES contains no address'],
  ];

  it.each(cases)('refuses %s', (_name, variables, expected) => {
    const problems = listProblems({ ...production, ...variables });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  it('requires notQualifiedNotice in every language in production', () => {
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
      'FUNDING_SETTINGS lacks offers.notQualifiedNotice, the notice to applicants who do not qualify (12 CFR 1002.9). Use the text that your counsel approved, or set offers.noticeElsewhere to true if applicants get the notice another way.',
    ]);
    for (const written of [notice.en, { en: notice.en, es: '' }, { en: '', es: notice.es }]) {
      expect(listFor({ notQualifiedNotice: written, noticeElsewhere: true })).toEqual([
        'FUNDING_SETTINGS lacks a translation of offers.notQualifiedNotice. Translate it, or set locales to ["en"].',
      ]);
    }
    expect(listFor({}, 'staging')).toEqual([]);
  });

  it('refuses a placeholder in notQualifiedNotice', () => {
    const es = '[Texto provisional: reemplácelo antes de producción] El acreedor es …';
    const offers = { notQualifiedNotice: { en: 'The creditor is …', es } };
    const settings = JSON.stringify({ ...bilingual, offers });
    expect(listProblems(production, { '/etc/funding/settings.json': settings })).toEqual([
      'FUNDING_SETTINGS has a placeholder text in offers.notQualifiedNotice. Use the text that your counsel approved.',
    ]);
  });

  it('refuses a placeholder in creditCheckNotice', () => {
    const creditCheckNotice = '[Placeholder – replace before production] Applying …';
    const offers = { noticeElsewhere: true };
    const settings = JSON.stringify({ ...bilingual, offers, creditCheckNotice });
    expect(listProblems(production, { '/etc/funding/settings.json': settings })).toEqual([
      'FUNDING_SETTINGS has a placeholder text in creditCheckNotice. Use the text that your counsel approved, or remove it.',
    ]);
  });
});

const withChallenge = {
  ...production,
  CHALLENGE_PROVIDER: 'hcaptcha',
  CHALLENGE_SITE_KEY: 'site-key',
  CHALLENGE_SECRET: 'secret-canary',
};

describe('readConfig with a challenge', () => {
  it('has no challenge by default', () => {
    expect(readValid(production).challenge).toBeUndefined();
  });

  it.each([
    ['hcaptcha', 'https://api.hcaptcha.com/siteverify'],
    ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
  ])('knows the verification URL of %s', (provider, verifyUrl) => {
    const { challenge } = readValid({ ...withChallenge, CHALLENGE_PROVIDER: provider });
    expect(challenge).toEqual({
      provider,
      siteKey: 'site-key',
      secret: 'secret-canary',
      verifyUrl,
    });
  });

  it('accepts another verification URL', () => {
    const url = 'https://siteverify.partner.example/check';
    expect(readValid({ ...withChallenge, CHALLENGE_VERIFY_URL: url }).challenge?.verifyUrl).toBe(
      url,
    );
  });

  it.each([
    [
      'an unknown provider',
      { CHALLENGE_PROVIDER: 'recaptcha' },
      'CHALLENGE_PROVIDER is not a known provider',
    ],
    ['no site key', { CHALLENGE_SITE_KEY: '' }, 'CHALLENGE_SITE_KEY is not set'],
    ['no secret', { CHALLENGE_SECRET: '' }, 'CHALLENGE_SECRET is not set'],
    [
      'a verification URL over http',
      { CHALLENGE_VERIFY_URL: 'http://a.example' },
      'CHALLENGE_VERIFY_URL is not an https URL',
    ],
    ['a secret without a provider', { CHALLENGE_PROVIDER: '' }, 'CHALLENGE_PROVIDER is not set'],
  ])('refuses %s', (_name, changes, problem) => {
    const problems = listProblems({ ...withChallenge, ...changes });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join('')).not.toContain('secret-canary');
  });

  it.each([
    ['CHALLENGE_SITE_KEY', 'site-key'],
    ['CHALLENGE_SECRET', 'secret-canary'],
    ['CHALLENGE_VERIFY_URL', 'https://siteverify.partner.example/check'],
  ])('refuses %s without a provider', (name, value) => {
    expect(listProblems({ ...production, [name]: value })).toEqual([
      expect.stringContaining('CHALLENGE_PROVIDER is not set, but other'),
    ]);
  });
});

const sandbox = { FUNDING_ENVIRONMENT: 'sandbox', WIDGET_FOLDER: 'none' };
const hooks = 'examples/hooks/hooks.ts';

describe('readServingParts', () => {
  it('returns configuration, widget, and hooks', async () => {
    expect(await read({ ...sandbox, BFF_HOOKS: hooks })).toMatchObject({
      config: { environment: 'sandbox' },
      widget: undefined,
      hooks: { enrichLead: expect.any(Function) },
    });
  });

  it('reports the problems of all parts at once', async () => {
    const result = await read({
      ...sandbox,
      CLAMD_URL: 'nowhere',
      WIDGET_FOLDER: '/nowhere',
      BFF_HOOKS: 'examples/hooks/nothing.mjs',
    });
    const problems = 'problems' in result ? result.problems : [];
    const names = problems.map((problem) => problem.split(' ')[0]);
    expect(names).toEqual(['CLAMD_URL', 'WIDGET_FOLDER', 'BFF_HOOKS']);
    expect(problems[2]).toContain('(ERR_MODULE_NOT_FOUND)');
  });
});

describe('describeMissingApplyPage', () => {
  const challenge: Challenge = { provider: 'own', siteKey: 'site', verify: async () => 'passed' };
  const widget = { directory: '', name: '1.2.3-9c40', files: new Map(), warnings: [] };
  const config = readValid(withChallenge);
  const { page } = config.settings;

  it.each([
    ['the configuration', { config, widget, hooks: {} }],
    ['a hook', { config: readValid(production), widget, hooks: { challenge } }],
  ])('tells the operator that a challenge of %s turns /apply off', (_source, parts) => {
    expect(describeMissingApplyPage(parts)).toContain('The page /apply is off');
  });

  it.each([
    ['a challenge', { config: readValid(production), widget, hooks: {} }],
    ['the element', { config, widget: undefined, hooks: {} }],
    [
      'page.apply',
      {
        config: { ...config, settings: { ...config.settings, page: { ...page, apply: false } } },
        widget,
        hooks: {},
      },
    ],
  ])('is silent without %s', (_missing, parts) => {
    expect(describeMissingApplyPage(parts)).toBeUndefined();
  });
});

describe('the hook in examples/hooks', () => {
  it('sets IndustryNaics for an unambiguous industry', async () => {
    const { enrichLead }: Hooks = await import('../../../examples/hooks/hooks.ts');
    const application = createFullApplication();
    const { signal } = new AbortController();
    const ask = (industry: 'Roofing' | 'Retail') =>
      enrichLead?.({ ...application, business: { ...application.business, industry } }, signal);
    expect(ask('Roofing')).toEqual({ IndustryNaics: '238160' });
    expect(ask('Retail')).toEqual({});
  });
});

function read(given: Readonly<Record<string, string>>) {
  return readServingParts({
    variables: given,
    readFile: () => {
      throw new Error('ENOENT');
    },
  });
}

function webhookSecret(seed: number): string {
  return `whsec_${strongKey(seed)}`;
}

function listWebhookProblems(): [string, Record<string, string>, string][] {
  const [url, secret] = ['https://crm.partner.example/events', webhookSecret(1)];
  const refused = (changes: Record<string, string>) => ({
    WEBHOOK_URL: url,
    WEBHOOK_SECRETS: secret,
    ...changes,
  });
  const create = 'Write whsec_ and 24 to 64 random bytes in Base64.';
  return [
    [
      'a webhook without https',
      refused({ WEBHOOK_URL: 'http://crm.partner.example' }),
      'WEBHOOK_URL is not an https URL',
    ],
    [
      'a webhook with a password',
      refused({ WEBHOOK_URL: 'https://a:b@crm.partner.example' }),
      'WEBHOOK_URL is not a URL of a webhook. Use https://host/path, without a user',
    ],
    [
      'a webhook without a scheme',
      refused({ WEBHOOK_URL: 'crm.partner.example/x' }),
      'WEBHOOK_URL is not a URL of a webhook',
    ],
    ['a webhook without secrets', { WEBHOOK_URL: url }, `WEBHOOK_SECRETS is not set. ${create}`],
    [
      'secrets without a webhook',
      { WEBHOOK_SECRETS: secret },
      'WEBHOOK_URL is not set. Set it, or unset WEBHOOK_SECRETS.',
    ],
    [
      'a secret without its prefix',
      refused({ WEBHOOK_SECRETS: strongKey(1) }),
      `WEBHOOK_SECRETS is not a list of secrets. ${create}`,
    ],
    [
      'a short secret',
      refused({ WEBHOOK_SECRETS: `whsec_${Buffer.alloc(16, 7).toString('base64')}` }),
      'WEBHOOK_SECRETS is not a list of secrets',
    ],
    [
      'a typed secret',
      refused({ WEBHOOK_SECRETS: `whsec_${Buffer.alloc(32, 'secret').toString('base64')}` }),
      'WEBHOOK_SECRETS contains a weak secret',
    ],
    [
      'a secret twice',
      refused({ WEBHOOK_SECRETS: `${secret} ${secret}` }),
      'WEBHOOK_SECRETS contains a secret twice',
    ],
  ];
}
