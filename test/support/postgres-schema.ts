// A schema of one's own on a PostgreSQL, so that tests and runs share a server and see nothing of each other.

import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface Schema {
  /** The server's address with this schema as the only one that names are looked up in. */
  readonly url: string;
  /** Removes it with all that is in it. */
  drop(): Promise<void>;
}

/** @param serverUrl `postgres:` address of a user who may create schemas. */
export async function createSchema(serverUrl: string): Promise<Schema> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(serverUrl, `create schema ${name}`);
  const url = new URL(serverUrl);
  url.searchParams.set('options', `-csearch_path=${name}`);
  return { url: url.href, drop: () => execute(serverUrl, `drop schema ${name} cascade`) };
}

async function execute(serverUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
