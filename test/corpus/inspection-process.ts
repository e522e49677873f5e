// Starts the process that inspects files, and replaces it when a file ends it or takes too long.

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Verdict } from './inspect-file.ts';
import type { Mode } from './manifest.ts';

export interface InspectionRequest {
  readonly path: string;
  readonly extension: string;
  readonly mode: Mode;
}

export type InspectionReply = Verdict & { readonly ms: number };

/** `none`: the file ended the process, or no verdict came in time. */
export type InspectionOutcome =
  InspectionReply | { readonly verdict: 'none'; readonly detail: string; readonly ms: number };

export interface InspectionProcess {
  /** One file at a time. */
  inspect(request: InspectionRequest): Promise<InspectionOutcome>;
  close(): void;
}

export interface InspectionProcessOptions {
  /** Far above what the product allows, as this measures the inspector rather than the product's own limits. */
  readonly timeoutMs?: number;
  readonly program?: URL;
}

const maxHeapMegabytes = 1024;

export function createInspectionProcess(options: InspectionProcessOptions = {}): InspectionProcess {
  const { timeoutMs = 20_000, program = new URL('inspection-child.ts', import.meta.url) } = options;
  let child: ChildProcess | undefined;

  function start(): ChildProcess {
    const execArgv = [`--max-old-space-size=${maxHeapMegabytes}`];
    return fork(fileURLToPath(program), { execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  }

  return {
    async inspect(request) {
      child ??= start();
      const current = child;
      const startedAt = performance.now();
      return await new Promise((resolve) => {
        const timer = setTimeout(() => finish(`no verdict within ${timeoutMs} ms`), timeoutMs);
        function finish(result: InspectionReply | string): void {
          clearTimeout(timer);
          current.removeAllListeners();
          if (typeof result !== 'string') return resolve(result);
          current.kill('SIGKILL');
          child = undefined;
          resolve({ verdict: 'none', detail: result, ms: performance.now() - startedAt });
        }
        // The child sends nothing else.
        current.once('message', (message) => finish(message as InspectionReply));
        current.once('exit', (code, signal) => finish(`the process ended (${signal ?? code})`));
        current.once('error', (error) => finish(error.message));
        current.send(request);
      });
    },
    close() {
      child?.kill('SIGKILL');
      child = undefined;
    },
  };
}
