// Vitest global setup: one PostgreSQL for all tests of a run, either the server of TEST_POSTGRES_URL or a private one.

import type { TestProject } from 'vitest/node';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `undefined` when this machine has no PostgreSQL. */
    postgresUrl: string | undefined;
  }
}

/** Returns a function that stops the private server. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const givenUrl = process.env['TEST_POSTGRES_URL'];
  // Tests that crash a server start a durable one.
  const server =
    givenUrl || !readTestTools().postgres ? undefined : await startPostgres({ isDurable: false });
  project.provide('postgresUrl', givenUrl || server?.url);
  return server?.stop;
}
