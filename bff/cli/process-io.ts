// The process around a command: its environment, its output, the journal and the network.

import { existsSync, readFileSync } from 'node:fs';
import type { VariableSource } from '../config-reader.ts';
import { createUndiciTransport, type UndiciTransport } from '../funding-service/transport.ts';
import type { Journal } from '../journal/journal.ts';
import { isPostgresUrl, openJournal } from '../journal/open-journal.ts';
import { toPath } from '../journal/sqlite.ts';

export interface CommandIo extends VariableSource {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** `undefined`: there is no such file, and `mayCreate` is false. Throws as `openJournal` does. */
  readonly openJournal: (url: string, mayCreate: boolean) => Promise<Journal | undefined>;
  readonly createTransport: () => UndiciTransport;
}

export function createProcessIo(): CommandIo {
  return {
    variables: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
    clock: Date.now,
    async openJournal(url, mayCreate) {
      const isThere = isPostgresUrl(url) || mayCreate || existsSync(toPath(url));
      return isThere ? openJournal(url) : undefined;
    },
    createTransport: createUndiciTransport,
  };
}
