// The BFF as a process: starts with plain Node, answers, stops when asked; and says all that keeps it from starting.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
