// The steps of the form behind its first one, and the pickers on them; loaded as soon as a step is shown.

import { Pickers } from '../fields/pickers.ts';
import { renderBusiness } from './business.ts';
import { renderIdentity } from './identity.ts';
import { renderOwner } from './owner.ts';
import { renderReview } from './review.ts';

export const furtherSteps = {
  Pickers,
  business: renderBusiness,
  owner: renderOwner,
  identity: renderIdentity,
  review: renderReview,
} as const;

export type FurtherSteps = typeof furtherSteps;
