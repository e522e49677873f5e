// The command as a process, against a sandbox on a port.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSandbox } from '../../sandbox/app.ts';
import { type Listening, listenApp } from '../support/servers.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;
let server: Listening;
/** Called with the number of requests so far. */
let onRequest: (count: number) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const { app } = createSandbox({ offerDelayMs: 0 });
  let count = 0;
  onRequest = () => undefined;
  server = await listenApp(async (request) => {
    count += 1;
    onRequest(count);
    return app.fetch(request);
  });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, ['conformance/main.ts', ...args, '--output', folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      FUNDING_AUTH_URL: server.origin,
      FUNDING_BASE_URL: `${server.origin}/rest`,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, output }));
  return { child, ended };
}

it('ends after the call in progress when interrupted, and continues with --resume', async () => {
  const run = ['--environment', 'sandbox', '--delay-ms', '20'];
  const first = start(...run);
  onRequest = (count) => {
    if (count === 12) first.child.kill('SIGINT');
  };
  const interrupted = await first.ended;
  expect(interrupted.output).toContain('Waiting for the call in progress.');
  expect(interrupted.code).toBe(130);
  const file = join(folder, 'sandbox.json');
  const report = JSON.parse(readFileSync(file, 'utf8'));
  expect(report).toMatchObject({ state: 'interrupted', calls: 12 });
  expect(statSync(file).mode & 0o077).toBe(0);

  onRequest = () => undefined;
  const { code, output } = await start(...run, '--delay-ms', '0', '--resume').ended;
  expect(output).toContain('0 differs');
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'sandbox.md'), 'utf8')).toMatch(
    /^# Conformance of the funding service/,
  );
});

it('refuses production with exit code 1', async () => {
  const { code, output } = await start('--environment', 'production').ended;
  expect(code).toBe(1);
  expect(output).toMatch(/^--environment production is refused/);
});
