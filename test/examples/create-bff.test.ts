// The examples that create the BFF at the first request, with the sources as their package.

import { registerHooks } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bff } from '../../bff/index.ts';

const variables: Readonly<Record<string, string>> = {
  DATABASE_URL: 'file::memory:',
  WIDGET_FOLDER: 'none',
};
const earlier = { ...process.env };
let hooks: ReturnType<typeof registerHooks>;

beforeEach(() => {
  hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(
        specifier === 'funding-application-bff'
          ? new URL('../../bff/index.ts', import.meta.url).href
          : specifier,
        context,
      ),
  });
  Object.assign(process.env, variables);
  delete process.env['FUNDING_ENVIRONMENT'];
});

afterEach(() => {
  hooks.deregister();
  for (const name of [...Object.keys(variables), 'FUNDING_ENVIRONMENT']) {
    const value = earlier[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

async function load(path: string): Promise<Record<string, (...values: unknown[]) => unknown>> {
  // With its path from the root in a variable, because the types of the examples are those of the package.
  return import(new URL(`../../examples/${path}`, import.meta.url).href);
}

describe('after a failure', () => {
  it('the function creates another BFF', async () => {
    const { handleRequest } = await load('serverless/functions.js');
    const request = new Request('http://localhost:3000/funding/livez');
    await expect(handleRequest!(request, {})).rejects.toThrow(/FUNDING_ENVIRONMENT is not set/);
    process.env['FUNDING_ENVIRONMENT'] = 'sandbox';
    await expect(handleRequest!(request, {})).rejects.toThrow(/^(?!.*FUNDING_ENV).*serverless/s);
  });

  it('the server of Next creates another BFF', async () => {
    const { getBff } = await load('next/bff.js');
    await expect(getBff!()).rejects.toThrow(/FUNDING_ENVIRONMENT is not set/);
    process.env['FUNDING_ENVIRONMENT'] = 'sandbox';
    const bff = (await getBff!()) as Bff;
    expect(bff.basePath).toBe('/funding');
    await bff.stop();
  });
});
