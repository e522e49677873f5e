// Vite plugin: measures the built widget, fails when it exceeds its budget, and writes the version that the BFF serves.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { readJson, root } from './project.mjs';
import { entries, firstChunk } from './widget-chunks.mjs';
import { removeVersion, writeVersion } from './widget-version.mjs';

const bytesOfKilobyte = 1024;
/**
 * `firstLoad`: the first file, with which the first steps can be used. `form`: everything up to the review, in English. `english`:
 * everything that an applicant may load in production, in English.
 */
export const widgetBudget = {
  firstLoadBrotliBytes: 24.5 * bytesOfKilobyte,
  formBrotliBytes: 72.3 * bytesOfKilobyte,
  englishBrotliBytes: 106.4 * bytesOfKilobyte,
};
/** Chunks of the form in addition to the first load, by name. */
const formChunks = ['form', 'industry-words-en'];
/** Chunks that load only in the sandbox, by name. */
const sandboxChunks = ['demonstration-bank'];

/** @returns {import('vite').Plugin} */
export function widgetSize() {
  /** Version written by the previous build of `vite build --watch`; removed, because each build writes a new folder. */
  let previousVersion;
  /** Prints the sizes at the level `info` only: `--logLevel=warn` builds quietly. */
  let logger;
  return {
    name: 'widget-size',
    apply: 'build',
    configResolved(config) {
      logger = config.logger;
    },
    writeBundle(options, bundle) {
      const outputs = Object.values(bundle);
      const files = outputs.map((output) => measureFile(options.dir, output.fileName));
      const chunks = outputs.filter((output) => output.type === 'chunk');
      const entry = chunks.find(({ name }) => name === firstChunk);
      const firstLoad = findFirstLoad(entry, chunks);
      const form = firstLoad.union(findNamed(chunks, formChunks));
      const sizes = summarize(files, {
        firstLoad,
        form,
        sandbox: findNamed(chunks, sandboxChunks),
        languages: findLanguageChunks(chunks, listLanguages()),
      });

      logger.info(describeSizes(files, sizes));
      const version = `${readJson(join(root, 'package.json')).version}-${toMark(files)}`;
      writeVersion(options.dir, { version, entry: entry.fileName, files });
      if (previousVersion !== undefined && previousVersion !== version)
        removeVersion(options.dir, previousVersion);
      previousVersion = version;

      if (entry.imports.length > 0)
        throw new Error(
          'The first load is more than one file. Import its modules in the first chunk, because one hash must cover it.',
        );
      const unnamed = findUnnamedImports(chunks);
      if (unnamed.length > 0)
        throw new Error(
          `Chunks import ${unnamed.join(', ')}, which costs one more request. Name its chunk in scripts/widget-chunks.mjs.`,
        );
      const excess = findExcess(sizes);
      if (excess.length > 0) throw new Error(`The widget exceeds its budget: ${excess.join('; ')}`);
    },
  };
}

/** Returns the first file and everything that it imports statically: the files that a page downloads before it shows the form. */
export function findFirstLoad(entry, chunks) {
  const found = new Set([entry.fileName]);
  for (const fileName of found) {
    for (const imported of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) {
      found.add(imported);
    }
  }
  return found;
}

/** Returns the files that chunks import statically, and that have no name: the browser requests them when a chunk has arrived. */
export function findUnnamedImports(chunks) {
  const named = chunks.filter(({ name }) => Object.hasOwn(entries, name));
  const imported = new Set(chunks.flatMap(({ imports }) => imports));
  return [...imported.difference(new Set(named.map(({ fileName }) => fileName)))];
}

export function findNamed(chunks, names) {
  const found = chunks.filter(({ name }) => names.includes(name));
  // A renamed module must not leave its budget unnoticed.
  if (found.length < names.length)
    throw new Error(`A chunk is missing. Expected: ${names.join(', ')}`);
  return new Set(found.map(({ fileName }) => fileName));
}

/** Languages other than English that have a message catalog or a file of synonyms. */
export function listLanguages(widget = join(root, 'widget')) {
  const list = (folder, pattern) =>
    readdirSync(join(widget, folder)).flatMap((file) => pattern.exec(file)?.[1] ?? []);
  const languages = [
    ...list('i18n', /^([a-z]+)\.json$/),
    ...list('fields', /^industry-words-([a-z]+)\.ts$/),
  ];
  return [...new Set(languages)].filter((language) => language !== 'en').toSorted();
}

/** Returns the files that load only for a language other than English. They do not count as English. */
export function findLanguageChunks(chunks, languages) {
  const files = languages.flatMap((language) =>
    [language, `industry-words-${language}`].map((expected) => {
      const chunk = chunks.find(({ name }) => name === expected);
      if (chunk) return chunk.fileName;
      throw new Error(
        `The language "${language}" lacks the chunk "${expected}". Load its messages with import() in widget/i18n/messages.ts, and its synonyms in widget/fields/pickers.ts.`,
      );
    }),
  );
  return new Set(files);
}

export function summarize(files, { firstLoad, form, sandbox, languages }) {
  const scripts = files.filter(({ file }) => file.endsWith('.js'));
  const sum = (some) => some.reduce((total, { brotli }) => total + brotli, 0);
  return {
    firstLoadBrotliBytes: sum(scripts.filter(({ file }) => firstLoad.has(file))),
    formBrotliBytes: sum(scripts.filter(({ file }) => form.has(file))),
    englishBrotliBytes: sum(
      scripts.filter(({ file }) => !sandbox.has(file) && !languages.has(file)),
    ),
    sandboxBrotliBytes: sum(scripts.filter(({ file }) => sandbox.has(file))),
  };
}

export function findExcess(sizes, budget = widgetBudget) {
  return listLimits(sizes, budget)
    .filter(([, bytes, limit]) => bytes > limit)
    .map(([name, bytes, limit]) => `${name} is ${bytes} bytes Brotli, the limit is ${limit}`);
}

function listLimits(sizes, budget) {
  return [
    ['first load', sizes.firstLoadBrotliBytes, budget.firstLoadBrotliBytes],
    ['the form up to its review, in English', sizes.formBrotliBytes, budget.formBrotliBytes],
    ['everything in English', sizes.englishBrotliBytes, budget.englishBrotliBytes],
  ];
}

function measureFile(folder, file) {
  const content = readFileSync(join(folder, file));
  const gzip = gzipSync(content, { level: 9 });
  const brotli = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  return {
    file,
    bytes: content.length,
    gzip: gzip.length,
    brotli: brotli.length,
    integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
    content,
    compressed: { br: brotli, gz: gzip },
  };
}

function describeSizes(files, sizes) {
  const row = (name, ...numbers) =>
    name.padEnd(48) + numbers.map((number) => String(number).padStart(9)).join('');
  const limit = (name, bytes, limitBytes) =>
    `${name}: ${bytes} bytes Brotli (${(bytes / bytesOfKilobyte).toFixed(1)} KB of ${limitBytes / bytesOfKilobyte} KB)`;
  return [
    row('widget, bytes', 'min', 'gzip', 'brotli'),
    ...files.map(({ file, bytes, gzip, brotli }) => row(file, bytes, gzip, brotli)),
    ...listLimits(sizes, widgetBudget).map((row) => limit(...row)),
    `in the sandbox only: ${sizes.sandboxBrotliBytes} bytes Brotli`,
  ].join('\n');
}

/** Depends on every byte of the widget, because clients cache the files of a version forever. */
export function toMark(files) {
  const hash = createHash('sha256');
  for (const { file, integrity } of files) hash.update(`${file} ${integrity}\n`);
  return hash.digest('hex').slice(0, 8);
}
