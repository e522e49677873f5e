// The steps after the application was sent, loaded together once the applicant comes near them; the offers are apart.

import { css } from 'lit';
import { bankStyles } from '../bank/bank.styles.ts';
import { FlowParts } from '../flow/flow-parts.ts';
import { enAfter } from '../i18n/en-after.ts';
import { recordStyles } from '../record/record.styles.ts';
import { documentsStyles } from '../styles/documents.styles.ts';
import { renderBank } from './bank.ts';
import { toDocumentSentence } from './document-sentence.ts';
import { renderDocuments } from './documents.ts';
import { renderFinish, renderFinished } from './finish.ts';
import { renderSubmitted, toSubmittedHeading } from './submitted.ts';

export const afterSubmission = {
  FlowParts,
  messages: enAfter,
  styles: css`
    ${recordStyles}${documentsStyles}${bankStyles}
  `,
  renderSubmitted,
  toSubmittedHeading,
  renderDocuments,
  toDocumentSentence,
  renderBank,
  renderFinish,
  renderFinished,
} as const;

export type AfterSubmission = typeof afterSubmission;
