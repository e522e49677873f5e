import { describe, expect, it } from 'vitest';
import { refusalReasons } from '../../../bff/funding-service/failure-texts.ts';
import {
  type Outcome,
  type PreApproval,
  verifyReference,
} from '../../../bff/funding-service/funding-service.ts';

const applicationId = 'a0B5e000004xYz1EAC';
const referenceId = '0199a0b1-0000-7000-8000-00000000000a';

function check(outcome: Outcome<PreApproval>) {
  const getPreApprovalOffer = async (id: string): Promise<Outcome<PreApproval>> =>
    id === applicationId ? outcome : { kind: 'unknown' };
  return verifyReference({ getPreApprovalOffer }, applicationId, referenceId);
}

describe('verifyReference', () => {
  it.each<[string, string | undefined, string]>([
    ['ours', referenceId, 'verified'],
    ['ours in upper case', referenceId.toUpperCase(), 'verified'],
    ['another', '0199a0b1-0000-7000-8000-00000000000b', 'refuted'],
    ['ours with a suffix', `${referenceId}-2`, 'refuted'],
    ['absent', undefined, 'refuted'],
  ])('checks a reference that is %s', async (_name, echoed, expected) => {
    const value = { offers: [], referenceId: echoed, trackingUrl: undefined };
    const outcome = await check({ kind: 'accepted', value: { status: 'qualified', ...value } });
    expect(outcome).toBe(expected);
  });

  it.each(refusalReasons)(
    'is refuted only by a refusal about the ApplicationID: %s',
    async (reason) => {
      const isAboutId = reason === 'application-id-invalid' || reason === 'application-not-found';
      const outcome = await check({ kind: 'refused', refusal: { reason } });
      expect(outcome).toBe(isAboutId ? 'refuted' : 'unanswered');
    },
  );

  it.each<Outcome<never>>([
    { kind: 'authentication' },
    { kind: 'throttled', retryAfterMs: undefined },
    { kind: 'not-sent' },
    { kind: 'unknown' },
  ])('is unanswered if the call ends as %j', async (outcome) => {
    expect(await check(outcome)).toBe('unanswered');
  });
});
