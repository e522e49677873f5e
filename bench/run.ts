// `npm run bench [-- <part>… --rounds=5 --minutes=60 --write]`: measures the parts, prints their figures, and exits with code 1 when a figure
// misses a must. Without a part: those of `parts.ts` that are not optional. `--write` writes the figures into docs/performance.md.

import { parseArgs } from 'node:util';
import { writeSection } from './page.ts';
import { isPartName, type Outcome, partNames, parts, type RunOptions } from './parts.ts';

const { names, isWriting, options } = readArguments();
if (process.platform !== 'linux') {
  const linuxOnly = names.filter((name) => parts[name].isLinuxOnly);
  if (linuxOnly.length > 0)
    fail(`These parts read /proc, which only Linux has: ${linuxOnly.join(' ')}. Name other parts.`);
}

// Exit on a signal, because the exit handlers stop the measured processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const outcomes: Outcome[] = [];
for (const name of names) {
  options.report(`${name}: started`);
  const outcome = await parts[name].measure(options);
  outcomes.push(outcome);
  console.log(outcome.lines.join('\n'));
  if (isWriting && outcome.section !== undefined) await writeSection(name, outcome.section);
}
process.exit(outcomes.some(({ isMissed }) => isMissed) ? 1 : 0);

function readArguments() {
  const { values, positionals } = parse();
  const unknown = positionals.filter((name) => !isPartName(name));
  if (unknown.length > 0)
    fail(`Unknown part: ${unknown.join(' ')}. Use any of: ${partNames.join(' ')}.`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) fail('--rounds is not a positive whole number.');
  const startedAt = Date.now();
  const report = (line: string) => {
    const seconds = (Date.now() - startedAt) / 1000;
    console.error(`${seconds.toFixed(0).padStart(5)} s  ${line}`);
  };
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) fail('--minutes is not a positive number.');
  const runOptions: RunOptions = { rounds, minutes, report };
  const named = positionals.filter(isPartName);
  const names = named.length > 0 ? named : partNames.filter((name) => !parts[name].isOptional);
  return { names, isWriting: values.write, options: runOptions };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '5' },
        minutes: { type: 'string', default: '60' },
        write: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
