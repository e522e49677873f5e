#!/usr/bin/env node
// Process entry: serves the BFF, starts a program beside it, or runs the operator's command that the arguments name. Also the program of the
// npm package.

const minNodeMajor = 24;
const fileOption = '--dotenv';

if (Number.parseInt(process.versions.node, 10) < minNodeMajor) {
  process.stderr.write(
    `The BFF needs Node ${minNodeMajor} or later, and this is Node ${process.versions.node}. Install a later version of Node.\n`,
  );
  process.exitCode = 1;
} else {
  await run(process.argv.slice(2));
}

/** Imports the rest dynamically: on an older Node, `node:sqlite` would fail with a stack trace before the check above. */
async function run(argv: readonly string[]): Promise<void> {
  const args = loadVariables(argv);
  if (!args) return;
  const { disableDebuggerSignal } = await import('./config/unsafe-runtime.ts');
  disableDebuggerSignal(process);
  const [name = 'serve', ...others] = args;
  if (name === 'serve' && others.length === 0) {
    const { startServer } = await import('./server.ts');
    await startServer();
    return;
  }
  if (name === 'conformance' || (name === 'sandbox' && others.length === 0)) {
    await startProgram(name, others);
    return;
  }
  const { createProcessIo, runCommand } = await import('./cli/run-command.ts');
  process.exitCode = await runCommand(args, createProcessIo());
  // A failed database connection can keep the process alive. `setImmediate` lets Node report a failed write to stdout first.
  process.stdout.write('', () => setImmediate(() => process.exit()));
}

/**
 * Reads the variables of `--dotenv=<path>` or `--dotenv <path>`. `npx` cannot pass on Node's own option `--env-file`, and Node looks for
 * that name among the arguments of the program too. Variables of the environment take precedence, then those of the first file.
 *
 * @returns the other arguments, or undefined if a file cannot be read.
 */
function loadVariables(argv: readonly string[]): readonly string[] | undefined {
  const others: string[] = [];
  const rest = [...argv];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [name, ...parts] = argument.split('=');
    if (name !== fileOption) {
      others.push(argument);
      continue;
    }
    const path = argument === fileOption ? (rest.shift() ?? '') : parts.join('=');
    try {
      process.loadEnvFile(path);
    } catch {
      process.stderr.write(`--dotenv names no readable file: ${path}. Correct the path.\n`);
      process.exitCode = 1;
      return undefined;
    }
  }
  return others;
}

/**
 * The sandbox and the conformance test are programs of their own beside the BFF, in a clone and in the npm package. The code of the BFF
 * contains neither.
 */
async function startProgram(name: string, args: readonly string[]): Promise<void> {
  const { existsSync } = await import('node:fs');
  const { fileURLToPath } = await import('node:url');
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const program = new URL(`../${name}/main.${extension}`, import.meta.url);
  if (!existsSync(program)) {
    process.stderr.write(
      `This release does not contain "${name}". Use the npm package: npx funding-application-bff ${name}\n`,
    );
    process.exitCode = 1;
    return;
  }
  // As if Node had started it.
  process.argv = [process.execPath, fileURLToPath(program), ...args];
  await import(program.href);
}
