// The step "Funding need": the amount and the purpose.

import { html, type TemplateResult } from 'lit';
import { renderSelectField, renderTextField } from '../fields/field.ts';
import type { StepContext, StepView } from '../app/feature.ts';
import { toStepHeading } from '../app/parts.ts';

export const fundingNeedStep: StepView = {
  toHeading: toStepHeading('funding-need'),
  render: renderFundingNeed,
};

function renderFundingNeed({ t, fields, configuration }: StepContext): TemplateResult {
  return html`<div class="group">
    ${renderTextField(fields, {
      path: 'fundingNeed/amount',
      label: t('label.fundingNeed/amount'),
      hint: t('hint.fundingNeed/amount'),
      autocomplete: 'off',
      inputmode: 'numeric',
      format: 'money',
      width: 16,
      before: '$',
    })}
    ${renderSelectField(fields, {
      path: 'fundingNeed/reason',
      label: t('label.fundingNeed/reason'),
      choices: configuration.fundingReasons,
    })}
  </div>`;
}
