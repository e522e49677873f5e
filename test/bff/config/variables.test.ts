// The table of environment variables: it has exactly the variables that the code reads, and says when they are required.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readServingParts } from '../../../bff/config/config.ts';
import {
  describeVariable,
  isVariableName,
  placeholder,
  variableNames,
} from '../../../bff/config/variables.ts';
import { environments } from '../../../shared/api/configuration.ts';
import { listProblems, production, readValid } from './config-source.ts';

const root = join(import.meta.dirname, '../../..');

const challenge = { CHALLENGE_PROVIDER: 'turnstile', CHALLENGE_SITE_KEY: 'x' };
const challengeSecret = { CHALLENGE_SECRET: 'y' };

/** Node's own variables. `unsafe-runtime.ts` refuses some of their values. */
const nodeVariables = new Set([
  'NODE_OPTIONS',
  'NODE_DEBUG',
  'NODE_DEBUG_NATIVE',
  'NODE_TLS_REJECT_UNAUTHORIZED',
]);

describe('the table of variables', () => {
  it('contains only variables that the code reads', async () => {
    const read = new Set<string>();
    const record = (values: Readonly<Record<string, string>>) =>
      new Proxy(values, {
        get(target, name) {
          read.add(String(name));
          return Reflect.get(target, name) as unknown;
        },
      });
    const starts = [
      { FUNDING_ENVIRONMENT: 'sandbox', ...challenge, ...challengeSecret },
      { ...production, ...challenge, ...challengeSecret },
    ];
    for (const values of starts) {
      await readServingParts({ variables: record(values), readFile: () => '{}' });
    }
    expect(variableNames.filter((name) => !read.has(name))).toEqual([]);
    const isSecret = (name: string) => isVariableName(name) && describeVariable(name).isSecret;
    const inFiles = [...read].filter((name) => name.endsWith('_FILE'));
    expect(inFiles.toSorted()).toEqual(
      variableNames
        .filter(isSecret)
        .map((name) => `${name}_FILE`)
        .toSorted(),
    );
    const unlisted = [...read].filter(
      (name) => !isVariableName(name) && !nodeVariables.has(name) && !name.endsWith('_FILE'),
    );
    expect(unlisted).toEqual([]);
  });

  it('contains all variables that the code of the BFF names', () => {
    const files = globSync('bff/**/*.ts', { cwd: root });
    const names = files.flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /(?:process\.env|variables)(?:\.|\[['"`])([A-Z][A-Z_]+)/g,
        ),
      ].map(([, name = '']) => name),
    );
    expect(names).toContain('FUNDING_ENVIRONMENT');
    expect(names.filter((name) => !isVariableName(name) && !nodeVariables.has(name))).toEqual([]);
  });

  it.each(environments)('names the variables that %s requires', (environment) => {
    const problems = listProblems({ FUNDING_ENVIRONMENT: environment });
    const reported = new Set(problems.map((problem) => problem.split(' ')[0]));
    const required = variableNames.filter(
      (name) =>
        name !== 'FUNDING_ENVIRONMENT' && describeVariable(name).requiredIn?.includes(environment),
    );
    expect([...reported].toSorted()).toEqual(required.toSorted());
  });

  it('has no secret as a default or an example', () => {
    for (const name of variableNames) {
      const { isSecret, example = '', default: value } = describeVariable(name);
      if (!isSecret) continue;
      expect(value).toBeUndefined();
      expect(example).not.toMatch(/[A-Za-z0-9+/]{24}/);
    }
  });
});

