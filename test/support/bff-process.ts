// Starts the BFF as a process, and collects its output.

import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../bff/main.ts', import.meta.url));

export interface BffProcess {
  readonly child: ChildProcess;
  /** Waits for the pattern on stdout or stderr. Rejects if the process exits first. */
  output(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves to the URL that the process listens on. */
  listening(): Promise<string>;
  /** Resolves to the exit code after all output arrived. */
  readonly exit: Promise<number | null>;
  text(): string;
}

/**
 * By default, the process serves no element, because these tests run without a build.
 *
 * @param nodeOptions arguments of Node itself.
 */
export function startBffProcess(
  variables: Readonly<Record<string, string>>,
  ...nodeOptions: readonly string[]
): BffProcess {
  const argv = [...nodeOptions, main];
  // `npm test` names a cache of compiled modules, with which a process starts in half the time.
  const cache = process.env['NODE_COMPILE_CACHE'];
  const env = {
    WIDGET_FOLDER: 'none',
    ...(cache ? { NODE_COMPILE_CACHE: cache } : {}),
    ...variables,
  };
  const child = spawn(process.execPath, argv, { env, stdio: 'pipe' });
  let text = '';
  const listeners = new Set<() => void>();
  const add = (chunk: Buffer) => {
    text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  // Output can arrive after the event `exit`, but not after `close`.
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });

  function output(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const match = pattern.exec(text);
        if (match) resolve(match);
      };
      listeners.add(check);
      check();
      void exit.then(() => reject(new Error(`The process exited: ${text}`)));
    });
  }

  async function listening(): Promise<string> {
    const [, address = ''] = await output(/listens on (http:\/\/\S+)/);
    return address;
  }

  return { child, output, listening, exit, text: () => text };
}
