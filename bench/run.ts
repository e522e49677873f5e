// `npm run bench [-- memory bodies commits applications drain typing lighthouse]`: prints the figures, and fails when a figure exceeds its limit.

import { createSchema } from '../test/support/postgres-schema.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { measureApplications, measureDrain, type Engine } from './applications.ts';
import { measureCommits } from './commit-latency.ts';
import { describeScore, isScorePastLimit, scorePages } from './lighthouse.ts';
import { withSqliteUrl } from './processes.ts';
import { describeTyping, isTypingPastLimit, measureTyping } from './typing.ts';
import { measureUnreadBodies } from './unread-bodies.ts';
import { describeFigure, measureUploadMemory } from './upload-memory.ts';

const parts = [
  'memory',
  'bodies',
  'commits',
  'applications',
  'drain',
  'typing',
  'lighthouse',
] as const;
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !parts.some((part) => part === name));
if (unknown.length > 0)
  fail(`Unknown benchmark: ${unknown.join(' ')}. Use any of: ${parts.join(' ')}.`);

// Exit on a signal, because the exit handler stops the measured processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const isMemoryPastLimit = isAsked('memory') && (await runMemory());
if (isAsked('bodies')) await runUnreadBodies();
const isTypingSlow = isAsked('typing') && (await runTyping());
const isScoreLow = isAsked('lighthouse') && (await runLighthouse());
if (isAsked('commits') || isAsked('applications') || isAsked('drain')) await runStore();
process.exit(isMemoryPastLimit || isTypingSlow || isScoreLow ? 1 : 0);

async function runMemory(): Promise<boolean> {
  if (process.platform !== 'linux')
    return fail('The memory of another process is read from /proc, which only Linux has.');
  const figures = await measureUploadMemory();
  for (const figure of figures) console.log(describeFigure(figure));
  return figures.some(
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
    if (isAsked('applications')) {
      for (const line of await measureApplications(engines)) console.log(line);
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
