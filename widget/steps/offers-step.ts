// The step of the offers, loaded when an application has been sent.

import { enOffers } from '../i18n/en-offers.ts';
import { renderOffers, toOffersHeading } from './offers.ts';

export const offersStep = { messages: enOffers, renderOffers, toOffersHeading } as const;

export type OffersStep = typeof offersStep;
