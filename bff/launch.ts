// Where a release starts: says in one sentence that this Node is too old, before anything is loaded that it does not know.

const oldestMajor = 24;

if (Number.parseInt(process.versions.node, 10) < oldestMajor) {
  process.stderr.write(
    `The BFF needs Node ${oldestMajor} or later and runs on ${process.versions.node}. Start it with that one.\n`,
  );
  process.exitCode = 1;
} else {
  // An import at the top would be loaded before the first line runs, and end there with a stack trace (`node:sqlite`).
  await import('./main.ts');
}
