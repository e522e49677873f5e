// The process around a command: its environment, its output, the journal and the network.

import { readFileSync } from 'node:fs';
import { afterKeepingAlive, type After } from '../after.ts';
import { createUndiciTransport, type UndiciTransport } from '../funding-service/transport.ts';
import { openJournal } from '../journal/open-journal.ts';
import { importFromDisk, type ServingSource } from '../serving-parts.ts';
import { findBuiltWidget } from '../widget-folder.ts';
import { createVisit, type Visit } from './doctor/visit.ts';

export interface CommandIo extends ServingSource {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Keeps the process alive, since in a command nothing else may. */
  readonly after: After;
  readonly openJournal: typeof openJournal;
  readonly createTransport: () => UndiciTransport;
  /** Asks a web server as a browser would. */
  readonly visit: Visit;
}

/** Called once: from then on output that cannot be written is no crash. */
export function createProcessIo(): CommandIo {
  process.stdout.on('error', handleLostAnswer);
  // There is nowhere left to say so.
  process.stderr.on('error', () => undefined);
  return {
    variables: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    builtWidget: findBuiltWidget(),
    importModule: importFromDisk,
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
    clock: Date.now,
    after: afterKeepingAlive,
    openJournal,
    createTransport: createUndiciTransport,
    visit: createVisit(),
  };
}

/** A reader such as `head` has read enough; whatever else it is, nobody has the answer. */
function handleLostAnswer({ code = 'unknown' }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(
    `The answer could not be written (${code}); what was asked for may be done all the same.\n`,
  );
  // The journal is closed before anything is answered.
  process.exit(1);
}
