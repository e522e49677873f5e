// The built BFF as a process: start, shutdown, recovery after a kill, and every reason not to start that only a process has.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../bff/store/open-store.ts';
import { startBff } from '../support/bff.ts';
import { startBffProcess, type BffProcess } from '../support/bff-process.ts';
import { createManualTime, until } from '../support/manual-time.ts';
import { createTestDatabaseUrl, describePostgres } from '../support/postgres.ts';
import { startSandboxServer } from '../support/sandbox-server.ts';
import { production, settings } from './config/config-source.ts';
import { createFolder } from '../support/temporary-folder.ts';

const toSandbox = (databaseUrl: string) => ({
  FUNDING_ENVIRONMENT: 'sandbox',
  BFF_PORT: '0',
  DATABASE_URL: databaseUrl,
});

/** A process that ends with its test. */
function start(variables: Readonly<Record<string, string>>, ...options: string[]): BffProcess {
  const started = startBffProcess(variables, ...options);
  onTestFinished(async () => {
    started.child.kill('SIGKILL');
    await started.exit;
  });
  return started;
}

const startNew = () => start(toSandbox(`file:${join(createFolder(), 'store.db')}`));
const isReady = async (address: string) => (await fetch(`${address}/readyz`)).status === 200;

describe('a running process', () => {
  let folder: string;
  let bff: BffProcess;
  let address: string;
  let variables: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bff-'));
    variables = { ...toSandbox(`file:${join(folder, 'store.db')}`), BFF_HOST: '127.0.0.1' };
    // Any free port for the debugger.
    bff = startBffProcess(variables, '--inspect-port=0');
    address = await bff.listening();
  });

  afterAll(async () => {
    bff.child.kill('SIGKILL');
    await bff.exit;
    rmSync(folder, { recursive: true });
  });

  it('listens on the address of BFF_HOST only', async () => {
    const { hostname, port } = new URL(address);
    expect(hostname).toBe('127.0.0.1');
    expect(await isReady(address)).toBe(true);
    await expect(fetch(`http://127.0.0.2:${port}/livez`)).rejects.toThrow('fetch failed');
  });

  it('lets no other process use its port', async () => {
    const { port } = new URL(address);
    const other = toSandbox(`file:${join(folder, 'other.db')}`);
    await expectRefusal({ ...other, BFF_PORT: port }, `BFF_PORT (${port}) is in use.`);
  });

  it('opens a debugger after SIGUSR1', async () => {
    bff.child.kill('SIGUSR1');
    await bff.output(/Debugger listening/);
  });
});

