// The step "Review and sign": all answers, the consents, and the typed signature (WCAG 2.2, 3.3.4).

import { html, type TemplateResult } from 'lit';
import type { Consent } from '../../shared/application/consent.ts';
import { renderCheckbox } from '../fields/further-fields.ts';
import { renderTextField } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import { renderAnswers, toAnswerGroups, type Answer, type AnswerGroup } from '../app/answers.ts';
import { consentPath } from '../app/draft.ts';
import type { StepContext } from '../app/feature.ts';
import type { ValidateStep } from '../app/navigation.ts';
import { renderConsentLinks, renderReworded } from '../app/later-parts.ts';
import { toFieldText } from '../app/parts.ts';

/** @param validate finds invalid answers, which the review marks. */
export function renderReview(context: StepContext, validate: ValidateStep): TemplateResult {
  const { t, fields, configuration, form } = context;
  const groups = toAnswerGroups(context, form.draft);
  return html`
    ${groups.map((group) => renderGroup(context, group, validate))}
    <fieldset class="group">
      <legend class="group-title">${t('review.consents')}</legend>
      ${renderReworded(context)}
      ${configuration.consents.map((consent) => renderConsent(context, consent))}
    </fieldset>
    <fieldset class="group signature">
      <legend class="group-title">${t('review.signature')}</legend>
      ${renderTextField(fields, {
        ...toFieldText(t, 'signature/name'),
        autocomplete: 'name',
        autocapitalize: 'words',
        isLast: true,
      })}
    </fieldset>
  `;
}

function renderGroup(
  { t, form, actions, headingLevel }: StepContext,
  { step, title, answers }: AnswerGroup,
  validate: ValidateStep,
): TemplateResult {
  const errors = [...validate(form, step), ...form.rejections];
  const isWrong = (answer: Answer) => errors.some(({ path }) => path.startsWith(answer.path));
  return html`<section class="field" aria-labelledby="review-${step}">
    <div class="section-head">
      <h3 id="review-${step}" aria-level=${headingLevel(1)}>${title}</h3>
      <button type="button" class="quiet" part="link" @click=${() => actions.editStep(step)}>
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
            ${t('review.consents.text')}<span class="visually-hidden">: ${consent.label}</span
            >${icons.down}
          </summary>
          <p class="fine-print">${consent.text}</p>
        </details>`,
    })}
  </div>`;
}
