// The steps after the application was sent, loaded together once the applicant comes near them.

import { renderBank } from './bank.ts';
import { toProblemSentence } from './document-row.ts';
import { renderDocuments } from './documents.ts';
import { renderOffers, toOffersHeading } from './offers.ts';
import { renderSubmitted, toSubmittedHeading } from './submitted.ts';

export const afterSubmission = {
  renderSubmitted,
  toSubmittedHeading,
  renderDocuments,
  toProblemSentence,
  renderBank,
  renderOffers,
  toOffersHeading,
} as const;

export type AfterSubmission = typeof afterSubmission;
