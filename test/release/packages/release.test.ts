// The release: the licenses and the SBOM of bundled packages, the folder of an npm package, and the refusal of a released version.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import project from '../../../package.json' with { type: 'json' };
import {
  licenses,
  recordRelease,
  toContentHash,
  writePackage,
} from '../../../scripts/release/packages.mjs';
import { readJson } from '../../../scripts/project.mjs';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'release-')));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the notices of a bundle', () => {
  it('list our license first, then the bundled packages by name', async () => {
    addPackage('zebra', { license: 'MIT' }, { 'LICENSE.md': 'Copyright Zoe\r\nAnd more.\n' });
    addPackage('@ant/core', { license: 'ISC' }, { LICENCE: 'Copyright Ann', 'NOTICE.txt': 'Hi.' });
    addPackage('unused', { license: 'GPL-3.0-only' }, { LICENSE: 'Copyright nobody' });
    write('node_modules/zebra/inner/package.json', '{ "type": "module" }');
    write('node_modules/zebra/inner/more.js', `export const more = 'stripes';`);

    const { notices, sbom } = await bundle(`
      export { name as first } from 'zebra';
      export { more } from 'zebra/inner/more.js';
      export { name as second } from '@ant/core';
      import 'unused';
    `);
    const titles = notices.split(/^-+\n/m).map((part) => part.split('\n')[0]);
    expect(titles.slice(1)).toEqual([
      `part ${project.version} (MIT)`,
      '@ant/core 1.0.0 (ISC)',
      expect.stringMatching(/^rolldown \S+ \(MIT\)$/),
      'zebra 1.0.0 (MIT)',
    ]);
    expect(notices).toContain('(MIT)\n\nCopyright Zoe\nAnd more.\n');
    expect(notices).toContain('(ISC)\n\nCopyright Ann\n\nHi.\n');
    expect(sbom.components.map(({ purl }) => purl)).toEqual([
      'pkg:npm/%40ant/core@1.0.0',
      expect.stringMatching(/^pkg:npm\/rolldown@/),
      'pkg:npm/zebra@1.0.0',
    ]);
  });

  it('include the standard text of a license without a file', async () => {
    addPackage('ant', { license: 'MIT', author: 'Ann', homepage: 'https://ant.example' });
    const { notices } = await bundle(`export * from 'ant';`);
    expect(notices).toMatch(/Origin: Ann, https:\/\/ant\.example\n\nPermission is hereby granted/);
  });

  it.each([{}, { license: 'UNLICENSED' }, { license: 'GPL-3.0-only' }])(
    'cannot be written for a package that may not be passed on: %j',
    async (terms) => {
      addPackage('secret', terms, { LICENSE: 'All rights reserved.' });
      await expect(bundle(`export * from 'secret';`)).rejects.toThrow('secret');
    },
  );

  function addPackage(name: string, terms: object, files: Readonly<Record<string, string>> = {}) {
    const manifest = { name, version: '1.0.0', type: 'module', sideEffects: false, ...terms };
    write(`node_modules/${name}/package.json`, JSON.stringify(manifest));
    write(`node_modules/${name}/index.js`, `export const name = '${name}';`);
    for (const [file, text] of Object.entries(files)) write(`node_modules/${name}/${file}`, text);
  }

  async function bundle(entry: string) {
    write('entry.js', entry);
    const built = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [licenses('part')],
      build: { lib: { entry: 'entry.js', formats: ['es'] }, write: false },
    });
    const { output } = (built as Rolldown.RolldownOutput[])[0]!;
    const read = (file: string) =>
      String((output.find(({ fileName }) => fileName === file) as Rolldown.OutputAsset).source);
    const sbom = JSON.parse(read('sbom.cdx.json')) as { components: readonly { purl: string }[] };
    return { notices: read('third-party-notices.txt'), sbom };
  }
});

describe('writePackage', () => {
  beforeEach(() => write('made/chunks/a.js', 'export {};\n'));

  it('gives the same files the same hash, which is beside the version', () => {
    const { contentHash } = make();
    const manifest = readJson(join(folder, 'made/package.json'));
    expect(manifest).toMatchObject({ version: project.version, contentHash });
    expect(toContentHash(join(folder, 'made'), manifest)).toBe(contentHash);
    expect(make().contentHash).toBe(contentHash);
  });

  it.each<[string, () => object]>([
    ['a script', () => (write('made/chunks/a.js', 'export {}\n'), {})],
    ['the name of a file', () => (write('made/chunks/b.js', 'export {};\n'), {})],
    ['package.json', () => ({ keywords: ['form'] })],
  ])('changes the hash with %s', (_name, change) => {
    const { contentHash } = make();
    expect(make(change()).contentHash).not.toBe(contentHash);
  });

  it('packs a tarball beside the folder', () => {
    make();
    expect(readdirSync(folder).toSorted()).toEqual(['made', 'thing.tgz']);
  });

  it('removes links to files that the package does not contain', () => {
    make();
    const changelog = readFileSync(join(folder, 'made/CHANGELOG.md'), 'utf8');
    expect(changelog).toContain('# ');
    expect(changelog).not.toMatch(/\]\((?!https?:|#)/);
  });

  function make(fields = {}) {
    const manifest = { name: 'thing', exports: { '.': './index.js' }, ...fields };
    const readme = 'widget/package/README.md';
    return writePackage(join(folder, 'made'), { manifest, readme, packages: [] });
  }
});

describe('npm run release', () => {
  const toBuilt = (contentHash: string, version = '1.0.0') => ({
    name: 'thing',
    version,
    contentHash,
  });
  const unpublished = () => undefined;
  let file: string;

  beforeEach(() => {
    file = join(folder, 'versions.json');
  });

  it('records a new version', () => {
    recordRelease([toBuilt('sha256-a')], file, unpublished);
    recordRelease([toBuilt('sha256-b', '1.0.1')], file, unpublished);
    expect(readJson(file)).toEqual({ thing: { '1.0.0': 'sha256-a', '1.0.1': 'sha256-b' } });
  });

  it('accepts the same bytes again', () => {
    recordRelease([toBuilt('sha256-a')], file, unpublished);
    expect(() => recordRelease([toBuilt('sha256-a')], file, unpublished)).not.toThrow();
  });

  it('refuses a recorded version with other bytes', () => {
    recordRelease([toBuilt('sha256-a')], file, unpublished);
    expect(() => recordRelease([toBuilt('sha256-b')], file, unpublished)).toThrow(
      'thing 1.0.0 was released with other bytes (sha256-a). Give package.json and CHANGELOG.md the next version.',
    );
    expect(readJson(file)).toEqual({ thing: { '1.0.0': 'sha256-a' } });
  });

  it('refuses a version that a registry has with other bytes', () => {
    expect(() => recordRelease([toBuilt('sha256-b')], file, () => 'sha256-a')).toThrow(
      'was released with other bytes (sha256-a)',
    );
    expect(existsSync(file)).toBe(false);
  });
});

function write(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
