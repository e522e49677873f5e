// The step of the offers, loaded when an application has been sent.

import { enOffers } from '../i18n/en-offers.ts';
import { offersStyles } from '../styles/offers.styles.ts';
import { renderOffers, toOffersHeading } from './offers.ts';

export const offersStep = {
  messages: enOffers,
  styles: offersStyles,
  renderOffers,
  toOffersHeading,
} as const;

export type OffersStep = typeof offersStep;
