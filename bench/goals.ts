// The goals of the benchmark, and the pure functions that turn samples into medians, ratios, and verdicts.

/** One measured value of one round. */
export interface Sample {
  readonly round: number;
  readonly value: number;
  /** False if other programs used the processors meanwhile. */
  readonly isQuiet: boolean;
}

export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export type Unit = '/s' | 'ms' | 's' | 'MB' | 'MB/s' | 'KiB' | 'MiB';

export interface Figure {
  readonly title: string;
  readonly unit: Unit;
  readonly digits: number;
  /** True if the figure depends on the speed of the disk. */
  readonly usesDisk?: boolean;
}

export type Half = 'bff' | 'widget';

export interface Goal {
  readonly half: Half;
  readonly figure: string;
  /** The value, the value divided by the baseline's, or the value minus the baseline's, each of the same round. */
  readonly compare: 'value' | 'ratio' | 'difference';
  readonly better: 'more' | 'less';
  readonly must: number;
  readonly target: number;
}

/** Subjects of each half: the first is the baseline of the goals, the second is ours. */
export const baselines: Readonly<Record<Half, string>> = {
  bff: 'Hono proxy',
  widget: 'floor page',
};
export const ours: Readonly<Record<Half, string>> = { bff: 'BFF', widget: 'element' };

/** In the order of the tables. */
export const figures: Readonly<Record<string, Figure>> = {
  'delivered-16-0': {
    title: 'Applications delivered a second, 16 connections, upstream 0 ms',
    unit: '/s',
    digits: 0,
    usesDisk: true,
  },
  'delivered-16-50': {
    title: 'Applications delivered a second, 16 connections, upstream 50 ms',
    unit: '/s',
    digits: 0,
    usesDisk: true,
  },
  'delivered-64-50': {
    title: 'Applications delivered a second, 64 connections, upstream 50 ms',
    unit: '/s',
    digits: 0,
    usesDisk: true,
  },
  'p50-1-0': {
    title: 'p50 of an application, 1 connection, upstream 0 ms',
    unit: 'ms',
    digits: 2,
    usesDisk: true,
  },
  'cpu-16-0': { title: 'CPU seconds per 1,000 applications', unit: 's', digits: 2 },
  polls: { title: 'Offers polls a second, 16 connections', unit: '/s', digits: 0 },
  'upload-rate': {
    title: '25 MB x 5 uploads, delivered',
    unit: 'MB/s',
    digits: 0,
    usesDisk: true,
  },
  'upload-cpu': { title: 'CPU seconds per GB uploaded', unit: 's', digits: 1 },
  'upload-peak': { title: 'Peak memory, 25 MB x 50 uploads', unit: 'MB', digits: 0 },
  'inspection-peak': {
    title: 'Peak memory of the process that inspects them',
    unit: 'MB',
    digits: 0,
  },
  idle: { title: 'Idle memory', unit: 'MB', digits: 0 },
  start: { title: 'Start until the first answer', unit: 'ms', digits: 0, usesDisk: true },
  'first-code': {
    title: 'JavaScript and CSS before the first field, compressed',
    unit: 'KiB',
    digits: 1,
  },
  'first-field': { title: 'First field can be used, slow phone', unit: 'ms', digits: 0 },
  'first-character': { title: 'First character painted, slow phone', unit: 'ms', digits: 0 },
  blocking: { title: 'Total blocking time until then, slow phone', unit: 'ms', digits: 0 },
  'step-painted': { title: 'Step with 12 fields painted, slow phone', unit: 'ms', digits: 0 },
  'step-idle': { title: 'Step with 12 fields idle, slow phone', unit: 'ms', digits: 0 },
  'key-p95': { title: 'Key until its frame, p95, slow phone', unit: 'ms', digits: 1 },
  heap: { title: 'JavaScript heap after all steps', unit: 'MiB', digits: 2 },
};

