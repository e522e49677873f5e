import { describe, expect, it } from 'vitest';
import {
  compareRounds,
  figures,
  type Goal,
  goals,
  judge,
  judgeAll,
  judgeNoise,
  type Noise,
  type Sample,
  Samples,
  summarize,
  toMedian,
} from '../../bench/goals.ts';

const ratio: Goal = {
  half: 'bff',
  figure: 'delivered-16-0',
  compare: 'ratio',
  better: 'more',
  must: 0.7,
  target: 1.3,
};

function toSamples(values: readonly number[], disturbed: readonly number[] = []): Sample[] {
  return values.map((value, index) => ({
    round: index + 1,
    value,
    isQuiet: !disturbed.includes(index + 1),
  }));
}

function collect(ours: readonly Sample[], baseline: readonly Sample[]): Samples {
  const samples = new Samples();
  for (const sample of ours) samples.add(ratio.figure, 'BFF', sample);
  for (const sample of baseline) samples.add(ratio.figure, 'Hono proxy', sample);
  return samples;
}

const quiet: Noise = { processorRounds: [], diskRounds: [], messages: [] };

describe('toMedian', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('returns the median of %j', (values, median) => {
    expect(toMedian(values)).toBe(median);
  });

  it('returns NaN without values', () => {
    expect(toMedian([])).toBeNaN();
  });
});

describe('summarize', () => {
  it('returns the median with the smallest and the largest value', () => {
    expect(summarize(toSamples([5, 1, 9]))).toEqual({ median: 5, min: 1, max: 9 });
  });
});

describe('compareRounds', () => {
  it('divides by the baseline of the same round', () => {
    const baseline = toSamples([100, 200]).toReversed();
    const compared = compareRounds(ratio, toSamples([50, 50]), baseline);
    expect(compared.map(({ value }) => value)).toEqual([0.5, 0.25]);
  });

  it('leaves out a round without a baseline', () => {
    expect(compareRounds(ratio, toSamples([50, 50]), toSamples([100]))).toHaveLength(1);
  });

  it('marks a round as disturbed if its baseline was', () => {
    const [compared] = compareRounds(ratio, toSamples([50]), toSamples([100], [1]));
    expect(compared?.isQuiet).toBe(false);
  });

  it('subtracts the baseline for a difference', () => {
    const [compared] = compareRounds({ compare: 'difference' }, toSamples([31]), toSamples([27]));
    expect(compared?.value).toBe(4);
  });
});

describe('judge', () => {
  it.each([
    [130, 'met'],
    [129, 'target missed'],
    [70, 'target missed'],
    [69, 'must missed'],
  ])('finds %d percent of the baseline to be "%s"', (value, verdict) => {
    const samples = collect(toSamples([value]), toSamples([100]));
    expect(judge(ratio, samples, quiet).verdict).toBe(verdict);
  });

  it('compares in the other direction when less is better', () => {
    const goal = { ...ratio, better: 'less', must: 1.5, target: 0.8 } as const;
    const judgeCost = (value: number) =>
      judge(goal, collect(toSamples([value]), toSamples([100])), quiet).verdict;
    expect([80, 81, 151].map(judgeCost)).toEqual(['met', 'target missed', 'must missed']);
  });

  it('leaves out disturbed rounds', () => {
    const samples = collect(toSamples([140, 10, 150], [2]), toSamples([100, 100, 100]));
    expect(judge(ratio, samples, quiet).measured).toEqual({ median: 1.45, min: 1.4, max: 1.5 });
  });

  it('leaves out rounds with a slow disk if the figure depends on the disk', () => {
    const samples = collect(toSamples([140, 10, 150]), toSamples([100, 100, 100]));
    const { measured } = judge(ratio, samples, { ...quiet, diskRounds: [2] });
    expect(measured).toEqual({ median: 1.45, min: 1.4, max: 1.5 });
  });

  it('gives no verdict if most rounds are disturbed', () => {
    const samples = collect(toSamples([140, 10, 150], [2]), toSamples([100, 100, 100]));
    const { verdict } = judge(ratio, samples, { ...quiet, processorRounds: [3] });
    expect(verdict).toBe('not judged: the machine was too busy');
  });

  it('judges memory on a noisy machine', () => {
    const memory = new Samples();
    memory.add('idle', 'BFF', { round: 1, value: 80, isQuiet: true });
    const goal = goals.find(({ figure }) => figure === 'idle');
    const noise = { ...quiet, processorRounds: [1], diskRounds: [1] };
    expect(goal && judge(goal, memory, noise).verdict).toBe('met');
  });

  it('reports a figure that was not measured', () => {
    expect(judge(ratio, new Samples(), quiet).verdict).toBe('not measured');
  });
});

describe('judgeNoise', () => {
  const probe = (processorMs: number, diskMs = 1) => ({ processorMs, diskMs });

  it('reports nothing on a quiet machine', () => {
    expect(judgeNoise([probe(10, 1), probe(12, 3)], [0.05, 0.15])).toEqual(quiet);
  });

  it('reports the rounds before and after a slow probe of the processor', () => {
    const noise = judgeNoise([probe(10), probe(10), probe(13), probe(10), probe(10)], []);
    expect(noise.processorRounds).toEqual([2, 3]);
    expect(noise.messages).toEqual([
      'The processor took more than 1.2x its shortest time beside these rounds: 2, 3.',
    ]);
  });

  it('reports the rounds of a slow probe of the disk', () => {
    expect(judgeNoise([probe(10, 1), probe(10, 4)], []).diskRounds).toEqual([1]);
  });

  it('reports the use by other programs', () => {
    expect(judgeNoise([probe(10), probe(10)], [0.5, 0.1, 0.2]).messages).toEqual([
      'Other programs used more than 15% of a processor in 2 of 3 measurements.',
    ]);
  });
});

describe('judgeAll', () => {
  it('judges the goals of one half', () => {
    const judgements = judgeAll('bff', collect(toSamples([140]), toSamples([100])), quiet);
    expect(judgements.every(({ goal }) => goal.half === 'bff')).toBe(true);
    expect(judgements[0]?.verdict).toBe('met');
  });
});

describe('goals', () => {
  it('name a figure each', () => {
    expect(goals.filter(({ figure }) => !figures[figure])).toEqual([]);
  });
});
