// Runs the commands of one document, in their order, in a scratch folder that looks like the reader's machine.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/project.mjs';
import type { Command } from '../../support/code-blocks.ts';
import { findFreePorts } from '../../support/free-port.ts';
import { typedCredentials } from '../../support/typed-credentials.ts';

export interface Reader {
  /** Where the reader enters the commands: in a clone of the repository, in the folder `bff` of a release, or in a project. */
  readonly folder: keyof typeof startFolders;
  /** Prepares the machine further, for example with a store. */
  prepare?(machine: Machine): Promise<void> | void;
  /** Runs after the last command. Throws if the machine is not as the document promises. */
  check?(machine: Machine): void;
}

export interface Machine {
  /** Stands for `/` in the paths of the documents, such as `/etc/funding`. */
  readonly folder: string;
  /** The variables of the reader's shell. */
  readonly variables: Record<string, string>;
  /** Texts of the documents, such as ids, each with the text of this machine. */
  readonly replacements: (readonly [document: string, machine: string])[];
  /** Calls the function after the last command. */
  onEnd(action: () => Promise<void>): void;
}

const standIn = join(import.meta.dirname, 'stand-in.mjs');
/** These never run for real. `npm`, `node`, and `sudo` do in most cases. */
const standIns =
  'npm node sudo funding-bff install npx git scp podman docker systemctl journalctl useradd chown mail findmnt psql pg_dump pg_restore caddy nginx promtool strace'.split(
    ' ',
  );
/** Folders of the documents' machines. */
const folders = 'etc opt var/lib var/backups usr/local/bin run/secrets backups srv tmp'.split(' ');
const documentPorts = [8080, 8081, 8082, 3000];
const startFolders = { clone: 'clone', release: 'opt/funding/current/bff', project: 'srv/project' };

export async function runPage(commands: readonly Command[], reader: Reader) {
  const folder = mkdtempSync(join(tmpdir(), 'funding-docs-'));
  const endings: (() => Promise<void>)[] = [];
  try {
    const ports = await findFreePorts(documentPorts.length);
    const machine: Machine = {
      folder,
      variables: {
        PAGE_PORT: String(ports[0]),
        BFF_PORT: String(ports[1]),
        SANDBOX_PORT: String(ports[2]),
      },
      replacements: documentPorts.map((port, index) => [
        `localhost:${port}`,
        `localhost:${ports[index]}`,
      ]),
      onEnd: (action) => void endings.push(action),
    };
    createMachine(folder);
    await reader.prepare?.(machine);
    const results = await runCommands(commands, machine, reader.folder);
    reader.check?.(machine);
    return results;
  } finally {
    for (const file of globSync('server-*.pid', { cwd: folder }))
      stopGroup(Number(readFileSync(join(folder, file), 'utf8')));
    await Promise.all(endings.map((end) => end()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function createMachine(folder: string): void {
  for (const name of [...folders, 'bin', 'home', 'clone/dist', 'etc/caddy', 'etc/systemd/system'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of readdirSync(root)) {
    if (!['dist', 'examples', 'test-output', '.git'].includes(name))
      symlinkSync(join(root, name), join(folder, 'clone', name));
  }
  cpSync(join(root, 'examples'), join(folder, 'clone/examples'), { recursive: true });
  for (const name of ['bff', 'widget'])
    cpSync(join(root, 'dist', name), join(folder, 'clone/dist', name), { recursive: true });
  for (const name of standIns) {
    const file = join(folder, 'bin', name);
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' -- '${standIn}' ${name} "$@"\n`);
    chmodSync(file, 0o755);
  }
}

async function runCommands(
  commands: readonly Command[],
  machine: Machine,
  start: Reader['folder'],
) {
  const { folder, variables } = machine;
  // All blocks run in one shell, which keeps the folder, variables, and umask for the next. The exit code of a block is that of
  // its last command, or of an earlier one that failed.
  const script = commands.flatMap(({ text }, index) => [
    `failed=0; trap 'failed=$?' ERR`,
    `{ ${toMachine(text, machine)}\n} > ${folder}/${index}.out 2>&1`,
    `code=$?; trap - ERR; [ $code != 0 ] || code=$failed; echo $code >| ${folder}/${index}.code`,
  ]);
  const shell = spawn('bash', ['--norc', '-c', typedCredentials + script.join('\n')], {
    cwd: join(folder, startFolders[start]),
    env: {
      PATH: `${folder}/bin:${process.env['PATH']}`,
      HOME: join(folder, 'home'),
      SCRATCH: folder,
      REPOSITORY: root,
      ...variables,
    },
    stdio: 'ignore',
  });
  await once(shell, 'exit');
  return commands.map((command, index) => {
    const read = (name: string) => {
      const file = join(folder, `${index}.${name}`);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    return {
      command,
      // A block that ends the shell leaves no code, nor do those after it.
      exitCode: Number(read('code') || -1),
      output: toDocument(read('out'), machine),
    };
  });
}

/** Replaces the paths, ports, and ids of the documents by those of the machine. */
export function toMachine(text: string, { folder, replacements }: Machine): string {
  const isFolder = new RegExp(String.raw`(?<![\w./-])/(?=(?:${folders.join('|')})\b)`, 'g');
  return replacements.reduce(
    (replaced, [document, machine]) => replaced.replaceAll(document, machine),
    text.replaceAll(isFolder, `${folder}/`),
  );
}

function toDocument(text: string, { folder, replacements }: Machine): string {
  return replacements.reduce(
    (replaced, [document, machine]) => replaced.replaceAll(machine, document),
    text.replaceAll(folder, ''),
  );
}

function stopGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
