#!/usr/bin/env node
// Process entry: serves the BFF, or runs the operator's command that the arguments name. Also the program of the npm package.

const minNodeMajor = 24;

if (Number.parseInt(process.versions.node, 10) < minNodeMajor) {
  process.stderr.write(
    `The BFF needs Node ${minNodeMajor} or later, and this is Node ${process.versions.node}. Install a later version of Node.\n`,
  );
  process.exitCode = 1;
} else {
  await run(process.argv.slice(2));
}

/** Imports the rest dynamically: on an older Node, `node:sqlite` would fail with a stack trace before the check above. */
async function run(args: readonly string[]): Promise<void> {
  const { disableDebuggerSignal } = await import('./config/unsafe-runtime.ts');
  disableDebuggerSignal(process);
  if (args.length === 0 || (args.length === 1 && args[0] === 'serve')) {
    const { startServer } = await import('./server.ts');
    await startServer();
    return;
  }
  const { createProcessIo, runCommand } = await import('./cli/run-command.ts');
  process.exitCode = await runCommand(args, createProcessIo());
  // A failed database connection can keep the process alive. `setImmediate` lets Node report a failed write to stdout first.
  process.stdout.write('', () => setImmediate(() => process.exit()));
}
