// The systemd units of examples/deployment, and the backup that one of them makes.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTestTools } from '../../scripts/test-tools.mjs';

const examples = join(import.meta.dirname, '../../examples/deployment');
const tools = readTestTools();
const read = (name: string) => readFileSync(join(examples, name), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'funding-application-systemd-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(!tools['systemd-analyze'])('systemd-analyze', () => {
  const analyze = (...args: readonly string[]) =>
    spawnSync(tools['systemd-analyze']!, args, { encoding: 'utf8' });

  /** The units with programs that this machine has. */
  function copyUnits(): readonly string[] {
    return ['funding-bff.service', 'funding-backup.service', 'funding-backup.timer'].map((name) => {
      const file = join(folder, name);
      writeFileSync(file, read(name).replace('/usr/local/bin/', `${examples}/`));
      return file;
    });
  }

  it('finds no fault in the units', () => {
    const { status, stderr } = analyze('verify', '--recursive-errors=no', ...copyUnits());
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each(['funding-bff.service', 'funding-backup.service'])('rates %s as safe', (name) => {
    const file = copyUnits().find((unit) => unit.endsWith(name))!;
    // 0 to 100, in tenths of the rating that it prints. Higher is more exposed.
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=15', file);
    expect(status, stdout).toBe(0);
  });
});

describe('the service of the BFF', () => {
  /** Variables by the name of their file. */
  const secrets = Object.entries(parseEnv(read('bff.env')))
    .filter(([name]) => name.endsWith('_FILE'))
    .map(([name, path = '']) => ({ name, file: path.slice(path.lastIndexOf('/') + 1), path }));

  it('gives the process every secret that bff.env names', () => {
    const unit = read('funding-bff.service');
    expect(secrets).toHaveLength(6);
    for (const { name, file, path } of secrets) {
      expect(unit).toContain(`LoadCredential=${file}:${path}\n`);
      expect(unit).toContain(`  ${name}=\${CREDENTIALS_DIRECTORY}/${file} \\\n`);
    }
  });

  /** The arguments of systemd-run. */
  function runCommand(args: readonly string[], variables: Record<string, string> = {}): string[] {
    const calls = join(folder, 'calls');
    writeFileSync(join(folder, 'systemd-run'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${calls}\n`, {
      mode: 0o755,
    });
    execFileSync(join(examples, 'funding-bff'), args, {
      env: { PATH: `${folder}:${process.env['PATH']}`, ...variables },
    });
    return readFileSync(calls, 'utf8').trim().split('\n');
  }

  it('gives commands the same secrets', () => {
    const args = runCommand(['show', '7K4-92M']);
    for (const { name, file, path } of secrets) {
      expect(args).toContain(`--property=LoadCredential=${file}:${path}`);
      expect(args).toContain(`${name}=\${CREDENTIALS_DIRECTORY}/${file}`);
    }
    expect(args.slice(-4)).toEqual([
      '/usr/bin/node',
      '/opt/funding/current/bff/main.js',
      'show',
      '7K4-92M',
    ]);
  });

  it('runs the commands of another release', () => {
    const args = runCommand(['check'], { RELEASE: '0.2.0' });
    expect(args.slice(-2)).toEqual(['/opt/funding/0.2.0/bff/main.js', 'check']);
  });

  it('has more time to stop than the BFF needs', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read('funding-bff.service')) ?? [];
    expect(Number(seconds)).toBeGreaterThan(50);
  });
});

describe.skipIf(!tools.sqlite3)('the backup', () => {
  const backUp = () =>
    execFileSync(join(examples, 'funding-backup'), [join(folder, 'store'), join(folder, 'old')], {
      encoding: 'utf8',
    }).trim();

  beforeEach(() => {
    for (const name of ['store', 'old']) mkdirSync(join(folder, name));
  });

  it('copies an open store and its documents', () => {
    const store = new DatabaseSync(join(folder, 'store/store.db'));
    store.exec("pragma journal_mode = wal; create table rows (id); insert into rows values ('a')");
    mkdirSync(join(folder, 'store/store.db-content'));
    writeFileSync(join(folder, 'store/store.db-content/document'), 'encrypted');
    const backup = backUp();
    store.close();

    expect(readdirSync(join(folder, 'old'))).toHaveLength(1);
    expect(readdirSync(backup).toSorted()).toEqual(['store.db', 'store.db-content']);
    expect(readFileSync(join(backup, 'store.db-content/document'), 'utf8')).toBe('encrypted');
    const copy = new DatabaseSync(join(backup, 'store.db'), { readOnly: true });
    expect(copy.prepare('select id from rows').all()).toEqual([{ id: 'a' }]);
    copy.close();
  });

  it('reports no error when no document waits', () => {
    new DatabaseSync(join(folder, 'store/store.db')).close();
    mkdirSync(join(folder, 'store/store.db-content'));
    const folders = [join(folder, 'store'), join(folder, 'old')];
    const { status, stderr } = spawnSync(join(examples, 'funding-backup'), folders);
    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
  });

  it('keeps the newest seven', () => {
    new DatabaseSync(join(folder, 'store/store.db')).close();
    const days = Array.from({ length: 9 }, (_none, day) => `2026-01-0${day + 1}T00-00-00Z`);
    for (const day of days) mkdirSync(join(folder, 'old', day));
    backUp();
    const kept = readdirSync(join(folder, 'old')).toSorted();
    expect(kept.slice(0, 6)).toEqual(days.slice(3));
    expect(kept).toHaveLength(7);
  });

  it('leaves nothing when it fails', () => {
    expect(backUp).toThrow('unable to open database file');
    expect(readdirSync(join(folder, 'old'))).toEqual([]);
  });
});
