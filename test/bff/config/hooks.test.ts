// The partner's own module: what is taken from it, and what keeps the BFF from starting with it.

import { describe, expect, it } from 'vitest';
import { createReader } from '../../../bff/config/environment-reader.ts';
import { readHooks } from '../../../bff/config/hooks.ts';

const enrichLead = () => ({});
const challenge = { provider: 'own', siteKey: 'k', verify: async () => 'passed' };
const mend = 'Export enrichLead (a function), challenge (provider, siteKey, verify), or both.';

describe('the hooks', () => {
  it('are none without a module', async () => {
    const result = await read({}, { BFF_HOOKS: ' ' });
    expect(result).toEqual({ hooks: {}, problems: [], loaded: [] });
  });

  it('are what the module exports', async () => {
    const { hooks, problems, loaded } = await read({ enrichLead, challenge });
    expect(problems).toEqual([]);
    expect(hooks).toEqual({ enrichLead, challenge });
    expect(loaded).toEqual(['hooks.mjs']);
  });

  it.each([
    ['nothing', {}, 'names a module that exports nothing'],
    ['a name with a slip', { enrichlead: enrichLead }, 'exports enrichlead, which is no hook'],
    ['a default', { default: { enrichLead } }, 'exports default, which is no hook'],
    ['fields in place of a function', { enrichLead: {} }, 'exports an unusable enrichLead'],
    ['a challenge without verify', { challenge: { ...challenge, verify: undefined } }, unusable()],
    ['a challenge without a name', { challenge: { ...challenge, provider: 1 } }, unusable()],
    ['no challenge', { challenge: null }, unusable()],
  ])('refuse a module that exports %s', async (_name, exported, what) => {
    expect((await read(exported)).problems).toEqual([`BFF_HOOKS ${what}. ${mend}`]);
  });

  it('tell everything that is wrong with the module at once', async () => {
    const { problems } = await read({ enrichLead: 1, other: 1 });
    expect(problems).toHaveLength(2);
  });

  it('take the place of no provider that is configured', async () => {
    const { problems } = await read({ challenge }, { CHALLENGE_PROVIDER: 'turnstile' });
    expect(problems).toEqual([
      'BFF_HOOKS exports challenge beside CHALLENGE_PROVIDER. Keep one of them.',
    ]);
    const other = await read({ enrichLead }, { CHALLENGE_PROVIDER: 'turnstile' });
    expect(other.problems).toEqual([]);
  });

  it.each([
    [Object.assign(new Error('canary'), { code: 'ERR_MODULE_NOT_FOUND' }), 'ERR_MODULE_NOT_FOUND'],
    [new SyntaxError('canary'), 'SyntaxError'],
    ['canary', 'string'],
  ])('say how a module failed, and nothing of its words', async (error, kind) => {
    const { problems } = await read(async () => {
      throw error;
    });
    expect(problems).toEqual([
      `BFF_HOOKS names a module that cannot be loaded (${kind}). Load it with node alone to see why.`,
    ]);
  });
});

async function read(exported: object | (() => Promise<object>), variables: object = {}) {
  const loaded: string[] = [];
  const source = { variables: { BFF_HOOKS: 'hooks.mjs', ...variables }, readFile: () => '' };
  const reader = createReader(source, {});
  const hooks = await readHooks(reader, async (path) => {
    loaded.push(path);
    return typeof exported === 'function' ? exported() : exported;
  });
  return { hooks, problems: reader.problems(), loaded };
}

function unusable(): string {
  return 'exports an unusable challenge';
}
