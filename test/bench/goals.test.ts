import { describe, expect, it } from 'vitest';
import {
  compareRounds,
  describeJudgement,
  figures,
  type Goal,
  goals,
  judge,
  judgeAll,
  judgeNoise,
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

const quietMachine = [
  { processorMs: 10, diskMs: 1 },
  { processorMs: 11, diskMs: 2 },
];

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
    expect(judge(ratio, collect(toSamples([value]), toSamples([100]))).verdict).toBe(verdict);
  });

  it('compares in the other direction when less is better', () => {
    const goal = { ...ratio, better: 'less', must: 1.5, target: 0.8 } as const;
    const judgeCost = (value: number) =>
      judge(goal, collect(toSamples([value]), toSamples([100]))).verdict;
    expect([80, 81, 151].map(judgeCost)).toEqual(['met', 'target missed', 'must missed']);
  });

  it('leaves out disturbed rounds', () => {
    const samples = collect(toSamples([140, 10, 150], [2]), toSamples([100, 100, 100]));
    expect(judge(ratio, samples).measured).toEqual({ median: 1.45, min: 1.4, max: 1.5 });
  });

  it('gives no verdict if most rounds are disturbed', () => {
    const samples = collect(toSamples([140, 10, 150], [2, 3]), toSamples([100, 100, 100]));
    expect(judge(ratio, samples).verdict).toBe('not judged');
  });

  it('reports a figure that was not measured', () => {
    expect(judge(ratio, new Samples()).verdict).toBe('not measured');
  });
});

describe('judgeNoise', () => {
  it('reports nothing on a quiet machine', () => {
    expect(judgeNoise(quietMachine, [0.05, 0.1]).message).toBeUndefined();
  });

  it('reports a processor that varies', () => {
    const probes = [...quietMachine, { processorMs: 13, diskMs: 1 }];
    expect(judgeNoise(probes, []).message).toContain('the processor probe varied by 1.30x');
  });

  it('reports a disk that varies', () => {
    const probes = [...quietMachine, { processorMs: 10, diskMs: 4 }];
    expect(judgeNoise(probes, []).message).toContain('the disk probe varied by 4.0x');
  });

  it('reports the use by other programs', () => {
    expect(judgeNoise(quietMachine, [0.5, 0.1, 0.2]).message).toContain('in 2 of 3 measurements');
  });
});

describe('judgeAll', () => {
  const samples = collect(toSamples([140]), toSamples([100]));
  const judgeWith = (noise: object) =>
    judgeAll('bff', samples, {
      isProcessorNoisy: false,
      isDiskNoisy: false,
      message: undefined,
      ...noise,
    })[0]?.verdict;

  it('gives a verdict on a quiet machine', () => {
    expect(judgeWith({})).toBe('met');
  });

  it('gives no verdict on a figure that depends on a noisy disk', () => {
    expect(judgeWith({ isDiskNoisy: true })).toBe('not judged');
  });

  it('judges memory on a noisy machine', () => {
    const memory = new Samples();
    memory.add('idle', 'BFF', { round: 1, value: 80, isQuiet: true });
    const noise = { isProcessorNoisy: true, isDiskNoisy: true, message: '' };
    const judgements = judgeAll('bff', memory, noise);
    expect(judgements.find(({ goal }) => goal.figure === 'idle')?.verdict).toBe('met');
  });
});

describe('describeJudgement', () => {
  it('writes the limits beside the measured ratio', () => {
    const samples = collect(toSamples([50, 100]), toSamples([100, 100]));
    expect(describeJudgement(judge(ratio, samples))).toEqual([
      'Applications delivered a second, 16 connections, upstream 0 ms',
      '0.7x',
      '1.3x',
      '0.75x (0.50x to 1.00x)',
      'target missed',
    ]);
  });
});

describe('goals', () => {
  it('name a figure each', () => {
    expect(goals.filter(({ figure }) => !figures[figure])).toEqual([]);
  });
});
