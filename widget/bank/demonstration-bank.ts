// The demonstration bank of the sandbox: the applicant chooses an invented bank and accounts. Loaded when it is opened.

import { html, nothing, type TemplateResult } from 'lit';
import type { StepContext } from '../app/feature.ts';
import { renderButton } from '../app/parts.ts';
import type { Store } from '../app/store.ts';
import { renderErrorLine } from '../fields/errors.ts';
import {
  createDemonstrationReport,
  demonstrationAccounts,
  demonstrationInstitutions,
} from './demonstration-report.ts';

type SendReport = (report: unknown) => Promise<{ readonly ok: boolean }>;

export function renderDemonstration(
  context: StepContext,
  store: Store,
  send: SendReport,
): TemplateResult {
  const { t, state, focus, headingLevel } = context;
  const { institution, accounts, lacksInstitution, lacksAccounts } = state.bank;
  const toggleAccount = (mask: string) => {
    const others = accounts.filter((one) => one !== mask);
    const isChosen = others.length < accounts.length;
    store.merge('bank', {
      accounts: isChosen ? others : [...accounts, mask],
      lacksAccounts: false,
    });
  };
  const cancel = () => {
    store.merge('bank', { demonstration: 'closed', lacksInstitution: false, lacksAccounts: false });
    focus('bank-start');
  };
  return html`<section class="group panel" aria-labelledby="bank-title">
    <div class="field">
      <h3 id="bank-title" tabindex="-1" aria-level=${headingLevel(1)}>
        ${t('bank.demonstration')}
      </h3>
      <p class="hint" part="hint">${t('bank.demonstration.text')}</p>
    </div>
    ${renderChoices(context, {
      id: 'bank-institution',
      type: 'radio',
      legend: t('bank.choose'),
      error: lacksInstitution && t('bank.institution.required'),
      choices: demonstrationInstitutions.map((name) => ({
        label: name,
        isChosen: name === institution,
        choose: () => store.merge('bank', { institution: name, lacksInstitution: false }),
      })),
    })}
    ${renderChoices(context, {
      id: 'bank-account',
      type: 'checkbox',
      legend: t('bank.accounts'),
      error: lacksAccounts && t('bank.accounts.required'),
      choices: demonstrationAccounts.map(({ kind, mask }) => ({
        label: `${t(`bank.${kind}`)} ••${mask}`,
        isChosen: accounts.includes(mask),
        choose: () => toggleAccount(mask),
      })),
    })}
    <p class="hint" part="hint">${t('bank.share.text')}</p>
    <div class="actions">
      ${renderButton(t('bank.share'), () => void share(context, store, send), 'button')}
      ${renderButton(t('bank.cancel'), cancel, 'quiet')}
    </div>
  </section>`;
}

interface ChoicesOptions {
  readonly id: string;
  readonly type: 'radio' | 'checkbox';
  readonly legend: string;
  readonly error: string | false;
  readonly choices: readonly {
    readonly label: string;
    readonly isChosen: boolean;
    readonly choose: () => void;
  }[];
}

function renderChoices(
  { t }: StepContext,
  { id, type, legend, error, choices }: ChoicesOptions,
): TemplateResult {
  const errorId = `${id}-error`;
  return html`<fieldset
    class="field ${error ? 'wrong' : ''}"
    part="field"
    aria-describedby=${error ? errorId : nothing}
  >
    <legend class="label" part="label">${legend}</legend>
    ${error ? renderErrorLine(t, error, errorId) : nothing}
    ${choices.map(
      ({ label, isChosen, choose }, index) =>
        html`<label class="choice" part="choice">
          <input
            type=${type}
            name=${id}
            id="${id}-${index}"
            .checked=${isChosen}
            @change=${choose}
          />
          <span class="figures">${label}</span>
        </label>`,
    )}
  </fieldset>`;
}

async function share({ focus, now }: StepContext, store: Store, send: SendReport): Promise<void> {
  const { institution, accounts } = store.state.bank;
  const lacksInstitution = institution === '';
  const lacksAccounts = accounts.length === 0;
  store.merge('bank', { lacksInstitution, lacksAccounts });
  if (lacksInstitution || lacksAccounts) {
    focus(lacksInstitution ? 'bank-institution-0' : 'bank-account-0');
    return;
  }
  const chosen = demonstrationAccounts.filter(({ mask }) => accounts.includes(mask));
  const result = await send(createDemonstrationReport(institution, chosen, now()));
  focus(result.ok ? 'bank-status' : 'bank-title');
}
