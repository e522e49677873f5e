// Vitest global setup: builds one bundle of the BFF process for all tests of a run.

import type { TestProject } from 'vitest/node';
import { buildBff } from './bff-bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the bundled BFF process. */
    bffProgram: string;
  }
}

/** Returns a function that deletes the bundle. */
export async function setup(project: TestProject): Promise<() => void> {
  const { path, remove } = await buildBff();
  project.provide('bffProgram', path);
  return remove;
}
