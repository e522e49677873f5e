// The parts of the benchmark by name.

import { createSchema } from '../test/support/postgres-schema.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { measureBff } from './bff.ts';
import { type Half, type HalfResult, judgeAll } from './goals.ts';
import { measureGrowth } from './growth.ts';
import { describeInstances, hasFailed, measureInstances } from './instances.ts';
import { describeScore, isScorePastLimit, scorePages } from './lighthouse.ts';
import { describeMachine } from './machine.ts';
import { withFolder, withSqliteUrl } from './processes.ts';
import { toList, toMarkdown, toMeasuredLine } from './page.ts';
import { profileBff } from './profile.ts';
import { toFigureRows, toGoalRows, toLines } from './report.ts';
import { runSoak } from './soak.ts';
import { type Engine, measureCommits, measureDrain } from './store.ts';
import { measureUnreadBodies } from './unread-bodies.ts';
import { describeFigure, measureUploadMemory } from './upload-memory.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWidget } from './widget.ts';

export interface RunOptions {
  /** Number of rounds of a part that compares. */
  readonly rounds: number;
  /** Time of the part `soak`. */
  readonly minutes: number;
  /** Writes a line about the progress. */
  readonly report: (line: string) => void;
}

export interface Outcome {
  readonly lines: readonly string[];
  /** True if a figure misses a must. */
  readonly isMissed: boolean;
  /** Markdown for the part's section of docs/performance.md. Default: the page has none. */
  readonly section?: string;
}

interface Part {
  readonly measure: (options: RunOptions) => Promise<Outcome>;
  /** True if the part runs only when its name is given. */
  readonly isOptional?: true;
  readonly isLinuxOnly?: true;
}

type PartName =
  | 'bff'
  | 'widget'
  | 'profile'
  | 'memory'
  | 'bodies'
  | 'commits'
  | 'drain'
  | 'growth'
  | 'webhooks'
  | 'instances'
  | 'soak'
  | 'lighthouse';

/** To add a part, add its name above and its entry here. */
export const parts: Readonly<Record<PartName, Part>> = {
  bff: {
    isLinuxOnly: true,
    measure: (options) => measureHalf('bff', options, measureBff),
  },
  widget: {
    isLinuxOnly: true,
    measure: (options) => measureHalf('widget', options, measureWidget),
  },
  profile: {
    isLinuxOnly: true,
    measure: measureProfile,
  },
  memory: {
    isOptional: true,
    isLinuxOnly: true,
    async measure() {
      const uses = await measureUploadMemory();
      const isMissed = uses.some(
        ({ use, limitBytes }) => limitBytes !== undefined && use.riseBytes >= limitBytes,
      );
      return { lines: uses.map(describeFigure), isMissed };
    },
  },
  bodies: {
    isOptional: true,
    async measure() {
      const title = 'requests beside connections that keep sending refused bodies';
      return { lines: [title, ...(await measureUnreadBodies())], isMissed: false };
    },
  },
  commits: {
    isOptional: true,
    measure: () => measureOnEachEngine('durable commit', measureCommits),
  },
  drain: {
    isOptional: true,
    measure: () => measureOnEachEngine('delivery after an outage', measureDrain),
  },
  growth: {
    isOptional: true,
    async measure({ report }) {
      const growths = await runOnEachEngine((engine) => measureGrowth(engine, report));
      return {
        lines: ['operations of the store', ...growths.flatMap(({ lines }) => lines)],
        isMissed: growths.some(({ isMissed }) => isMissed),
      };
    },
  },
  webhooks: {
    isOptional: true,
    isLinuxOnly: true,
    async measure({ rounds, report }) {
      const lines = await runOnEachEngine((engine) => measureWebhooks(engine, rounds, report));
      return {
        lines: ['applications without and with webhooks', ...lines.flat()],
        isMissed: false,
      };
    },
  },
  instances: {
    isOptional: true,
    isLinuxOnly: true,
    async measure({ report }) {
      const results = await measureInstances(report);
      return {
        lines: ['BFF processes on one PostgreSQL', ...results.map(describeInstances)],
        isMissed: results.some(hasFailed),
      };
    },
  },
  soak: {
    isOptional: true,
    isLinuxOnly: true,
    measure: ({ minutes, report }) => runSoak(minutes, report),
  },
  lighthouse: {
    isOptional: true,
    async measure() {
      const scores = await scorePages();
      return { lines: scores.map(describeScore), isMissed: scores.some(isScorePastLimit) };
    },
  },
};

// The keys are those of the type.
export const partNames = Object.keys(parts) as PartName[];

export function isPartName(name: string): name is PartName {
  return Object.hasOwn(parts, name);
}

async function measureHalf(
  half: Half,
  options: RunOptions,
  measure: (rounds: number, report: RunOptions['report']) => Promise<HalfResult>,
): Promise<Outcome> {
  const machine = await readMachine();
  const { rounds, samples, noise, remarks } = await measure(options.rounds, options.report);
  const judgements = judgeAll(half, samples, noise);
  const goalRows = toGoalRows(judgements, rounds);
  const figureRows = toFigureRows(samples);
  const notes = [...noise.messages, ...remarks];
  return {
    lines: [machine, ...toLines(goalRows), '', ...toLines(figureRows), '', ...notes],
    isMissed: judgements.some(({ verdict }) => verdict === 'must missed'),
    section: [
      toMeasuredLine(machine, rounds),
      toMarkdown(goalRows),
      toMarkdown(figureRows),
      toList(notes),
    ].join('\n\n'),
  };
}

async function measureProfile(): Promise<Outcome> {
  const machine = await readMachine();
  const rows = await profileBff();
  return {
    lines: [machine, ...toLines(rows), ''],
    isMissed: false,
    section: `${toMeasuredLine(machine)}\n\n${toMarkdown(rows)}`,
  };
}

function readMachine(): Promise<string> {
  return withFolder((folder) => Promise.resolve(describeMachine(folder)));
}

async function measureOnEachEngine(
  title: string,
  measure: (engine: Engine) => Promise<string>,
): Promise<Outcome> {
  return { lines: [title, ...(await runOnEachEngine(measure))], isMissed: false };
}

async function runOnEachEngine<Result>(
  measure: (engine: Engine) => Promise<Result>,
): Promise<Result[]> {
  const postgres = await startPostgres();
  try {
    const engines: readonly Engine[] = [
      { name: 'SQLite', withUrl: withSqliteUrl },
      {
        name: 'PostgreSQL',
        withUrl: async (work) => work((await createSchema(postgres.url)).url),
      },
    ];
    const results: Result[] = [];
    for (const engine of engines) results.push(await measure(engine));
    return results;
  } finally {
    await postgres.stop();
  }
}
