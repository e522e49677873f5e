// The answers as the review shows them: in groups, formatted, secrets down to their last four digits.

import {
  toMonth,
  toNineDigits,
  toWholeDollars,
  toWholeNumber,
  toZip,
} from '../../shared/application/normalize-input.ts';
import type { Choice } from '../../shared/api/configuration.ts';
import { states } from '../../shared/application/states.ts';
import { toSettledPhone } from '../fields/typed-formats.ts';
import type { FormStepId } from '../app/steps.ts';
import type { FurtherContext, StepContext } from './step-context.ts';

export interface ReviewAnswer {
  /** What the paths of its errors begin with. */
  readonly path: string;
  readonly label: string;
  /** Empty when not given. */
  readonly value: string;
  readonly note?: string;
}

export interface ReviewGroup {
  readonly step: FormStepId;
  readonly title: string;
  readonly answers: readonly ReviewAnswer[];
}

export function toReviewGroups(context: FurtherContext): readonly ReviewGroup[] {
  const { t } = context;
  return [
    { step: 'funding-need', title: t('step.funding-need.name'), answers: fundingNeed(context) },
    { step: 'business', title: t('step.business.name'), answers: business(context) },
    { step: 'owner', title: t('step.owner.name'), answers: owner(context) },
    { step: 'identity', title: t('step.identity.name'), answers: identity(context) },
  ];
}

function fundingNeed({ t, fields, format, configuration }: StepContext): ReviewAnswer[] {
  return [
    {
      path: 'fundingNeed/amount',
      label: t('label.fundingNeed/amount'),
      value: toMoney(format, fields.valueOf('fundingNeed/amount')),
    },
    {
      path: 'fundingNeed/reason',
      label: t('label.fundingNeed/reason'),
      value: toLabel(configuration.fundingReasons, fields.valueOf('fundingNeed/reason')),
    },
  ];
}

function business(context: FurtherContext): ReviewAnswer[] {
  const { t, fields, format, configuration, locale, pickers } = context;
  const [month, day, year] = ['Month', 'Day', 'Year'].map((part) =>
    fields.valueOf(`business/founded${part}`),
  );
  return [
    {
      path: 'business/name',
      label: t('label.business/name'),
      value: fields.valueOf('business/name').trim(),
    },
    {
      path: 'business/type',
      label: t('label.business/type'),
      value: toLabel(configuration.businessTypes, fields.valueOf('business/type')),
    },
    {
      path: 'business/industry',
      label: t('label.business/industry'),
      value: pickers.toIndustryLabel(fields.valueOf('business/industry'), locale),
    },
    {
      path: 'business/taxId',
      label: t('label.business/taxId'),
      ...toSecret(context, 'business/taxId'),
    },
    {
      path: 'business/address',
      label: t('label.businessAddress'),
      value: toAddress(context, 'business/address'),
    },
    {
      path: 'business/annualRevenue',
      label: t('label.business/annualRevenue'),
      value: toMoney(format, fields.valueOf('business/annualRevenue')),
    },
    {
      path: 'business/founded',
      label: t('label.founded'),
      value: toDate(format, month, day, year),
    },
    {
      path: 'business/employees',
      label: t('label.business/employees'),
      value: fields.valueOf('business/employees').trim(),
    },
  ];
}

function owner(context: StepContext): ReviewAnswer[] {
  const { t, fields } = context;
  const home =
    fields.valueOf('owner/homeSameAsBusiness') === 'yes' ? 'business/address' : 'owner/homeAddress';
  return [
    {
      path: 'owner/firstName',
      label: t('label.owner/firstName'),
      value: fields.valueOf('owner/firstName').trim(),
    },
    {
      path: 'owner/lastName',
      label: t('label.owner/lastName'),
      value: fields.valueOf('owner/lastName').trim(),
    },
    {
      path: 'owner/email',
      label: t('label.owner/email'),
      value: fields.valueOf('owner/email').trim(),
    },
    {
      path: 'owner/phone',
      label: t('label.owner/phone'),
      value: toSettledPhone(fields.valueOf('owner/phone')).trim(),
    },
    { path: 'owner/homeAddress', label: t('label.homeAddress'), value: toAddress(context, home) },
  ];
}

function identity(context: StepContext): ReviewAnswer[] {
  const { t, fields, format, configuration } = context;
  const [month, day, year] = ['month', 'day', 'year'].map((part) =>
    fields.valueOf(`owner/birthDate/${part}`),
  );
  const ownership = fields.valueOf('owner/ownershipPercent');
  const percent = toWholeNumber(ownership);
  const otherManagers = fields.valueOf('owner/otherManagers');
  return [
    {
      path: 'owner/birthDate',
      label: t('label.owner/birthDate'),
      value: toDate(format, month, day, year),
    },
    { path: 'owner/ssn', label: t('label.owner/ssn'), ...toSecret(context, 'owner/ssn') },
    {
      path: 'owner/creditScore',
      label: t('label.owner/creditScore'),
      value: toLabel(configuration.creditScores, fields.valueOf('owner/creditScore')),
    },
    {
      path: 'owner/ownershipPercent',
      label: t('label.owner/ownershipPercent'),
      value: percent === undefined || Number.isNaN(percent) ? ownership : format.percent(percent),
    },
    {
      path: 'owner/otherManagers',
      label: t('label.owner/otherManagers'),
      value: otherManagers === '' ? '' : t(otherManagers === 'yes' ? 'yes' : 'no'),
    },
  ];
}

function toMoney(format: StepContext['format'], typed: string): string {
  const dollars = toWholeDollars(typed);
  return dollars === undefined || Number.isNaN(dollars) ? typed : format.dollars(dollars);
}

function toLabel(choices: readonly Choice[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/** As words, so that a swapped day and month is seen; without a day `March 2017`. What is no date stays as it was typed. */
function toDate(format: StepContext['format'], month = '', day = '', year = ''): string {
  const [m, d, y] = [toMonth(month), toWholeNumber(day), toWholeNumber(year)];
  if (!m || !y || Number.isNaN(d))
    return [month, day, year].join(' ').replaceAll(/\s+/g, ' ').trim();
  const date = new Date(y, m - 1, d ?? 1);
  return d === undefined ? format.monthOfYear(date) : format.date(date);
}

function toAddress({ fields }: StepContext, path: string): string {
  const part = (name: string) => fields.valueOf(`${path}/${name}`).trim();
  if (part('street') === '') return '';
  const state = states.find(({ code }) => code === part('state'))?.name ?? part('state');
  return `${part('street')}, ${part('city')}, ${state} ${toZip(part('zip'))}`;
}

/** Dots for the eye, words for the ear: only the last four digits are shown again. */
function toSecret({ t, fields }: StepContext, path: string): Omit<ReviewAnswer, 'label' | 'path'> {
  const digits = toNineDigits(fields.valueOf(path));
  return digits === '' ? { value: '' } : { value: t('review.hidden', { last: digits.slice(-4) }) };
}
