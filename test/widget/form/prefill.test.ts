// Tests for the answers that the host page prefills.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { toPrefilledDraft } from '../../../widget/form/prefill.ts';
import { completeDraft } from '../../support/draft.ts';

afterEach(() => void vi.restoreAllMocks());

describe('toPrefilledDraft', () => {
  it('accepts every answer that an applicant types', () => {
    const address = { street: '100 Main St', city: 'Austin', state: 'TX', zip: '787011234' };
    const draft = toPrefilledDraft({
      fundingNeed: { amount: '$75,000', reason: 'Equipment' },
      business: {
        name: 'Rosa’s Bakery LLC',
        type: 'LLC',
        industry: 'Food & Beverage',
        taxId: '12-3456789',
        address,
        annualRevenue: '480,000.00',
        foundedMonth: 'March',
        foundedDay: '',
        foundedYear: 2017,
        employees: 6,
      },
      owner: {
        firstName: 'Rosa',
        lastName: 'Núñez',
        email: 'rosa@example.com',
        phone: '+1 (512) 555-0134',
        homeSameAsBusiness: true,
        birthDate: { month: 4, day: 27, year: 1985 },
        ssn: '219-09-9999',
        creditScore: '720+',
        ownershipPercent: '100 %',
        otherManagers: false,
      },
    });
    const { 'consents/terms': _terms, 'signature/name': _name, ...typed } = completeDraft;
    expect(draft).toEqual(typed);
  });

  it('separates the thousands of amounts', () => {
    const draft = toPrefilledDraft({
      fundingNeed: { amount: 75000 },
      business: { annualRevenue: '1250000', foundedYear: 2017 },
    });
    expect(draft).toEqual({
      'fundingNeed/amount': '75,000',
      'business/annualRevenue': '1,250,000',
      'business/foundedYear': '2017',
    });
  });

  it('ignores consents, signatures, and unknown names', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const draft = toPrefilledDraft({
      consents: { terms: 'yes' },
      signature: { name: 'Rosa Núñez' },
      business: { nickname: 'Quokka' },
    });
    expect(draft).toEqual({});
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('consents, signature, business/nickname'),
    );
    expect(JSON.stringify(warn.mock.calls)).not.toMatch(/Rosa|quokka/);
  });

  it('ignores values of another type', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const draft = toPrefilledDraft({
      fundingNeed: { amount: Number.NaN, reason: ['Equipment'] },
      owner: { firstName: true, homeSameAsBusiness: 'yes', ssn: { value: '219-09-9999' } },
    });
    expect(draft).toEqual({});
    expect(warn).toHaveBeenCalledOnce();
    expect(JSON.stringify(warn.mock.calls)).not.toContain('219');
  });

  it.each([undefined, null, {}, { owner: undefined }, { owner: { firstName: null } }])(
    'returns an empty draft for %j',
    (nothing) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue();
      expect(toPrefilledDraft(nothing)).toEqual({});
      expect(warn).not.toHaveBeenCalled();
    },
  );

  it('does not follow circular references', () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const owner: Record<string, unknown> = { firstName: 'Rosa' };
    owner['owner'] = owner;
    expect(toPrefilledDraft({ owner })).toEqual({ 'owner/firstName': 'Rosa' });
  });
});
