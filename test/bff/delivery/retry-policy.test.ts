import { describe, expect, it } from 'vitest';
import { decide } from '../../../bff/delivery/retry-policy.ts';
import { type RefusalReason, refusalReasons } from '../../../bff/funding-service/failure-texts.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import type { DeliveryKind, DeliveryProgress } from '../../../bff/store/store.ts';
import { createClaim } from './claims.ts';

type Failure = Exclude<Outcome<unknown>, { kind: 'accepted' }>;

const hourMs = 3_600_000;
const unknown: Failure = { kind: 'unknown' };
const notSent: Failure = { kind: 'not-sent' };
const refuse = (reason: RefusalReason, field?: string): Failure => ({
  kind: 'refused',
  refusal: field ? { reason, field } : { reason },
});

function decideFor(
  kind: DeliveryKind,
  failure: Failure,
  progress: Partial<DeliveryProgress> = {},
  random = 0.5,
) {
  return decide(failure, createClaim(kind, progress), () => random);
}

/** The state, `?` if the attempt may have been processed, and `alert` if an operator has to know. */
function toText(result: ReturnType<typeof decide>): string {
  if (result.state !== 'waiting') return result.state;
  expect(result.isRefused).toBe(result.refusal !== undefined);
  return `${result.isRefused ? 'alert' : 'wait'}${result.isUncertain ? '?' : ''}`;
}

describe('the first failed attempt', () => {
  // prettier-ignore
  const rules: readonly (readonly [Failure['kind'] | RefusalReason, string, string, string])[] = [
    // Outcome                 application    content     contact
    ['not-sent',               'wait',        'wait',     'wait'],
    ['authentication',         'wait',        'wait',     'wait'],
    ['throttled',              'wait',        'wait',     'wait'],
    ['unknown',                'wait?',       'wait?',    'wait?'],
    ['unrecognized',           'alert?',      'alert',    'alert?'],
    ['missing-field',          'rejected',    'alert',    'alert'],
    ['invalid-field',          'rejected',    'alert',    'alert'],
    ['duplicate-id',           'unconfirmed', 'alert',    'alert'],
    ['category-not-allowed',   'alert',       'rejected', 'alert'],
    ['asset-report-invalid',   'alert',       'rejected', 'alert'],
    ['processing-failed',      'alert',       'wait?',    'alert'],
    ['application-id-missing', 'alert',       'alert',    'alert'],
    ['application-id-invalid', 'alert',       'alert',    'alert'],
    ['application-not-found',  'alert',       'alert',    'alert'],
    ['partner-headers-missing', 'alert',      'alert',    'alert'],
    ['request-malformed',      'alert',       'alert',    'alert'],
    ['asset-report-missing',   'alert',       'alert',    'alert'],
    ['content-not-base64',     'alert',       'alert',    'alert'],
    ['too-large',              'alert',       'alert',    'alert'],
  ];

  it.each(rules)('with the outcome %s', (outcome, application, content, contact) => {
    const reason = refusalReasons.find((refusal) => refusal === outcome);
    const failure = reason ? refuse(reason, 'AnnualRevenue') : ({ kind: outcome } as Failure);
    const decisions = (['application', 'document', 'bank-report', 'contact'] as const).map((kind) =>
      decideFor(kind, failure),
    );
    expect(decisions.map(toText)).toEqual([application, content, content, contact]);
    // Only an application has answers that the applicant can correct.
    for (const decision of decisions.slice(1)) expect(decision).not.toHaveProperty('errors');
    for (const decision of decisions.filter(({ state }) => state !== 'unconfirmed')) {
      expect(decision).toMatchObject({ outcome });
    }
    for (const decision of decisions.filter((each) => toText(each).startsWith('alert'))) {
      expect(decision).toMatchObject({ refusal: { reason, field: 'AnnualRevenue' } });
    }
  });
});

