// A database for one campaign on either engine, with the audit triggers.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../bff/store/database.ts';
import { createStore, openDatabase } from '../../bff/store/open-store.ts';
import { createSchema } from '../support/postgres-schema.ts';
import { installAudit, readFinalStore, type FinalStore } from './audit.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

export interface Storage {
  readonly engine: Engine;
  /** A `DATABASE_URL`. */
  readonly url: string;
  /** Opens a connection and closes it again: with an open connection, SQLite would skip recovery in the next process. */
  inspect<Result>(look: (database: Database) => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
}

export interface StorageOptions {
  readonly engine: Engine;
  /** URL of a server where tests may create schemas; PostgreSQL only. */
  readonly postgresUrl?: string | undefined;
}

/** Creates empty tables and the audit triggers. */
export async function createStorage(options: StorageOptions): Promise<Storage> {
  const { url, remove } = await createDatabase(options);

  async function inspect<Result>(look: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await openDatabase(url);
    try {
      return await look(database);
    } finally {
      await database.close();
    }
  }

  await inspect(installAudit);
  return { engine: options.engine, url, inspect, remove };
}

/** Reads the store's part of the evidence. */
export async function readEnd(
  database: Database,
): Promise<FinalStore & { readonly alarms: ReadonlySet<string> }> {
  const needing = await createStore(database).listRowsNeedingOperator(1_000_000);
  return {
    ...(await readFinalStore(database)),
    alarms: new Set(needing.map(({ reference }) => reference)),
  };
}

async function createDatabase({
  engine,
  postgresUrl,
}: StorageOptions): Promise<{ readonly url: string; readonly remove: () => Promise<void> }> {
  if (engine === 'PostgreSQL') {
    if (postgresUrl === undefined)
      throw new Error('postgresUrl is missing. Start PostgreSQL for this engine.');
    const { url, drop } = await createSchema(postgresUrl);
    return { url, remove: drop };
  }
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-faults-'));
  return {
    url: `file:${join(folder, 'store.db')}`,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
