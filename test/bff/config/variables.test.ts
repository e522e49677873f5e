// The table of environment variables: it has exactly the variables that the code reads, and says when they are required.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readServingParts } from '../../../bff/config/config.ts';
import {
  describeVariable,
  isVariableName,
  placeholder,
  variableNames,
} from '../../../bff/config/variables.ts';
import project from '../../../package.json' with { type: 'json' };
import { environments } from '../../../shared/api/configuration.ts';
import { createWidgetFolder, entryName } from '../../support/widget-folder.ts';
import { listProblems, production } from './config-source.ts';

const root = join(import.meta.dirname, '../../..');
const secrets = variableNames.filter((name) => describeVariable(name).isSecret);
const secretFiles = secrets.map((name) => `${name}_FILE`);
const toNames = (problems: readonly string[]) =>
  [...new Set(problems.map((problem) => problem.split(' ')[0]))].toSorted();

/** Node's own variables. The BFF refuses some of their values. */
const nodeVariables = new Set([
  'NODE_OPTIONS',
  'NODE_DEBUG',
  'NODE_DEBUG_NATIVE',
  'NODE_TLS_REJECT_UNAUTHORIZED',
]);

describe('the table of variables', () => {
  it('contains only variables that the code reads', async () => {
    const folder = createWidgetFolder(`${project.version}-9c40`, { [entryName]: '' });
    onTestFinished(folder.remove);
    const read = new Set<string>();
    const record = (values: Readonly<Record<string, string>>) =>
      new Proxy(values, {
        get(target, name) {
          read.add(String(name));
          return Reflect.get(target, name) as unknown;
        },
      });
    const others = {
      WIDGET_FOLDER: folder.directory,
      CHALLENGE_PROVIDER: 'turnstile',
      CHALLENGE_SITE_KEY: 'x',
      CHALLENGE_SECRET: 'y',
    };
    for (const start of [{ FUNDING_ENVIRONMENT: 'sandbox' }, production]) {
      await readServingParts({ variables: record({ ...start, ...others }), readFile: () => '{}' });
    }
    expect(variableNames.filter((name) => !read.has(name))).toEqual([]);
    const isFile = (name: string) => name.endsWith('_FILE');
    expect([...read].filter(isFile).toSorted()).toEqual(secretFiles.toSorted());
    const unlisted = [...read].filter((name) => !isVariableName(name) && !isFile(name));
    expect(unlisted.filter((name) => !nodeVariables.has(name))).toEqual([]);
  });

  it('contains all variables that the code of the BFF names', () => {
    const pattern = /(?:process\.env|variables)(?:\.|\[['"`])([A-Z][A-Z_]+)/g;
    const names = globSync('bff/**/*.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, name = '']) => name),
    );
    expect(names).toContain('FUNDING_ENVIRONMENT');
    expect(names.filter((name) => !isVariableName(name) && !nodeVariables.has(name))).toEqual([]);
  });

  it.each(environments)('names the variables that %s requires', (environment) => {
    const required = variableNames.filter(
      (name) =>
        name !== 'FUNDING_ENVIRONMENT' && describeVariable(name).requiredIn?.includes(environment),
    );
    const problems = listProblems({ FUNDING_ENVIRONMENT: environment });
    expect(toNames(problems)).toEqual(required.toSorted());
  });

  it('has no secret as a default or an example', () => {
    for (const name of secrets) {
      const { example = '', default: value } = describeVariable(name);
      expect(value).toBeUndefined();
      expect(example).not.toMatch(/[A-Za-z0-9+/]{24}/);
    }
  });
});

describe('.env.example', () => {
  const text = readFileSync(join(root, '.env.example'), 'utf8');
  // parseEnv returns strings only, although its type allows undefined.
  const values = parseEnv(text) as Record<string, string>;

  it('sets what production requires, and has every other variable as a comment', () => {
    const required = variableNames.filter((name) =>
      describeVariable(name).requiredIn?.includes('production'),
    );
    expect(Object.keys(values).toSorted()).toEqual(required.toSorted());
    const comments = [...text.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
    const rest = variableNames.filter(
      (name) => !(name in values) && describeVariable(name).group !== 'Sandbox',
    );
    expect(comments.toSorted()).toEqual([...rest, ...secretFiles].toSorted());
  });

  it.each(environments)('has placeholders that %s refuses by name', (environment) => {
    const problems = listProblems({ ...values, FUNDING_ENVIRONMENT: environment });
    const names = Object.keys(values).filter((name) => name !== 'FUNDING_ENVIRONMENT');
    expect(toNames(problems)).toEqual(names.toSorted());
    for (const problem of problems) expect(problem).toContain(`has the placeholder ${placeholder}`);
  });
});

describe('an unknown variable', () => {
  it('is reported although the sandbox has a default', () => {
    const variables = { FUNDING_ENVIRONMENT: 'sandbox', ALOWED_ORIGINS: 'http://localhost:1' };
    expect(toNames(listProblems(variables))).toEqual(['ALOWED_ORIGINS']);
  });

  it.each([
    [
      'it belongs to another program',
      { SESSION_KEY: 'x', DATABASE_URI: 'x', PORT: '80', HOME: '/root', BFF_IMAGE: 'x' },
    ],
    ['it is empty', { FUNDING_COLOR: ' ' }],
    [
      'Kubernetes sets it for a service',
      {
        FUNDING_BFF_SERVICE_HOST: '10.0.0.1',
        FUNDING_BFF_SERVICE_PORT: '8081',
        FUNDING_BFF_SERVICE_PORT_HTTP: '8081',
        FUNDING_BFF_PORT: 'tcp://10.0.0.1:8081',
        FUNDING_BFF_PORT_8081_TCP_ADDR: '10.0.0.1',
      },
    ],
  ])('is ignored if %s', (_reason, others) => {
    expect(listProblems({ ...production, ...others })).toEqual([]);
  });
});
