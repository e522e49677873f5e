import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { listProblems, settings, strongKey } from '../bff/config/config-source.ts';

it('the example environment is valid in production', () => {
  const text = readFileSync(new URL('../../examples/deployment/bff.env', import.meta.url), 'utf8');
  const secrets = '/etc/funding/secrets';
  const files = {
    '/etc/funding/settings.json': JSON.stringify(settings),
    [`${secrets}/client-id`]: 'client',
    [`${secrets}/client-secret`]: 'secret-1234',
    [`${secrets}/username`]: 'user@partner.example',
    [`${secrets}/password`]: 'pass-1234',
    [`${secrets}/session-keys`]: `1:${strongKey(1)}`,
    [`${secrets}/data-keys`]: `1:${strongKey(2)}`,
  };
  // parseEnv returns strings only, although its type allows undefined.
  expect(listProblems(parseEnv(text) as Record<string, string>, files)).toEqual([]);
});
