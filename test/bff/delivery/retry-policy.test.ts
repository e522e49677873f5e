import { describe, expect, it } from 'vitest';
import { decide } from '../../../bff/delivery/retry-policy.ts';
import type { Refusal, RefusalReason } from '../../../bff/funding-service/failure-texts.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import type { DeliveryKind, DeliveryProgress } from '../../../bff/store/store.ts';
import { createClaim } from './claims.ts';

type Failure = Exclude<Outcome<unknown>, { kind: 'accepted' }>;

const uncertain = { uncertainAttempts: 1 };
const cleared = { uncertainAttempts: 1, clearedAttempts: 1 };
const hourMs = 3_600_000;

const refuse = (reason: RefusalReason, field?: string): Failure => ({
  kind: 'refused',
  refusal: field ? { reason, field } : { reason },
});
const wait = (isUncertain: boolean) => ({
  state: 'waiting',
  isUncertain,
  isRefused: false,
  refusal: undefined,
});
const alert = (refusal: Refusal, isUncertain = false) => ({
  state: 'waiting',
  isUncertain,
  isRefused: true,
  outcome: refusal.reason,
  refusal,
});

describe('a failed application', () => {
  const cases: [string, Failure, Partial<DeliveryProgress>, object][] = [
    ['not sent', { kind: 'not-sent' }, {}, wait(false)],
    ['authentication', { kind: 'authentication' }, {}, wait(false)],
    ['throttled', { kind: 'throttled', retryAfterMs: 7 }, {}, wait(false)],
    ['unknown', { kind: 'unknown' }, {}, wait(true)],
    [
      'wrong partner headers',
      refuse('partner-headers-missing'),
      uncertain,
      alert({ reason: 'partner-headers-missing' }),
    ],
    [
      'a malformed request',
      refuse('request-malformed'),
      {},
      alert({ reason: 'request-malformed' }),
    ],
    [
      'an invalid field of the BFF',
      refuse('invalid-field', 'CreatedAt'),
      {},
      alert({ reason: 'invalid-field', field: 'CreatedAt' }),
    ],
    [
      'an invalid field without a name',
      refuse('invalid-field'),
      {},
      alert({ reason: 'invalid-field' }),
    ],
    [
      'a missing field of the BFF',
      refuse('missing-field', 'LeadSource'),
      {},
      alert({ reason: 'missing-field', field: 'LeadSource' }),
    ],
    [
      'a missing field',
      refuse('missing-field', 'BusinessAddress.Zip'),
      {},
      {
        state: 'rejected',
        errors: [{ pointer: '/business/address/zip', code: 'required' }],
        outcome: 'missing-field',
      },
    ],
    [
      'an invalid field',
      refuse('invalid-field', 'AnnualRevenue'),
      {},
      { state: 'rejected', errors: [{ pointer: '/business/annualRevenue', code: 'rejected' }] },
    ],
    [
      'an invalid field after an uncertain attempt',
      refuse('invalid-field', 'AnnualRevenue'),
      uncertain,
      { state: 'held', reason: 'uncertain', isUncertain: false, outcome: 'invalid-field' },
    ],
    [
      "an invalid field after an operator's retry",
      refuse('invalid-field', 'AnnualRevenue'),
      cleared,
      { state: 'rejected', errors: [{ pointer: '/business/annualRevenue', code: 'rejected' }] },
    ],
    ['a duplicate', refuse('duplicate-id'), {}, { state: 'unconfirmed' }],
    [
      'a duplicate after an uncertain attempt',
      refuse('duplicate-id'),
      uncertain,
      { state: 'unconfirmed' },
    ],
    [
      'an unknown refusal',
      refuse('unrecognized'),
      uncertain,
      alert({ reason: 'unrecognized' }, true),
    ],
    [
      'an unknown refusal that names a field',
      refuse('unrecognized', 'AnnualRevenue'),
      {},
      alert({ reason: 'unrecognized', field: 'AnnualRevenue' }, true),
    ],
    ['a lead that is too large', refuse('too-large'), {}, alert({ reason: 'too-large' })],
  ];

  it.each(cases)('has a rule for: %s', (_name, failure, progress, expected) => {
    expect(decideFor('application', failure, progress)).toMatchObject(expected);
  });
});

