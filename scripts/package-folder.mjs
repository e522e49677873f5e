// Makes a built folder an npm package that can be published: README, CHANGELOG, LICENSE, third-party notices, SBOM, package.json
// with a version of its own, and the tarball beside the folder.
//
// In a Vite configuration, after all plugins that write files:
//
//   plugins: [
//     npmPackage({
//       readme: 'widget/package/README.md',
//       manifest: { name: 'funding-application', description: '…', keywords: ['…'], exports: { '.': './index.js' } },
//     }),
//   ]
//
// For a package that several builds write, call `await writePackage(folder, { …, packages })` after the last one. `packages` are
// the installed packages whose code is in the folder: `listPackages(moduleIds)` of third-party-notices.mjs, and
// `readBundledPackages(otherFolder)` for each finished package of this project whose files the folder contains.
//
// `manifest` has what only this package has: name, description, keywords, exports, types, bin, sideEffects, dependencies, engines.
// Everything else comes from the project's package.json: license, author, version, and the addresses (`repository`, `homepage`,
// `bugs`). The packages have no addresses as long as the project's package.json has none.
//
// The version is `<version of the project>-h<hash of every byte>`, for example `0.1.0-h1f3870be274f`. The same files have the same
// version, and other files have another one, so that a lockfile can trust it. Files that need the version contain
// `versionPlaceholder`, which is replaced when the hash is known.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { sbomFile, toSbom } from './package-sbom.mjs';
import { childEnvironment, readJson, root, toJson } from './project.mjs';
import {
  describeNotices,
  listPackages,
  mergePackages,
  noticesFile,
  readPackage,
} from './third-party-notices.mjs';

export const packagesFolder = join(root, 'dist', 'packages');
export const versionPlaceholder = '0.0.0-version-of-this-package';

const hashLength = 12;
const projectFields = ['license', 'author', 'homepage', 'repository', 'bugs'];
/** npm adds these files to every package. */
const alwaysPacked = new Set(['package.json', 'README.md', 'LICENSE']);

/**
 * @typedef {object} PackageOptions
 * @property {Record<string, unknown> & { name: string }} manifest fields of `package.json` that only this package has
 * @property {string} readme the README, as a path in the project
 * @property {readonly { name: string, credit: string }[]} [copied] packages whose files the build copies
 * @property {() => readonly string[]} [modules] modules of other builds whose code is in the folder
 * @property {readonly string[]} [includes] folders of finished packages of this project whose files this package contains
 */

/**
 * A Vite plugin: writes the package when the build has written its last file.
 *
 * @param {PackageOptions} options
 * @returns {import('vite').Plugin}
 */
export function npmPackage({ copied = [], modules = () => [], includes = [], ...options }) {
  return {
    name: 'npm-package',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: ({ dir }, bundle) => {
        const rendered = Object.values(bundle).flatMap(listRendered);
        const packages = [
          ...listPackages([...rendered, ...modules()], copied),
          ...includes.flatMap((folder) => readBundledPackages(folder)),
        ];
        const { version, tarball } = writePackage(dir, { ...options, copied, packages });
        console.log(`${options.manifest.name} ${version}: ${tarball.slice(root.length)}`);
      },
    },
  };
}

/**
 * Completes the folder, and packs it to `dist/packages/<name>.tgz`.
 *
 * @param {string} folder
 * @param {Omit<PackageOptions, 'includes' | 'modules'> & { packages: readonly ReturnType<typeof readPackage>[], project?: Record<string, any> }} options
 * @returns {{ version: string, tarball: string }}
 */
