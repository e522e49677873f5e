// `npm run bench [-- <part>… --rounds=5 --profile]`: prints the figures, and exits with code 1 when a figure misses a must.
// `bff` measures the BFF beside a Hono proxy and a Fastify proxy, in rounds; `--profile` lists its
// largest costs.

import { parseArgs } from 'node:util';
import { createSchema } from '../test/support/postgres-schema.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { measureBff } from './bff.ts';
import {
  describeFigure as describeSamples,
  describeJudgement,
  figures,
  type Half,
  judgeAll,
  type Judgement,
  type Noise,
  type Samples,
} from './goals.ts';
import { describeScore, isScorePastLimit, scorePages } from './lighthouse.ts';
import { describeMachine } from './machine.ts';
import { withFolder, withSqliteUrl } from './processes.ts';
import { profileBff } from './profile.ts';
import { type Engine, measureCommits, measureDrain } from './store.ts';
import { describeTyping, isTypingPastLimit, measureTyping } from './typing.ts';
import { measureUnreadBodies } from './unread-bodies.ts';
import { describeFigure, measureUploadMemory } from './upload-memory.ts';

const parts = ['bff', 'memory', 'bodies', 'commits', 'drain', 'typing', 'lighthouse'] as const;
const { values: options, positionals: asked } = readArguments();
const unknown = asked.filter((name) => !parts.some((part) => part === name));
if (unknown.length > 0)
  fail(`Unknown benchmark: ${unknown.join(' ')}. Use any of: ${parts.join(' ')}.`);
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) fail('--rounds is not a positive whole number.');
if (process.platform !== 'linux' && (isAsked('bff') || isAsked('memory')))
  fail('These parts read /proc, which only Linux has. Ask for others: bodies commits typing.');

// Exit on a signal, because the exit handler stops the measured processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const isMustMissed = isAsked('bff') && (await runBff());
const isMemoryPastLimit = isAsked('memory') && (await runMemory());
if (isAsked('bodies')) await runUnreadBodies();
const isTypingSlow = isAsked('typing') && (await runTyping());
const isScoreLow = isAsked('lighthouse') && (await runLighthouse());
if (isAsked('commits') || isAsked('drain')) await runStore();
process.exit(isMustMissed || isMemoryPastLimit || isTypingSlow || isScoreLow ? 1 : 0);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '5' },
        profile: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

async function runBff(): Promise<boolean> {
  console.log(await withFolder((folder) => Promise.resolve(describeMachine(folder))));
  const { samples, noise, remarks } = await measureBff(rounds, (line) => console.error(line));
  for (const remark of remarks) console.log(remark);
  const isMissed = printHalf('bff', samples, noise);
  if (options.profile) for (const line of await profileBff()) console.log(line);
  return isMissed;
}

/** Returns true if a must is missed. */
function printHalf(half: Half, samples: Samples, noise: Noise): boolean {
  const judgements = judgeAll(half, samples, noise);
  printTable([
    ['goal', 'must', 'target', `measured, median of ${rounds} (min to max)`, 'verdict'],
    ...judgements.map(describeJudgement),
  ]);
  const subjects = samples.subjects();
  printTable([
    ['figure, median (min to max)', ...subjects],
    ...Object.keys(figures).map((figure) => describeSamples(figure, subjects, samples)),
  ]);
  if (noise.message !== undefined) console.log(noise.message);
  return judgements.some(({ verdict }: Judgement) => verdict === 'must missed');
}

function printTable(rows: readonly (readonly string[])[]): void {
  const used = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  const widths = (used[0] ?? []).map((_, column) =>
    Math.max(...used.map((row) => (row[column] ?? '').length)),
  );
  for (const row of used)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  console.log('');
}

async function runMemory(): Promise<boolean> {
  const uses = await measureUploadMemory();
  for (const figure of uses) console.log(describeFigure(figure));
  return uses.some(
    ({ use, limitBytes }) => limitBytes !== undefined && use.riseBytes >= limitBytes,
  );
}

async function runUnreadBodies(): Promise<void> {
  console.log('requests beside connections that keep sending refused bodies');
  for (const line of await measureUnreadBodies()) console.log(line);
}

async function runTyping(): Promise<boolean> {
  const steps = await measureTyping();
  console.log(describeTyping(steps));
  return isTypingPastLimit(steps);
}

async function runLighthouse(): Promise<boolean> {
  const scores = await scorePages();
  for (const score of scores) console.log(describeScore(score));
  return scores.some(isScorePastLimit);
}

/** Runs the benchmarks that depend on the store, on each engine. */
async function runStore(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const engines: readonly Engine[] = [
      { name: 'SQLite', withUrl: withSqliteUrl },
      {
        name: 'PostgreSQL',
        withUrl: async (work) => work((await createSchema(postgres.url)).url),
      },
    ];
    if (isAsked('commits')) {
      console.log('durable commit');
      for (const engine of engines) console.log(await measureCommits(engine));
    }
    if (isAsked('drain')) {
      console.log('delivery after an outage');
      for (const engine of engines) console.log(await measureDrain(engine));
    }
  } finally {
    await postgres.stop();
  }
}

function isAsked(part: (typeof parts)[number]): boolean {
  return asked.length === 0 || asked.includes(part);
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
