// `npm start`: builds the widget if its sources are newer, and starts the sandbox, the BFF, and the example host page.

import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

interface Service {
  readonly name: string;
  readonly main: string;
  readonly portSetting: 'PAGE_PORT' | 'BFF_PORT' | 'SANDBOX_PORT';
  readonly port: number;
  /** Responds with a 2xx status when the service is ready. */
  readonly readyUrl: string;
}

interface Running {
  readonly name: string;
  readonly child: ChildProcess;
  /** Resolves with the reason, for example `ended with code 1`. */
  readonly ended: Promise<string>;
}

const root = join(import.meta.dirname, '..');
const isWatching = process.argv.includes('--watch');
const readyTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;
const vite = join('node_modules', 'vite', 'bin', 'vite.js');
/** The build writes this file last. If it is missing or older than the sources, the build is incomplete. */
const builtWidget = join(root, 'dist', 'widget', 'manifest.json');
/** The build reads some files of `shared/` only, but no list of its modules is necessary. The lockfile has all versions. */
const widgetSources = [
  '{widget,shared}/**/*',
  'scripts/{widget,project}.mjs',
  'vite.config.ts',
  'package-lock.json',
];
// Stops a service when this process ends, even by SIGKILL. Without `unref`, the channel would keep the service running.
const endWithParent = `
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
`;
/** The BFF reads the widget when it starts. Node restarts a watched process when a file that it imports changes. */
const importWidget = `import ${JSON.stringify(pathToFileURL(builtWidget).href)} with { type: 'json' };`;

const running: Running[] = [];
let stopping: Promise<never> | undefined;

checkEnvironment();
// Unless SANDBOX_DATA names a file, the sandbox forgets its data at the end. Applications of an earlier run would be unknown to it.
const storeFolder = mkdtempSync(join(tmpdir(), 'funding-application-'));
process.once('exit', () => rmSync(storeFolder, { recursive: true, force: true }));
const sandbox = readService('sandbox', 'sandbox/main.ts', 'SANDBOX_PORT', 8082, '/_sandbox/');
const bff = readService('bff', 'bff/main.ts', 'BFF_PORT', 8081, '/readyz');
const page = readService('page', 'examples/partner-site/server.ts', 'PAGE_PORT', 8080, '/funding');
const services = [sandbox, bff, page];
await checkPorts();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handleSignal);

if (isWidgetStale()) await buildWidget();
// If the build emptied the folder, a BFF that restarts during the build would not start.
if (isWatching) run('widget', [vite, 'build', '--watch', '--no-emptyOutDir']);
for (const service of services) await startService(service);
if (!stopping) console.log(describe());

function checkEnvironment(): void {
  const environment = process.env['FUNDING_ENVIRONMENT'] || 'sandbox';
  if (environment !== 'sandbox') {
    const fix = 'Unset it, or start only the BFF with "npm run bff".';
    fail(`FUNDING_ENVIRONMENT is ${environment}, but "npm start" is for the sandbox. ${fix}`);
  }
  if (process.env['SANDBOX_DATA'] && !process.env['DATABASE_URL']) {
    const fix =
      'Set both, for example DATABASE_URL=file:./store.db SANDBOX_DATA=./sandbox.db, or neither.';
    fail(`SANDBOX_DATA is set, but the store of the BFF would be deleted at the end. ${fix}`);
  }
}

function readService(
  name: string,
  main: string,
  portSetting: Service['portSetting'],
  usualPort: number,
  readyPath: string,
): Service {
  const port = Number(process.env[portSetting] || usualPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    fail(`${portSetting} is not a port number. Use a number from 1 to 65535.`);
  }
  return { name, main, portSetting, port, readyUrl: `http://localhost:${port}${readyPath}` };
}

async function checkPorts(): Promise<void> {
  const problems: string[] = [];
  for (const [index, { name, port, portSetting }] of services.entries()) {
    const twin = services.slice(0, index).find((other) => other.port === port);
    if (twin) {
      problems.push(
        `${portSetting} and ${twin.portSetting} are both ${port}. Use different ports.`,
      );
    } else if (!(await isFree(port))) {
      const fix = `Stop that program, or set ${portSetting}, for example ${portSetting}=${port + 100}.`;
      problems.push(`Port ${port} of the ${name} is used by another program. ${fix}`);
    }
  }
  if (problems.length > 0) fail(problems.join('\n'));
}

