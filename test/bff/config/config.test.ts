// The configuration: what the sandbox assumes, what is asked for, and that all problems are told at once.

import { describe, expect, it } from 'vitest';
import { defaultConsents } from '../../../bff/config/default-settings.ts';
import { listProblems, production, readValid, settings, strongKey } from './config-source.ts';

/** So that nothing else is missing. */
const offers = { noticeElsewhere: true };

describe('the configuration', () => {
  it('needs nothing but the environment’s name in the sandbox', () => {
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

  it('follows the ports of the other processes in the sandbox', () => {
    const ports = { PAGE_PORT: '1', BFF_PORT: '2', SANDBOX_PORT: '3' };
    expect(readValid({ FUNDING_ENVIRONMENT: 'sandbox', ...ports })).toMatchObject({
      service: { authUrl: 'http://localhost:3' },
      allowedOrigins: ['http://localhost:1'],
      publicOrigin: 'http://localhost:2',
      port: 2,
    });
  });

  it('takes a whole production configuration', () => {
    const config = readValid(production);
    expect(config.service.baseUrl).toBe('https://api.service.example/rest');
    expect(config.allowedOrigins).toEqual([
      'https://www.partner.example',
      'https://partner.example',
    ]);
    expect(Object.keys(config.dataKeys)).toEqual(['1', '2']);
    expect(config.dataKeyId).toBe('2');
    expect(config.settings.bankConnection).toBe('off');
  });

  it('may have its pages on other sites only, or on both', () => {
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

  it('assumes the usual page in the sandbox, but not beside pages of other sites', () => {
    const sandbox = { FUNDING_ENVIRONMENT: 'sandbox' };
    expect(readValid(sandbox).allowedOrigins).toEqual(['http://localhost:8080']);
    const CROSS_SITE_ORIGINS = 'http://localhost:8080';
    const config = readValid({ ...sandbox, CROSS_SITE_ORIGINS });
    expect([config.allowedOrigins, config.crossSiteOrigins]).toEqual([[], [CROSS_SITE_ORIGINS]]);
  });

  it('wraps with the data key that stands first, whatever its number', () => {
    const DATA_KEYS = `1:${strongKey(3)},2:${strongKey(2)}`;
    expect(readValid({ ...production, DATA_KEYS }).dataKeyId).toBe('1');
  });

  it('seals with the session key that stands first, whatever its number', () => {
    const SESSION_KEYS = `1:${strongKey(4)},2:${strongKey(5)}`;
    const config = readValid({ ...production, SESSION_KEYS });
    expect([config.sessionKeyId, Object.keys(config.sessionKeys)]).toEqual(['1', ['1', '2']]);
  });

  it('asks for an environment first', () => {
    expect(listProblems({ FUNDING_ENVIRONMENT: 'prod' })).toEqual([
      'FUNDING_ENVIRONMENT is not set to an environment. Set it to sandbox, staging or production.',
    ]);
  });

  it('tells everything that is missing at once, each thing once', () => {
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

  it('takes the id of a store in any case, and nothing else', () => {
    const STORE_ID = ' 0199C0DE-0000-4000-8000-00000000000A ';
    expect(readValid({ ...production, STORE_ID }).storeId).toBe(STORE_ID.trim().toLowerCase());
    expect(readValid(production).storeId).toBeUndefined();
    expect(listProblems({ ...production, STORE_ID: '0199c0de' })).toEqual([
      'STORE_ID is not the id of a store. Copy the id from the output of check.',
    ]);
  });

  it('never tells a value', () => {
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

  it('has to know what stands before it, outside of the sandbox', () => {
    const read = (TRUSTED_PROXIES: string) =>
      readValid({ ...production, TRUSTED_PROXIES }).trustedProxies;
    expect(read('10.0.0.0/8, 192.0.2.7')).toEqual(['10.0.0.0/8', '192.0.2.7']);
    expect(read('none')).toEqual([]);
    const { TRUSTED_PROXIES: _left, ...rest } = production;
    expect(listProblems(rest)).toEqual([
      'TRUSTED_PROXIES is not set. Set it to the addresses or ranges of what stands before the BFF, as the BFF sees them, or to none where browsers reach the BFF itself.',
    ]);
    expect(readValid({ FUNDING_ENVIRONMENT: 'sandbox' }).trustedProxies).toEqual([]);
  });

  it('may do without a virus scanner, or read its address', () => {
    const url = 'unix:/run/clamav/clamd.ctl';
    expect(readValid(production).clamdUrl).toBeUndefined();
    expect(readValid({ ...production, CLAMD_URL: url }).clamdUrl).toBe(url);
  });

  it('may do without a token for the metrics, or read one', () => {
    const token = 'sixteen-letters-';
    expect(readValid({ ...production, METRICS_TOKEN: ' ' }).metricsToken).toBeUndefined();
    expect(readValid({ ...production, METRICS_TOKEN: token }).metricsToken).toBe(token);
    const problems = listProblems({ ...production, METRICS_TOKEN_FILE: '/run/secrets/empty' });
    expect(problems).toEqual(['METRICS_TOKEN_FILE names an empty file. Write the secret into it.']);
  });

  it('refuses placeholder consents in production, by their names', () => {
    const problems = listProblems(production, { '/etc/funding/settings.json': '{}' });
    expect(problems).toHaveLength(defaultConsents.length + 1);
    expect(problems[0]).toContain('the placeholder text of the consent credit-authorization');
  });

  it('refuses a placeholder that was left in one of the languages', () => {
    const consents = defaultConsents.map((consent) => ({
      ...consent,
      version: '2026-11',
      text: { ...consent.text, en: 'Our counsel wrote this.' },
    }));
    const file = { '/etc/funding/settings.json': JSON.stringify({ offers, consents }) };
    expect(listProblems(production, file)).toHaveLength(4);
    expect(listProblems({ ...production, FUNDING_ENVIRONMENT: 'staging' }, file)).toEqual([]);
  });

  it('refuses a consent that is not written in a language the form offers', () => {
    const file = {
      '/etc/funding/settings.json': JSON.stringify({ ...settings, offers, locales: ['en', 'es'] }),
    };
    const problems = listProblems(production, file);
    expect(problems).toHaveLength(settings.consents.length);
    expect(problems[0]).toMatch(/is not written in. Write its label and its text in each of/);
  });

  it('refuses a consent whose label is one for all languages above a text in each', () => {
    const text = { en: 'Our counsel wrote this.', es: 'Lo escribió nuestra asesoría legal.' };
    const write = (label: unknown) => ({
      '/etc/funding/settings.json': JSON.stringify({
        offers,
        consents: defaultConsents.map((consent) => ({
          ...consent,
          version: '2026-11',
          text,
          label,
        })),
      }),
    });
    expect(listProblems(production, write('I agree'))).toHaveLength(defaultConsents.length);
    expect(listProblems(production, write({ en: 'I agree', es: 'Acepto' }))).toEqual([]);
  });

  it('refuses the demonstration bank in production, and takes it in staging', () => {
    const file = {
      '/etc/funding/settings.json': JSON.stringify({
        ...settings,
        bankConnection: 'demonstration',
        aggregatorName: 'FinLink',
      }),
    };
    expect(listProblems(production, file)).toEqual([
      'FUNDING_SETTINGS asks for the demonstration bank. Set bankConnection to off or host.',
    ]);
    expect(listProblems({ ...production, FUNDING_ENVIRONMENT: 'staging' }, file)).toEqual([]);
  });

  it('takes a name that only begins as this machine’s does', () => {
    expect(listProblems({ ...production, PUBLIC_URL: 'https://localhosting.com' })).toEqual([]);
  });

  it('asks for the aggregator’s name where banks are connected, and nowhere else', () => {
    const listFor = (changes: object) =>
      listProblems(production, {
        '/etc/funding/settings.json': JSON.stringify({ ...settings, ...changes }),
      });
    expect(listFor({ bankConnection: 'host' })).toEqual([
      "FUNDING_SETTINGS connects banks and leaves aggregatorName at its default. Set it to the name from the service's operator, or bankConnection to off.",
    ]);
    expect(listFor({ bankConnection: 'host', aggregatorName: 'FinLink' })).toEqual([]);
    expect(listFor({ bankConnection: 'off' })).toEqual([]);
  });

  it('refuses a pattern that is one only without the Unicode rules it is used with', () => {
    const text = JSON.stringify({ ...settings, serviceTexts: { duplicate: ['already\\-there'] } });
    const problems = listProblems(production, { '/etc/funding/settings.json': text });
    expect(problems.join()).toContain('serviceTexts.duplicate.0: is no regular expression');
  });

  it('tells every mistake of the settings by its path', () => {
    const text = JSON.stringify({
      ...settings,
      documents: { maxBytes: 0, colour: 'red' },
      businessTypes: [],
      serviceTexts: { duplicate: ['('] },
    });
    const problems = listProblems(production, { '/etc/funding/settings.json': text });
    expect(problems.join('\n')).toContain('documents.maxBytes: must not be less than 1');
    expect(problems.join('\n')).toContain('documents: unknown: colour');
    expect(problems.join('\n')).toContain('businessTypes: must not be less than 1');
    expect(problems.join('\n')).toContain('serviceTexts.duplicate.0: is no regular expression');
  });

  it('gives all documents of an application more room than one of them', () => {
    const { maxBytes, maxFiles, maxTotalBytes, extensions } =
      readValid(production).settings.documents;
    expect([maxBytes, maxFiles, maxTotalBytes]).toEqual([10_485_760, 20, 62_914_560]);
    expect(extensions).toEqual(['pdf', 'jpg', 'jpeg', 'png']);
    const text = JSON.stringify({ ...settings, documents: { maxTotalBytes: 10_485_759 } });
    expect(listProblems(production, { '/etc/funding/settings.json': text }).join('\n')).toContain(
      'documents.maxTotalBytes: must not be less than maxBytes',
    );
  });

  it('keeps what was sent for a month and consents for five years, unless told otherwise', () => {
    const kept = { recordDays: 30, undeliveredDays: 30, rejectedDays: 7, evidenceDays: 1825 };
    expect(readValid(production).settings.retention).toEqual(kept);
    const listFor = (retention: object) => {
      const text = JSON.stringify({ ...settings, retention });
      return listProblems(production, { '/etc/funding/settings.json': text }).join('\n');
    };
    expect(listFor({ recordDays: 2, undeliveredDays: 4, rejectedDays: 0, evidenceDays: 4 })).toBe(
      '',
    );
    // A session that shows them lives a day; the service is asked for three.
    expect(listFor({ recordDays: 1 })).toContain('retention.recordDays: must not be less than 2');
    expect(listFor({ undeliveredDays: 3 })).toContain(
      'retention.undeliveredDays: must not be less than 4',
    );
    expect(listFor({ undeliveredDays: 40, evidenceDays: 39 })).toContain(
      'retention.evidenceDays: must not be less than recordDays, undeliveredDays and rejectedDays',
    );
  });

  it('tells that the settings are no JSON', () => {
    const problems = listProblems(production, { '/etc/funding/settings.json': '{' });
    expect(problems.join()).toContain('is no JSON');
  });
});
