// The start of the BFF on a store that is new, belongs to another BFF, or lacks its write-ahead log.

import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../bff/store/open-store.ts';
import { createTestDatabaseUrl, describePostgres } from '../support/postgres.ts';
import { production, settings } from './config/config-source.ts';
import { startProcess, type BffProcess } from './start-process.ts';

type Variables = Readonly<Record<string, string>>;

/** Processes start slowly on a busy machine. */
const timeout = 30_000;
const otherId = '0199c0de-0000-4000-8000-00000000000a';

let folder: string;
let path: string;
let inSandbox: Variables;
let inProduction: Variables;
let bff: BffProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  path = join(folder, 'store.db');
  const own = { BFF_PORT: '0', DATABASE_URL: `file:${path}` };
  inSandbox = { ...own, FUNDING_ENVIRONMENT: 'sandbox' };
  const FUNDING_SETTINGS = join(folder, 'settings.json');
  writeFileSync(FUNDING_SETTINGS, JSON.stringify(settings));
  inProduction = { ...production, ...own, FUNDING_SETTINGS };
});

afterEach(async () => {
  bff?.child.kill('SIGKILL');
  await bff?.exit;
  rmSync(folder, { recursive: true });
});

describe('a new store', { timeout }, () => {
  it('is created in the sandbox with a warning', async () => {
    expect(await readEvent('store-created', inSandbox)).toMatchObject({
      level: 40,
      location: path,
      storeId: expect.stringMatching(/^[0-9a-f]{8}$/),
      applicationsReceived: 0,
    });
  });

  it('is not created in production', async () => {
    const text = await readRefusal(inProduction);
    expect(text).toContain(`DATABASE_URL points to no existing store (STORE_NEW): ${path}. `);
    expect(text).toContain('create the store with "check --new-store".');
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('is not created if STORE_ID is set', async () => {
    const text = await readRefusal({ ...inSandbox, STORE_ID: otherId });
    expect(text).toContain('DATABASE_URL points to no existing store (STORE_NEW)');
  });
});

describePostgres('a new store on PostgreSQL', { timeout }, () => {
  it('is not created in production', async () => {
    const url = new URL(await createTestDatabaseUrl());
    url.password = 'canary';
    const text = await readRefusal({ ...inProduction, DATABASE_URL: url.href });
    expect(text).toContain(
      'DATABASE_URL points to no existing store (STORE_NEW): PostgreSQL database ',
    );
    expect(text).not.toContain('canary');
  });
});

describe('a store that exists', { timeout }, () => {
  it('is used in production with its STORE_ID', async () => {
    const store = await openStore(`file:${path}`);
    const { id: STORE_ID } = await store.readIdentity();
    await store.close();
    expect(await readEvent('store-opened', { ...inProduction, STORE_ID })).toMatchObject({
      level: 30,
      storeId: STORE_ID.slice(0, 8),
      applicationsReceived: 0,
    });
    await bff?.listening();
  });

  it('is not used with another STORE_ID', async () => {
    await (await openStore(`file:${path}`)).close();
    const text = await readRefusal({ ...inProduction, STORE_ID: otherId });
    expect(text).toContain('STORE_ID is not the id of the store in DATABASE_URL (STORE_OTHER)');
  });
});

describe('a store without its write-ahead log', { timeout }, () => {
  beforeEach(async () => {
    const running = join(folder, 'running.db');
    const store = await openStore(`file:${running}`, { isOwner: true });
    copyFileSync(running, path);
    await store.close();
  });

  it('is not used in production', async () => {
    const text = await readRefusal(inProduction);
    expect(text).toContain(`write-ahead log is missing (STORE_LOG_MISSING): ${path}-wal. `);
    expect(text).toContain('run "check --accept-missing-log".');
  });

  it('is used in the sandbox with an error in the log', async () => {
    const event = await readEvent('store-log-missing', inSandbox);
    expect(event).toMatchObject({ level: 50, location: path });
    await bff?.listening();
  });
});

async function readEvent(name: string, variables: Variables): Promise<unknown> {
  bff = startProcess(variables);
  const [line] = await bff.output(new RegExp(`^{.*"${name}"}$`, 'm'));
  return JSON.parse(line);
}

async function readRefusal(variables: Variables): Promise<string> {
  bff = startProcess(variables);
  expect(await bff.exit).toBe(1);
  return bff.text();
}
