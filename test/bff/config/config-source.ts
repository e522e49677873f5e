// A complete production configuration, and the problems of a changed one.

import { Ajv } from 'ajv';
import { readConfig, type Config } from '../../../bff/config/config.ts';
import defaultSettings from '../../../bff/config/default-settings.json' with { type: 'json' };
import { createSettingsSchema } from '../../../scripts/references/configuration.ts';

export const settingsSchema = createSettingsSchema();
export const validateBySchema = new Ajv({ strict: true, allErrors: true }).compile(settingsSchema);

export const strongKey = (seed: number) =>
  Buffer.from(Array.from({ length: 32 }, (_none, index) => (index * 37 + seed) % 256)).toString(
    'base64',
  );

export const production = {
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
  TRUSTED_PROXIES: '10.0.0.0/8',
  SESSION_KEYS: `1:${strongKey(1)}`,
  DATA_KEYS: `2:${strongKey(2)}\n1:${strongKey(3)}`,
  DATABASE_URL: 'file:/var/lib/funding/store.db',
  FUNDING_SETTINGS: '/etc/funding/settings.json',
};

export const settings = {
  locales: ['en'],
  offers: { notQualifiedNotice: 'Millstone Supply Co. is the creditor.' },
  consents: defaultSettings.consents.map((consent) => ({
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

export function readValid(
  variables: Readonly<Record<string, string>>,
  more?: Record<string, string>,
): Config {
  const result = read(variables, more);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.config;
}

export function listProblems(
  variables: Readonly<Record<string, string>>,
  more?: Record<string, string>,
): readonly string[] {
  const result = read(variables, more);
  return 'problems' in result ? result.problems : [];
}
