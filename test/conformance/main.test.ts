// The command as a process, against a sandbox on a port.

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSandbox } from '../../sandbox/app.ts';
import { startProcess, type TestProcess } from '../support/bff-process.ts';
import { type Listening, listenApp } from '../support/servers.ts';

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

function start(...args: readonly string[]): TestProcess {
  return startProcess({
    program: 'conformance/main.ts',
    arguments: [...args, '--output', folder],
    variables: { FUNDING_AUTH_URL: server.origin, FUNDING_BASE_URL: `${server.origin}/rest` },
  });
}

it('ends after the call in progress when interrupted, and continues with --resume', async () => {
  const run = ['--environment', 'sandbox', '--delay-ms', '20'];
  const first = start(...run);
  onRequest = (count) => {
    if (count === 12) first.child.kill('SIGINT');
  };
  expect(await first.ended).toBe('130');
  expect(first.text()).toContain('Waiting for the call in progress.');
  const file = join(folder, 'sandbox.json');
  const report = JSON.parse(readFileSync(file, 'utf8'));
  expect(report).toMatchObject({ state: 'interrupted', calls: 12 });
  expect(statSync(file).mode & 0o077).toBe(0);

  onRequest = () => undefined;
  const second = start(...run, '--delay-ms', '0', '--resume');
  expect(await second.ended).toBe('0');
  expect(second.text()).toContain('0 differs');
  expect(readFileSync(join(folder, 'sandbox.md'), 'utf8')).toMatch(
    /^# Conformance of the funding service/,
  );
});

it('refuses production with exit code 1', async () => {
  const { ended, text } = start('--environment', 'production');
  expect(await ended).toBe('1');
  expect(text()).toMatch(/^--environment production is refused/);
});
