// The start page: what to expect and the button, then or beside it what the applicant needs and how the answers are protected.

import { html, nothing, type TemplateResult } from 'lit';
import type { StepContext, StepView } from '../app/feature.ts';
import { toPartnerLanguage, toStepHeading } from '../app/parts.ts';
import { icons } from '../fields/icons.ts';

export const startStep: StepView = {
  toHeading: toStepHeading('start'),
  render: renderStart,
  renderAside: renderPreparation,
};

function renderStart(context: StepContext): TemplateResult {
  const { t, state, actions, configuration } = context;
  const { bankConnection, creditCheckNotice } = configuration;
  const facts = [
    t(state.savesDraft ? 'start.time.saved' : 'start.time'),
    t(bankConnection === 'off' ? 'start.optional' : 'start.optional.bank'),
    t('start.no-commitment'),
  ];
  return html`<div class="group">
      <ul class="facts">
        ${facts.map((fact) => html`<li>${icons.check}<span>${fact}</span></li>`)}
      </ul>
      ${
        creditCheckNotice
          ? html`<p lang=${toPartnerLanguage(context)}>${creditCheckNotice}</p>`
          : nothing
      }
    </div>
    <div class="actions">
      <button type="button" class="button" part="button" data-testid="start" @click=${actions.next}>
        ${t('start')}
      </button>
    </div>`;
}

function renderPreparation(context: StepContext): TemplateResult {
  const { t, state, configuration, headingLevel } = context;
  const { requiredFields, documents, bankConnection } = configuration;
  const later = documents.checklist;
  return html`<div class="group preparation">
    <section class="field">
      <h3 aria-level=${headingLevel(1)}>${t('start.need')}</h3>
      <ul class="points">
        <li>${t('start.need.business')}</li>
        ${requiredFields.includes('taxId') ? html`<li>${t('label.business/taxId')}</li>` : nothing}
        ${requiredFields.includes('ssn') ? html`<li>${t('label.owner/ssn')}</li>` : nothing}
        ${
          later.length === 0
            ? nothing
            : html`<li>
                ${t('start.need.later')}
                <ul class="points">
                  ${later.map(({ label }) => html`<li>${label}</li>`)}
                </ul>
              </li>`
        }
        ${bankConnection === 'off' ? nothing : html`<li>${t('start.need.bank')}</li>`}
      </ul>
    </section>
    <section class="field">
      <h3 aria-level=${headingLevel(1)}>${t('start.safe')}</h3>
      <p>${t('start.safe.text')}</p>
      ${state.savesDraft ? html`<p>${toKeptText(context)}</p>` : nothing}
    </section>
  </div>`;
}

/** Where the answers are, and until when. */
function toKeptText({ t, format, state: { device } }: StepContext): string {
  return device.endsAt === undefined
    ? t('start.safe.saved')
    : t('device.start', { date: format.date(new Date(device.endsAt)) });
}
