// The demonstration bank of the sandbox: the applicant chooses an invented bank and accounts. Loaded when it is opened.

import { html, nothing, type TemplateResult } from 'lit';
import type { BankReportStatus } from '../../shared/api/attachments.ts';
import type { Result } from '../api/funding-api.ts';
import type { StepContext } from '../app/feature.ts';
import { renderButton } from '../app/parts.ts';
import type { Store } from '../app/store.ts';
import { renderErrorLine } from '../fields/field.ts';
import {
  createDemonstrationReport,
  demonstrationAccounts,
  demonstrationInstitutions,
} from './demonstration-report.ts';

const reportDays = 90;

export interface BankConnection {
  readonly store: Store;
  readonly send: (report: unknown) => Promise<Result<BankReportStatus>>;
}

export type RenderDemonstration = typeof renderDemonstration;

export function renderDemonstration(
  context: StepContext,
  connection: BankConnection,
): TemplateResult {
  const { t, state, focus, headingLevel } = context;
  const { institution, accounts, lacksInstitution, lacksAccounts } = state.bank;
  const { store } = connection;
  const cancel = () => {
    store.merge('bank', { demonstration: 'closed', lacksInstitution: false, lacksAccounts: false });
    focus('bank-start');
  };
  return html`<section class="panel" aria-labelledby="bank-title">
    <div class="field">
      <h3 id="bank-title" tabindex="-1" aria-level=${headingLevel(1)}>
        ${t('bank.demonstration')}
      </h3>
      <p class="hint" part="hint">${t('bank.demonstration.text')}</p>
    </div>
    <fieldset
      class="field ${lacksInstitution ? 'wrong' : ''}"
      part="field"
      aria-describedby=${lacksInstitution ? 'bank-institution-error' : nothing}
    >
      <legend class="label" part="label">${t('bank.choose')}</legend>
      ${
        lacksInstitution
          ? renderErrorLine(t, t('bank.institution.required'), 'bank-institution-error')
          : nothing
      }
      ${demonstrationInstitutions.map(
        ({ name }, index) =>
          html`<label class="choice" part="choice">
            <input
              type="radio"
              name="bank-institution"
              id="bank-institution-${index}"
              .value=${name}
              .checked=${institution === name}
              @change=${() => store.merge('bank', { institution: name, lacksInstitution: false })}
            />
            <span>${name}</span>
          </label>`,
      )}
    </fieldset>
    <fieldset
      class="field ${lacksAccounts ? 'wrong' : ''}"
      part="field"
      aria-describedby=${lacksAccounts ? 'bank-account-error' : nothing}
    >
      <legend class="label" part="label">${t('bank.accounts')}</legend>
      ${
        lacksAccounts
          ? renderErrorLine(t, t('bank.accounts.required'), 'bank-account-error')
          : nothing
      }
      ${demonstrationAccounts.map(
        ({ kind, mask }, index) =>
          html`<label class="choice" part="choice">
            <input
              type="checkbox"
              id="bank-account-${index}"
              .value=${mask}
              .checked=${accounts.includes(mask)}
              @change=${() => toggleAccount(store, mask)}
            />
            <span class="figures">${t(`bank.${kind}`)} ••${mask}</span>
          </label>`,
      )}
    </fieldset>
    <p class="hint" part="hint">${t('bank.share.text')}</p>
    <div class="actions">
      ${renderButton(t('bank.share'), () => void share(context, connection), 'button')}
      <button type="button" class="quiet" part="link" @click=${cancel}>${t('bank.cancel')}</button>
    </div>
  </section>`;
}

function toggleAccount(store: Store, mask: string): void {
  const { accounts } = store.state.bank;
  store.merge('bank', {
    accounts: accounts.includes(mask)
      ? accounts.filter((one) => one !== mask)
      : [...accounts, mask],
    lacksAccounts: false,
  });
}

async function share({ focus, now }: StepContext, { store, send }: BankConnection): Promise<void> {
  const { accounts, ...bank } = store.state.bank;
  const institution = demonstrationInstitutions.find(({ name }) => name === bank.institution);
  const lacksAccounts = accounts.length === 0;
  store.merge('bank', { lacksInstitution: !institution, lacksAccounts });
  if (!institution || lacksAccounts) {
    focus(institution ? 'bank-account-0' : 'bank-institution-0');
    return;
  }
  const result = await send(
    createDemonstrationReport({
      institution,
      accounts: demonstrationAccounts.filter(({ mask }) => accounts.includes(mask)),
      days: reportDays,
      now: now(),
    }),
  );
  focus(result.ok ? 'bank-status' : 'bank-title');
}