export const goals: readonly Goal[] = [
  toGoal('bff', 'delivered-16-0', 'ratio', 'more', 0.7, 1.3),
  toGoal('bff', 'delivered-16-50', 'ratio', 'more', 0.9, 0.99),
  toGoal('bff', 'delivered-64-50', 'ratio', 'more', 0.9, 0.99),
  toGoal('bff', 'p50-1-0', 'value', 'less', 2.5, 1.5),
  toGoal('bff', 'cpu-16-0', 'ratio', 'less', 1.5, 0.8),
  toGoal('bff', 'polls', 'ratio', 'more', 1.5, 3),
  toGoal('bff', 'upload-rate', 'ratio', 'more', 0.5, 0.9),
  toGoal('bff', 'upload-peak', 'value', 'less', 350, 300),
  toGoal('bff', 'idle', 'value', 'less', 95, 85),
  toGoal('bff', 'start', 'value', 'less', 250, 200),
  toGoal('widget', 'first-code', 'value', 'less', 34, 25),
  toGoal('widget', 'first-field', 'ratio', 'less', 1.9, 1.5),
  toGoal('widget', 'blocking', 'value', 'less', 100, 50),
  toGoal('widget', 'step-idle', 'ratio', 'less', 1.8, 1.3),
  toGoal('widget', 'key-p95', 'difference', 'less', 3, 0),
  toGoal('widget', 'heap', 'value', 'less', 3.6, 3),
];

function toGoal(
  half: Half,
  figure: string,
  compare: Goal['compare'],
  better: Goal['better'],
  must: number,
  target: number,
): Goal {
  return { half, figure, compare, better, must, target };
}

const tooBusy = 'not judged: the machine was too busy';

export type Verdict = 'met' | 'target missed' | 'must missed' | typeof tooBusy | 'not measured';

export interface Judgement {
  readonly goal: Goal;
  readonly verdict: Verdict;
  readonly measured: Summary | undefined;
}

/** The samples of one run, by figure and subject. */
export class Samples {
  readonly #samples = new Map<string, Sample[]>();

  add(figure: string, subject: string, sample: Sample): void {
    const key = `${figure}\n${subject}`;
    this.#samples.set(key, [...this.of(figure, subject), sample]);
  }

  of(figure: string, subject: string): Sample[] {
    return this.#samples.get(`${figure}\n${subject}`) ?? [];
  }