describe('the end of a process', () => {
  it('comes after the last response, despite an open connection', async () => {
    const { child, output, listening, exit } = startNew();
    const { port } = new URL(await listening());
    const socket = await openRequest(Number(port));
    await fetch(`http://localhost:${port}/livez`);
    child.kill('SIGTERM');
    await output(/shutdown-started/);
    socket.write('\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('HTTP/1.1 200');
    expect(await exit).toBe(0);
    socket.destroy();
  });

  it('comes at once after a second signal', async () => {
    const { child, output, listening, exit } = startNew();
    const { port } = new URL(await listening());
    // The shutdown would wait for this request.
    const socket = await openRequest(Number(port));
    child.kill('SIGTERM');
    await output(/shutdown-started/);
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    socket.destroy();
  });

  it('comes without a debugger in production', async () => {
    const folder = createFolder();
    const FUNDING_SETTINGS = join(folder, 'settings.json');
    const DATABASE_URL = `file:${join(folder, 'store.db')}`;
    writeFileSync(FUNDING_SETTINGS, JSON.stringify(settings));
    await (await openStore(DATABASE_URL)).close();
    const bff = start({ ...production, BFF_PORT: '0', DATABASE_URL, FUNDING_SETTINGS });
    const address = await bff.listening();
    bff.child.kill('SIGUSR1');
    expect(await isReady(address)).toBe(true);
    bff.child.kill('SIGTERM');
    await bff.output(/shutdown-started/);
    bff.child.kill('SIGTERM');
    await bff.exit;
    expect(bff.text()).not.toMatch(/debugger|inspector/i);
  });

  it('by a kill leaves a delivery that the next process recovers', async () => {
    await expectTakenOver(`file:${join(createFolder(), 'store.db')}`, 180_000);
  });
});

describePostgres('a process on PostgreSQL', () => {
  it('serves together with another process', async () => {
    const variables = toSandbox(await createTestDatabaseUrl());
    const processes = [start(variables), start(variables)];
    for (const { listening } of processes) expect(await isReady(await listening())).toBe(true);
    for (const { child, exit } of processes) {
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
    }
  });

  it('recovers a delivery of a killed process after its lease', async () => {
    await expectTakenOver(await createTestDatabaseUrl(), 100);
  });

  it('reports a missing database without its name', async () => {
    const url = (await createTestDatabaseUrl()).replace(/\/[^/?]*(\?|$)/, '/canary$1');
    const text = await expectRefusal(
      toSandbox(url),
      'DATABASE_URL names a database that does not exist (3D000). Create the database, or name another.',
    );
    expect(text).not.toContain('canary');
  });
});

describe('a process that cannot start', () => {
  it('prints every problem of its configuration', async () => {
    const { exit, text } = start({
      ...toSandbox('file::memory:'),
      FUNDING_ENVIRONMENT: '',
      BFF_PORT: 'http',
      CLAMD_URL: 'nowhere',
    });
    expect(await exit).toBe(1);
    expect(text()).toBe(`The BFF cannot start:
  FUNDING_ENVIRONMENT is not set. Set it to sandbox, staging, or production.
  BFF_PORT is not a port. Set it to a number from 0 to 65535.
  CLAMD_URL is not the address of a scanner. Use tcp://host:3310 or unix:/run/clamav/clamd.ctl.
`);
  });

  it('prints that BFF_HOST is an address of another machine', async () => {
    await expectRefusal(
      { ...toSandbox('file::memory:'), BFF_HOST: '192.0.2.1' },
      'BFF_HOST (192.0.2.1) is not an address of this machine. Set it to an address of this machine, or unset it.',
    );
  });
});

/** Expects exactly one problem and no stack trace. Returns the output, which can also contain log lines. */
async function expectRefusal(
  variables: Readonly<Record<string, string>>,
  problem: string,
): Promise<string> {
  const { exit, text } = start(variables);
  expect(await exit).toBe(1);
  expect(text()).toContain(problem);
  const lines = text().trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('{'))).toHaveLength(2);
  return text();
}

/** Leaves an application as a killed process does, and expects a new process to deliver it. */
async function expectTakenOver(url: string, leaseMs: number): Promise<void> {
  const service = await startSandboxServer();
  const reference = await leaveSending(url, leaseMs);
  const { child, listening, exit } = start({ ...toSandbox(url), ...service.variables });
  expect(await isReady(await listening())).toBe(true);
  await until(() => service.context.state.leads.size === 1);
  const [lead] = service.context.state.leads.values();
  expect(lead?.referenceId).toBe(reference);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  await service.close();
  const store = await openStore(url);
  expect(await store.findApplication(reference)).toMatchObject({
    state: 'accepted',
    attempts: 2,
    uncertainAttempts: 1,
    serviceId: lead?.applicationId,
  });
  await store.close();
}

/** Leaves an application in the state `sending`. Returns its reference. */
async function leaveSending(url: string, leaseMs: number): Promise<string> {
  const time = createManualTime(Date.now());
  const store = await openStore(url);
  const bff = await startBff({ store, time, delivers: false });
  const filed = bff.openBrowser().apply();
  await until(() => time.listTimers().length > 0);
  time.advance(60_000);
  const { json } = await filed;
  expect(await store.claimDue('application', leaseMs)).toMatchObject({ kind: 'application' });
  await store.close();
  return json.reference;
}

/** A connection that got a response, and then sent an incomplete request. */
async function openRequest(port: number) {
  const socket = connect(port, 'localhost');
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
  return socket;
}
