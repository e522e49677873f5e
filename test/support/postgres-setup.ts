// vitest's global set-up: one PostgreSQL for all tests of a run, the given one or a private one.

import type { TestProject } from 'vitest/node';
import { findPostgres } from '../../scripts/postgres.mjs';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `undefined` when there is no PostgreSQL on this machine. */
    postgresUrl: string | undefined;
  }
}

/** @returns how to end it */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const givenUrl = process.env['TEST_POSTGRES_URL'];
  const server = givenUrl || !findPostgres() ? undefined : await startPostgres();
  project.provide('postgresUrl', givenUrl || server?.url);
  return server?.stop;
}
