// Step "Funding need": how much, and what for.

import { html, type TemplateResult } from 'lit';
import { renderSelectField, renderTextField } from '../fields/field.ts';
import type { StepContext } from './step-context.ts';

export function renderFundingNeed({ t, fields, configuration }: StepContext): TemplateResult {
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
