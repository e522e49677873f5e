// A widget folder as the build writes it, with the files of a test.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { writeVersion } from '../../scripts/widget-version.mjs';

export const entryName = 'funding-application.js';

/** Content by file name. */
export type Files = Readonly<Record<string, string>>;

export interface TestWidgetFolder {
  readonly directory: string;
  /** Writes a version and makes it the current one. */
  addVersion(version: string, files: Files): void;
  /** Writes a file below the folder. */
  write(path: string, content: string | Uint8Array): void;
  remove(): void;
}

export function createWidgetFolder(version: string, files: Files): TestWidgetFolder {
  const parent = mkdtempSync(join(tmpdir(), 'widget-folder-'));
  const directory = join(parent, 'widget');

  function addVersion(added: string, contents: Files): void {
    const built = Object.entries(contents).map(([file, text]) => {
      const content = Buffer.from(text);
      const gzip = gzipSync(content);
      return {
        file,
        bytes: content.length,
        gzip: gzip.length,
        integrity: toIntegrity(content),
        content,
        compressed: { br: brotliCompressSync(content), gz: gzip },
      };
    });
    writeVersion(directory, { version: added, entry: entryName, files: built });
  }

  addVersion(version, files);
  return {
    directory,
    addVersion,
    write(path, content) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    },
    remove: () => rmSync(parent, { recursive: true }),
  };
}

export function toIntegrity(content: string | Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}
