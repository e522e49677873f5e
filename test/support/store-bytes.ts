// Everything a store has on its disk, on either engine, as bytes to search through.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { createTestDatabaseUrl, hasPostgres } from './postgres.ts';

export interface StoreOnDisk {
  readonly url: string;
  /** All that is there now: files, and where there are tables behind a server, their rows too. */
  read(): Promise<readonly Buffer[]>;
  /**
   * What has to be free of erased ciphertext: every byte of the files; behind a server the rows, since its own log and
   * its free space keep what was deleted for a while.
   */
  readKept(): Promise<readonly Buffer[]>;
}

export interface Engine {
  readonly name: string;
  readonly isHere: boolean;
  /** A new store, gone when the current test has ended. */
  readonly create: () => Promise<StoreOnDisk>;
}

export const engines: readonly Engine[] = [
  { name: 'SQLite', isHere: true, create: createFileStore },
  { name: 'PostgreSQL', isHere: hasPostgres(), create: createServerStore },
];

async function createFileStore(): Promise<StoreOnDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const read = async () => readFolder(folder);
  return { url: `file:${join(folder, 'store.db')}`, read, readKept: read };
}

async function createServerStore(): Promise<StoreOnDisk> {
  const url = await createTestDatabaseUrl();
  return {
    url,
    read: () =>
      withClient(url, async (client) => [
        ...(await readTables(client)),
        ...(await readDataFolder(client)),
      ]),
    readKept: () => withClient(url, readTables),
  };
}

async function withClient<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Where the server runs on this machine for a user whose files we may read; else nothing. */
async function readDataFolder(client: Client): Promise<Buffer[]> {
  // What is still in its memory is written down first.
  await client.query('checkpoint');
  const [setting] = (await client.query('show data_directory')).rows;
  return readFolder(setting.data_directory);
}

async function readTables(client: Client): Promise<Buffer[]> {
  const tables = await client.query(
    'select tablename from pg_tables where schemaname = current_schema()',
  );
  const bytes: Buffer[] = [];
  for (const { tablename } of tables.rows) {
    const { rows } = await client.query(`select * from ${tablename}`);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      bytes.push(Buffer.isBuffer(value) ? value : Buffer.from(String(value)));
    }
  }
  return bytes;
}

function readFolder(folder: string): Buffer[] {
  return listFiles(folder).flatMap((file) => {
    const content = readIfAllowed(file);
    return content ? [content] : [];
  });
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (isOutOfReach(error)) return [];
    throw error;
  }
}

function readIfAllowed(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

/** Another user's, on another machine, or removed by the server since it was listed. */
function isOutOfReach(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EACCES' || code === 'EPERM' || code === 'ENOENT';
}
