// Parts that several features show about documents and bank reports.

import { html, nothing, type TemplateResult } from 'lit';
import type { BankReportStatus } from '../../shared/api/attachments.ts';
import { icons } from '../fields/icons.ts';
import type { StepContext } from './feature.ts';
import type { AppState } from './store.ts';

/** The number of attachments that the BFF is delivering to the funding service. */
export function countDelivering({ documents, bank, contact }: AppState): number {
  const statuses = [...documents.uploaded.map(({ status }) => status), bank.report, contact];
  return statuses.filter((status) => status?.status === 'received').length;
}

/** Whether the lender gets bank statements, from documents or from a connected bank. */
export function hasBankStatements({ documents, bank }: AppState): boolean {
  const statements = documents.uploaded.filter(({ status }) =>
    status.category.includes('bank-statements'),
  );
  return [...statements.map(({ status }) => status), bank.report].some(
    (status) => status !== undefined && status.status !== 'rejected',
  );
}

/** The message for the status of a document or a bank report. */
export function toDeliveryState({
  status,
  delayed,
}: BankReportStatus): 'delayed' | BankReportStatus['status'] {
  return status === 'received' && delayed ? 'delayed' : status;
}

/** Before the lender has the application, attachments wait. */
export function renderWaitsForApplication({
  t,
  form,
}: StepContext): TemplateResult | typeof nothing {
  return form.application?.status === 'accepted'
    ? nothing
    : html`<p class="hint" part="hint">${t('attachments.waiting')}</p>`;
}

/** Explains the effect of sending no bank statements. */
export function renderStatementsHint({ t, state }: StepContext): TemplateResult | typeof nothing {
  return hasBankStatements(state)
    ? nothing
    : html`<p class="hint screen-only" part="hint">${t('documents.skip.text')}</p>`;
}

/** One element for all statuses of an attachment, so that screen readers say the next one when it replaces this one. */
export function renderStatus(id: string, text: string, isDone: boolean): TemplateResult {
  return html`<p class="state ${isDone ? 'done' : ''}" id=${id} role="status" tabindex="-1">
    ${isDone ? icons.check : nothing}<span>${text}</span>
  </p>`;
}
