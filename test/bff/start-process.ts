// The BFF as a process of its own, and what it has said so far.

import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../bff/main.ts', import.meta.url));

export interface BffProcess {
  readonly child: ChildProcess;
  /** Waits for it on either output; rejects when the process ends before. */
  output(pattern: RegExp): Promise<RegExpExecArray>;
  /** The address it listens on. */
  listening(): Promise<string>;
  /** The exit code, once everything it said has come. */
  readonly exit: Promise<number | null>;
  text(): string;
}

/**
 * Serves no widget unless told to: these tests run where none is built.
 *
 * @param nodeOptions what stands between `node` and the program.
 */
export function startProcess(
  variables: Readonly<Record<string, string>>,
  ...nodeOptions: readonly string[]
): BffProcess {
  const argv = [...nodeOptions, main];
  const env = { WIDGET_FOLDER: 'none', ...variables };
  const child = spawn(process.execPath, argv, { env, stdio: 'pipe' });
  let text = '';
  const listeners = new Set<() => void>();
  const add = (chunk: Buffer) => {
    text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  // Not `exit`: what it said last may come after that.
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });

  function output(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(text);
        if (match) resolve(match);
      };
      listeners.add(look);
      look();
      void exit.then(() => reject(new Error(`It ended: ${text}`)));
    });
  }

  async function listening(): Promise<string> {
    const [, address = ''] = await output(/listens on (http:\/\/\S+)/);
    return address;
  }

  return { child, output, listening, exit, text: () => text };
}
