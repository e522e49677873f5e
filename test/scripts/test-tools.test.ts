import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findPostgres,
  findProgram,
  listMissing,
  listPostgresFolders,
  shouldInstall,
  writeNewFile,
} from '../../scripts/test-tools.mjs';

const hourMs = 60 * 60 * 1000;
const chromium = { executable: '/usr/bin/chromium' };

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'postgres-programs-'));
});

afterEach(() => rmSync(root, { recursive: true }));

describe('listMissing', () => {
  it('returns the tools that the record lacks', () => {
    expect(
      listMissing(['chromium', 'caddy', 'nginx'], { chromium, caddy: '/usr/bin/caddy' }, {}),
    ).toEqual(['nginx']);
  });

  it('needs no PostgreSQL if TEST_POSTGRES_URL names a server', () => {
    const environment = { TEST_POSTGRES_URL: 'postgres://host/tests' };
    expect(listMissing(['postgres', 'chromium'], {}, environment)).toEqual(['chromium']);
  });
});

describe('shouldInstall', () => {
  it.each([
    ['true if a tool is missing', ['firefox'], {}, true],
    ['false if all tools are present', [], {}, false],
    ['false within an hour of its last installation', ['firefox'], { firefox: hourMs + 1 }, false],
    ['true after an hour', ['firefox'], { firefox: hourMs }, true],
    [
      'true for a tool that was never installed',
      ['firefox', 'webkit'],
      { webkit: 2 * hourMs },
      true,
    ],
  ])('is %s', (_title, missing, installedAtMs, expected) => {
    expect(shouldInstall(missing, installedAtMs, 2 * hourMs)).toBe(expected);
  });
});

describe('listPostgresFolders', () => {
  it('starts with the folders of PATH, in order', () => {
    const path = ['/b', '', '/a'].join(delimiter);
    expect(listPostgresFolders(path, [])).toEqual(['/b', '/a']);
  });

  it('continues with the highest version of each location', () => {
    const [debian, homebrew] = [join(root, 'debian'), join(root, 'homebrew')];
    for (const name of ['9.6', '15', '17', 'common']) makeFolder(join('debian', name));
    for (const name of ['postgresql@14', 'postgresql@16', 'postgrest'])
      makeFolder(join('homebrew', name));

    expect(listPostgresFolders('', [debian, join(root, 'absent'), homebrew])).toEqual([
      ...['17', '15', '9.6'].map((name) => join(debian, name, 'bin')),
      ...['postgresql@16', 'postgresql@14'].map((name) => join(homebrew, name, 'bin')),
    ]);
  });
});

describe('findPostgres', () => {
  it('returns the first folder with both programs', () => {
    const client = makeFolder('client', { initdb: 0 });
    const servers = ['one', 'two'].map((name) => makeFolder(name, { initdb: 0, postgres: 0 }));
    expect(findPostgres([client, ...servers])).toBe(servers[0]);
  });

  it('skips programs that do not start', () => {
    expect(findPostgres([makeFolder('stub', { initdb: 0, postgres: 1 })])).toBeUndefined();
  });
});

describe('findProgram', () => {
  const pathOfTest = process.env['PATH'];
  afterEach(() => (process.env['PATH'] = pathOfTest));

  it('prefers PATH to the folders of the system', () => {
    const [own, system] = ['own', 'system'].map((name) => makeFolder(name, { nginx: 0 }));
    process.env['PATH'] = own;
    expect(findProgram('nginx', [system!])).toBe(join(own!, 'nginx'));
    process.env['PATH'] = '/nowhere';
    expect(findProgram('nginx', [system!])).toBe(join(system!, 'nginx'));
  });

  it('skips a program that does not start', () => {
    process.env['PATH'] = makeFolder('stub', { caddy: 1 });
    expect(findProgram('caddy', [])).toBeUndefined();
  });
});

describe('writeNewFile', () => {
  it('writes a file until it is removed', () => {
    const file = join(root, 'folder', 'policy-rc.d');
    const remove = writeNewFile(file, 'exit 101\n');
    expect(readFileSync(file, 'utf8')).toBe('exit 101\n');
    remove();
    expect(existsSync(file)).toBe(false);
  });

  it('keeps a file of the machine', () => {
    const file = join(root, 'policy-rc.d');
    writeFileSync(file, 'of this machine');
    writeNewFile(file, 'exit 101\n')();
    expect(readFileSync(file, 'utf8')).toBe('of this machine');
  });
});

/** @param programs exit codes by name */
function makeFolder(name: string, programs: Readonly<Record<string, number>> = {}): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  for (const [program, code] of Object.entries(programs)) {
    writeFileSync(join(folder, program), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
  }
  return folder;
}