describe('.env.example', () => {
  const text = readFileSync(join(root, '.env.example'), 'utf8');
  // parseEnv returns strings only, although its type allows undefined.
  const values = parseEnv(text) as Record<string, string>;

  it('sets the variables that production requires', () => {
    const required = variableNames.filter((name) =>
      describeVariable(name).requiredIn?.includes('production'),
    );
    expect(Object.keys(values).toSorted()).toEqual(required.toSorted());
  });

  it('has every other variable as a comment', () => {
    const comments = [...text.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
    const rest = variableNames.filter(
      (name) => !(name in values) && describeVariable(name).group !== 'Sandbox',
    );
    const files = variableNames.filter((name) => describeVariable(name).isSecret);
    expect(comments.toSorted()).toEqual(
      [...rest, ...files.map((name) => `${name}_FILE`)].toSorted(),
    );
  });

  it.each(environments)('has placeholders that %s refuses by name', (environment) => {
    const problems = listProblems({ ...values, FUNDING_ENVIRONMENT: environment });
    const names = problems.map((problem) => problem.split(' ')[0]);
    const expected = Object.keys(values).filter((name) => name !== 'FUNDING_ENVIRONMENT');
    expect(names.toSorted()).toEqual(expected.toSorted());
    for (const problem of problems) expect(problem).toContain(`has the placeholder ${placeholder}`);
  });
});

describe('an unknown variable', () => {
  const listFor = (changes: Readonly<Record<string, string>>, without: readonly string[] = []) => {
    const entries = Object.entries(production).filter(([name]) => !without.includes(name));
    return listProblems({ ...Object.fromEntries(entries), ...changes });
  };

  it.each([
    ['ALOWED_ORIGINS', 'ALLOWED_ORIGINS'],
    ['ALLOWED_ORIGIN', 'ALLOWED_ORIGINS'],
    ['allowed_origins', 'ALLOWED_ORIGINS'],
    ['SESION_KEYS', 'SESSION_KEYS'],
    ['SESSION_KEYS_FLIE', 'SESSION_KEYS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['FUNDING_PARTNERID', 'FUNDING_PARTNER_ID'],
    ['FUNDING_SETTING', 'FUNDING_SETTINGS'],
  ])('is reported instead of the missing one: %s', (name, meant) => {
    const near = name === 'SESSION_KEYS_FLIE' ? 'SESSION_KEYS_FILE' : meant;
    const problem = `${name} is not a variable of the BFF. Did you mean ${near}?`;
    expect(listFor({ [name]: 'canary' }, [meant])).toEqual([problem]);
  });

  it('is reported although the sandbox has a default', () => {
    expect(
      listProblems({ FUNDING_ENVIRONMENT: 'sandbox', ALOWED_ORIGINS: 'http://localhost:1' }),
    ).toEqual(['ALOWED_ORIGINS is not a variable of the BFF. Did you mean ALLOWED_ORIGINS?']);
  });

  it('is reported with the prefix of the BFF', () => {
    expect(listFor({ FUNDING_COLOR: 'red' })).toEqual([
      'FUNDING_COLOR is not a variable of the BFF. Remove it, or correct its name.',
    ]);
  });

  it('is reported as a file of a variable that is no secret', () => {
    expect(listFor({ ALLOWED_ORIGINS_FILE: '/nowhere' })).toEqual([
      'ALLOWED_ORIGINS_FILE is not a variable of the BFF, because ALLOWED_ORIGINS is not a secret. Set ALLOWED_ORIGINS itself.',
    ]);
  });

  it('is ignored if it belongs to another program', () => {
    const others = {
      SESSION_KEY: 'x',
      DATABASE_URI: 'x',
      PORT: '80',
      HOME: '/root',
      BFF_IMAGE: 'x',
    };
    expect(listFor(others)).toEqual([]);
  });

  it('is ignored if it is empty', () => {
    expect(listFor({ FUNDING_COLOR: ' ' })).toEqual([]);
  });

  it('is ignored if Kubernetes sets it for a service', () => {
    const service = {
      FUNDING_BFF_SERVICE_HOST: '10.0.0.1',
      FUNDING_BFF_SERVICE_PORT: '8081',
      FUNDING_BFF_SERVICE_PORT_HTTP: '8081',
      FUNDING_BFF_PORT: 'tcp://10.0.0.1:8081',
      FUNDING_BFF_PORT_8081_TCP_ADDR: '10.0.0.1',
    };
    expect(listFor(service)).toEqual([]);
  });
});

describe('a value', () => {
  it.each(['"', "'", '`'])('is refused in quotation marks: %s', (mark) => {
    expect(listProblems({ ...production, FUNDING_PARTNER_NAME: `${mark}Partner${mark}` })).toEqual([
      'FUNDING_PARTNER_NAME is in quotation marks, which belong to its value here. Remove them.',
    ]);
  });

  it('is refused in quotation marks as a secret, unless it is in a file', () => {
    const FUNDING_PASSWORD = '"pass-1234"';
    expect(listProblems({ ...production, FUNDING_PASSWORD })).toEqual([
      'FUNDING_PASSWORD is in quotation marks, which belong to its value here. Remove them. If they belong to the value, write it into a file and set FUNDING_PASSWORD_FILE.',
    ]);
    const { FUNDING_PASSWORD: _left, ...rest } = production;
    const variables = { ...rest, FUNDING_PASSWORD_FILE: '/run/secrets/quoted' };
    expect(listProblems(variables, { '/run/secrets/quoted': FUNDING_PASSWORD })).toEqual([]);
  });

  it.each(['from-a-file\r\n', '\uFEFFfrom-a-file', '  from-a-file \n\n'])(
    'is read from a file as editors write it: %j',
    (text) => {
      const { FUNDING_PASSWORD: _left, ...rest } = production;
      const variables = { ...rest, FUNDING_PASSWORD_FILE: '/run/secrets/edited' };
      const config = readValid(variables, { '/run/secrets/edited': text });
      expect(config.service.password).toBe('from-a-file');
    },
  );

  it('is refused in a file that is not UTF-8', () => {
    const { FUNDING_PASSWORD: _left, ...rest } = production;
    const variables = { ...rest, FUNDING_PASSWORD_FILE: '/run/secrets/utf-16' };
    const text = Buffer.from('\uFEFFcanary', 'utf16le').toString('utf8');
    expect(listProblems(variables, { '/run/secrets/utf-16': text })).toEqual([
      'FUNDING_PASSWORD_FILE names a file that is not text in UTF-8. Save it as UTF-8.',
    ]);
  });
});

describe('an invalid environment', () => {
  it('is reported with the problems of all environments', () => {
    const variables = { FUNDING_ENVIRONMENT: 'prod', BFF_PORT: 'http', CLAMD_URL: 'nowhere' };
    expect(listProblems(variables)).toEqual([
      'FUNDING_ENVIRONMENT is not an environment. Set it to sandbox, staging, or production.',
      'BFF_PORT is not a port. Set it to a number from 0 to 65535.',
      'CLAMD_URL is not the address of a scanner. Use tcp://host:3310 or unix:/run/clamav/clamd.ctl.',
    ]);
  });
});
