// Runs one tool with its output kept, a time limit, and no process left behind.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { childEnvironment, root } from './project.mjs';

/** A runner that hangs must end as a failure with a name, not as a job that somebody else kills. */
const timeLimitMs = 600_000;
/** Time for a runner to close its browsers, some of which are in process groups of their own. */
const graceMs = 2000;
const stoppedExitCode = 124;
const isWindows = process.platform === 'win32';

const running = new Set();
let isInterrupted = false;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    isInterrupted = true;
    running.forEach(stopGroup);
    setTimeout(() => process.exit(130), 2 * graceMs);
  });
}

export async function runCommand([name, ...args], env = {}) {
  const startedAt = Date.now();
  // A group of its own (detached), so that stopping it reaches the servers and drivers it started.
  const child = spawn(name, args, {
    cwd: root,
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    shell: isWindows,
  });
  running.add(child);
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));

  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    output += `\n${name} was stopped after ${timeLimitMs / 1000} s\n`;
    stopGroup(child);
  }, timeLimitMs);

  const exitCode = await waitForEnd(child);
  clearTimeout(timer);
  running.delete(child);
  // The process is about to end: no further command may start.
  if (isInterrupted) await new Promise(() => {});
  return {
    exitCode: isLate ? stoppedExitCode : exitCode,
    // Some tools colour and move the cursor even in a pipe; that would wipe lines of this output.
    output: stripVTControlCharacters(output),
    durationMs: Date.now() - startedAt,
  };
}

async function waitForEnd(child) {
  const exitCode = await new Promise((resolve) => {
    child.once('error', (error) => child.stderr.emit('data', error.message));
    child.once('close', (code) => resolve(code ?? 1));
    // A browser that outlives its runner holds the pipe open, and `close` would not come.
    child.once('exit', (code) => setTimeout(resolve, graceMs, code ?? 1).unref());
  });
  child.stdout.destroy();
  child.stderr.destroy();
  return exitCode;
}

// SIGINT, not SIGTERM: it is the one on which every runner closes its browsers first.
function stopGroup(child) {
  signalGroup(child, 'SIGINT');
  setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs).unref();
}

function signalGroup(child, signal) {
  try {
    process.kill(isWindows ? child.pid : -child.pid, signal);
  } catch (error) {
    if (error?.code !== 'ESRCH') throw error;
  }
}
