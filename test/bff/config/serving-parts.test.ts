// What a process needs to serve, read in one go; and the example of a partner's module, loaded from the disk as the BFF does.

import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../../bff/config/hooks.ts';
import { importFromDisk, readServingParts } from '../../../bff/config/config.ts';
import { createFullApplication } from '../../support/applications.ts';

const variables = { FUNDING_ENVIRONMENT: 'sandbox', WIDGET_FOLDER: 'none' };
const hooks = 'examples/hooks/hooks.ts';

describe('the parts of a serving process', () => {
  it('are there when nothing is wrong', async () => {
    expect(await read({ ...variables, BFF_HOOKS: hooks })).toMatchObject({
      config: { environment: 'sandbox' },
      widget: undefined,
      hooks: { enrichLead: expect.any(Function) },
    });
  });

  it('are refused with every problem at once', async () => {
    const result = await read({
      ...variables,
      CLAMD_URL: 'nowhere',
      WIDGET_FOLDER: '',
      BFF_HOOKS: 'examples/hooks/nothing.mjs',
    });
    const problems = 'problems' in result ? result.problems : [];
    const names = problems.map((problem) => problem.split(' ')[0]);
    expect(names).toEqual(['CLAMD_URL', 'WIDGET_FOLDER', 'BFF_HOOKS']);
    expect(problems[2]).toContain('(ERR_MODULE_NOT_FOUND)');
  });
});

describe('the example of a hook', () => {
  it('knows an industry that is one class, and leaves the others alone', async () => {
    const { enrichLead } = (await importFromDisk(hooks)) as Hooks;
    const application = createFullApplication();
    const { signal } = new AbortController();
    const ask = (industry: 'Roofing' | 'Retail') =>
      enrichLead?.({ ...application, business: { ...application.business, industry } }, signal);
    expect(ask('Roofing')).toEqual({ IndustryNaics: '238160' });
    expect(ask('Retail')).toEqual({});
  });
});

function read(given: Readonly<Record<string, string>>) {
  return readServingParts({
    variables: given,
    readFile: () => {
      throw new Error('ENOENT');
    },
    builtWidget: '/nowhere',
    importModule: importFromDisk,
  });
}
