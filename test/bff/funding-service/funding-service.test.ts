import { describe, expect, it } from 'vitest';
import { type RefusalReason, refusalReasons } from '../../../bff/funding-service/failure-texts.ts';
import {
  type Outcome,
  type PreApproval,
  type ReferenceCheck,
  verifyReference,
} from '../../../bff/funding-service/funding-service.ts';

const applicationId = 'a0B5e000004xYz1EAC';
const referenceId = '0199a0b1-0000-7000-8000-00000000000a';

describe('verifyReference', () => {
  it('requests the offer of the ApplicationID', async () => {
    const asked: string[] = [];
    const getPreApprovalOffer = (id: string) => {
      asked.push(id);
      return Promise.resolve(found(referenceId));
    };
    await verifyReference({ getPreApprovalOffer }, applicationId, referenceId);
    expect(asked).toEqual([applicationId]);
  });

  it.each<[string, string | undefined, string]>([
    ['ours', referenceId, 'verified'],
    ['another', '0199a0b1-0000-7000-8000-00000000000b', 'refuted'],
    ['ours in upper case', referenceId.toUpperCase(), 'verified'],
    ['ours with a suffix', `${referenceId}-2`, 'refuted'],
    ['absent', undefined, 'refuted'],
  ])('checks a reference that is %s', async (_name, echoed, expected) => {
    expect(await check(found(echoed))).toBe(expected);
  });

  it('is refuted only by a refusal about the ApplicationID', async () => {
    const checks = new Map<RefusalReason, ReferenceCheck>();
    for (const reason of refusalReasons) {
      checks.set(reason, await check({ kind: 'refused', refusal: { reason } }));
    }
    const refuting = refusalReasons.filter((reason) => checks.get(reason) === 'refuted');
    const others = refusalReasons.filter((reason) => checks.get(reason) === 'unanswered');
    expect(refuting).toEqual(['application-id-invalid', 'application-not-found']);
    expect(others).toHaveLength(refusalReasons.length - 2);
  });

  it.each<Outcome<never>>([
    { kind: 'authentication' },
    { kind: 'throttled', retryAfterMs: undefined },
    { kind: 'not-sent' },
    { kind: 'unknown' },
  ])('is unanswered if the call ends as %j', async (outcome) => {
    expect(await check(outcome)).toBe('unanswered');
  });
});

function check(outcome: Outcome<PreApproval>) {
  const getPreApprovalOffer = () => Promise.resolve(outcome);
  return verifyReference({ getPreApprovalOffer }, applicationId, referenceId);
}

function found(echoed: string | undefined): Outcome<PreApproval> {
  return {
    kind: 'accepted',
    value: { status: 'qualified', offers: [], referenceId: echoed, trackingUrl: undefined },
  };
}
