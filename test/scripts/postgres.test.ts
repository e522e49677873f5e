import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findServerFolder, listServerFolders, missingPostgres } from '../../scripts/postgres.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'postgres-programs-'));
});

afterEach(() => rmSync(root, { recursive: true }));

describe('listServerFolders', () => {
  it('starts with the folders of PATH, in order', () => {
    const path = ['/b', '', '/a'].join(delimiter);
    expect(listServerFolders(path, [])).toEqual(['/b', '/a']);
  });

  it('continues with the highest version of each location', () => {
    const [debian, homebrew] = [join(root, 'debian'), join(root, 'homebrew')];
    for (const name of ['9.6', '15', '17', 'common']) makeFolder(join('debian', name));
    for (const name of ['postgresql@14', 'postgresql@16', 'postgrest'])
      makeFolder(join('homebrew', name));

    expect(listServerFolders('', [debian, join(root, 'absent'), homebrew])).toEqual([
      ...['17', '15', '9.6'].map((name) => join(debian, name, 'bin')),
      ...['postgresql@16', 'postgresql@14'].map((name) => join(homebrew, name, 'bin')),
    ]);
  });
});

describe('findServerFolder', () => {
  it('returns the first folder with both programs', () => {
    const client = makeFolder('client', { initdb: 0 });
    const servers = ['one', 'two'].map((name) => makeFolder(name, { initdb: 0, postgres: 0 }));
    expect(findServerFolder([client, ...servers])).toBe(servers[0]);
  });

  it('skips programs that do not start', () => {
    expect(findServerFolder([makeFolder('stub', { initdb: 0, postgres: 1 })])).toBeUndefined();
  });
});

describe('missingPostgres', () => {
  it('accepts a given server without a search for programs', () => {
    const find = (): never => expect.fail('looked for a server');
    expect(missingPostgres({ TEST_POSTGRES_URL: 'postgres://host/tests' }, find)).toEqual([]);
  });

  it('accepts installed programs', () => {
    expect(missingPostgres({}, () => '/usr/lib/postgresql/17/bin')).toEqual([]);
  });

  it('has the name that the summary shows', () => {
    expect(missingPostgres({}, () => undefined)).toEqual(['postgresql']);
  });
});

/** @param programs names, each with the code it exits with */
function makeFolder(name: string, programs: Readonly<Record<string, number>> = {}): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  for (const [program, code] of Object.entries(programs)) {
    writeFileSync(join(folder, program), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
  }
  return folder;
}
