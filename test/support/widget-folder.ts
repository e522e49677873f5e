// A widget folder as the build writes it, with the files of a test.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeVersion } from '../../scripts/widget.mjs';

export const entryName = 'funding-application.js';

/** Content by file name. */
export type Files = Readonly<Record<string, string>>;

export interface TestWidgetFolder {
  readonly directory: string;
  /** Writes a version and makes it the current one. Its name has a hash, such as `1.2.3-1f3870be`. */
  addVersion(name: string, files: Files): void;
  /** Writes a file below the folder. */
  write(path: string, content: string | Uint8Array): void;
  remove(): void;
}

export function createWidgetFolder(name: string, files: Files): TestWidgetFolder {
  const parent = mkdtempSync(join(tmpdir(), 'widget-folder-'));
  const directory = join(parent, 'widget');

  function addVersion(added: string, contents: Files): void {
    const [version = '', hash] = added.split('-');
    if (hash === undefined) throw new Error(`${added} has no hash`);
    const built = Object.entries(contents).map(([file, text]) => [file, Buffer.from(text)]);
    writeVersion(directory, { version, hash, entry: entryName, files: Object.fromEntries(built) });
  }

  addVersion(name, files);
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
