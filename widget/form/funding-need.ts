// The step "Funding need": the amount and the purpose.

import { html, type TemplateResult } from 'lit';
import { renderSelectField, renderTextField } from '../fields/field.ts';
import type { StepContext, StepView } from '../app/feature.ts';
import { toFieldText, toStepHeading } from '../app/parts.ts';

export const fundingNeedStep: StepView = {
  toHeading: toStepHeading('funding-need'),
  render: renderFundingNeed,
};

function renderFundingNeed({ t, fields, configuration }: StepContext): TemplateResult {
  return html`<div class="group">
    ${renderTextField(fields, {
      ...toFieldText(t, 'fundingNeed/amount'),
      autocomplete: 'off',
      inputmode: 'numeric',
      format: 'money',
      width: 16,
      before: '$',
    })}
    ${renderSelectField(fields, {
      ...toFieldText(t, 'fundingNeed/reason'),
      choices: configuration.fundingReasons,
    })}
  </div>`;
}
