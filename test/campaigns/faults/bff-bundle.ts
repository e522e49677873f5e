// Builds the BFF process of the campaigns as a bundle, which starts twice as fast as the sources. `setup` is the global setup
// of vitest: it builds one bundle for all tests of a run.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

export interface BffBundle {
  readonly path: string;
  remove(): void;
}

/** Builds into a temporary folder, together with the program of the inspection processes. */
export async function buildBff(): Promise<BffBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-bff-'));
  await bundle(join(import.meta.dirname, 'bff-process.ts'), folder);
  await bundle(join(import.meta.dirname, '../../../bff/documents/inspection-child.ts'), folder);
  return {
    path: join(folder, 'bff-process.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Bundles a program into one file with the same name. */
async function bundle(program: string, folder: string): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: program,
      outDir: folder,
      emptyOutDir: false,
      target: 'node24',
      rolldownOptions: {
        output: { format: 'es', entryFileNames: '[name].mjs', codeSplitting: false },
      },
    },
  });
}

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
