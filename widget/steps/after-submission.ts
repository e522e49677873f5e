// The steps after the application was sent, loaded together once the applicant comes near them; the offers are apart.

import { enAfter } from '../i18n/en-after.ts';
import { documentsStyles } from '../styles/documents.styles.ts';
import { renderBank } from './bank.ts';
import { toProblemSentence } from './document-row.ts';
import { renderDocuments } from './documents.ts';
import { renderFinish, renderFinished } from './finish.ts';
import { renderSubmitted, toSubmittedHeading } from './submitted.ts';

export const afterSubmission = {
  messages: enAfter,
  styles: documentsStyles,
  renderSubmitted,
  toSubmittedHeading,
  renderDocuments,
  toProblemSentence,
  renderBank,
  renderFinish,
  renderFinished,
} as const;

export type AfterSubmission = typeof afterSubmission;
