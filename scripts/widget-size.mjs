// Vite plugin: measures the built widget, holds it to its budget, and writes the manifest for serving it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { root } from './project.mjs';

const bytesOfKilobyte = 1024;
export const widgetBudget = {
  allGzipBytes: 60 * bytesOfKilobyte,
  firstLoadGzipBytes: 45 * bytesOfKilobyte,
};

/** @returns {import('vite').Plugin} */
export function widgetSize() {
  return {
    name: 'widget-size',
    apply: 'build',
    writeBundle(options, bundle) {
      const outputs = Object.values(bundle);
      const files = outputs.map((output) => measureFile(options.dir, output.fileName));
      const chunks = outputs.filter((output) => output.type === 'chunk');
      const entry = chunks.find((chunk) => chunk.isEntry);
      const sizes = summarize(files, findFirstLoad(entry, chunks));

      console.log(describeSizes(files, sizes));
      writeManifest(options.dir, entry.fileName, files);

      const excess = findExcess(sizes);
      if (excess.length > 0) throw new Error(`The widget is over its budget: ${excess.join('; ')}`);
    },
  };
}

/** The entry and everything it imports statically: what a page downloads before it shows the form. */
export function findFirstLoad(entry, chunks) {
  const found = new Set([entry.fileName]);
  for (const fileName of found) {
    for (const imported of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) {
      found.add(imported);
    }
  }
  return found;
}

export function summarize(files, firstLoad) {
  const scripts = files.filter(({ file }) => file.endsWith('.js'));
  const sum = (some) => some.reduce((total, { gzip }) => total + gzip, 0);
  return {
    allGzipBytes: sum(scripts),
    firstLoadGzipBytes: sum(scripts.filter(({ file }) => firstLoad.has(file))),
  };
}

export function findExcess(sizes, budget = widgetBudget) {
  const rows = [
    ['all JavaScript', sizes.allGzipBytes, budget.allGzipBytes],
    ['first load', sizes.firstLoadGzipBytes, budget.firstLoadGzipBytes],
  ];
  return rows
    .filter(([, bytes, limit]) => bytes > limit)
    .map(([name, bytes, limit]) => `${name} is ${bytes} bytes gzip, the limit ${limit}`);
}

function measureFile(folder, file) {
  const content = readFileSync(join(folder, file));
  return {
    file,
    bytes: content.length,
    gzip: gzipSync(content, { level: 9 }).length,
    brotli: brotliCompressSync(content).length,
    integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
  };
}

function describeSizes(files, sizes) {
  const row = (name, ...numbers) =>
    name.padEnd(48) + numbers.map((number) => String(number).padStart(9)).join('');
  const limit = (name, bytes, limitBytes) =>
    `${name}: ${bytes} bytes gzip (${(bytes / bytesOfKilobyte).toFixed(1)} KB of ${limitBytes / bytesOfKilobyte} KB)`;
  return [
    row('widget, bytes', 'min', 'gzip', 'brotli'),
    ...files.map(({ file, bytes, gzip, brotli }) => row(file, bytes, gzip, brotli)),
    limit('all JavaScript', sizes.allGzipBytes, widgetBudget.allGzipBytes),
    limit('first load', sizes.firstLoadGzipBytes, widgetBudget.firstLoadGzipBytes),
  ].join('\n');
}

function writeManifest(folder, entry, files) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const listed = files.map(({ file, bytes, gzip, integrity }) => ({
    file,
    bytes,
    gzip,
    integrity,
  }));
  writeFileSync(
    join(folder, 'manifest.json'),
    `${JSON.stringify({ version, entry, files: listed }, null, 2)}\n`,
  );
}
