// Vite plugin: writes beside a bundle the licences of everything that is in it, since hardly one lets its code travel without.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJson, root } from './project.mjs';

export const noticesFile = 'third-party-notices.txt';

/** The words of licences by their SPDX id, for packages that came without them. */
const standardTexts = join(import.meta.dirname, 'license-texts');
const licenseFile = /^(un)?licen[cs]e|^copying/i;
const noticeFile = /^notice/i;
const rule = '-'.repeat(80);

/** @returns {import('vite').Plugin} */
export function thirdPartyNotices() {
  return {
    name: 'third-party-notices',
    apply: 'build',
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle);
      const modules = outputs.flatMap((output) => ('moduleIds' in output ? output.moduleIds : []));
      const source = describeNotices(readPackage(root), listPackages(modules));
      this.emitFile({ type: 'asset', fileName: noticesFile, source });
    },
  };
}

/** The packages that the modules come from, each version once, by name. */
function listPackages(modules) {
  const folders = new Set(modules.map(findFolder).filter((folder) => folder !== undefined));
  const packages = [...folders].map((folder) => readPackage(folder));
  const byTitle = new Map(packages.map((found) => [found.title, found]));
  return [...byTitle.values()].toSorted((one, other) => (one.title < other.title ? -1 : 1));
}

/** Undefined for a module of our own. */
function findFolder(id) {
  // The bundler's own helpers are part of it.
  if (id.startsWith('\0rolldown/')) return join(root, 'node_modules', 'rolldown');
  const file = id.replace(/^\0/, '').replace(/\?.*$/, '');
  if (!file.includes('/node_modules/')) return undefined;
  let folder = dirname(file);
  // Inside of a package another `package.json` may say how modules are read, and nothing else.
  while (!readJson(join(folder, 'package.json'))?.name) folder = dirname(folder);
  return folder;
}

function readPackage(folder) {
  const { name, version, license, author, homepage, repository } = readJson(
    join(folder, 'package.json'),
  );
  const title = `${name} ${version}`;
  if (typeof license !== 'string' || license === 'UNLICENSED')
    throw new Error(`${title} is in the bundle and names no licence: nobody may pass it on`);
  return {
    title,
    license,
    author: author?.name ?? author,
    address: homepage ?? repository?.url ?? repository,
    licenseTexts: readTexts(folder, licenseFile),
    noticeTexts: readTexts(folder, noticeFile),
  };
}

/** Every file of these names: some packages come under two licences. */
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
  // Some titles stand in the middle of their line.
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd();
}

function describeNotices(own, packages) {
  return [
    `The programs in this folder are ${own.title}, under the licence that stands first. They hold parts`,
    'of these packages, each under its own:',
    '',
    ...packages.map(({ title, license }) => `  ${title} (${license})`),
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
    ...(isWithoutText ? [`It came without the text of its licence. From: ${origin}`] : []),
    ...[...texts, ...noticeTexts].flatMap((text) => ['', text]),
  ];
}