describe('a rejected application', () => {
  const uncertain = { uncertainAttempts: 1 };

  // prettier-ignore
  const cases: [RefusalReason, string | undefined, Partial<DeliveryProgress>, object][] = [
    ['missing-field', 'BusinessAddress.Zip', {}, { state: 'rejected', errors: [{ pointer: '/business/address/zip', code: 'required' }] }],
    ['invalid-field', 'AnnualRevenue', {}, { state: 'rejected', errors: [{ pointer: '/business/annualRevenue', code: 'rejected' }] }],
    // The earlier attempt may have created the lead.
    ['invalid-field', 'AnnualRevenue', uncertain, { state: 'held', reason: 'uncertain', isUncertain: false }],
    // An operator's retry cleared it.
    ['invalid-field', 'AnnualRevenue', { ...uncertain, clearedAttempts: 1 }, { state: 'rejected' }],
    // The applicant can't correct a field of the BFF.
    ['invalid-field', 'CreatedAt', {}, { state: 'waiting', isRefused: true }],
    ['missing-field', 'LeadSource', {}, { state: 'waiting', isRefused: true }],
    ['invalid-field', undefined, {}, { state: 'waiting', isRefused: true }],
    ['duplicate-id', undefined, uncertain, { state: 'unconfirmed' }],
  ];

  it.each(cases)('%s %s after %j', (reason, field, progress, expected) => {
    expect(decideFor('application', refuse(reason, field), progress)).toMatchObject(expected);
  });
});

describe('a document or bank report', () => {
  it.each<[Failure, number, number, string]>([
    [unknown, 1, 0, 'wait?'],
    [unknown, 2, 0, 'held'],
    [refuse('processing-failed'), 2, 0, 'held'],
    // Nothing was processed.
    [notSent, 2, 0, 'wait'],
    [refuse('unrecognized'), 2, 0, 'alert'],
    // An operator's retry cleared three attempts.
    [unknown, 4, 3, 'wait?'],
    [unknown, 5, 3, 'held'],
  ])('is sent three times at most: %j', (failure, uncertainAttempts, clearedAttempts, expected) => {
    for (const kind of ['document', 'bank-report'] as const) {
      const decision = decideFor(kind, failure, { uncertainAttempts, clearedAttempts });
      const held = { reason: 'uncertain', isUncertain: true };
      expect(toText(decision)).toBe(expected);
      expect(decision).toMatchObject(expected === 'held' ? held : {});
    }
  });

  it('has no such limit if it is a contact request', () => {
    expect(toText(decideFor('contact', unknown, { uncertainAttempts: 9 }))).toBe('wait?');
  });
});

describe('the delay before the next attempt', () => {
  const throttled = (retryAfterMs: number): Failure => ({ kind: 'throttled', retryAfterMs });

  it.each<[DeliveryKind, Failure, Partial<DeliveryProgress>, number, number]>([
    // Doubles from 2 s up to 15 minutes, with full jitter, and is at least one second.
    ['application', notSent, { attempts: 1 }, 0.5, 2_000],
    ['application', notSent, { attempts: 2 }, 0.5, 4_000],
    ['application', notSent, { attempts: 3 }, 0.5, 8_000],
    ['application', notSent, { attempts: 9 }, 0.5, 450_000],
    ['application', notSent, { attempts: 1_000 }, 0.5, 450_000],
    ['application', notSent, { attempts: 1 }, 0, 1_000],
    // About 1, then 5 minutes for content that may have arrived.
    ['document', unknown, { uncertainAttempts: 0 }, 0.5, 60_000],
    ['document', unknown, { uncertainAttempts: 0 }, 0, 45_000],
    ['document', unknown, { uncertainAttempts: 0 }, 0.999, 74_970],
    ['document', unknown, { uncertainAttempts: 1 }, 0.5, 300_000],
    // As long as Retry-After, at most an hour.
    ['application', throttled(30_000), {}, 0.5, 30_000],
    ['application', throttled(1e9), {}, 0.5, hourMs],
  ])('of a(n) %s after %j, %j, random %f', (kind, failure, progress, random, delayMs) => {
    expect(decideFor(kind, failure, progress, random)).toMatchObject({ delayMs });
  });
});

it('a row that would wait beyond 72 hours is held', () => {
  const decideAt = (claimedAt: number) =>
    decide(unknown, { ...createClaim('application'), claimedAt }, () => 0.5);
  expect(decideAt(72 * hourMs - 2_000)).toMatchObject({ state: 'waiting' });
  const held = { state: 'held', reason: 'deadline', isUncertain: true, outcome: 'unknown' };
  expect(decideAt(72 * hourMs - 1_999)).toEqual(held);
});
