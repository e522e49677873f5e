// Starts the sandbox, the BFF, and the partner page as separate processes, as an operator does.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type TestProcess } from './bff-process.ts';
import { findFreePort } from './free-port.ts';
import { waitLimitMs } from './time-limit.ts';
import { unlimited } from './unlimited.ts';
import { promisify } from 'node:util';

export interface StackOptions {
  /** Content of the BFF's settings file. Default: no limits, because tests send more, and faster, than people do. */
  readonly settings?: Readonly<Record<string, unknown>> & { readonly documents?: object };
  /** Additional environment variables of the BFF. */
  readonly bff?: Readonly<Record<string, string>>;
  /** Additional environment variables of the sandbox. */
  readonly sandbox?: Readonly<Record<string, string>>;
}

/** Time in which applicants can remove a document. Each test of a delivery waits for it. */
const undoSeconds = 2;

const root = join(import.meta.dirname, '../..');
/** The built BFF. */
const program = 'dist/bff/main.js';

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Starts all three on free ports with a new store. `stop` deletes all data. */
export async function startStack({ settings = {}, bff = {}, sandbox = {} }: StackOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'funding-application-stack-'));
  const settingsFile = join(folder, 'settings.json');
  await writeFile(
    settingsFile,
    JSON.stringify({
      limits: unlimited,
      ...settings,
      documents: { undoSeconds, ...settings.documents },
    }),
  );
  const [sandboxPort, bffPort, pagePort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  // Browsers send a Secure cookie over HTTP to localhost only, not to 127.0.0.1.
  const [sandboxUrl, bffUrl, pageUrl] = [sandboxPort, bffPort, pagePort].map(
    (port) => `http://localhost:${port}`,
  ) as [string, string, string];
  const databaseUrl = `file:${join(folder, 'store.db')}`;
  const environment = {
    PATH: process.env['PATH'],
    FUNDING_ENVIRONMENT: 'sandbox',
    FUNDING_AUTH_URL: sandboxUrl,
    FUNDING_BASE_URL: `${sandboxUrl}/rest`,
    FUNDING_SETTINGS: settingsFile,
    DATABASE_URL: databaseUrl,
    ALLOWED_ORIGINS: pageUrl,
    PUBLIC_URL: bffUrl,
    BFF_PORT: String(bffPort),
    SANDBOX_PORT: String(sandboxPort),
    PAGE_PORT: String(pagePort),
  };

  const processes = new Map<'sandbox' | 'bff' | 'page', TestProcess>();
  let earlierOutput = '';
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);

  async function start(
    name: 'sandbox' | 'bff' | 'page',
    file: string,
    url: string,
    extra: Readonly<Record<string, string>> = {},
  ) {
    if (name === 'bff') earlierOutput += processes.get('bff')?.stdout().toString() ?? '';
    const started = startProcess({
      program: file,
      variables: { ...environment, ...extra },
      ...(name === 'bff' && {
        nodeOptions: ['--import', './test/support/adjustable-clock.ts'],
        hasMessages: true,
      }),
    });
    processes.set(name, started);
    if ((await started.ready(url)) === undefined) {
      throw new Error(`The process exited: ${started.text()}`);
    }
  }
  const startSandbox = async () => {
    await start('sandbox', 'sandbox/main.ts', `${sandboxUrl}/_sandbox/`, sandbox);
  };
  const startBff = async () => {
    await start('bff', program, `${bffUrl}/readyz`, bff);
  };
  const stop = async () => {
    for (const each of [...processes.values()].toReversed()) await end(each);
    removeFolder();
    process.off('exit', removeFolder);
  };

  try {
    await startSandbox();
    await Promise.all([startBff(), start('page', 'examples/partner-site/server.ts', pageUrl)]);
    return {
      bffUrl,
      sandboxUrl,
      /** URL of the partner's page, whose origin the BFF allows. */
      pageUrl,
      get bffProcessId() {
        const processId = processes.get('bff')?.child.pid;
        if (processId === undefined) throw new Error('The BFF has no process id');
        return processId;
      },
      /** Returns the log of the BFF so far. */
      bffOutput: () => earlierOutput + (processes.get('bff')?.stdout().toString() ?? ''),
      /** URL of the BFF's store. */
      databaseUrl,
      startSandbox,
      stopSandbox: async () => {
        const sandboxProcess = processes.get('sandbox');
        if (sandboxProcess) await end(sandboxProcess);
      },
      /** Starts the BFF again with the same store and port. */
      startBff,
      /** Kills the BFF with SIGKILL. */
      killBff: async () => {
        const bffProcess = processes.get('bff');
        if (bffProcess) await end(bffProcess, 'SIGKILL');
      },
      /** Advances the clock of the BFF until it starts again. */
      advanceBff: async (ms: number) => {
        const child = processes.get('bff')?.child;
        if (!child) throw new Error('The BFF is not running');
        const confirmed = once(child, 'message');
        child.send(ms);
        await confirmed;
      },
      /** Runs an operator command. Returns its output, and throws when the command fails. */
      operate: async (...command: string[]) => {
        const run = promisify(execFile);
        const options = { cwd: root, env: { ...environment, ...bff } };
        return (await run(process.execPath, [program, ...command], options)).stdout;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function end(
  { child, ended }: TestProcess,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
  child.kill(signal);
  const killer = setTimeout(() => child.kill('SIGKILL'), waitLimitMs);
  await ended;
  clearTimeout(killer);
}
