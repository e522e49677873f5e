// The BFF process of the campaigns as one file, as a release is: it starts twice as fast as from its sources.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

export interface BffBundle {
  readonly path: string;
  remove(): void;
}

/** Into a folder of its own. */
export async function buildBff(): Promise<BffBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-bff-'));
  const entryFileNames = 'bff-process.mjs';
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'bff-process.ts'),
      outDir: folder,
      target: 'node24',
      rolldownOptions: { output: { format: 'es', entryFileNames, codeSplitting: false } },
    },
  });
  return {
    path: join(folder, entryFileNames),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
