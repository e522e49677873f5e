// What becomes of a row after each outcome.

import { describe, expect, it } from 'vitest';
import type { LeadCreated, Outcome } from '../../../bff/funding-service/funding-service.ts';
import {
  decideApplication,
  decideContact,
  decideContent,
  toOutcomeCode,
} from '../../../bff/delivery/retry-policy.ts';

const certain = { uncertainAttempts: 0, clearedAttempts: 0 };
const uncertain = { uncertainAttempts: 1, clearedAttempts: 0 };
const cleared = { uncertainAttempts: 1, clearedAttempts: 1 };

const again = (isUncertain: boolean) => ({ kind: 'retry', isUncertain });
const fault = (reason: string, field?: string, isUncertain = false) => ({
  ...again(isUncertain),
  fault: field ? { reason, field } : { reason },
});
const refused = (reason: string, field?: string): Outcome<never> =>
  ({ kind: 'refused', refusal: field ? { reason, field } : { reason } }) as Outcome<never>;

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
      refused('partner-headers-missing'),
      uncertain,
      fault('partner-headers-missing'),
    ],
    ['a malformed request', refused('request-malformed'), certain, fault('request-malformed')],
    [
      'an invalid field the applicant did not give',
      refused('invalid-field', 'CreatedAt'),
      certain,
      fault('invalid-field', 'CreatedAt'),
    ],
    [
      'an invalid field that is not named',
      refused('invalid-field'),
      certain,
      fault('invalid-field'),
    ],
    [
      'a missing field',
      refused('missing-field', 'BusinessAddress.Zip'),
      certain,
      { kind: 'rejected', errors: [{ pointer: '/business/address/zip', code: 'required' }] },
    ],
    [
      'an invalid field',
      refused('invalid-field', 'AnnualRevenue'),
      certain,
      { kind: 'rejected', errors: [{ pointer: '/business/annualRevenue', code: 'rejected' }] },
    ],
    [
      'an invalid field after an unknown outcome',
      refused('invalid-field', 'AnnualRevenue'),
      uncertain,
      { kind: 'held' },
    ],
    [
      'an invalid field after an operator looked into the unknown outcome',
      refused('invalid-field', 'AnnualRevenue'),
      cleared,
      { kind: 'rejected', errors: [{ pointer: '/business/annualRevenue', code: 'rejected' }] },
    ],
    [
      'an unrecognized refusal that names a field',
      refused('unrecognized', 'AnnualRevenue'),
      certain,
      fault('unrecognized', 'AnnualRevenue', true),
    ],
    [
      'a missing field the applicant did not give',
      refused('missing-field', 'LeadSource'),
      certain,
      fault('missing-field', 'LeadSource'),
    ],
    [
      'a duplicate after an unknown outcome',
      refused('duplicate-id'),
      uncertain,
      { kind: 'unconfirmed' },
    ],
    [
      'a duplicate that comes with an id',
      { kind: 'refused', refusal: { reason: 'duplicate-id', candidateId: 'L9' } },
      uncertain,
      { kind: 'unconfirmed', candidateId: 'L9' },
    ],
    ['a duplicate out of the blue', refused('duplicate-id'), certain, { kind: 'unconfirmed' }],
    [
      'an unrecognized refusal',
      refused('unrecognized'),
      certain,
      fault('unrecognized', undefined, true),
    ],
    [
      'an unrecognized refusal after an unknown outcome',
      refused('unrecognized'),
      uncertain,
      fault('unrecognized', undefined, true),
    ],
    ['a lead that is too large', refused('too-large'), certain, fault('too-large')],
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
    ['a processing failure', refused('processing-failed'), 0, again(true)],
    ['a third processing failure', refused('processing-failed'), 2, { kind: 'held' }],
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
        'invalid-field',
        'too-large',
        'unrecognized',
      ] as const
    ).map((reason): [string, Outcome<string>, number, object] => [
      `our own fault, ${reason}`,
      refused(reason),
      2,
      fault(reason),
    ]),
    ['a refused category', refused('category-not-allowed'), 0, { kind: 'rejected' }],
    ['an unreadable report', refused('asset-report-invalid'), 0, { kind: 'rejected' }],
  ];

  it.each(cases)('is decided: %s', (_name, outcome, uncertainAttempts, decision) => {
    expect(decideContent(outcome, { uncertainAttempts, clearedAttempts: 0 })).toEqual(decision);
  });

  it('counts only what an operator has not looked into', () => {
    const unknown = { kind: 'unknown' } as const;
    expect(decideContent(unknown, { uncertainAttempts: 4, clearedAttempts: 3 })).toEqual(
      again(true),
    );
    expect(decideContent(unknown, { uncertainAttempts: 5, clearedAttempts: 3 })).toEqual({
      kind: 'held',
    });
  });
});

describe('a contact request after an attempt', () => {
  const cases: [string, Outcome<undefined>, object][] = [
    ['accepted', { kind: 'accepted', value: undefined }, { kind: 'accepted' }],
    ['not sent', { kind: 'not-sent' }, again(false)],
    ['authentication', { kind: 'authentication' }, again(false)],
    ['throttled', { kind: 'throttled', retryAfterMs: 7 }, { ...again(false), retryAfterMs: 7 }],
    ['unknown', { kind: 'unknown' }, again(true)],
    ['an unrecognized refusal', refused('unrecognized'), fault('unrecognized', undefined, true)],
    ...(
      [
        'application-id-missing',
        'application-id-invalid',
        'application-not-found',
        'partner-headers-missing',
        'request-malformed',
        'missing-field',
        'too-large',
      ] as const
    ).map((reason): [string, Outcome<undefined>, object] => [
      `our own fault, ${reason}`,
      refused(reason),
      fault(reason),
    ]),
  ];

  it.each(cases)('is decided: %s', (_name, outcome, decision) => {
    expect(decideContact(outcome)).toEqual(decision);
  });
});

describe('the code of an outcome', () => {
  it('is the reason of a refusal, and the kind of all else', () => {
    const codes = [refused('too-large'), { kind: 'not-sent' } as const].map(toOutcomeCode);
    expect(codes).toEqual(['too-large', 'not-sent']);
  });
});
