// The heading of the offers step promises only what the element does.

import { describe, expect, it } from 'vitest';
import type { Offers } from '../../../shared/api/offers.ts';
import type { FailureCode } from '../../../widget/api/funding-api.ts';
import { emptyOffers, type OffersState } from '../../../widget/app/store.ts';
import { toOffersHeading } from '../../../widget/offers/offers-step.ts';
import { createAcceptedState, createStepContext } from '../../support/create-feature.ts';
import { createTranslate } from '../../../widget/i18n/messages.ts';
import { createOffer, decided } from '../../support/offers.ts';

const t = createTranslate({ 'problem.network': 'problem.network' });

/** The heading with message keys in place of texts. */
function headingOf(offers: Partial<OffersState>, endsWithPage = false) {
  const state = createAcceptedState({ offers: { ...emptyOffers, ...offers } });
  return toOffersHeading(createStepContext(state, { t, endsWithPage }));
}

function responseOf(count: number) {
  const result = decided(Array.from({ length: count }, () => createOffer()));
  return result.ok ? result.value : undefined;
}

const pending: Offers = { decision: 'pending', offers: [], checkedAt: '' };
const timedOut = { response: pending, hasTimedOut: true };
const waiting = { problem: 'application-pending' } as const;

describe('the heading of the offers step', () => {
  it.each<[string, Partial<OffersState>, string, string | undefined]>([
    ['before the first response that the element asks', {}, 'checking', 'checking.text'],
    ['that the element checks while it polls', { response: pending }, 'pending', 'pending.text'],
    ['nothing after polling has timed out', { ...timedOut }, 'pending', undefined],
    ['that the lender does not have the application yet', waiting, 'waiting', 'waiting.text'],
  ])('says %s', (_what, offers, title, why) => {
    const expected = { title: `offers.${title}.title`, ...(why && { why: `offers.${why}` }) };
    expect(headingOf(offers)).toEqual(expected);
  });

  it('promises no return to this page when the session ends with it', () => {
    expect(headingOf({ response: pending }, true).why).toBe('offers.pending.text.page-only');
  });

  it.each([
    ['service-unavailable', 'offers.unavailable.text'],
    ['network', 'problem.network'],
    // A code of a later BFF has no text.
    ['of-a-later-bff' as FailureCode, 'problem.internal'],
  ] as const)('says why the offers cannot be shown after %s', (problem, why) => {
    expect(headingOf({ problem })).toEqual({ title: 'offers.unavailable.title', why });
  });

  it('keeps the decision when a later request fails', () => {
    expect(headingOf({ response: responseOf(0), problem: 'network' }).title).toBe(
      'offers.not-qualified.title',
    );
  });

  it.each([
    [1, 'one'],
    [2, 'many'],
  ])('counts the offers: %i', (count, form) => {
    expect(headingOf({ response: responseOf(count) })).toEqual({
      title: `offers.title.${form}`,
      why: `offers.text.${form}`,
    });
  });
});
