// The BFF as a process: start, shutdown, recovery after a kill, and every reason not to start.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../bff/store/open-store.ts';
import { findFreePort } from '../support/free-port.ts';
import { createTestDatabaseUrl, describePostgres } from '../support/postgres.ts';
import { startBff } from '../support/bff.ts';
import { strongKey } from './config/config-source.ts';
import { createManualTime, until } from '../support/manual-time.ts';
import { startSandboxServer } from '../support/sandbox-server.ts';
import { startBffProcess } from '../support/bff-process.ts';

const longestStartMs = 5_000;
/** Two processes that start on a busy machine. */
const timeout = 30_000;

let folder: string;
let sandbox: Readonly<Record<string, string>>;
const children = new Set<ChildProcess>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bff-'));
  sandbox = {
    FUNDING_ENVIRONMENT: 'sandbox',
    BFF_PORT: '0',
    DATABASE_URL: `file:${join(folder, 'store.db')}`,
  };
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  rmSync(folder, { recursive: true });
});

describe('the process', { timeout }, () => {
  it('exits with 0 after SIGTERM', async () => {
    const { child, listening, exit } = start(sandbox);
    const address = await listening();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('exits after the last response despite an open connection', async () => {
    const { child, output, listening, exit } = start(sandbox);
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

  it('exits at once after a second signal', async () => {
    const { child, output, listening, exit } = start(sandbox);
    const { port } = new URL(await listening());
    // The shutdown would wait for this request.
    const socket = await openRequest(Number(port));
    child.kill('SIGTERM');
    await output(/shutdown-started/);
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    socket.destroy();
  });

  it('recovers a delivery after a kill', async () => {
    await expectTakenOver(180_000);
  });

  it('listens on the address of BFF_HOST only', async () => {
    const address = await start({ ...sandbox, BFF_HOST: '127.0.0.1' }).listening();
    const { hostname, port } = new URL(address);
    expect(hostname).toBe('127.0.0.1');
    expect((await fetch(`${address}/livez`)).status).toBe(200);
    await expect(fetch(`http://127.0.0.2:${port}/livez`)).rejects.toThrow('fetch failed');
  });

  it('refuses headers that are too large', async () => {
    const address = await start(sandbox).listening();
    const answer = await fetch(`${address}/livez`, { headers: { 'x-long': 'x'.repeat(17_000) } });
    expect(answer.status).toBe(431);
  });
});

describePostgres('the process on PostgreSQL', { timeout }, () => {
  beforeEach(async () => {
    sandbox = { ...sandbox, DATABASE_URL: await createTestDatabaseUrl() };
  });

  it('serves together with another process', async () => {
    const processes = [start(sandbox), start(sandbox)];
    for (const { listening } of processes) {
      expect((await fetch(`${await listening()}/readyz`)).status).toBe(200);
    }
    for (const { child, exit } of processes) {
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
    }
  });

  it('recovers a delivery of a killed process after its lease', async () => {
    await expectTakenOver(100);
  });

  it('reports a missing database without its name', async () => {
    const DATABASE_URL = (sandbox['DATABASE_URL'] ?? '').replace(/\/[^/?]*(\?|$)/, '/canary$1');
    const text = await expectRefusal(
      { ...sandbox, DATABASE_URL },
      'DATABASE_URL names a database that does not exist (3D000). Create the database, or name another.',
    );
    expect(text).not.toContain('canary');
  });
});

describe('a process that cannot start', { timeout }, () => {
  it('reports all configuration errors', async () => {
    const { output, exit } = start({ FUNDING_ENVIRONMENT: 'production' });
    const [text] = await output(/cannot start[^]*DATA_KEYS/);
    expect(text).toContain('FUNDING_CLIENT_SECRET is not set');
    expect(await exit).toBe(1);
  });

  it('reports that another process uses its file', async () => {
    const address = await start(sandbox).listening();
    await expectRefusal(
      sandbox,
      'DATABASE_URL points to a file that another BFF process uses (STORE_IN_USE). Stop that process first.',
    );
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });

  it('reports that its port is in use', async () => {
    const { port } = new URL(await start(sandbox).listening());
    const DATABASE_URL = `file:${join(folder, 'other.db')}`;
    await expectRefusal(
      { ...sandbox, BFF_PORT: port, DATABASE_URL },
      `BFF_PORT (${port}) is in use.`,
    );
  });

  it('reports an address of another machine', async () => {
    await expectRefusal(
      { ...sandbox, BFF_HOST: '192.0.2.1' },
      'BFF_HOST (192.0.2.1) is not an address of this machine. Set it to an address of this machine, or unset it.',
    );
  });

  it('reports that its store is not a database', async () => {
    writeFileSync(join(folder, 'store.db'), 'not a database');
    await expectRefusal(
      sandbox,
      'DATABASE_URL points to a file that is not a database (SQLITE_NOTADB). Name another file.',
    );
  });

  it('reports that its store cannot be opened', async () => {
    writeFileSync(join(folder, 'file'), '');
    const DATABASE_URL = `file:${join(folder, 'file', 'store.db')}`;
    await expectRefusal(
      { ...sandbox, DATABASE_URL },
      'DATABASE_URL cannot be opened (ENOTDIR). Check',
    );
  });

  it('reports a store of a later version', async () => {
    const file = new DatabaseSync(join(folder, 'store.db'));
    file.exec('create table schema_version (version integer not null) strict');
    file.exec('insert into schema_version (version) values (99)');
    file.close();
    await expectRefusal(sandbox, '(STORE_NEWER). Run that version.');
  });

  it.each([
    ['another', `1:${strongKey(9)}`, 'DATA_KEYS contains another data key 1'],
    ['no', `2:${strongKey(9)}`, 'DATA_KEYS lacks data key 1'],
  ])('reports %s data key for its store', async (_which, DATA_KEYS, problem) => {
    await leaveSending(180_000);
    await expectRefusal({ ...sandbox, DATA_KEYS }, problem, 'wraps 1 application in the store');
    // Nothing was taken over, and the store was closed in order.
    expect(readdirSync(folder).toSorted()).toEqual(['store.db', 'store.db-lock']);
    const store = await openStore(sandbox['DATABASE_URL'] ?? '');
    expect(await store.countStates()).toMatchObject([{ state: 'sending', count: 1 }]);
    await store.close();
  });

  it('reports an unreachable PostgreSQL without a password', async () => {
    const DATABASE_URL = `postgres://user:canary@localhost:${await findFreePort()}/store`;
    const text = await expectRefusal(
      { ...sandbox, DATABASE_URL },
      'DATABASE_URL names a PostgreSQL server that does not answer (ECONNREFUSED).',
    );
    expect(text).not.toContain('canary');
  });
});

/** Leaves an application as a killed process does, and expects a new process to deliver it. */
async function expectTakenOver(leaseMs: number): Promise<void> {
  const service = await startSandboxServer();
  const reference = await leaveSending(leaseMs);
  const startedAt = performance.now();
  const { child, listening, exit } = start({ ...sandbox, ...service.variables });
  const address = await listening();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(longestStartMs);
  await until(() => service.context.state.leads.size === 1);
  const [lead] = service.context.state.leads.values();
  expect(lead?.referenceId).toBe(reference);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  await service.close();
  const store = await openStore(sandbox['DATABASE_URL'] ?? '');
  expect(await store.findApplication(reference)).toMatchObject({
    state: 'accepted',
    attempts: 2,
    uncertainAttempts: 1,
    serviceId: lead?.applicationId,
  });
  await store.close();
}

/** Expects exactly one problem and no stack trace. Returns the output, which can also contain log lines. */
async function expectRefusal(
  variables: Readonly<Record<string, string>>,
  ...parts: readonly string[]
): Promise<string> {
  const { exit, text } = start(variables);
  expect(await exit).toBe(1);
  for (const part of parts) expect(text()).toContain(part);
  const lines = text().trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('{'))).toHaveLength(2);
  return text();
}

/** Leaves an application in the state `sending`, as a killed process does. Returns its reference. */
async function leaveSending(leaseMs: number): Promise<string> {
  const time = createManualTime(Date.now());
  const store = await openStore(sandbox['DATABASE_URL'] ?? '');
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

function start(variables: Readonly<Record<string, string>>) {
  const started = startBffProcess(variables);
  children.add(started.child);
  return started;
}
