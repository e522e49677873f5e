// Step "Review and sign": every answer once more, the consents, the typed signature (WCAG 2.2, 3.3.4).

import { html, type TemplateResult } from 'lit';
import type { Consent } from '../../shared/application/consent.ts';
import { renderCheckbox } from '../fields/choice-fields.ts';
import { renderTextField } from '../fields/field.ts';
import { renderAnswers, toAnswerGroups, type Answer, type AnswerGroup } from '../app/answers.ts';
import { consentPath } from '../app/draft.ts';
import type { FormStepId } from '../app/steps.ts';
import { renderConsentLinks } from './consent-links.ts';
import { renderReworded } from './parts.ts';
import type { FurtherContext, StepContext } from './step-context.ts';

export function renderReview(context: FurtherContext): TemplateResult {
  const { t, fields, configuration, locale, pickers, state } = context;
  const toIndustryLabel = (value: string) => pickers.toIndustryLabel(value, locale);
  const groups = toAnswerGroups({ ...context, toIndustryLabel }, state.draft);
  return html`
    ${groups.map((group) => renderGroup(context, group))}
    <fieldset class="group">
      <legend class="group-title">${t('review.consents')}</legend>
      ${renderReworded(context)}
      ${configuration.consents.map((consent) => renderConsent(context, consent))}
    </fieldset>
    <fieldset class="group signature">
      <legend class="group-title">${t('review.signature')}</legend>
      ${renderTextField(fields, {
        path: 'signature/name',
        label: t('label.signature/name'),
        hint: t('hint.signature/name'),
        autocomplete: 'off',
        autocapitalize: 'words',
        isLast: true,
      })}
    </fieldset>
  `;
}

function renderGroup(
  { t, flow, state, headingLevel }: StepContext,
  { step, title, answers }: AnswerGroup,
): TemplateResult {
  const errors = [...flow.validate(step, state.draft), ...state.rejections];
  const isWrong = (answer: Answer) => errors.some(({ path }) => path.startsWith(answer.path));
  const change = (to: FormStepId) => () => flow.change(to);
  return html`<section class="field" aria-labelledby="review-${step}">
    <div class="section-head">
      <h3 id="review-${step}" aria-level=${headingLevel(1)}>${title}</h3>
      <button type="button" class="quiet" part="link" @click=${change(step)}>
        ${t('review.change')}<span class="visually-hidden"> ${title}</span>
      </button>
    </div>
    ${renderAnswers(t, answers, isWrong)}
  </section>`;
}

function renderConsent(context: StepContext, consent: Consent): TemplateResult {
  const { t, fields } = context;
  return html`<div class="consent">
    ${renderCheckbox(fields, {
      path: consentPath(consent.id),
      label: consent.label,
      after: html`${renderConsentLinks(context, consent)}
        <details>
          <summary>
            ${t('review.consents.text')}<span class="visually-hidden">: ${consent.label}</span>
          </summary>
          <p class="fine-print">${consent.text}</p>
        </details>`,
    })}
  </div>`;
}
