// The step "Identity and credit". It comes last, because applicants hesitate to give an SSN.

import { html, type TemplateResult } from 'lit';
import { renderDateFields, renderSecretField, renderYesNo } from '../fields/further-fields.ts';
import { renderSelectField, renderTextField } from '../fields/field.ts';
import type { StepContext } from '../app/feature.ts';
import { toFieldText } from '../app/parts.ts';

export function renderIdentity(context: StepContext): TemplateResult {
  const { t, fields, configuration } = context;
  return html`<div class="group">
    ${renderDateFields(fields, {
      ...toFieldText(t, 'owner/birthDate'),
      parts: [
        {
          ...toFieldText(t, 'owner/birthDate/month'),
          autocomplete: 'bday-month',
          width: 4,
          acceptsName: true,
        },
        {
          ...toFieldText(t, 'owner/birthDate/day'),
          autocomplete: 'bday-day',
          width: 2,
        },
        {
          ...toFieldText(t, 'owner/birthDate/year'),
          autocomplete: 'bday-year',
          width: 4,
        },
      ],
    })}
    ${renderSecretField(fields, {
      ...toFieldText(t, 'owner/ssn'),
      format: 'ssn',
      isShown: context.isExpanded('owner/ssn'),
      onToggle: () => context.toggle('owner/ssn'),
    })}
    ${renderSelectField(fields, {
      ...toFieldText(t, 'owner/creditScore'),
      choices: configuration.creditScores,
    })}
    ${renderTextField(fields, {
      ...toFieldText(t, 'owner/ownershipPercent'),
      autocomplete: 'off',
      inputmode: 'numeric',
      format: 'percent',
      width: 10,
      after: '%',
    })}
    ${renderYesNo(fields, {
      path: 'owner/otherManagers',
      label: t('group.other-managers'),
    })}
  </div>`;
}
