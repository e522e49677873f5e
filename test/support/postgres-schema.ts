// A separate schema on a PostgreSQL server, so that tests share a server but no data.

import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/**
 * `url` is that of the server, with this schema as the only one in the search path. `drop` drops the schema with its content.
 *
 * @param serverUrl `postgres:` URL of a user who may create schemas.
 */
export async function createSchema(serverUrl: string) {
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
