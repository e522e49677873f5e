// The BFF as a process: starts with plain Node, answers, stops when asked, goes on after it was killed; and says all that keeps
// it from starting.

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
import { createRig } from './bff-rig.ts';
import { strongKey } from './config/config-source.ts';
import { createManualTime, until } from './manual-time.ts';
import { startSandboxServer } from './sandbox-server.ts';
import { startProcess } from './start-process.ts';

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
  it('listens, answers, and ends in order', async () => {
    const { child, listening, exit } = start(sandbox);
    const address = await listening();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('ends as soon as the last answer is given, whoever keeps the connection open', async () => {
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

  it('ends at once when it is told so a second time', async () => {
    const { child, output, listening, exit } = start(sandbox);
    const { port } = new URL(await listening());
    // It would be waited for.
    const socket = await openRequest(Number(port));
    child.kill('SIGTERM');
    await output(/shutdown-started/);
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    socket.destroy();
  });

  it('serves soon after it was killed, and delivers what was being sent', async () => {
    await expectTakenOver(180_000);
  });

  it('refuses a request whose head is too long', async () => {
    const address = await start(sandbox).listening();
    const answer = await fetch(`${address}/livez`, { headers: { 'x-long': 'x'.repeat(17_000) } });
    expect(answer.status).toBe(431);
  });
});

describePostgres('the process on PostgreSQL', { timeout }, () => {
  beforeEach(async () => {
    sandbox = { ...sandbox, DATABASE_URL: await createTestDatabaseUrl() };
  });

  it('serves beside another one', async () => {
    const processes = [start(sandbox), start(sandbox)];
    for (const { listening } of processes) {
      expect((await fetch(`${await listening()}/readyz`)).status).toBe(200);
    }
    for (const { child, exit } of processes) {
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
    }
  });

  it('delivers what another one was sending when it was killed, once its lease is over', async () => {
    await expectTakenOver(100);
  });

  it('says that there is no such database, without its name', async () => {
    const DATABASE_URL = (sandbox['DATABASE_URL'] ?? '').replace(/\/[^/?]*(\?|$)/, '/canary$1');
    const text = await expectRefusal(
      { ...sandbox, DATABASE_URL },
      'DATABASE_URL names a database that does not exist (3D000). Create the database, or name another.',
    );
    expect(text).not.toContain('canary');
  });
});

describe('a process that cannot start', { timeout }, () => {
  it('says everything that is wrong and exits with 1', async () => {
    const { output, exit } = start({ FUNDING_ENVIRONMENT: 'production' });
    const [text] = await output(/cannot start[^]*DATA_KEYS/);
    expect(text).toContain('FUNDING_CLIENT_SECRET is not set');
    expect(await exit).toBe(1);
  });

  it('says that another one runs on its file, which goes on', async () => {
    const address = await start(sandbox).listening();
    await expectRefusal(
      sandbox,
      'DATABASE_URL points to a file that another BFF process uses (STORE_IN_USE). Stop that process first.',
    );
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });

  it('says that its port is taken', async () => {
    const { port } = new URL(await start(sandbox).listening());
    const DATABASE_URL = `file:${join(folder, 'other.db')}`;
    await expectRefusal({ ...sandbox, BFF_PORT: port, DATABASE_URL }, 'BFF_PORT is in use.');
  });

  it('says that its store is no database', async () => {
    writeFileSync(join(folder, 'store.db'), 'this is no database, whatever its name says');
    await expectRefusal(
      sandbox,
      'DATABASE_URL points to a file that is not a database (SQLITE_NOTADB). Name another file.',
    );
  });

  it('says that its store cannot be reached', async () => {
    writeFileSync(join(folder, 'file'), '');
    const DATABASE_URL = `file:${join(folder, 'file', 'store.db')}`;
    await expectRefusal(
      { ...sandbox, DATABASE_URL },
      'DATABASE_URL cannot be opened (ENOTDIR). Check',
    );
  });

  it.each([
    ['a later version', 99, 'STORE_NEWER', 'Run that version.'],
    ['an unreleased version', 0, 'STORE_OLDER', 'Name a new file.'],
  ])('says that %s has written its store', async (_name, version, code, mend) => {
    const file = new DatabaseSync(join(folder, 'store.db'));
    if (version === 0) file.exec('pragma user_version = 3');
    else {
      file.exec('create table journal_schema (version integer not null) strict');
      file.exec(`insert into journal_schema (version) values (${version})`);
    }
    file.close();
    await expectRefusal(sandbox, `(${code}). ${mend}`);
  });

  it.each([
    ['another', `1:${strongKey(9)}`, 'DATA_KEYS contains another data key 1'],
    ['no', `2:${strongKey(9)}`, 'DATA_KEYS lacks data key 1'],
  ])('says that it has %s data key for its store', async (_which, DATA_KEYS, problem) => {
    await leaveSending(180_000);
    await expectRefusal({ ...sandbox, DATA_KEYS }, problem, 'wraps 1 application in the store');
    // Nothing was taken over, and the store was closed in order.
    expect(readdirSync(folder).toSorted()).toEqual(['store.db', 'store.db-lock']);
    const store = await openStore(sandbox['DATABASE_URL'] ?? '');
    expect(await store.countStates()).toMatchObject([{ state: 'sending', count: 1 }]);
    await store.close();
  });

  it('says that no PostgreSQL answers, without a password', async () => {
    const DATABASE_URL = `postgres://user:canary@localhost:${await findFreePort()}/store`;
    const text = await expectRefusal(
      { ...sandbox, DATABASE_URL },
      'DATABASE_URL names a PostgreSQL server that does not answer (ECONNREFUSED).',
    );
    expect(text).not.toContain('canary');
  });
});

/** Leaves an application as a killed process does, and starts one that has to deliver it. */
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

/** Everything it said; exactly one problem, and no stack. What it logged before stands on lines of their own. */
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

/** What a process that was killed in the middle of sending leaves in the store; answers the application's reference. */
async function leaveSending(leaseMs: number): Promise<string> {
  const time = createManualTime(Date.now());
  const store = await openStore(sandbox['DATABASE_URL'] ?? '');
  const rig = await createRig({ store, time, delivers: false });
  const filed = rig.openBrowser().apply();
  await until(() => time.listTimers().length > 0);
  time.advance(60_000);
  const { json } = await filed;
  expect(await store.claimDue('application', leaseMs)).toMatchObject({ kind: 'application' });
  await store.close();
  return json.reference;
}

/** A connection that has had an answer and now sends a request whose head does not end. */
async function openRequest(port: number) {
  const socket = connect(port, 'localhost');
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
  return socket;
}

function start(variables: Readonly<Record<string, string>>) {
  const started = startProcess(variables);
  children.add(started.child);
  return started;
}