// Tries both: listening on all addresses succeeds even if another program listens on 127.0.0.1.
async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', undefined]) {
    const isBound = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen({ port, host }, () => server.close(() => resolve(true)));
    });
    if (!isBound) return false;
  }
  return true;
}

function isWidgetStale(): boolean {
  const builtAt = statSync(builtWidget, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = globSync(widgetSources, { cwd: root });
  return files.some((file) => statSync(join(root, file)).mtimeMs > builtAt);
}

async function buildWidget(): Promise<void> {
  console.log('Building the widget …');
  const { child, ended } = launch([vite, 'build', '--logLevel', 'warn'], 'inherit');
  const how = await ended;
  // Ctrl+C in a terminal stops the build too.
  if (!stopping && child.exitCode !== 0) fail(`The widget build failed: vite ${how}.`);
}

async function startService(service: Service): Promise<void> {
  const { name, main, readyUrl } = service;
  if (stopping) return;
  const watch = ['--watch', '--watch-preserve-output'];
  const watching = service === bff ? [...watch, ...toImport(importWidget)] : watch;
  // The BFF gets the sandbox's variables from here, so that the sandbox need not print them.
  const own = service === sandbox ? ['--brief'] : [];
  const child = run(name, [...(isWatching ? watching : toImport(endWithParent)), main, ...own]);
  const deadline = Date.now() + readyTimeoutMs;
  while (!stopping && child.exitCode === null && !(await isReady(readyUrl))) {
    if (Date.now() > deadline) {
      console.error(`The ${name} does not respond at ${readyUrl}. Stopping everything.`);
      await stop(1);
    }
    await sleep(50);
  }
}

function toImport(code: string): readonly string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Not listening yet. The caller tries again.
    return false;
  }
}

/** Starts a process that runs until the end. If it exits on its own, everything else is stopped. */
function run(name: string, args: readonly string[]): ChildProcess {
  const { child, ended } = launch(args, 'pipe');
  running.push({ name, child, ended });
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    const lines = createInterface({ input: stream });
    lines.on('line', (line) => console.log(`${name.padEnd(7)} │ ${line}`));
  }
  void ended.then((how) => {
    if (stopping) return;
    console.error(`The ${name} ${how}. See its output above. Stopping everything else.`);
    void stop(1);
  });
  return child;
}

function launch(args: readonly string[], output: 'pipe' | 'inherit'): Omit<Running, 'name'> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: toEnvironment(),
    stdio: ['ignore', output, output, 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`did not start (${error.message})`));
    child.once('close', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`));
  });
  return { child, ended };
}

/** The first signal stops everything in order; the second kills. */
function handleSignal(): void {
  if (stopping) return killAll();
  console.log('\nStopping …');
  void stop(0);
}

function stop(exitCode: number): Promise<never> {
  stopping ??= stopAll(exitCode);
  return stopping;
}

async function stopAll(exitCode: number): Promise<never> {
  setTimeout(killAll, stopTimeoutMs).unref();
  // The sandbox stops last, so that it receives what the BFF is sending.
  for (const { child, ended } of running.toReversed()) {
    child.kill('SIGTERM');
    await ended;
  }
  process.exit(exitCode);
}

function killAll(): void {
  for (const { child } of running) child.kill('SIGKILL');
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function toEnvironment(): NodeJS.ProcessEnv {
  const toUrl = ({ port }: Service) => `http://localhost:${port}`;
  return {
    ...process.env,
    ...Object.fromEntries(services.map(({ portSetting, port }) => [portSetting, String(port)])),
    FUNDING_ENVIRONMENT: 'sandbox',
    FUNDING_AUTH_URL: toUrl(sandbox),
    FUNDING_BASE_URL: `${toUrl(sandbox)}/rest`,
    PUBLIC_URL: toUrl(bff),
    // A page of an adopter, for example of Vite's development server, can use this BFF too.
    ALLOWED_ORIGINS: [toUrl(page), process.env['ALLOWED_ORIGINS']].filter(Boolean).join(','),
    DATABASE_URL: process.env['DATABASE_URL'] || `file:${join(storeFolder, 'store.db')}`,
  };
}

function describe(): string {
  const watch = isWatching ? ' Changed sources reload.' : '';
  return `
  Apply for funding        ${page.readyUrl}
  On a page of the BFF     http://localhost:${bff.port}/apply
  See what was received    ${sandbox.readyUrl}

  Everything runs on this machine.${watch} Press Ctrl+C to stop.
`;
}
