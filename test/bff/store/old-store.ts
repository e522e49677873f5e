// Stores of earlier versions, as those versions created them.

import { DatabaseSync } from 'node:sqlite';
import { Client, types } from 'pg';
import { isPostgresUrl } from '../../../bff/config/database-url.ts';
import {
  migrate,
  postgresDialect,
  sqliteDialect,
  type SqlDialect,
} from '../../../bff/store/schema.ts';

type Values = readonly (string | number | Uint8Array | null)[];

export interface OldStore {
  readonly dialect: SqlDialect;
  /** `?` stands for a value. */
  run(sql: string, ...values: Values): Promise<readonly unknown[]>;
}

/** Creates the tables of a version in an empty database, then fills them. `Infinity`: the newest version. */
export async function createOldStore(
  url: string,
  version: number,
  fill: (store: OldStore) => Promise<void> = async () => undefined,
): Promise<void> {
  const { store, close } = isPostgresUrl(url) ? await openPostgres(url) : openSqlite(url);
  const steps = migrate(store.dialect, {}, version);
  for (let step = steps.next([]); !step.done;) {
    const { sql, values } = step.value;
    step = steps.next(await store.run(sql.replaceAll('{now}', '9'), ...values));
  }
  await fill(store);
  await close();
}

function openSqlite(url: string) {
  const db = new DatabaseSync(url.slice('file:'.length));
  db.exec('pragma synchronous = off');
  const store: OldStore = {
    dialect: sqliteDialect,
    run: async (sql, ...values) => db.prepare(sql).all(...values),
  };
  return { store, close: async () => db.close() };
}

async function openPostgres(url: string) {
  const client = createStoreClient(url);
  await client.connect();
  const store: OldStore = {
    dialect: postgresDialect,
    async run(sql, ...values) {
      let count = 0;
      const text = sql.replaceAll('?', () => `$${(count += 1)}`);
      const bound = values.map((value) =>
        value instanceof Uint8Array ? Buffer.from(value) : value,
      );
      return (await client.query(text, bound)).rows;
    },
  };
  return { store, close: () => client.end() };
}

/** A connection that returns `bigint` as a number, as the store reads it. */
export function createStoreClient(url: string): Client {
  return new Client({
    connectionString: url,
    types: {
      getTypeParser: (oid, format) =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format),
    },
  });
}
