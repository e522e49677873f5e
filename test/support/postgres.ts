// PostgreSQL for tests that run in vitest. They are left out where there is none; `npm test` says so in its closing lines.

import { describe, inject, onTestFinished } from 'vitest';
import { createSchema } from './postgres-schema.ts';

export function hasPostgres(): boolean {
  return inject('postgresUrl') !== undefined;
}

/** `describe` for tests that need PostgreSQL. */
export const describePostgres = hasPostgres() ? describe : describe.skip;

/** A `DATABASE_URL` with a schema of its own, which is dropped when the current test has ended. */
export async function createTestDatabaseUrl(): Promise<string> {
  const serverUrl = inject('postgresUrl');
  if (!serverUrl) throw new Error('No PostgreSQL: this test belongs into describePostgres.');
  const { url, drop } = await createSchema(serverUrl);
  onTestFinished(drop);
  return url;
}
