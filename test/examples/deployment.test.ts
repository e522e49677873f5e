// The environment that the examples of a service and a container are given: the BFF takes it as it stands.

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { listProblems, settings, strongKey } from '../bff/config/config-source.ts';

it('the example of an environment is one of production', () => {
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
  // Of text: node's type allows for names without a value.
  expect(listProblems(parseEnv(text) as Record<string, string>, files)).toEqual([]);
});
