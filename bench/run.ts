// `npm run bench`: prints the figures of the benchmarks, and fails when one is past its limit.

import { describeFigure, measureUploadMemory } from './upload-memory.ts';

if (process.platform !== 'linux') {
  console.error('The memory of another process is read from /proc, which only Linux has.');
  process.exit(1);
}

// An exit ends the processes under measurement; a signal by itself would leave them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const figures = await measureUploadMemory();
for (const figure of figures) console.log(describeFigure(figure));

const isPastLimit = figures.some(
  ({ use, limitBytes }) => limitBytes !== undefined && use.riseBytes >= limitBytes,
);
process.exit(isPastLimit ? 1 : 0);
