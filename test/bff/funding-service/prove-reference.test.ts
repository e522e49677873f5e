import { describe, expect, it } from 'vitest';
import { refusalReasons, type RefusalReason } from '../../../bff/funding-service/failure-texts.ts';
import { type Outcome, type PreApproval } from '../../../bff/funding-service/funding-service.ts';
import {
  verifyReference,
  type ReferenceCheck,
} from '../../../bff/funding-service/funding-service.ts';

const applicationId = 'a0B5e000004xYz1EAC';
const referenceId = '0199a0b1-0000-7000-8000-00000000000a';

describe('proveReference', () => {
  it('asks for the application that is to be proved', async () => {
    const asked: string[] = [];
    const getPreApprovalOffer = (id: string) => {
      asked.push(id);
      return Promise.resolve(found(referenceId));
    };
    await verifyReference({ getPreApprovalOffer }, applicationId, referenceId);
    expect(asked).toEqual([applicationId]);
  });

  it.each<[string, string | undefined, string]>([
    ['our own', referenceId, 'verified'],
    ['another', '0199a0b1-0000-7000-8000-00000000000b', 'refuted'],
    ['ours in capitals', referenceId.toUpperCase(), 'verified'],
    ['ours and more', `${referenceId}-2`, 'refuted'],
    ['none', undefined, 'refuted'],
  ])('with a reference that is %s', async (_name, echoed, expected) => {
    expect(await prove(found(echoed))).toBe(expected);
  });

  it('is refuted by a refusal only when it is about the application', async () => {
    const proofs = new Map<RefusalReason, ReferenceCheck>();
    for (const reason of refusalReasons) {
      proofs.set(reason, await prove({ kind: 'refused', refusal: { reason } }));
    }
    const refuting = refusalReasons.filter((reason) => proofs.get(reason) === 'refuted');
    const others = refusalReasons.filter((reason) => proofs.get(reason) === 'unanswered');
    expect(refuting).toEqual(['application-id-invalid', 'application-not-found']);
    expect(others).toHaveLength(refusalReasons.length - 2);
  });

  it.each<Outcome<never>>([
    { kind: 'authentication' },
    { kind: 'throttled', retryAfterMs: undefined },
    { kind: 'not-sent' },
    { kind: 'unknown' },
  ])('is unanswered when the question ends as %j', async (outcome) => {
    expect(await prove(outcome)).toBe('unanswered');
  });
});

function prove(outcome: Outcome<PreApproval>) {
  const getPreApprovalOffer = () => Promise.resolve(outcome);
  return verifyReference({ getPreApprovalOffer }, applicationId, referenceId);
}

function found(echoed: string | undefined): Outcome<PreApproval> {
  return {
    kind: 'accepted',
    value: { status: 'qualified', offers: [], referenceId: echoed, trackingUrl: undefined },
  };
}
