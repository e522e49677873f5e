// What becomes of a row after each outcome.

import { describe, expect, it } from 'vitest';
import type { LeadCreated, Outcome } from '../../../bff/funding-service/funding-service.ts';
import { toBackoffMs, toUncertainBackoffMs } from '../../../bff/journal/backoff.ts';
import { decideApplication, decideChild } from '../../../bff/journal/decisions.ts';

const certain = { uncertainAttempts: 0 };
const uncertain = { uncertainAttempts: 1 };

const again = (isUncertain: boolean) => ({ kind: 'retry', isUncertain });
const fault = (reason: string, field?: string) => ({
  ...again(false),
  fault: field ? { reason, field } : { reason },
});
const rejected = (reason: string, field?: string): Outcome<never> =>
  ({ kind: 'rejected', rejection: field ? { reason, field } : { reason } }) as Outcome<never>;

describe('an application after an attempt', () => {
  const cases: [string, Outcome<LeadCreated>, object, object][] = [
    [
      'accepted',
      { kind: 'accepted', value: { applicationId: 'L1', trackingUrl: undefined } },
      certain,
      { kind: 'accepted', lead: { applicationId: 'L1', trackingUrl: undefined } },
    ],
    ['not sent', { kind: 'not-sent' }, certain, again(false)],
    ['authentication', { kind: 'authentication' }, certain, again(false)],
    ['unknown', { kind: 'unknown' }, certain, again(true)],
    [
      'throttled',
      { kind: 'throttled', retryAfterMs: 7 },
      certain,
      { ...again(false), retryAfterMs: 7 },
    ],
    [
      'wrong partner headers',
      rejected('partner-headers-missing'),
      uncertain,
      fault('partner-headers-missing'),
    ],
    ['a malformed request', rejected('request-malformed'), certain, fault('request-malformed')],
    [
      'an invalid field the applicant did not give',
      rejected('invalid-field', 'CreatedAt'),
      certain,
      fault('invalid-field', 'CreatedAt'),
    ],
    [
      'an invalid field that is not named',
      rejected('invalid-field'),
      certain,
      { kind: 'rejected', errors: [] },
    ],
    [
      'a missing field',
      rejected('missing-field', 'BusinessAddress.Zip'),
      certain,
      { kind: 'rejected', errors: [{ pointer: '/business/address/zip', code: 'required' }] },
    ],
    [
      'an invalid field',
      rejected('invalid-field', 'AnnualRevenue'),
      certain,
      { kind: 'rejected', errors: [{ pointer: '/business/annualRevenue', code: 'rejected' }] },
    ],
    [
      'an invalid field after an unknown outcome',
      rejected('invalid-field', 'AnnualRevenue'),
      uncertain,
      { kind: 'rejected', errors: [{ pointer: '/business/annualRevenue', code: 'rejected' }] },
    ],
    [
      'an invalid field that is not named after an unknown outcome',
      rejected('invalid-field'),
      uncertain,
      { kind: 'unconfirmed' },
    ],
    [
      'a missing field the applicant did not give',
      rejected('missing-field', 'LeadSource'),
      certain,
      fault('missing-field', 'LeadSource'),
    ],
    [
      'a duplicate after an unknown outcome',
      rejected('duplicate-id'),
      uncertain,
      { kind: 'unconfirmed' },
    ],
    ['a duplicate out of the blue', rejected('duplicate-id'), certain, { kind: 'unconfirmed' }],
    ['an unrecognised refusal', rejected('unrecognised'), certain, fault('unrecognised')],
    [
      'an unrecognised refusal after an unknown outcome',
      rejected('unrecognised'),
      uncertain,
      fault('unrecognised'),
    ],
    ['a lead that is too large', rejected('too-large'), certain, fault('too-large')],
  ];

  it.each(cases)('is decided: %s', (_name, outcome, row, decision) => {
    expect(decideApplication(outcome, row as typeof certain)).toEqual(decision);
  });
});

describe('a document or report after an attempt', () => {
  const cases: [string, Outcome<string>, number, object][] = [
    ['accepted', { kind: 'accepted', value: 'D1' }, 0, { kind: 'accepted', serviceId: 'D1' }],
    ['not sent', { kind: 'not-sent' }, 2, again(false)],
    ['authentication', { kind: 'authentication' }, 2, again(false)],
    [
      'throttled',
      { kind: 'throttled', retryAfterMs: undefined },
      2,
      { ...again(false), retryAfterMs: undefined },
    ],
    ['unknown for the first time', { kind: 'unknown' }, 0, again(true)],
    ['unknown for the second time', { kind: 'unknown' }, 1, again(true)],
    ['unknown for the third time', { kind: 'unknown' }, 2, { kind: 'held' }],
    ['a processing failure', rejected('processing-failed'), 0, again(true)],
    ['a third processing failure', rejected('processing-failed'), 2, { kind: 'held' }],
    ...(
      [
        'partner-headers-missing',
        'request-malformed',
        'missing-field',
        'application-id-missing',
        'application-id-invalid',
        'application-not-found',
        'asset-report-missing',
        'content-not-base64',
        'unrecognised',
      ] as const
    ).map((reason): [string, Outcome<string>, number, object] => [
      `our own fault, ${reason}`,
      rejected(reason),
      2,
      fault(reason),
    ]),
    ['a refused category', rejected('category-not-allowed'), 0, { kind: 'rejected' }],
    ['a file that is too large', rejected('too-large'), 0, { kind: 'rejected' }],
    ['an unreadable report', rejected('asset-report-invalid'), 0, { kind: 'rejected' }],
    ['an invalid field', rejected('invalid-field'), 0, { kind: 'rejected' }],
  ];

  it.each(cases)('is decided: %s', (_name, outcome, uncertainAttempts, decision) => {
    expect(decideChild(outcome, { uncertainAttempts })).toEqual(decision);
  });
});

describe('the pause before the next attempt', () => {
  const half = () => 0.5;

  it('doubles from 2 s and ends at 15 minutes, with full jitter', () => {
    const pauses = [1, 2, 3, 9, 10, 1_000].map((attempts) =>
      toBackoffMs({ attempts, random: half }),
    );
    expect(pauses).toEqual([2_000, 4_000, 8_000, 450_000, 450_000, 450_000]);
  });

  it('is never shorter than a second', () => {
    expect(toBackoffMs({ attempts: 1, random: () => 0 })).toBe(1_000);
  });

  it('is about a minute, then about five, for what may leave another copy', () => {
    const pauses = [0, 1, 2].map((uncertain) => toUncertainBackoffMs(uncertain, half));
    expect(pauses).toEqual([60_000, 300_000, 300_000]);
    expect([toUncertainBackoffMs(0, () => 0), toUncertainBackoffMs(0, () => 0.999)]).toEqual([
      45_000, 74_970,
    ]);
  });

  it('waits as long as the service asks, at most an hour', () => {
    const pause = (retryAfterMs: number) =>
      toBackoffMs({ attempts: 1, retryAfterMs, random: half });
    expect([pause(30_000), pause(1e9)]).toEqual([30_000, 3_600_000]);
  });
});
