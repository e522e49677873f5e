// What comes after the submission, in Spanish and in one piece.

import { esAfter } from './es-after.ts';
import { esOffers } from './es-offers.ts';

export const spanishLate = { ...esAfter, ...esOffers } as const;
