// Reads all stored bytes of a store on either engine, so that tests can search them.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { createTestDatabaseUrl, hasPostgres } from './postgres.ts';

export interface StoreOnDisk {
  readonly url: string;
  /** Returns the content of all files; for PostgreSQL, also the rows of all tables. */
  read(): Promise<readonly Buffer[]>;
  /**
   * Returns the bytes that must not contain erased ciphertext: all files of SQLite, or the rows of PostgreSQL, because its
   * log and its free space keep deleted data for a while.
   */
  readKept(): Promise<readonly Buffer[]>;
}

export interface Engine {
  readonly name: string;
  readonly isHere: boolean;
  /** Creates a store that is deleted at the end of the current test. */
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

/** Returns the server's data files when the server runs on this machine and this user may read them; otherwise nothing. */
async function readDataFolder(client: Client): Promise<Buffer[]> {
  // Writes the server's memory to the disk.
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

/** The file belongs to another user, is on another machine, or was deleted after it was listed. */
function isOutOfReach(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EACCES' || code === 'EPERM' || code === 'ENOENT';
}
