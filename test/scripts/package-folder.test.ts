// Tests that make a folder an npm package.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  readBundledPackages,
  versionPlaceholder,
  writePackage,
} from '../../scripts/package-folder.mjs';
import { toPurl } from '../../scripts/package-sbom.mjs';
import { root } from '../../scripts/project.mjs';
import { readPackage } from '../../scripts/third-party-notices.mjs';

const project = { version: '1.2.0', license: 'MIT' };
const lit = readPackage(join(root, 'node_modules', 'lit'));

describe('writePackage', () => {
  let parent: string;
  let folder: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'package-folder-'));
    folder = join(parent, 'made');
    write('made/index.js', `export const version = '${versionPlaceholder}';\n`);
    write('made/chunks/a.js', 'export {};\n');
  });

  afterEach(() => rmSync(parent, { recursive: true }));

  it('gives the same files the same version', () => {
    const { version } = make();
    rmSync(folder, { recursive: true });
    write('made/chunks/a.js', 'export {};\n');
    write('made/index.js', `export const version = '${versionPlaceholder}';\n`);
    expect(make().version).toBe(version);
  });

  it.each([
    ['a script', () => write('made/chunks/a.js', 'export {}\n')],
    ['the name of a file', () => write('made/chunks/b.js', 'export {};\n')],
  ])('changes the version with %s', (_, change) => {
    const { version } = make();
    change();
    write('made/index.js', `export const version = '${versionPlaceholder}';\n`);
    expect(make().version).not.toBe(version);
  });

  it('changes the version with package.json', () => {
    const { version } = make();
    write('made/index.js', `export const version = '${versionPlaceholder}';\n`);
    expect(make({ keywords: ['form'] }).version).not.toBe(version);
  });

  it('writes the version into the files that need it', () => {
    const { version } = make();
    expect(version).toMatch(/^1\.2\.0-h[0-9a-f]{12}$/);
    expect(read('index.js')).toContain(`'${version}'`);
    expect(JSON.parse(read('package.json')).version).toBe(version);
    expect(read('third-party-notices.txt')).toContain(`thing ${version} under`);
  });

  it('appends the hash to a prerelease', () => {
    const { version } = make({}, { ...project, version: '2.0.0-rc.1' });
    expect(version).toMatch(/^2\.0\.0-rc\.1\.h[0-9a-f]{12}$/);
  });

  it('copies the addresses of the project', () => {
    const repository = { type: 'git', url: 'git+https://code.example/a.git' };
    make({}, { ...project, repository, homepage: 'https://docs.example' });
    expect(JSON.parse(read('package.json'))).toMatchObject({
      repository,
      homepage: 'https://docs.example',
    });
  });

  it('lists the files at the top of the folder', () => {
    make();
    expect(JSON.parse(read('package.json')).files).toEqual([
      'CHANGELOG.md',
      'chunks',
      'index.js',
      'sbom.cdx.json',
      'third-party-notices.txt',
    ]);
  });

  it('packs a tarball beside the folder', () => {
    const { tarball } = make();
    expect(tarball).toBe(join(parent, 'thing.tgz'));
    expect(readdirSync(parent).toSorted()).toEqual(['made', 'thing.tgz']);
  });

  it('removes links to files that the package does not contain', () => {
    make();
    expect(read('CHANGELOG.md')).not.toMatch(/\]\((?!https?:|#)/);
    expect(read('CHANGELOG.md').length).toBeGreaterThan(1000);
  });

  it('refuses a file that names a folder of this machine', () => {
    write('made/index.js', `import '${root}widget/index.ts';`);
    expect(() => make()).toThrow('index.js contains');
  });

  it('finds the packages inside another package by its SBOM', () => {
    make();
    expect(readBundledPackages(folder)).toEqual([lit]);
  });

  function make(fields = {}, ofProject: object = project) {
    return writePackage(folder, {
      manifest: { name: 'thing', exports: { '.': './index.js' }, ...fields },
      readme: 'widget/package/README.md',
      packages: [lit],
      project: ofProject,
    });
  }

  function write(file: string, text: string): void {
    mkdirSync(join(parent, file, '..'), { recursive: true });
    writeFileSync(join(parent, file), text);
  }

  function read(file: string): string {
    return readFileSync(join(folder, file), 'utf8');
  }
});

describe('toPurl', () => {
  it('encodes the scope', () => {
    expect(toPurl({ name: '@lit/reactive-element', version: '2.1.2' })).toBe(
      'pkg:npm/%40lit/reactive-element@2.1.2',
    );
  });
});
