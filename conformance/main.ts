// The command as a process. `bff/main.ts` starts it as `bff conformance`, and `npm run conformance` directly.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { processSource } from '../bff/config/config.ts';
import { createUndiciTransport } from '../bff/funding-service/transport.ts';
import { runConformance } from './command.ts';

const interruption = new AbortController();
process.on('SIGINT', handleSignal);
process.on('SIGTERM', handleSignal);

process.exitCode = await runConformance(process.argv.slice(2), {
  ...processSource,
  print: (text) => void process.stdout.write(`${text}\n`),
  printError: (text) => void process.stderr.write(`${text}\n`),
  ask,
  clock: Date.now,
  sleep,
  createTransport: () => createUndiciTransport(),
  writeFile,
  isInterrupted: () => interruption.signal.aborted,
});

/** The first signal lets the call in progress end, so that a lead which it creates is in the report. The second ends at once. */
function handleSignal(): void {
  if (interruption.signal.aborted) process.exit(130);
  process.stderr.write('\nWaiting for the call in progress. Press Ctrl-C again to end at once.\n');
  interruption.abort();
}

async function sleep(ms: number): Promise<void> {
  try {
    await wait(ms, undefined, { signal: interruption.signal });
  } catch {
    // Interrupted: the run ends before its next call.
  }
}

async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question, { signal: interruption.signal });
  } catch {
    return '';
  } finally {
    terminal.close();
  }
}

/** A process that ends while it writes leaves the earlier file. */
function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}
