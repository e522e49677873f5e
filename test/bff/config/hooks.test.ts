// The module in BFF_HOOKS: which exports are valid, and which problems prevent a start.

import { describe, expect, it } from 'vitest';
import { EnvironmentReader } from '../../../bff/config/environment-reader.ts';
import { readHooks } from '../../../bff/config/hooks.ts';

const enrichLead = () => ({});
const challenge = { provider: 'own', siteKey: 'k', verify: async () => 'passed' };
const fix =
  'Export enrichLead (a function), challenge (an object with provider, siteKey, and verify), or onStatus (a function).';

describe('readHooks', () => {
  it('returns no hooks without BFF_HOOKS', async () => {
    const result = await read({}, { BFF_HOOKS: ' ' });
    expect(result).toEqual({ hooks: {}, problems: [], loaded: [] });
  });

  it('returns the exports of the module', async () => {
    const onStatus = () => undefined;
    const { hooks, problems, loaded } = await read({ enrichLead, challenge, onStatus });
    expect(problems).toEqual([]);
    expect(hooks).toEqual({ enrichLead, challenge, onStatus });
    expect(loaded).toEqual(['hooks.mjs']);
  });

  it.each<readonly [string, object, string]>([
    ['no exports', {}, 'names a module without exports'],
    ['a misspelled name', { enrichlead: enrichLead }, 'exports enrichlead, which is not a hook'],
    ['a default export', { default: { enrichLead } }, 'exports default, which is not a hook'],
    ['an object as onStatus', { onStatus: {} }, 'exports an invalid onStatus'],
    ['an object as enrichLead', { enrichLead: {} }, 'exports an invalid enrichLead'],
    ...[{ ...challenge, verify: undefined }, { ...challenge, provider: 1 }, null].map(
      (invalid) =>
        ['an invalid challenge', { challenge: invalid }, 'exports an invalid challenge'] as const,
    ),
  ])('refuses a module with %s', async (_name, exported, problem) => {
    expect((await read(exported)).problems).toEqual([`BFF_HOOKS ${problem}. ${fix}`]);
  });

  it('reports all problems of the module at once', async () => {
    const { problems } = await read({ enrichLead: 1, other: 1 });
    expect(problems).toHaveLength(2);
  });

  it('refuses a challenge if CHALLENGE_PROVIDER is set', async () => {
    const { problems } = await read({ challenge }, { CHALLENGE_PROVIDER: 'turnstile' });
    expect(problems).toEqual([
      'BFF_HOOKS exports challenge, but CHALLENGE_PROVIDER is set. Remove one of them.',
    ]);
    const other = await read({ enrichLead }, { CHALLENGE_PROVIDER: 'turnstile' });
    expect(other.problems).toEqual([]);
  });

  it.each([
    [Object.assign(new Error('canary'), { code: 'ERR_MODULE_NOT_FOUND' }), 'ERR_MODULE_NOT_FOUND'],
    [new SyntaxError('canary'), 'SyntaxError'],
    ['canary', 'string'],
  ])('reports the error of a module without its message (%#)', async (error, kind) => {
    const { problems } = await read(async () => {
      throw error;
    });
    expect(problems).toEqual([
      `BFF_HOOKS names a module that cannot be loaded (${kind}). Import it with node to see the error.`,
    ]);
  });
});

async function read(exported: object | (() => Promise<object>), variables: object = {}) {
  const loaded: string[] = [];
  const source = { variables: { BFF_HOOKS: 'hooks.mjs', ...variables }, readFile: () => '' };
  const reader = new EnvironmentReader(source);
  const hooks = await readHooks(reader, async (path) => {
    loaded.push(path);
    return typeof exported === 'function' ? exported() : exported;
  });
  return { hooks, problems: reader.problems(), loaded };
}
