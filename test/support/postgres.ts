// PostgreSQL for vitest tests. Without PostgreSQL, these tests are skipped, and `npm test` reports it at the end.

import { describe, inject, onTestFinished } from 'vitest';
import { createSchema } from './postgres-schema.ts';

export function hasPostgres(): boolean {
  return inject('postgresUrl') !== undefined;
}

/** `describe` for tests that need PostgreSQL. */
export const describePostgres = hasPostgres() ? describe : describe.skip;

/** Returns a `DATABASE_URL` with its own schema, which is dropped at the end of the current test. */
export async function createTestDatabaseUrl(): Promise<string> {
  const serverUrl = inject('postgresUrl');
  if (!serverUrl) throw new Error('PostgreSQL is missing. Put this test in describePostgres.');
  const { url, drop } = await createSchema(serverUrl);
  onTestFinished(drop);
  return url;
}
