// What this page has sent, to read and to print: folded on the screen, open on paper. It goes with the page.

import { html, nothing, type TemplateResult } from 'lit';
import { renderAnswers, toAnswerGroups } from '../app/answers.ts';
import { icons } from '../fields/icons.ts';
import { renderConsentLinks } from './consent-links.ts';
import type { StepContext } from './step-context.ts';

export function renderRecord(context: StepContext): TemplateResult | typeof nothing {
  const { t, locale, state, pickers, headingLevel, isShown, toggleShown } = context;
  const { record } = state;
  if (!record || !pickers) return nothing;
  const toIndustryLabel = (value: string) => pickers.toIndustryLabel(value, locale);
  const groups = toAnswerGroups({ ...context, toIndustryLabel }, record.answers);
  // The form may be in another language by now (WCAG 2.2, 3.1.2).
  const readIn = record.locale ?? nothing;
  const isOpen = isShown('record');
  return html`<section class="group record">
    <h3 aria-level=${headingLevel(1)}>
      <button
        type="button"
        class="quiet"
        part="link"
        aria-expanded=${isOpen}
        @click=${() => toggleShown('record')}
      >
        ${t('record')}${icons.down}
      </button>
    </h3>
    <div class="group ${isOpen ? '' : 'folded'}">
      ${groups.map(
        ({ title, answers }) =>
          html`<div class="field">
            <h4 aria-level=${headingLevel(2)}>${title}</h4>
            ${renderAnswers(t, answers)}
          </div>`,
      )}
      <div class="field">
        <h4 aria-level=${headingLevel(2)}>${t('review.consents')}</h4>
        ${record.consents.map(
          (consent) =>
            html`<p lang=${readIn}>${consent.label}</p>
              ${renderConsentLinks(context, consent, readIn)}
              <p class="fine-print" lang=${readIn}>${consent.text}</p>`,
        )}
        ${renderAnswers(t, [{ path: 'signature/name', label: t('review.signature'), value: record.answers['signature/name'] ?? '' }])}
      </div>
    </div>
  </section>`;
}
