// The demonstration bank of the sandbox, where an applicant chooses a bank and accounts that are invented; loaded when it is opened.

import { html, nothing, type TemplateResult } from 'lit';
import {
  createDemonstrationReport,
  demonstrationAccounts,
  demonstrationInstitutions,
} from '../bank/demonstration-report.ts';
import { renderErrorLine } from '../fields/field.ts';
import type { BankConnection } from '../flow/bank-connection.ts';
import type { StepContext } from './step-context.ts';

const reportDays = 90;

export type RenderDemonstration = typeof renderDemonstration;

export function renderDemonstration(context: StepContext, bank: BankConnection): TemplateResult {
  const { t, focusField } = context;
  const close = () => {
    bank.close();
    focusField('bank-start');
  };
  return html`<section class="panel" aria-labelledby="bank-title">
    <div class="field">
      <h3 id="bank-title" tabindex="-1" aria-level=${context.headingLevel(1)}>
        ${t('bank.demonstration')}
      </h3>
      <p class="hint" part="hint">${t('bank.demonstration.text')}</p>
    </div>
    <fieldset
      class="field ${bank.lacks.institution ? 'wrong' : ''}"
      part="field"
      aria-describedby=${bank.lacks.institution ? 'bank-institution-error' : nothing}
    >
      <legend class="label" part="label">${t('bank.choose')}</legend>
      ${bank.lacks.institution ? renderErrorLine(t, t('bank.institution.required'), 'bank-institution-error') : nothing}
      ${demonstrationInstitutions.map(
        ({ name }, index) =>
          html`<label class="choice" part="choice">
            <input
              type="radio"
              name="bank-institution"
              id="bank-institution-${index}"
              .value=${name}
              .checked=${bank.institution === name}
              @change=${() => bank.chooseInstitution(name)}
            />
            <span>${name}</span>
          </label>`,
      )}
    </fieldset>
    <fieldset
      class="field ${bank.lacks.accounts ? 'wrong' : ''}"
      part="field"
      aria-describedby=${bank.lacks.accounts ? 'bank-account-error' : nothing}
    >
      <legend class="label" part="label">${t('bank.accounts')}</legend>
      ${bank.lacks.accounts ? renderErrorLine(t, t('bank.accounts.required'), 'bank-account-error') : nothing}
      ${demonstrationAccounts.map(
        ({ kind, mask }, index) =>
          html`<label class="choice" part="choice">
            <input
              type="checkbox"
              id="bank-account-${index}"
              .value=${mask}
              .checked=${bank.accounts.has(mask)}
              @change=${(event: Event) =>
                bank.chooseAccount(
                  mask,
                  event.target instanceof HTMLInputElement && event.target.checked,
                )}
            />
            <span class="figures">${t(`bank.${kind}`)} ••${mask}</span>
          </label>`,
      )}
    </fieldset>
    <p class="hint" part="hint">${t('bank.share.text')}</p>
    <div class="actions">
      <button type="button" class="button" part="button" @click=${() => void share(context, bank)}>
        ${t('bank.share')}
      </button>
      <button type="button" class="quiet" part="link" @click=${close}>${t('bank.cancel')}</button>
    </div>
  </section>`;
}

async function share({ focusField, flow }: StepContext, bank: BankConnection): Promise<void> {
  if (!bank.isComplete()) {
    focusField(bank.lacks.institution ? 'bank-institution-0' : 'bank-account-0');
    return;
  }
  const institution = demonstrationInstitutions.find(({ name }) => name === bank.institution);
  if (!institution) return;
  const result = await bank.send(
    createDemonstrationReport({
      institution,
      accounts: demonstrationAccounts.filter(({ mask }) => bank.accounts.has(mask)),
      days: reportDays,
      now: flow.now(),
    }),
  );
  focusField(result.ok ? 'bank-status' : 'bank-title');
}
