// The step "Funding need": the amount and the purpose.

import { html, type TemplateResult } from 'lit';
import { maxDollars } from '../../shared/application/lists.ts';
import { renderSelectField, renderTextField } from '../fields/field.ts';
import type { StepContext, StepView } from '../app/feature.ts';
import { toFieldText, toStepHeading } from '../app/parts.ts';

export const fundingNeedStep: StepView = {
  toHeading: toStepHeading('funding-need'),
  render: renderFundingNeed,
};

function renderFundingNeed(context: StepContext): TemplateResult {
  const { t, fields, configuration } = context;
  return html`<div class="group">
    ${renderTextField(fields, {
      ...toFieldText(t, 'fundingNeed/amount'),
      ...toRangeHint(context),
      isAdvised: true,
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

/** The amounts that the partner's lender funds. */
function toRangeHint({ t, format, configuration }: StepContext): { readonly hint?: string } {
  const { minimum, maximum } = configuration.fundingNeed ?? {};
  if (!minimum && !maximum) return {};
  const least = format.dollars(minimum ?? 1);
  const most = format.dollars(maximum ?? maxDollars);
  return { hint: t('hint.fundingNeed/amount.range', { least, most }) };
}
