import { describe, expect, it } from 'vitest';
import { judgeVerdict, type Expectation } from './judge-verdict.ts';

const accepted = { verdict: 'accept', ms: 1 } as const;
const script = { verdict: 'refuse', kind: 'script', detail: 'pdf-javascript', ms: 1 } as const;
const launch = { verdict: 'refuse', kind: 'launch', detail: 'pdf-launch', ms: 1 } as const;
const nothing = { verdict: 'none', detail: 'the process ended', ms: 1 } as const;

const form: Expectation = { default: 'accept', strict: 'refuse', kinds: ['script'] };
const program: Expectation = {
  default: 'refuse',
  strict: 'refuse',
  kinds: ['launch'],
  strictKinds: ['launch', 'script'],
};
const open: Expectation = { default: 'either', strict: 'either' };

describe('judgeVerdict', () => {
  it.each([
    ['an expected acceptance', form, 'default', accepted, undefined],
    ['an expected refusal', form, 'strict', script, undefined],
    ['a refusal of a file to accept', form, 'default', script, 'false refusal'],
    ['an acceptance of a file to refuse', form, 'strict', accepted, 'false acceptance'],
    ['a refusal for another reason', form, 'strict', launch, 'wrong reason'],
    ['a reason of the strict mode', program, 'strict', script, undefined],
    ['that reason in the default mode', program, 'default', script, 'wrong reason'],
    ['an acceptance of an open case', open, 'default', accepted, undefined],
    ['a refusal of an open case', open, 'strict', launch, undefined],
    ['no verdict on an open case', open, 'default', nothing, undefined],
    ['no verdict on a file to refuse', program, 'default', nothing, undefined],
    ['no verdict on a file to accept', form, 'default', nothing, 'no verdict'],
  ] as const)('judges %s', (_, expected, mode, outcome, deviation) => {
    expect(judgeVerdict(expected, mode, outcome)).toBe(deviation);
  });
});
