// Finds the PostgreSQL of the tests, gets it when it is missing, and records where it is.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages, isRootOnDebian, shouldInstall } from './debian.mjs';
import { cacheFolder, canRun, readJson } from './project.mjs';

const recordFile = join(cacheFolder, 'postgres.json');
/** The programs of a PostgreSQL server for the tests. */
const programs = ['initdb', 'postgres'];
/** Where Debian and Homebrew keep each version in a folder of its own, off PATH. */
const versionFolders = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];

// Debian makes and starts a database for everybody with the package, unless its configuration says otherwise.
const createClusterFolder = '/etc/postgresql-common/createcluster.d';
const createClusterFile = join(createClusterFolder, 'funding-application-tests.conf');

/** Brings the record up to date; never throws when there is no PostgreSQL to be had. */
export function setUpPostgres() {
  if (process.env.TEST_POSTGRES_URL) return;
  let triedAt = readJson(recordFile)?.triedAt;
  if (shouldInstall(missingPostgres(), triedAt) && isRootOnDebian()) {
    installWithoutDatabase();
    triedAt = Date.now();
  }

  const folder = findPostgres();
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(recordFile, `${JSON.stringify({ folder, triedAt }, null, 2)}\n`);
  if (!folder) console.log('No PostgreSQL on this machine: its tests will not run.');
}

/** The tests that cannot run without PostgreSQL, as the last lines of `npm test` name them. */
export function missingPostgres(environment = process.env, find = findPostgres) {
  return environment.TEST_POSTGRES_URL || find() ? [] : ['postgresql'];
}

/** The folder of the server's programs: what is on record was seen to start. */
export function findPostgres() {
  const known = readJson(recordFile)?.folder;
  return known && hasPrograms(known) ? known : findServerFolder(listServerFolders());
}

/** The first of the folders whose programs are all there and start. */
export function findServerFolder(folders) {
  return folders.find(
    (folder) => hasPrograms(folder) && programs.every((program) => canRun(join(folder, program))),
  );
}

/** Where to look, best first: what PATH chooses, then the newest version. */
export function listServerFolders(path = process.env.PATH ?? '', parents = versionFolders) {
  return [
    ...path.split(delimiter).filter((folder) => folder !== ''),
    ...parents.flatMap((parent) =>
      sortVersions(listEntries(parent)).map((version) => join(parent, version, 'bin')),
    ),
  ];
}

// Debian names a version's folder `15`, Homebrew `postgresql@15`.
function sortVersions(names) {
  const toVersion = (name) => Number(/^(?:postgresql@)?(\d+(?:\.\d+)?)$/.exec(name)?.[1]);
  return names
    .filter((name) => toVersion(name) > 0)
    .sort((one, other) => toVersion(other) - toVersion(one));
}

function listEntries(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function hasPrograms(folder) {
  return programs.every((program) => existsSync(join(folder, program)));
}

// The setting is there for the installation only: who installs another version later gets what Debian promises.
function installWithoutDatabase() {
  mkdirSync(createClusterFolder, { recursive: true });
  writeFileSync(createClusterFile, 'create_main_cluster = false\n');
  try {
    installDebianPackages([['postgresql']]);
  } finally {
    rmSync(createClusterFile);
  }
}
