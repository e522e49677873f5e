// Step "Bank connection": the demonstration bank of the sandbox, or the host page's own aggregator.

import { html, nothing, type TemplateResult } from 'lit';
import type { BankReportStatus } from '../../shared/api/attachments.ts';
import { icons } from '../fields/icons.ts';
import type { BankConnection } from '../flow/bank-connection.ts';
import type { RenderDemonstration } from './demonstration-bank.ts';
import { renderLacking, renderParked, toState } from './given.ts';
import { renderProblem, renderWaiting } from './parts.ts';
import type { StepContext } from './step-context.ts';

export const renderBank = createBankStep(() => import('./demonstration-bank.ts'));

/** @param load fetches the demonstration bank, which nobody but the sandbox has. */
export function createBankStep(
  load: () => Promise<{ readonly renderDemonstration: RenderDemonstration }>,
): (context: StepContext) => TemplateResult {
  let renderDemonstration: RenderDemonstration | undefined;

  async function openDemonstration({ focusField }: StepContext, bank: BankConnection) {
    bank.open();
    try {
      ({ renderDemonstration } = await load());
      bank.open();
      focusField('bank-title');
    } catch {
      bank.problem = 'network';
      bank.close();
    }
  }

  function renderConnection(context: StepContext, bank: BankConnection): TemplateResult {
    const { t, configuration, requestBank } = context;
    const isDemonstration = configuration.bankConnection === 'demonstration';
    return isDemonstration && bank.isOpen && renderDemonstration
      ? renderDemonstration(context, bank)
      : html`<div class="group">
          <p>${t('bank.share.text')}</p>
          ${renderLacking(context)}
          <div class="actions">
            <button
              type="button"
              class="button"
              part="button"
              id="bank-start"
              @click=${() => (isDemonstration ? void openDemonstration(context, bank) : requestBank())}
            >
              ${t('bank.start')}
            </button>
          </div>
          ${bank.isOpen ? renderWaiting(t('loading')) : nothing}
        </div>`;
  }

  return (context) => {
    const { t, flow } = context;
    const bank = flow.parts?.bank;
    if (!bank) return html`${nothing}`;
    const isDone = bank.status !== undefined && bank.status.status !== 'rejected';
    return html`
      ${renderParked(context)} ${bank.status ? renderStatus(context, bank.status) : nothing}
      ${renderProblem(context, bank.problem, bank.retryAfterMs)}
      ${bank.isSending ? renderWaiting(t('bank.sending')) : nothing}
      ${isDone || bank.isSending ? nothing : renderConnection(context, bank)}
      <div class="actions">
        <button
          type="button"
          class="button ${isDone ? '' : 'secondary'}"
          part="button ${isDone ? '' : 'secondary'}"
          @click=${() => flow.next()}
        >
          ${t(isDone ? 'continue' : 'bank.skip')}
        </button>
      </div>
    `;
  };
}

function renderStatus({ t }: StepContext, status: BankReportStatus): TemplateResult {
  const isDelivered = status.status === 'delivered';
  return html`<p
    class="state ${isDelivered ? 'done' : ''}"
    id="bank-status"
    role="status"
    tabindex="-1"
  >
    ${isDelivered ? icons.check : nothing}<span>${t(`bank.${toState(status)}`)}</span>
  </p>`;
}
