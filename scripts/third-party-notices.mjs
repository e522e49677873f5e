// Vite plugin: writes the licenses of all bundled packages next to the bundle, as most licenses require.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJson, root } from './project.mjs';

export const noticesFile = 'third-party-notices.txt';

/** Standard license texts by SPDX id, for packages that contain no license file. */
const standardTexts = join(import.meta.dirname, 'license-texts');
const licenseFile = /^(un)?licen[cs]e|^copying/i;
const noticeFile = /^notice/i;
const rule = '-'.repeat(80);

/**
 * @param {readonly { name: string, credit: string }[]} copied packages whose files the build copies, and the credit that their data requires
 * @returns {import('vite').Plugin}
 */
export function thirdPartyNotices(copied = []) {
  return {
    name: 'third-party-notices',
    apply: 'build',
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle);
      const modules = outputs.flatMap((output) => ('moduleIds' in output ? output.moduleIds : []));
      const source = describeNotices(readPackage(root), listPackages(modules, copied), copied);
      this.emitFile({ type: 'asset', fileName: noticesFile, source });
    },
  };
}

/**
 * Returns the packages of the modules, each version once, sorted by name.
 *
 * @param {readonly string[]} modules ids of modules, as the bundler lists them
 * @param {readonly { name: string }[]} copied packages whose files the build copies
 */
export function listPackages(modules, copied = []) {
  const folders = new Set([
    ...modules.map(findFolder).filter((folder) => folder !== undefined),
    ...copied.map(({ name }) => join(root, 'node_modules', name)),
  ]);
  return mergePackages([...folders].map((folder) => readPackage(folder)));
}

/** Returns each version of a package once, sorted by name. */
export function mergePackages(packages) {
  const byTitle = new Map(packages.map((found) => [found.title, found]));
  return [...byTitle.values()].toSorted((one, other) => (one.title < other.title ? -1 : 1));
}

/** Returns undefined for a module of this project. */
function findFolder(id) {
  // The bundler's own helper code is part of the bundle.
  if (id.startsWith('\0rolldown/')) return join(root, 'node_modules', 'rolldown');
  const file = id.replace(/^\0/, '').replace(/\?.*$/, '');
  if (!file.includes('/node_modules/')) return undefined;
  let folder = dirname(file);
  // A nested `package.json` without a name only sets the module type.
  while (!readJson(join(folder, 'package.json'))?.name) folder = dirname(folder);
  return folder;
}

/** Reads what the notices and the SBOM say about an installed package. */
export function readPackage(folder) {
  const manifest = readJson(join(folder, 'package.json'));
  const { name, version, license, author, homepage, repository } = manifest;
  const title = `${name} ${version}`;
  if (typeof license !== 'string' || license === 'UNLICENSED')
    throw new Error(`${title} is bundled and names no license. Its redistribution is not allowed.`);
  return {
    title,
    manifest,
    license,
    author: author?.name ?? author,
    address: homepage ?? repository?.url ?? repository,
    licenseTexts: readTexts(folder, licenseFile),
    noticeTexts: readTexts(folder, noticeFile),
  };
}

/** Returns every file with one of these names, because some packages have two licenses. */
function readTexts(folder, names) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .toSorted()
    .map(readText);
}

function readStandardTexts(license) {
  const file = join(standardTexts, `${license}.txt`);
  return existsSync(file) ? [readText(file)] : [];
}

function readText(file) {
  // Some texts indent the title.
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd();
}

/**
 * @param {{ title: string }} own the package that contains the others
 * @param {readonly { title: string }[]} packages
 * @param {readonly { credit: string }[]} copied
 */
export function describeNotices(own, packages, copied = []) {
  return [
    `This folder contains ${own.title} under the first license below, and parts of these packages,`,
    'each under its own license:',
    '',
    ...packages.map(({ title, license }) => `  ${title} (${license})`),
    ...copied.flatMap(({ credit }) => ['', credit]),
    ...[own, ...packages].flatMap((one) => ['', rule, ...describePackage(one)]),
    '',
  ].join('\n');
}

function describePackage({ title, license, author, address, licenseTexts, noticeTexts }) {
  const isWithoutText = licenseTexts.length === 0;
  const origin = [author, address].filter((known) => known !== undefined).join(', ');
  const texts = isWithoutText ? readStandardTexts(license) : licenseTexts;
  return [
    `${title} (${license})`,
    ...(isWithoutText ? [`The package contains no license text. Origin: ${origin}`] : []),
    ...[...texts, ...noticeTexts].flatMap((text) => ['', text]),
  ];
}
