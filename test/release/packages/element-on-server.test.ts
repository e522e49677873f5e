// Imports the packed element in a plain Node process, as a server does that renders the host page.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPackedFolder, type PackedFolder } from '../support/packed-folder.ts';
import { readPackedPackage } from './packed.ts';

let folder: PackedFolder;

beforeAll(() => {
  folder = createPackedFolder({ 'funding-application': readPackedPackage('element').tarball });
});

afterAll(() => folder.remove());

describe.each(['', '/define', '/react', '/vue', '/svelte'])('funding-application%s', (entry) => {
  it('can be imported without a browser', () => {
    expect(
      run(`
        const { FundingApplication, eventNames, tagName } = await import('funding-application${entry}');
        console.log(typeof FundingApplication, tagName, eventNames.length);`),
    ).toBe('function funding-application 9\n');
  });

  it('leaves the globals of a browser undefined', () => {
    expect(
      run(`
        const before = new Set(Reflect.ownKeys(globalThis));
        await import('funding-application${entry}');
        const added = Reflect.ownKeys(globalThis).filter((name) => !before.has(name));
        console.log(added.filter((name) => !/^(?:lit|reactive)\\w+$/.test(String(name))).join());`),
    ).toBe('\n');
  });
});

describe('the element on a server', () => {
  it('has events that can be created', () => {
    expect(
      run(`
        const { FundingReadyEvent } = await import('funding-application');
        const { type, locale, bubbles } = new FundingReadyEvent('es');
        console.log(type, locale, bubbles);`),
    ).toBe('funding-ready es true\n');
  });

  it('can be loaded with require()', () => {
    expect(
      run(`
        const { createRequire } = await import('node:module');
        const { tagName } = createRequire(process.cwd() + '/a.js')('funding-application/define');
        console.log(tagName);`),
    ).toBe('funding-application\n');
  });
});

function run(program: string): string {
  return folder.run(process.execPath, ['--input-type=module', '--eval', program]).output;
}
