// The heading of the offers step promises only what the element does.

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

describe('the heading of the offers step', () => {
  it('promises automatic checks only until they stop', () => {
    expect(headingOf({ offers: pending, hasTired: false }).why).toContain(
      'checks again automatically',
    );
    expect(headingOf({ offers: pending, hasTired: true }).why).toBeUndefined();
  });

  it.each([
    [1, 'This is an estimate'],
    [2, 'These are estimates'],
  ])('matches the number of offers: %i', (count, words) => {
    const { value: offers } = decided(Array.from({ length: count }, () => createOffer())) as {
      value: object;
    };
    expect(headingOf({ offers }).why).toMatch(new RegExp(`^${words}`));
  });
});
