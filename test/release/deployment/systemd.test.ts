// The systemd units of examples/deployment, and the backup and the alarms of two of them.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTestTools } from '../../../scripts/test-tools.mjs';

const examples = join(import.meta.dirname, '../../../examples/deployment');
const tools = readTestTools();
const read = (name: string) => readFileSync(join(examples, name), 'utf8');

const bffUnits = ['funding-bff.service', 'funding-bff@.service'] as const;

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
    const others = ['backup', 'alarm'].flatMap((name) => [
      `funding-${name}.service`,
      `funding-${name}.timer`,
    ]);
    return [...bffUnits, ...others].map((name) => {
      const file = join(folder, name);
      writeFileSync(file, read(name).replace('/usr/local/bin/', `${examples}/`));
      return file;
    });
  }

  it('finds no fault in the units', () => {
    const { status, stderr } = analyze('verify', '--recursive-errors=no', ...copyUnits());
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each([...bffUnits, 'funding-backup.service'])('rates %s as safe', (name) => {
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
    const args = runCommand(['check'], { RELEASE: '1.1.0' });
    expect(args.slice(-2)).toEqual(['/opt/funding/1.1.0/bff/main.js', 'check']);
  });

  it('differs from the one for several processes by the port only', () => {
    const toDirectives = (text: string) =>
      text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const [one, several] = bffUnits.map((name) => toDirectives(read(name)));
    expect(several!.filter((line) => !one!.includes(line))).toEqual([
      'Description=BFF of the funding application on port %i',
      '  BFF_PORT=%i \\',
      'SyslogIdentifier=funding-bff-%i',
    ]);
    expect(several).toHaveLength(one!.length + 1);
  });

  it.each(['../tmp', '..', '.hidden', '1.1.0/../../tmp', 'a b'])(
    'runs no program outside of the releases: RELEASE=%s',
    (release) => {
      const start = () => runCommand(['check'], { RELEASE: release });
      expect(start).toThrow('RELEASE is not the name of a release.');
      expect(existsSync(join(folder, 'calls'))).toBe(false);
    },
  );

  it('adds no property of its caller', () => {
    const args = runCommand(['check'], { properties: '--property=User=root' });
    expect(args).not.toContain('--property=User=root');
  });

  it.each(['--dotenv=/tmp/own.env', '--dotenv'])(
    'reads no variables of its caller: %s',
    (option) => {
      expect(() => runCommand(['check', option])).toThrow('--dotenv does not work here.');
      expect(existsSync(join(folder, 'calls'))).toBe(false);
    },
  );

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

describe('the alarm', () => {
  const address = 'you@partner.example';
  const alarms = `Alarms
  application-held: 1 row, oldest 2 h 5 min
    Run "show <reference>" for the reason.
  attachment-late: 12 rows, oldest 3 h 0 min
`;
  const error = '{"level":50,"event":"undelivered-erased","reference":"r"}';
  const inFolder = (name: string) => join(folder, name);
  /** The exit codes and the outputs of the machine's programs. */
  let machine: Record<string, readonly [code: number, output: string]>;

  beforeEach(() => {
    mkdirSync(inFolder('backups/2026-11-20T02-10-07Z'), { recursive: true });
    machine = {
      'funding-bff': [0, 'No alarms.'],
      curl: [0, ''],
      journalctl: [0, '{"level":30,"event":"request"}'],
    };
  });

  function run(...args: readonly string[]) {
    for (const [name, [code, output]] of Object.entries(machine)) {
      writeFileSync(inFolder(`${name}.out`), `${output}\n`);
      const script = `#!/bin/sh\necho "$*" >> ${folder}/${name}.args\ncat ${folder}/${name}.out\nexit ${code}\n`;
      writeFileSync(inFolder(name), script, { mode: 0o755 });
    }
    const mail = `#!/bin/sh\necho "$2 to $3" >> ${folder}/mails\ncat > ${folder}/mail.txt\n`;
    writeFileSync(inFolder('mail'), mail, { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync(join(examples, 'funding-alarm'), args, {
      encoding: 'utf8',
      env: {
        PATH: `${folder}:${process.env['PATH']}`,
        BACKUPS: inFolder('backups'),
        RUNTIME_DIRECTORY: inFolder('memory'),
      },
    });
    expect(stderr).toBe('');
    return { status, stdout };
  }

  /** The subjects of the mails so far. */
  function runForMails(): readonly string[] {
    expect(run(address)).toEqual({ status: 0, stdout: '' });
    const mails = inFolder('mails');
    return existsSync(mails) ? readFileSync(mails, 'utf8').trim().split('\n') : [];
  }

  function age(path: string, minutes: number): void {
    const at = Date.now() / 1000 - minutes * 60;
    utimesSync(inFolder(path), at, at);
  }

  it('prints nothing while all is well', () => {
    expect(run()).toEqual({ status: 0, stdout: '' });
  });

  it.each<[string, Partial<typeof machine>, string]>([
    ['an alarm of the store', { 'funding-bff': [3, alarms] }, '  Alarms\n    application-held: 1'],
    ['a status that fails', { 'funding-bff': [1, 'STORE_NEW'] }, 'status fails:\n  STORE_NEW'],
    ['a BFF that is not ready', { curl: [22, 'curl: (22) 503'] }, '(/readyz):\n  curl: (22) 503'],
    ['an error in the log', { journalctl: [0, error] }, error],
  ])('prints %s', (_name, change, line) => {
    Object.assign(machine, change);
    const { status, stdout } = run();
    expect(status).toBe(1);
    expect(stdout).toContain(line);
    expect(existsSync(inFolder('mails'))).toBe(false);
  });

  it('prints that the last backup is old', () => {
    age('backups/2026-11-20T02-10-07Z', 26 * 60 + 1);
    expect(run().stdout).toContain('is younger than 26 hours');
  });

  it('prints that there is no folder of backups', () => {
    rmSync(inFolder('backups'), { recursive: true });
    expect(run().stdout).toContain('is younger than 26 hours');
  });

  it('mails an alarm once, then that it is over', () => {
    machine['funding-bff'] = [3, alarms];
    const subject = `Funding application: application-held attachment-late to ${address}`;
    expect(runForMails()).toEqual([subject]);
    expect(readFileSync(inFolder('mail.txt'), 'utf8')).toContain('application-held: 1 row');
    expect(runForMails()).toEqual([subject]);
    machine['funding-bff'] = [0, 'No alarms.'];
    expect(runForMails()).toHaveLength(2);
    expect(readFileSync(inFolder('mail.txt'), 'utf8')).toContain('Over: application-held');
    expect(runForMails()).toHaveLength(2);
  });

  it('mails an alarm that lasts every hour', () => {
    machine['funding-bff'] = [3, alarms];
    expect(runForMails()).toHaveLength(1);
    age('memory/names', 59);
    expect(runForMails()).toHaveLength(1);
    age('memory/names', 61);
    expect(runForMails()).toHaveLength(2);
  });

  it('mails a second alarm at once', () => {
    machine['funding-bff'] = [3, alarms];
    runForMails();
    machine['curl'] = [7, 'refused'];
    expect(runForMails().at(-1)).toContain('application-held attachment-late not-ready');
  });

  it('reads the log from the last mail on', () => {
    machine['journalctl'] = [0, error];
    expect(runForMails()).toHaveLength(1);
    expect(runForMails()).toHaveLength(1);
    const [first = '', second = ''] = readFileSync(inFolder('journalctl.args'), 'utf8').split('\n');
    const [, until] = /--until @(\d+)/.exec(first) ?? [];
    expect(second).toContain(`--since @${until} `);
  });
});