describe.each(['document', 'bank-report'] as const)('a failed %s', (kind) => {
  const cases: [string, Failure, number, object][] = [
    ['not sent', { kind: 'not-sent' }, 2, wait(false)],
    ['authentication', { kind: 'authentication' }, 2, wait(false)],
    ['throttled', { kind: 'throttled', retryAfterMs: undefined }, 2, wait(false)],
    ['unknown, first attempt', { kind: 'unknown' }, 0, wait(true)],
    ['unknown, second attempt', { kind: 'unknown' }, 1, wait(true)],
    ['unknown, third attempt', { kind: 'unknown' }, 2, held('unknown')],
    ['processing failed', refuse('processing-failed'), 0, wait(true)],
    ['processing failed, third attempt', refuse('processing-failed'), 2, held('processing-failed')],
    ...(
      [
        'duplicate-id',
        'partner-headers-missing',
        'request-malformed',
        'missing-field',
        'application-id-missing',
        'application-id-invalid',
        'application-not-found',
        'asset-report-missing',
        'content-not-base64',
        'invalid-field',
        'too-large',
        'unrecognized',
      ] as const
    ).map((reason): [string, Failure, number, object] => [
      reason,
      refuse(reason),
      2,
      alert({ reason }),
    ]),
    ['category not allowed', refuse('category-not-allowed'), 0, { state: 'rejected' }],
    ['report invalid', refuse('asset-report-invalid'), 0, { state: 'rejected' }],
  ];

  it.each(cases)('has a rule for: %s', (_name, failure, uncertainAttempts, expected) => {
    expect(decideFor(kind, failure, { uncertainAttempts })).toMatchObject(expected);
  });

  it("counts only uncertain attempts after an operator's retry", () => {
    const unknown = { kind: 'unknown' } as const;
    const decideAfter = (uncertainAttempts: number) =>
      decideFor(kind, unknown, { uncertainAttempts, clearedAttempts: 3 });
    expect(decideAfter(4)).toMatchObject(wait(true));
    expect(decideAfter(5)).toMatchObject(held('unknown'));
  });
});

describe('a failed contact request', () => {
  const cases: [string, Failure, object][] = [
    ['not sent', { kind: 'not-sent' }, wait(false)],
    ['authentication', { kind: 'authentication' }, wait(false)],
    ['throttled', { kind: 'throttled', retryAfterMs: 7 }, wait(false)],
    ['unknown', { kind: 'unknown' }, wait(true)],
    ['an unknown refusal', refuse('unrecognized'), alert({ reason: 'unrecognized' }, true)],
    ...(
      [
        'application-id-missing',
        'application-id-invalid',
        'application-not-found',
        'partner-headers-missing',
        'request-malformed',
        'missing-field',
        'invalid-field',
        'category-not-allowed',
        'asset-report-invalid',
        'processing-failed',
        'too-large',
      ] as const
    ).map((reason): [string, Failure, object] => [reason, refuse(reason), alert({ reason })]),
  ];

  it.each(cases)('has a rule for: %s', (_name, failure, expected) => {
    const decision = decideFor('contact', failure, { uncertainAttempts: 9 });
    expect(decision).toMatchObject(expected);
  });
});

describe('the delay before the next attempt', () => {
  it('doubles from 2 s up to 15 minutes, with full jitter', () => {
    const delays = [1, 2, 3, 9, 10, 1_000].map((attempts) =>
      delayOf('application', { kind: 'not-sent' }, { attempts }),
    );
    expect(delays).toEqual([2_000, 4_000, 8_000, 450_000, 450_000, 450_000]);
  });

  it('is at least one second', () => {
    expect(delayOf('application', { kind: 'not-sent' }, {}, 0)).toBe(1_000);
  });

  it.each([
    [0, 0.5, 60_000],
    [0, 0, 45_000],
    [0, 0.999, 74_970],
    [1, 0.5, 300_000],
  ])(
    'is 1, then 5 minutes for uncertain documents: %i, %f',
    (uncertainAttempts, random, expected) => {
      const progress = { uncertainAttempts };
      expect(delayOf('document', { kind: 'unknown' }, progress, random)).toBe(expected);
    },
  );

  it('is as long as Retry-After, at most an hour', () => {
    const throttled = (retryAfterMs: number) =>
      delayOf('application', { kind: 'throttled', retryAfterMs });
    expect([throttled(30_000), throttled(1e9)]).toEqual([30_000, hourMs]);
  });
});

describe('a row that would wait beyond 72 hours', () => {
  it('is held', () => {
    const decideAt = (claimedAt: number) =>
      decide({ kind: 'unknown' }, { ...createClaim('application'), claimedAt }, () => 0.5);
    expect(decideAt(72 * hourMs - 2_000)).toMatchObject({ state: 'waiting' });
    expect(decideAt(72 * hourMs - 1_999)).toEqual({
      state: 'held',
      reason: 'deadline',
      isUncertain: true,
      outcome: 'unknown',
    });
  });
});

function held(outcome: string): object {
  return { state: 'held', reason: 'uncertain', isUncertain: true, outcome };
}

function decideFor(
  kind: DeliveryKind,
  failure: Failure,
  progress: Partial<DeliveryProgress> = {},
  random = 0.5,
) {
  return decide(failure, createClaim(kind, progress), () => random);
}

function delayOf(...given: Parameters<typeof decideFor>): number | undefined {
  const result = decideFor(...given);
  return result.state === 'waiting' ? result.delayMs : undefined;
}
