// Tests that hold for every npm package of the project.

import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from './types-check.ts';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toContentHash } from '../../../scripts/release/packages.mjs';
import project from '../../../package.json' with { type: 'json' };
import { root } from '../../../scripts/project.mjs';
import { buildPackages } from './build-packages.ts';
import { packageNames, readPackedPackage, type PackedPackage } from './packed.ts';

interface Sbom {
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly {
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses: readonly unknown[];
  }[];
}

const schemas = join(root, 'scripts/release/node_modules/@cyclonedx/cyclonedx-library/res/schema');
const folders = Object.keys(packageNames) as (keyof typeof packageNames)[];

describe.each(folders)('the package %s', (folderName) => {
  let packed: PackedPackage;
  let sbom: Sbom;

  beforeAll(() => {
    packed = readPackedPackage(folderName);
    sbom = JSON.parse(packed.read('sbom.cdx.json'));
  });

  it('has no finding of publint', async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: packed.data.buffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has the right types for every way to import it', async () => {
    const checked = await checkPackage(createPackageFromTarballData(packed.data));
    if (!('problems' in checked)) throw new Error('The package has no types');
    // Node 22 and later load ES modules with `require()`; earlier versions do not.
    const problems = checked.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM');
    expect(problems).toEqual([]);
  });

  it('contains every file of the built folder', () => {
    const built = globSync('**/*', { cwd: packed.folder }).filter((file) =>
      statSync(join(packed.folder, file)).isFile(),
    );
    expect(packed.files).toEqual(built.toSorted());
  });

  it('contains what adopters and reviewers look for', () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'sbom.cdx.json',
        'third-party-notices.txt',
      ]),
    );
    expect(packed.read('LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    expect(packed.read('CHANGELOG.md')).toMatch(/^## (?:Unreleased|\d)/m);
  });

  it('can be published', () => {
    expect(packed.manifest).not.toHaveProperty('private');
    expect(packed.manifest).toMatchObject({
      name: packageNames[folderName],
      license: 'MIT',
      type: 'module',
      description: expect.stringMatching(/\w/),
      keywords: expect.arrayContaining([expect.any(String)]),
    });
  });

  it('has the version of the project, with the hash of its files beside it', () => {
    const { version, contentHash } = packed.manifest;
    expect(version).toBe(project.version);
    expect(contentHash).toBe(toContentHash(packed.folder, packed.manifest));
    expect(sbom.metadata.component.purl).toBe(`pkg:npm/${packed.manifest.name}@${version}`);
  });

  it('names no folder of the machine that built it', () => {
    const found = packed.files.filter((file) => {
      const text = packed.read(file);
      return [root, homedir(), tmpdir(), 'node_modules/.'].some(
        (path) => path.length > '/root'.length && text.includes(path),
      );
    });
    expect(found).toEqual([]);
  });

  it('has a valid SBOM', () => {
    const ajv = new Ajv({ strict: false });
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(readSchema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    formats.default(ajv);
    ajv.addFormat('iri-reference', true);
    ajv.addFormat('idn-email', true);
    const validate = ajv.compile(readSchema('bom-1.6'));
    validate(sbom);
    expect(validate.errors).toBeNull();
    for (const { licenses } of sbom.components) expect(licenses).not.toEqual([]);
  });

  it('has the same packages in its SBOM as in its notices', () => {
    const notices = packed.read('third-party-notices.txt');
    const [list = ''] = notices.split(/^-{80}$/m);
    const listed = [...list.matchAll(/^ {2}(\S+) (\S+) \(/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    );
    const components = sbom.components.map(
      ({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`,
    );
    expect(components.toSorted()).toEqual(listed.toSorted());
    for (const one of components) expect(notices).toContain(`\n${one} (`);
  });
});

describe('a second build in another folder', () => {
  const copy = mkdtempSync(join(tmpdir(), 'second-build-'));

  beforeAll(async () => {
    const files = globSync(
      [
        '{bff,conformance,widget,shared,sandbox,scripts,docs/public,examples/themes}/**/*.*',
        'examples/{deployment/*,hooks/*,monitoring/*,settings.json}',
        'docs/.vitepress/*.ts',
        '{*.json,*.ts,*.md,LICENSE}',
      ],
      { cwd: root, exclude: ['**/node_modules/**'] },
    );
    for (const file of files) cpSync(join(root, file), join(copy, file));
    for (const folder of ['node_modules', 'scripts/release/node_modules'])
      symlinkSync(join(root, folder), join(copy, folder));
    await buildPackages(copy);
  });

  afterAll(() => rmSync(copy, { recursive: true }));

  it.each(Object.values(packageNames))('makes the same bytes of %s', (name) => {
    const [first, second] = [root, copy].map((folder) =>
      readFileSync(join(folder, 'dist', 'packages', `${name}.tgz`)).toString('base64'),
    );
    expect(second === first).toBe(true);
  });
});

function readSchema(name: string): object {
  return JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8'));
}
