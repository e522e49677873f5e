// Valid configurations: defaults of the sandbox, and how each variable is read. wrong-configuration.test.ts has the invalid ones.

import { describe, expect, it } from 'vitest';
import { describeMissingApplyPage, readServingParts } from '../../../bff/config/config.ts';
import type { Challenge, Hooks } from '../../../bff/config/hooks.ts';
import { createFullApplication } from '../../support/applications.ts';
import { listProblems, production, readValid, settings, strongKey } from './config-source.ts';

const sandbox = { FUNDING_ENVIRONMENT: 'sandbox' };
const challengeVariables = {
  CHALLENGE_PROVIDER: 'hcaptcha',
  CHALLENGE_SITE_KEY: 'site-key',
  CHALLENGE_SECRET: 'secret-canary',
};
const hcaptcha = { provider: 'hcaptcha', siteKey: 'site-key', secret: 'secret-canary' };
const twoKeys = `2:${strongKey(5)},1:${strongKey(4)}`;
const webhookSecrets = [6, 7].map((seed) => `whsec_${strongKey(seed)}`);

function without(name: keyof typeof production): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(production).filter(([known]) => known !== name));
}

describe('readConfig', () => {
  it.each<[string, Record<string, string>, object]>([
    [
      'needs only an environment',
      {},
      {
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
        trustedProxies: [],
        settings: { bankConnection: 'demonstration' },
      },
    ],
    [
      'uses the ports of npm start',
      { PAGE_PORT: '1', BFF_PORT: '2', SANDBOX_PORT: '3' },
      {
        service: { authUrl: 'http://localhost:3' },
        allowedOrigins: ['http://localhost:1'],
        publicOrigin: 'http://localhost:2',
        port: 2,
      },
    ],
    [
      'allows no default page beside CROSS_SITE_ORIGINS',
      { CROSS_SITE_ORIGINS: 'http://localhost:8080' },
      { allowedOrigins: [], crossSiteOrigins: ['http://localhost:8080'] },
    ],
    [
      'accepts a store in memory, and options that write traffic',
      { DATABASE_URL: 'file::memory:', NODE_DEBUG: 'http' },
      { databaseUrl: 'file::memory:' },
    ],
  ])('in the sandbox %s', (_what, variables, config) => {
    expect(readValid({ ...sandbox, ...variables })).toMatchObject(config);
  });

  it('accepts a complete production configuration', () => {
    const config = readValid(production);
    expect(config).toMatchObject({
      service: { baseUrl: 'https://api.service.example/rest' },
      allowedOrigins: ['https://www.partner.example', 'https://partner.example'],
      crossSiteOrigins: [],
      dataKeys: { currentId: '2' },
      trustedProxies: ['10.0.0.0/8'],
      settings: {
        bankConnection: 'off',
        documents: {
          maxBytes: 10_485_760,
          maxFiles: 20,
          maxTotalBytes: 62_914_560,
          extensions: ['pdf', 'jpg', 'jpeg', 'png'],
          inspection: { timeoutSeconds: 15, memoryMegabytes: 1_024, processes: 2 },
        },
        retention: { recordDays: 30, undeliveredDays: 30, rejectedDays: 7, evidenceDays: 1825 },
      },
    });
    expect(Object.keys(config.dataKeys.keys)).toEqual(['1', '2']);
    for (const name of ['storeId', 'clamdUrl', 'webhook', 'metricsToken', 'challenge'] as const) {
      expect([name, config[name]]).toEqual([name, undefined]);
    }
  });

  it.each<[Record<string, string>, object]>(
    // prettier-ignore
    [
      [{ PUBLIC_URL: 'https://a.test/' }, { publicUrl: 'https://a.test', basePath: '' }],
      [
        { PUBLIC_URL: 'https://a.test/api/v2.1/funding/' },
        {
          publicUrl: 'https://a.test/api/v2.1/funding',
          publicOrigin: 'https://a.test',
          basePath: '/api/v2.1/funding',
        },
      ],
      [{ PUBLIC_URL: 'https://localhosting.com' }, { publicOrigin: 'https://localhosting.com' }],
      [{ CROSS_SITE_ORIGINS: 'https://www.other.example, https://third.example' }, { crossSiteOrigins: ['https://www.other.example', 'https://third.example'] }],
      [{ SESSION_KEYS: twoKeys }, { sessionKeys: { currentId: '2' } }],
      [{ STORE_ID: ' 0199C0DE-0000-4000-8000-00000000000A ' }, { storeId: '0199c0de-0000-4000-8000-00000000000a' }],
      [{ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7' }, { trustedProxies: ['10.0.0.0/8', '192.0.2.7'] }],
      [{ TRUSTED_PROXIES: '2001:db8::/64 ::1 ::ffff:192.0.2.0/120 fd00::/8' }, { trustedProxies: ['2001:db8::/64', '::1', '::ffff:192.0.2.0/120', 'fd00::/8'] }],
      [{ TRUSTED_PROXIES: 'none' }, { trustedProxies: [] }],
      [{ CLAMD_URL: 'unix:/run/clamd.ctl' }, { clamdUrl: 'unix:/run/clamd.ctl' }],
      [{ METRICS_TOKEN: 'sixteen-letters-' }, { metricsToken: 'sixteen-letters-' }],
      [{ METRICS_TOKEN: ' ' }, { metricsToken: undefined }],
      [{ WEBHOOK_URL: 'https://10.0.0.7/e?t=1', WEBHOOK_SECRETS: webhookSecrets.join(',\n') }, { webhook: { url: 'https://10.0.0.7/e?t=1', secrets: webhookSecrets } }],
      [challengeVariables, { challenge: { ...hcaptcha, verifyUrl: 'https://api.hcaptcha.com/siteverify' } }],
      [{ ...challengeVariables, CHALLENGE_PROVIDER: 'turnstile' }, { challenge: { verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify' } }],
      [
        { ...challengeVariables, CHALLENGE_VERIFY_URL: 'https://siteverify.partner.example/check' },
        { challenge: { verifyUrl: 'https://siteverify.partner.example/check' } },
      ],
      [{ NODE_TLS_REJECT_UNAUTHORIZED: '1' }, {}],
      [{ NODE_OPTIONS: '--max-old-space-size=512' }, {}],
      [{ NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem' }, {}],
    ],
  )('reads %j', (variables, config) => {
    expect(readValid({ ...production, ...variables })).toMatchObject(config);
  });

  it('needs no ALLOWED_ORIGINS with CROSS_SITE_ORIGINS', () => {
    const CROSS_SITE_ORIGINS = 'https://www.other.example';
    const config = readValid({ ...without('ALLOWED_ORIGINS'), CROSS_SITE_ORIGINS });
    expect([config.allowedOrigins, config.crossSiteOrigins]).toEqual([[], [CROSS_SITE_ORIGINS]]);
  });

  it.each([
    'file:/var/lib/funding/store.db',
    'postgres://u:p@db.example/store?sslmode=verify-full',
    'postgresql://u:p@db.example:6432/store?sslmode=verify-ca&sslrootcert=/etc/ca.pem',
    'postgres://u:p@db.example/store?sslmode=require',
    'postgres://user:p@ss@[2001:db8::1]:5432/funding?sslmode=verify-full',
    'postgres://u:p@localhost/store',
    'postgres://u:p@127.0.0.1:5433/store',
    'postgres://u:p@[::1]/store',
    'postgres://u:p@%2Frun%2Fpostgresql/store',
    'postgres:///store?host=/run/postgresql',
  ])('accepts the database %s in production', (url) => {
    expect(readValid({ ...production, DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('accepts unverified TLS to the database outside production', () => {
    const DATABASE_URL = 'postgres://u:p@db.example/store?sslmode=no-verify';
    expect(listProblems({ ...production, FUNDING_ENVIRONMENT: 'staging', DATABASE_URL })).toEqual(
      [],
    );
  });

  it.each(['from-a-file\r\n', '\uFEFFfrom-a-file', '  from-a-file \n\n', '"from-a-file"'])(
    'reads a secret from a file as editors write it: %j',
    (text) => {
      const variables = { ...without('FUNDING_PASSWORD'), FUNDING_PASSWORD_FILE: '/run/edited' };
      const { service } = readValid(variables, { '/run/edited': text });
      expect(service.password).toBe(text.startsWith('"') ? text : 'from-a-file');
    },
  );

  it('reads a settings file with a byte order mark', () => {
    const text = `\uFEFF${JSON.stringify({ ...settings, locales: ['es', 'en'] })}\r\n`;
    expect(readValid({ ...sandbox, FUNDING_SETTINGS: 'a' }, { a: text }).settings.locales).toEqual([
      'es',
      'en',
    ]);
  });
});

describe('readServingParts', () => {
  const read = (variables: Readonly<Record<string, string>>) =>
    readServingParts({
      variables: { ...sandbox, WIDGET_FOLDER: 'none', ...variables },
      readFile: () => {
        throw new Error('ENOENT');
      },
    });

  it('returns configuration, widget, and hooks', async () => {
    expect(await read({ BFF_HOOKS: 'examples/hooks/hooks.ts' })).toMatchObject({
      config: { environment: 'sandbox' },
      widget: undefined,
      hooks: { enrichLead: expect.any(Function) },
    });
  });

  it('reports the problems of all parts at once', async () => {
    const result = await read({
      CLAMD_URL: 'nowhere',
      WIDGET_FOLDER: '/nowhere',
      BFF_HOOKS: 'examples/hooks/nothing.mjs',
    });
    const problems = 'problems' in result ? result.problems : [];
    const names = problems.map((problem) => problem.split(' ')[0]);
    expect(names).toEqual(['CLAMD_URL', 'WIDGET_FOLDER', 'BFF_HOOKS']);
  });
});

it('describeMissingApplyPage tells that a challenge turns /apply off', () => {
  const own: Challenge = { provider: 'own', siteKey: 'site', verify: async () => 'passed' };
  const widget = { directory: '', name: '1.2.3-9c40', files: new Map(), warnings: [] };
  const config = readValid({ ...production, ...challengeVariables });
  const free = readValid(production);
  const page = { ...config.settings.page, apply: false };
  const closed = { ...config, settings: { ...config.settings, page } };
  const describeFor = (parts: Parameters<typeof describeMissingApplyPage>[0]) =>
    describeMissingApplyPage(parts)?.includes('The page /apply is off');
  expect(describeFor({ config, widget, hooks: {} })).toBe(true);
  expect(describeFor({ config: free, widget, hooks: { challenge: own } })).toBe(true);
  expect(describeFor({ config: free, widget, hooks: {} })).toBeUndefined();
  expect(describeFor({ config, widget: undefined, hooks: {} })).toBeUndefined();
  expect(describeFor({ config: closed, widget, hooks: {} })).toBeUndefined();
});

it('the hook in examples/hooks sets IndustryNaics for an unambiguous industry', async () => {
  const { enrichLead }: Hooks = await import('../../../examples/hooks/hooks.ts');
  const application = createFullApplication();
  const { signal } = new AbortController();
  const ask = (industry: 'Roofing' | 'Retail') =>
    enrichLead?.({ ...application, business: { ...application.business, industry } }, signal);
  expect(ask('Roofing')).toEqual({ IndustryNaics: '238160' });
  expect(ask('Retail')).toEqual({});
});
