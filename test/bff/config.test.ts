// The configuration: what the sandbox assumes, what is asked for, and that all problems are told at once.

import { describe, expect, it } from 'vitest';
import { readConfig, type Config } from '../../bff/config.ts';
import { defaultConsents } from '../../bff/default-choices.ts';
import { developmentDataKey, developmentSessionKey } from '../../bff/sandbox-defaults.ts';

const strongKey = (seed: number) =>
  Buffer.from(Array.from({ length: 32 }, (_none, index) => (index * 37 + seed) % 256)).toString(
    'base64',
  );

const production = {
  FUNDING_ENVIRONMENT: 'production',
  FUNDING_AUTH_URL: 'https://login.service.example',
  FUNDING_BASE_URL: 'https://api.service.example/rest/',
  FUNDING_CLIENT_ID: 'client',
  FUNDING_CLIENT_SECRET: 'secret-1234',
  FUNDING_USERNAME: 'user@partner.example',
  FUNDING_PASSWORD: 'pass-1234',
  FUNDING_PARTNER_ID: 'P-7',
  FUNDING_PARTNER_NAME: 'Partner',
  ALLOWED_ORIGINS: 'https://www.partner.example, https://partner.example',
  PUBLIC_URL: 'https://apply.partner.example',
  SESSION_KEYS: `1:${strongKey(1)}`,
  DATA_KEYS: `2:${strongKey(2)}\n1:${strongKey(3)}`,
  JOURNAL_URL: 'file:/var/lib/funding/journal.db',
  FUNDING_SETTINGS: '/etc/funding/settings.json',
};

const settings = {
  consents: defaultConsents.map((consent) => ({
    ...consent,
    version: '2026-11',
    text: 'Our counsel wrote this.',
  })),
};

const files: Record<string, string> = {
  '/etc/funding/settings.json': JSON.stringify(settings),
  '/run/secrets/password': 'from-a-file\n',
  '/run/secrets/empty': '\n',
};

function read(variables: Readonly<Record<string, string>>, more: Record<string, string> = {}) {
  return readConfig({
    variables,
    readFile: (path) => {
      const text = { ...files, ...more }[path];
      if (text === undefined) throw new Error('ENOENT');
      return text;
    },
  });
}

function readValid(variables: Readonly<Record<string, string>>): Config {
  const result = read(variables);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.config;
}

function listProblems(
  variables: Readonly<Record<string, string>>,
  more?: Record<string, string>,
): readonly string[] {
  const result = read(variables, more);
  return 'problems' in result ? result.problems : [];
}

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
      journalUrl: 'file:.data/journal.db',
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
    expect(config.settings.bankConnection).toBe('off');
  });

  it('asks for an environment first', () => {
    expect(listProblems({ FUNDING_ENVIRONMENT: 'prod' })).toEqual([
      'FUNDING_ENVIRONMENT is not set to an environment. Set it to sandbox, staging, production.',
    ]);
  });

  it('tells everything that is missing at once, each thing once', () => {
    const problems = listProblems({ FUNDING_ENVIRONMENT: 'staging' });
    const names = problems.map((problem) => problem.split(' ')[0]);
    expect(names.sort()).toEqual([
      'ALLOWED_ORIGINS',
      'DATA_KEYS',
      'FUNDING_AUTH_URL',
      'FUNDING_BASE_URL',
      'FUNDING_CLIENT_ID',
      'FUNDING_CLIENT_SECRET',
      'FUNDING_PARTNER_ID',
      'FUNDING_PARTNER_NAME',
      'FUNDING_PASSWORD',
      'FUNDING_USERNAME',
      'JOURNAL_URL',
      'PUBLIC_URL',
      'SESSION_KEYS',
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
    ['one key for both', { DATA_KEYS: `1:${strongKey(1)}` }, 'DATA_KEYS shares a key'],
    [
      'a journal that is no file',
      { JOURNAL_URL: 'postgres://db/journal' },
      'JOURNAL_URL is no file: address',
    ],
    ['a port that is none', { BFF_PORT: '99999' }, 'BFF_PORT is no port'],
    [
      'a proxy that is no range',
      { TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/99' },
      'TRUSTED_PROXIES holds something that is no range',
    ],
  ];

  it.each(cases)('refuses %s', (_name, variables, expected) => {
    const problems = listProblems({ ...production, ...variables });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  it('refuses placeholder consents in production, by their names', () => {
    const problems = listProblems(production, { '/etc/funding/settings.json': '{}' });
    expect(problems).toHaveLength(4);
    expect(problems[0]).toContain('the placeholder text of the consent credit-authorization');
  });

  it('refuses the demonstration bank in production, and takes it in staging', () => {
    const file = {
      '/etc/funding/settings.json': JSON.stringify({
        ...settings,
        bankConnection: 'demonstration',
      }),
    };
    expect(listProblems(production, file)).toEqual([
      'FUNDING_SETTINGS asks for the demonstration bank. Set bankConnection to off or host.',
    ]);
    expect(listProblems({ ...production, FUNDING_ENVIRONMENT: 'staging' }, file)).toEqual([]);
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

  it('tells that the settings are no JSON', () => {
    const problems = listProblems(production, { '/etc/funding/settings.json': '{' });
    expect(problems.join()).toContain('is no JSON');
  });
});
