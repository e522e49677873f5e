// Tests the license notices of a bundle.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sbomFile, softwareBill } from '../../scripts/package-sbom.mjs';
import { noticesFile, thirdPartyNotices } from '../../scripts/third-party-notices.mjs';

describe('the notices of a bundle', () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'notices-')));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('list our license first, then the bundled packages by name', async () => {
    addPackage('zebra', { license: 'MIT' }, { 'LICENSE.md': 'Copyright Zoe\r\nAnd more.\n' });
    addPackage('@ant/core', { license: 'ISC' }, { LICENCE: 'Copyright Ann' });
    addPackage('unused', { license: 'GPL-3.0-only' }, { LICENSE: 'Copyright nobody' });
    write('node_modules/zebra/inner/package.json', '{ "type": "module" }');
    write('node_modules/zebra/inner/more.js', `export const more = 'stripes';`);

    const notices = await bundle(`
      export { name as first } from 'zebra';
      export { more } from 'zebra/inner/more.js';
      export { name as second } from '@ant/core';
      import 'unused';
    `);
    const titles = notices.split(/^-+\n/m).map((part) => part.split('\n')[0]);
    expect(titles.slice(1)).toEqual([
      expect.stringMatching(/^funding-application \S+ \(MIT\)$/),
      '@ant/core 1.0.0 (ISC)',
      'zebra 1.0.0 (MIT)',
    ]);
    expect(notices).toContain('(MIT)\n\nCopyright Zoe\nAnd more.\n');
    expect(notices).toContain('(ISC)\n\nCopyright Ann\n');
    expect(notices).not.toContain('nobody');
  });

  it('have an SBOM beside them with the same packages', async () => {
    addPackage('zebra', { license: 'MIT' }, { LICENSE: 'Copyright Zoe' });
    const bill = JSON.parse(await bundle(`export * from 'zebra';`, sbomFile)) as {
      metadata: { component: object };
      components: readonly object[];
    };
    expect(bill.metadata.component).toMatchObject({ name: 'part', licenses: expect.anything() });
    expect(bill.components).toEqual([
      expect.objectContaining({ name: 'zebra', version: '1.0.0', purl: 'pkg:npm/zebra@1.0.0' }),
    ]);
  });

  it('include NOTICE files', async () => {
    const files = { LICENSE: 'Apache License', 'NOTICE.txt': 'Made by Ann.' };
    addPackage('ant', { license: 'Apache-2.0' }, files);
    expect(await bundle(`export * from 'ant';`)).toContain(
      'ant 1.0.0 (Apache-2.0)\n\nApache License\n\nMade by Ann.\n',
    );
  });

  it('include the standard text of a license without a file', async () => {
    const author = { name: 'Ann' };
    addPackage('ant', { license: 'Apache-2.0', author, homepage: 'https://ant.example' });
    const repository = { url: 'https://bee.example' };
    addPackage('bee', { license: 'Odd-1.0', author: 'Bea', repository });
    const notices = await bundle(`export * as ant from 'ant'; export * as bee from 'bee';`);
    expect(notices).toMatch(/Origin: Ann, https:\/\/ant\.example\n\n +Apache License\n/);
    expect(notices).toContain('Origin: Bea, https://bee.example\n');
  });

  it.each([{}, { license: 'UNLICENSED' }])(
    'cannot be written for a package that may not be passed on: %j',
    async (terms) => {
      addPackage('secret', terms, { LICENSE: 'All rights reserved.' });
      await expect(bundle(`export * from 'secret';`)).rejects.toThrow(
        'secret 1.0.0 is bundled and names no license',
      );
    },
  );

  function addPackage(name: string, terms: object, files: Readonly<Record<string, string>> = {}) {
    const manifest = { name, version: '1.0.0', type: 'module', sideEffects: false, ...terms };
    write(`node_modules/${name}/package.json`, JSON.stringify(manifest));
    write(`node_modules/${name}/index.js`, `export const name = '${name}';`);
    for (const [file, text] of Object.entries(files)) write(`node_modules/${name}/${file}`, text);
  }

  function write(file: string, text: string): void {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  async function bundle(entry: string, file = noticesFile): Promise<string> {
    write('entry.js', entry);
    const built = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [thirdPartyNotices(), softwareBill('part')],
      build: { lib: { entry: 'entry.js', formats: ['es'] }, write: false },
    });
    const { output } = (built as Rolldown.RolldownOutput[])[0]!;
    const notices = output.find(({ fileName }) => fileName === file);
    return String((notices as Rolldown.OutputAsset).source);
  }
});