export function writePackage(
  folder,
  { manifest, readme, packages, copied = [], project = readJson(join(root, 'package.json')) },
) {
  const write = (file, text) => writeFileSync(join(folder, file), text);
  const bundled = mergePackages(packages);
  const own = { ...readPackage(root), title: `${manifest.name} ${versionPlaceholder}` };
  const complete = toManifest(manifest, project);
  write('README.md', withoutRelativeLinks(read(readme)));
  write('CHANGELOG.md', withoutRelativeLinks(read('CHANGELOG.md')));
  write('LICENSE', read('LICENSE'));
  write(noticesFile, describeNotices(own, bundled, copied));
  write(sbomFile, toSbom(complete, bundled));
  write('package.json', '');
  const listed = readdirSync(folder).filter((file) => !alwaysPacked.has(file));
  write('package.json', toJson({ ...complete, files: listed.toSorted() }));
  for (const file of Object.values(manifest.bin ?? {})) chmodSync(join(folder, file), 0o755);

  checkPaths(folder);
  const version = `${project.version}${project.version.includes('-') ? '.' : '-'}h${toHash(folder)}`;
  for (const file of listFiles(folder)) {
    const content = readFileSync(join(folder, file));
    if (content.includes(versionPlaceholder))
      write(file, content.toString().replaceAll(versionPlaceholder, version));
  }
  return { version, tarball: pack(folder, manifest.name) };
}

/** The installed packages whose code is in a finished package of this project, from its SBOM. */
export function readBundledPackages(folder) {
  const { components = [] } = readJson(join(folder, sbomFile)) ?? {};
  const { packages: locked } = readJson(join(root, 'package-lock.json'));
  return components.map(({ group, name, version }) => {
    const fullName = group ? `${group}/${name}` : name;
    const found = Object.entries(locked).find(
      ([path, entry]) => path.endsWith(`node_modules/${fullName}`) && entry.version === version,
    );
    if (!found) throw new Error(`package-lock.json does not contain ${fullName} ${version}.`);
    return readPackage(join(root, found[0]));
  });
}

/**
 * The hash in the version of a package.
 *
 * @param {string} folder
 * @param {string} [version] the version in the files of a finished package
 */
export function toHash(folder, version = versionPlaceholder) {
  const hash = createHash('sha256');
  for (const file of listFiles(folder)) {
    const content = readFileSync(join(folder, file));
    const general = content.includes(version)
      ? content.toString().replaceAll(version, versionPlaceholder)
      : content;
    hash.update(`${file} ${createHash('sha256').update(general).digest('hex')}\n`);
  }
  return hash.digest('hex').slice(0, hashLength);
}

/** The modules whose code is in a chunk. The bundler also lists those that only export from others. */
function listRendered({ modules = {} }) {
  return Object.entries(modules).flatMap(([id, { renderedLength }]) =>
    renderedLength > 0 ? [id] : [],
  );
}

function toManifest({ name, description, keywords, ...fields }, project) {
  const inherited = projectFields
    .filter((field) => project[field] !== undefined)
    .map((field) => [field, project[field]]);
  return {
    name,
    version: versionPlaceholder,
    description,
    keywords,
    ...Object.fromEntries(inherited),
    type: 'module',
    ...fields,
  };
}

function listFiles(folder) {
  return globSync('**/*', { cwd: folder })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
}

/** A package must not depend on where it was built, nor tell it. */
function checkPaths(folder) {
  const paths = [root, homedir()].filter((path) => path.length > '/root'.length);
  for (const file of listFiles(folder)) {
    const content = readFileSync(join(folder, file));
    const found = paths.find((path) => content.includes(path));
    if (found) throw new Error(`${file} contains ${found}. Remove the path from the build.`);
  }
}

/** Links to other files of the project lead nowhere in a package, so only their text remains. */
export function withoutRelativeLinks(markdown) {
  return markdown.replaceAll(/\[([^\]]+)\]\((?!https?:|#|mailto:)[^)]+\)/g, '$1');
}

function pack(folder, name) {
  const npm = process.env.npm_execpath;
  const args = [
    'pack',
    '--json',
    '--ignore-scripts',
    '--loglevel=error',
    '--pack-destination',
    dirname(folder),
  ];
  const options = { cwd: folder, env: childEnvironment(), encoding: 'utf8' };
  const { status, stdout, stderr } = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`npm pack failed in ${folder}: ${stderr}`);
  const [{ filename }] = JSON.parse(stdout);
  const tarball = join(dirname(folder), `${name}.tgz`);
  renameSync(join(dirname(folder), filename), tarball);
  return tarball;
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}