  /** In the order of their first sample. */
  subjects(): readonly string[] {
    const names = [...this.#samples.keys()].map((key) => key.slice(key.indexOf('\n') + 1));
    return [...new Set(names)];
  }
}

/** Returns the comparison of each round in which both were measured. */
export function compareRounds(
  { compare }: Pick<Goal, 'compare'>,
  samples: readonly Sample[],
  baseline: readonly Sample[],
): Sample[] {
  if (compare === 'value') return [...samples];
  return samples.flatMap((sample) => {
    const other = baseline.find(({ round }) => round === sample.round);
    if (!other) return [];
    const value = compare === 'ratio' ? sample.value / other.value : sample.value - other.value;
    return [{ round: sample.round, value, isQuiet: sample.isQuiet && other.isQuiet }];
  });
}

/**
 * Disturbed rounds do not count. A goal with fewer quiet rounds than disturbed ones is not judged: the summary then has all
 * rounds.
 */
export function judge(goal: Goal, all: Samples, noise: Noise): Judgement {
  const compared = compareRounds(
    goal,
    all.of(goal.figure, ours[goal.half]),
    all.of(goal.figure, baselines[goal.half]),
  );
  if (compared.length === 0) return { goal, verdict: 'not measured', measured: undefined };
  const disturbed = listDisturbedRounds(goal, noise);
  const quiet = compared.filter(({ round, isQuiet }) => isQuiet && !disturbed.includes(round));
  if (quiet.length * 2 < compared.length) {
    return { goal, verdict: tooBusy, measured: summarize(compared) };
  }
  const measured = summarize(quiet);
  const isMet = (limit: number) =>
    goal.better === 'more' ? measured.median >= limit : measured.median <= limit;
  const belowMust = isMet(goal.must) ? 'target missed' : 'must missed';
  return { goal, verdict: isMet(goal.target) ? 'met' : belowMust, measured };
}

/** @param samples at least one. */
export function summarize(samples: readonly Pick<Sample, 'value'>[]): Summary {
  const sorted = samples.map(({ value }) => value).toSorted((one, other) => one - other);
  const [min = Number.NaN] = sorted;
  return { median: toMedian(sorted), min, max: sorted.at(-1) ?? Number.NaN };
}

/** Returns the mean of the two middle values if their number is even, and NaN without values. */
export function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** @param sorted values in ascending order. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** More than this share of one processor used by other programs disturbs a measurement. */
export const maxForeignShare = 0.15;
/** The slowest probe of the processor may take this many times as long as the fastest one. */
export const maxProcessorSpread = 1.2;
/** The same for the probe of the disk, which varies more. */
export const maxDiskSpread = 3;

/** One probe of the machine, taken before the first round and after each round. */
export interface Probe {
  readonly processorMs: number;
  readonly diskMs: number;
}

/** Rounds in which the machine was too busy. They do not count for the figures that depend on it. */
export interface Noise {
  readonly processorRounds: readonly number[];
  readonly diskRounds: readonly number[];
  /** Lines for the operator of the benchmark. Empty on a quiet machine. */
  readonly messages: readonly string[];
}

export interface HalfResult {
  readonly rounds: number;
  readonly samples: Samples;
  readonly noise: Noise;
  /** Lines for the reader: for example which figures the load limited, and which responses were errors. */
  readonly remarks: readonly string[];
}

/**
 * @param probes before the first round, and after each round.
 * @param foreignShares share of one processor that other programs used during each measurement.
 */
export function judgeNoise(probes: readonly Probe[], foreignShares: readonly number[]): Noise {
  const listSlowRounds = (times: readonly number[], maxSpread: number) => {
    const limit = Math.min(...times) * maxSpread;
    return times.flatMap((time, round) =>
      round > 0 && Math.max(time, times[round - 1] ?? 0) > limit ? [round] : [],
    );
  };
  const processorTimes = probes.map(({ processorMs }) => processorMs);
  const processorRounds = listSlowRounds(processorTimes, maxProcessorSpread);
  const diskRounds = listSlowRounds(
    probes.map(({ diskMs }) => diskMs),
    maxDiskSpread,
  );
  const disturbed = foreignShares.filter((share) => share > maxForeignShare).length;
  const messages = [
    processorRounds.length > 0 &&
      `The processor took more than ${maxProcessorSpread}x its shortest time beside these rounds: ${processorRounds.join(', ')}.`,
    diskRounds.length > 0 &&
      `The disk took more than ${maxDiskSpread}x its shortest time beside these rounds: ${diskRounds.join(', ')}.`,
    disturbed > 0 &&
      `Other programs used more than ${maxForeignShare * 100}% of a processor in ${disturbed} of ${foreignShares.length} measurements.`,
  ].filter((message) => message !== false);
  return { processorRounds, diskRounds, messages };
}

/** Judges the goals of a half, in the order of `goals`. */
export function judgeAll(half: Half, samples: Samples, noise: Noise): readonly Judgement[] {
  return goals.filter((goal) => goal.half === half).map((goal) => judge(goal, samples, noise));
}

function listDisturbedRounds({ figure }: Goal, noise: Noise): readonly number[] {
  const { unit, usesDisk = false } = figures[figure] ?? {};
  // Sizes and memory do not depend on the load of the machine.
  if (unit === 'MB' || unit === 'KiB' || unit === 'MiB') return [];
  return usesDisk ? [...noise.processorRounds, ...noise.diskRounds] : noise.processorRounds;
}
