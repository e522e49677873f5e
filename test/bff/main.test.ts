// The BFF as a process: starts with plain Node, answers, stops when asked; and says all that keeps it from starting.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../bff/main.ts', import.meta.url));
let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bff-'));
});

afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

it('listens, answers, and ends in order', async () => {
  const { output, exit } = start({
    FUNDING_ENVIRONMENT: 'sandbox',
    BFF_PORT: '0',
    JOURNAL_URL: `file:${join(folder, 'journal.db')}`,
  });
  const [, address = ''] = await output(/listens on (http:\/\/\S+)/);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  child?.kill('SIGTERM');
  expect(await exit).toBe(0);
});

it('ends as soon as the last answer is given, whoever keeps the connection open', async () => {
  const { output, exit } = start({
    FUNDING_ENVIRONMENT: 'sandbox',
    BFF_PORT: '0',
    JOURNAL_URL: `file:${join(folder, 'journal.db')}`,
  });
  const [, port = ''] = await output(/listens on http:\/\/localhost:(\d+)/);
  const socket = connect(Number(port), 'localhost');
  // A first answer shows that the server has the connection; then a request whose head is still coming.
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
  await fetch(`http://localhost:${port}/livez`);
  child?.kill('SIGTERM');
  await output(/stopping/);
  socket.write('\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('HTTP/1.1 200');
  expect(await exit).toBe(0);
  socket.destroy();
});

it.each([
  ['is no database', 'this is no database, whatever its name says', 'ERR_SQLITE_ERROR'],
  ['cannot be reached', undefined, 'EEXIST'],
])('says in a sentence that the journal %s', async (_name, content, code) => {
  const file = join(folder, 'journal.db');
  writeFileSync(file, content ?? '');
  const url = content === undefined ? `file:${file}/journal.db` : `file:${file}`;
  const { output, exit } = start({
    FUNDING_ENVIRONMENT: 'sandbox',
    BFF_PORT: '0',
    JOURNAL_URL: url,
  });
  const [text] = await output(/cannot start[^]*JOURNAL_URL.*\n/);
  expect(text).toContain(`JOURNAL_URL cannot be opened (${code}).`);
  expect(await exit).toBe(1);
});

it('says in a sentence that a later version has written the journal', async () => {
  const file = join(folder, 'journal.db');
  const later = new DatabaseSync(file);
  later.exec('pragma user_version = 99');
  later.close();
  const { output, exit } = start({
    FUNDING_ENVIRONMENT: 'sandbox',
    BFF_PORT: '0',
    JOURNAL_URL: `file:${file}`,
  });
  await output(/JOURNAL_URL cannot be opened \(JOURNAL_NEWER\)\. A later version/);
  expect(await exit).toBe(1);
});

it('refuses a request whose head is too long', async () => {
  const { output } = start({
    FUNDING_ENVIRONMENT: 'sandbox',
    BFF_PORT: '0',
    JOURNAL_URL: `file:${join(folder, 'journal.db')}`,
  });
  const [, address = ''] = await output(/listens on (http:\/\/\S+)/);
  const answer = await fetch(`${address}/livez`, { headers: { 'x-long': 'x'.repeat(17_000) } });
  expect(answer.status).toBe(431);
});

it('says everything that is wrong and exits with 1', async () => {
  const { output, exit } = start({ FUNDING_ENVIRONMENT: 'production' });
  const [text] = await output(/cannot start[^]*DATA_KEYS/);
  expect(text).toContain('FUNDING_CLIENT_SECRET is not set');
  expect(await exit).toBe(1);
});

function start(variables: Record<string, string>) {
  const process_ = spawn(process.execPath, [main], { env: variables, stdio: 'pipe' });
  child = process_;
  let text = '';
  const listeners = new Set<() => void>();
  const add = (chunk: Buffer) => {
    text += chunk.toString();
    for (const listener of listeners) listener();
  };
  process_.stdout.on('data', add);
  process_.stderr.on('data', add);
  const exit = new Promise<number | null>((resolve) => {
    process_.once('exit', resolve);
  });

  function output(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(text);
        if (match) resolve(match);
      };
      listeners.add(look);
      look();
      void exit.then(() => reject(new Error(`It ended: ${text}`)));
    });
  }

  return { output, exit };
}
