// The heading over the outcome promises no more than is done.

import { describe, expect, it } from 'vitest';
import { enOffers } from '../../../widget/i18n/en-offers.ts';
import { createFormat } from '../../../widget/i18n/format.ts';
import { createTranslate } from '../../../widget/i18n/text.ts';
import { toOffersHeading } from '../../../widget/steps/offers.ts';
import type { StepContext } from '../../../widget/steps/step-context.ts';
import { createOffer, decided } from '../../support/offers.ts';

function headingOf(offers: object): ReturnType<typeof toOffersHeading> {
  return toOffersHeading({
    t: createTranslate(enOffers),
    format: createFormat('en-US'),
    flow: { parts: { offers } },
  } as unknown as StepContext);
}

const pending = { decision: 'pending', offers: [] };

describe('the heading over the outcome', () => {
  it('promises to look again while that is done, and not any more after half an hour', () => {
    expect(headingOf({ offers: pending, hasTired: false }).why).toContain('look again');
    expect(headingOf({ offers: pending, hasTired: true }).why).toBeUndefined();
  });

  it.each([
    [1, 'It is a pre-approval estimate; the'],
    [2, 'They are pre-approval estimates; the'],
  ])('speaks of %i as of so many, and of no order, which may be another', (count, words) => {
    const { value: offers } = decided(Array.from({ length: count }, () => createOffer())) as {
      value: object;
    };
    expect(headingOf({ offers }).why).toMatch(new RegExp(`^${words}`));
  });
});
