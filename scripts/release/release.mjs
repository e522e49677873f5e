// `npm run release`: compares the built packages with everything that was released, and records them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesFolder, readJson, root, toJson } from '../project.mjs';
import { runNpm } from './packages.mjs';

const recordFile = join(root, 'scripts', 'release', 'versions.json');

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
