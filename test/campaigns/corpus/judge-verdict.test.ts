import { describe, expect, it } from 'vitest';
import { refuse } from '../../../bff/documents/refusals.ts';
import { judgeVerdict, type Expectation } from './judge-verdict.ts';

const accepted = { kind: 'accepted', extension: 'pdf' } as const;
const script = refuse('pdf-script');
const launch = refuse('pdf-launch');
const notChecked = { kind: 'not-checked', reason: 'timeout' } as const;

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
    ['a false refusal', form, 'default', script, 'false refusal'],
    ['a false acceptance', form, 'strict', accepted, 'false acceptance'],
    ['a refusal for another reason', form, 'strict', launch, 'wrong reason'],
    ['a reason of the strict mode', program, 'strict', script, undefined],
    ['a strict reason in the default mode', program, 'default', script, 'wrong reason'],
    ['an acceptance of an open case', open, 'default', accepted, undefined],
    ['a refusal of an open case', open, 'strict', launch, undefined],
    ['no verdict on an open case', open, 'default', notChecked, undefined],
    ['no verdict on a file to refuse', program, 'default', notChecked, undefined],
    ['no verdict on a file to accept', form, 'default', notChecked, 'no verdict'],
  ] as const)('judges %s', (_, expected, mode, verdict, deviation) => {
    expect(judgeVerdict(expected, mode, verdict)).toBe(deviation);
  });
});
