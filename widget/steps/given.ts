// Where documents and reports stand on their way to the lender, in words.

import { html, nothing, type TemplateResult } from 'lit';
import type { BankReportStatus } from '../../shared/api/attachments.ts';
import type { StepContext } from './step-context.ts';

/** What is given before the lender has the application is kept until then. */
export function renderParked({ t, state }: StepContext): TemplateResult | typeof nothing {
  return state.application?.status === 'accepted'
    ? nothing
    : html`<p class="hint" part="hint">${t('attachments.waiting')}</p>`;
}

/** What it costs to give nothing: said for as long as there are neither statements nor a bank connection. */
export function renderLacking({ t, flow }: StepContext): TemplateResult | typeof nothing {
  const { documents, bank } = flow.parts ?? {};
  const given = documents?.sent.filter(({ category }) => category.includes('bank-statements'));
  const isGiven = [bank?.status, ...(given ?? [])].some((one) => one && one.status !== 'rejected');
  return isGiven
    ? nothing
    : html`<p class="hint screen-only" part="hint">${t('documents.skip.text')}</p>`;
}

/** Which words tell where a document or report stands. */
export function toState({
  status,
  delayed,
}: BankReportStatus): 'delayed' | BankReportStatus['status'] {
  return status === 'received' && delayed ? 'delayed' : status;
}
