// A store's storage for one campaign, on either engine, with the audit in it.

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
  /** Looks into it from outside, and lets go of it again: a connection kept would spare the next process its recovery. */
  inspect<Result>(look: (database: Database) => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
}

export interface StorageOptions {
  readonly engine: Engine;
  /** `postgres:` address of a server on which schemas may be made; PostgreSQL only. */
  readonly postgresUrl?: string | undefined;
}

/** Empty tables, and the triggers of the audit. */
export async function createStorage(options: StorageOptions): Promise<Storage> {
  const { url, remove } = await makePlace(options);

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

/** What the checker wants to know of a store at the end. */
export async function readEnd(
  database: Database,
): Promise<FinalStore & { readonly alarms: ReadonlySet<string> }> {
  const needing = await createStore(database).listRowsNeedingOperator(1_000_000);
  return {
    ...(await readFinalStore(database)),
    alarms: new Set(needing.map(({ reference }) => reference)),
  };
}

async function makePlace({
  engine,
  postgresUrl,
}: StorageOptions): Promise<{ readonly url: string; readonly remove: () => Promise<void> }> {
  if (engine === 'PostgreSQL') {
    if (postgresUrl === undefined) throw new Error('There is no PostgreSQL');
    const { url, drop } = await createSchema(postgresUrl);
    return { url, remove: drop };
  }
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-faults-'));
  return {
    url: `file:${join(folder, 'store.db')}`,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
