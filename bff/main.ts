// Process entry. Without arguments it serves; with arguments it runs one of the operator's commands.

const minNodeMajor = 24;

if (Number.parseInt(process.versions.node, 10) < minNodeMajor) {
  process.stderr.write(
    `The BFF needs Node ${minNodeMajor} or later and runs on ${process.versions.node}. Start it with a newer Node.\n`,
  );
  process.exitCode = 1;
} else {
  await run(process.argv.slice(2));
}

/** Imports nothing statically: `node:sqlite` would fail with a stack trace on an older Node, before the check above. */
async function run(args: readonly string[]): Promise<void> {
  const { keepDebuggerShut } = await import('./config/unsafe-runtime.ts');
  keepDebuggerShut(process);
  if (args.length === 0) {
    const { startServer } = await import('./server.ts');
    await startServer();
    return;
  }
  const { createProcessIo, runCommand } = await import('./cli/run-command.ts');
  process.exitCode = await runCommand(args, createProcessIo());
  // A database connection that failed can keep the process alive. The extra turn lets a failed write to stdout be reported.
  process.stdout.write('', () => setImmediate(() => process.exit()));
}
