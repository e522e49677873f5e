// Step "You, the owner": name, contact, home address, identity and credit.

import { html, nothing, type TemplateResult } from 'lit';
import { renderAddressFields } from '../fields/address-fields.ts';
import { renderCheckbox, renderRadios } from '../fields/choice-field.ts';
import { renderDateFields } from '../fields/date-fields.ts';
import { renderSecretField } from '../fields/secret-field.ts';
import { renderSelectField } from '../fields/select-field.ts';
import { renderTextField } from '../fields/text-field.ts';
import type { StepContext } from './step-context.ts';

export function renderOwner(context: StepContext): TemplateResult {
  const { t, fields } = context;
  const isHomeSame = fields.valueOf('owner/homeSameAsBusiness') === 'yes';
  return html`
    <fieldset class="group">
      <legend class="group-title">${t('group.person')}</legend>
      <div class="row two">
        ${renderTextField(fields, {
          path: 'owner/firstName',
          label: t('label.owner/firstName'),
          autocomplete: 'given-name',
        })}
        ${renderTextField(fields, {
          path: 'owner/lastName',
          label: t('label.owner/lastName'),
          autocomplete: 'family-name',
        })}
      </div>
      ${renderTextField(fields, {
        path: 'owner/email',
        label: t('label.owner/email'),
        hint: t('hint.owner/email'),
        autocomplete: 'email',
        type: 'email',
        inputmode: 'email',
      })}
      ${renderTextField(fields, {
        path: 'owner/phone',
        label: t('label.owner/phone'),
        hint: t('hint.owner/phone'),
        autocomplete: 'tel',
        type: 'tel',
        inputmode: 'tel',
        width: 16,
      })}
    </fieldset>
    <fieldset class="group">
      <legend class="group-title">${t('group.home-address')}</legend>
      ${renderCheckbox(fields, {
        path: 'owner/homeSameAsBusiness',
        label: t('label.owner/homeSameAsBusiness'),
      })}
      ${isHomeSame ? nothing : renderAddressFields(fields, 'owner/homeAddress', 'section-home')}
    </fieldset>
    ${renderIdentity(context)}
  `;
}

function renderIdentity(context: StepContext): TemplateResult {
  const { t, fields, configuration } = context;
  return html`<fieldset class="group">
    <legend class="group-title">${t('group.identity')}</legend>
    ${renderDateFields(fields, {
      path: 'owner/birthDate',
      label: t('group.birth-date'),
      hint: t('group.birth-date.hint'),
      parts: [
        {
          path: 'owner/birthDate/month',
          label: t('label.owner/birthDate/month'),
          autocomplete: 'bday-month',
          width: 4,
          acceptsName: true,
        },
        {
          path: 'owner/birthDate/day',
          label: t('label.owner/birthDate/day'),
          autocomplete: 'bday-day',
          width: 2,
        },
        {
          path: 'owner/birthDate/year',
          label: t('label.owner/birthDate/year'),
          autocomplete: 'bday-year',
          width: 4,
        },
      ],
    })}
    ${renderSecretField(fields, {
      path: 'owner/ssn',
      label: t('label.owner/ssn'),
      hint: t('hint.owner/ssn'),
      isShown: context.isShown('owner/ssn'),
      onToggle: () => context.toggleShown('owner/ssn'),
    })}
    ${renderSelectField(fields, {
      path: 'owner/creditScore',
      label: t('label.owner/creditScore'),
      hint: t('hint.owner/creditScore'),
      choices: configuration.creditScores,
    })}
    ${renderTextField(fields, {
      path: 'owner/ownershipPercent',
      label: t('label.owner/ownershipPercent'),
      hint: t('hint.owner/ownershipPercent'),
      autocomplete: 'off',
      inputmode: 'numeric',
      width: 10,
      after: '%',
    })}
    ${renderRadios(fields, {
      path: 'owner/otherManagers',
      label: t('group.other-managers'),
      choices: [
        { value: 'yes', label: t('yes') },
        { value: 'no', label: t('no') },
      ],
    })}
  </fieldset>`;
}
