// The answers as the review shows them: in groups, formatted, secrets down to their last four digits.

import { toNineDigits, toPhoneDigits, toWholeDollars } from '../../shared/application/as-typed.ts';
import type { Choice } from '../../shared/api/configuration.ts';
import { toIndustryLabel } from '../fields/industry-search.ts';
import type { FormStepId } from '../flow/steps.ts';
import type { StepContext } from './step-context.ts';

export interface ReviewAnswer {
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

export function toReviewGroups(context: StepContext): readonly ReviewGroup[] {
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
      label: t('label.fundingNeed/amount'),
      value: toMoney(format, fields.valueOf('fundingNeed/amount')),
    },
    {
      label: t('label.fundingNeed/reason'),
      value: toLabel(configuration.fundingReasons, fields.valueOf('fundingNeed/reason')),
    },
  ];
}

function business(context: StepContext): ReviewAnswer[] {
  const { t, fields, format, configuration } = context;
  const founded = ['business/foundedMonth', 'business/foundedDay', 'business/foundedYear']
    .map((path) => fields.valueOf(path).trim())
    .filter((part) => part !== '');
  return [
    { label: t('label.business/name'), value: fields.valueOf('business/name').trim() },
    {
      label: t('label.business/type'),
      value: toLabel(configuration.businessTypes, fields.valueOf('business/type')),
    },
    {
      label: t('label.business/industry'),
      value: toIndustryLabel(fields.valueOf('business/industry')),
    },
    { label: t('label.business/taxId'), ...toSecret(context, 'business/taxId') },
    { label: t('label.businessAddress'), value: toAddress(context, 'business/address') },
    {
      label: t('label.business/annualRevenue'),
      value: toMoney(format, fields.valueOf('business/annualRevenue')),
    },
    { label: t('label.founded'), value: founded.join(' / ') },
    { label: t('label.business/employees'), value: fields.valueOf('business/employees').trim() },
  ];
}

function owner(context: StepContext): ReviewAnswer[] {
  const { t, fields } = context;
  const home =
    fields.valueOf('owner/homeSameAsBusiness') === 'yes' ? 'business/address' : 'owner/homeAddress';
  return [
    { label: t('label.owner/firstName'), value: fields.valueOf('owner/firstName').trim() },
    { label: t('label.owner/lastName'), value: fields.valueOf('owner/lastName').trim() },
    { label: t('label.owner/email'), value: fields.valueOf('owner/email').trim() },
    { label: t('label.owner/phone'), value: toPhone(fields.valueOf('owner/phone')) },
    { label: t('label.homeAddress'), value: toAddress(context, home) },
  ];
}

function identity(context: StepContext): ReviewAnswer[] {
  const { t, fields, configuration } = context;
  const birthDate = ['month', 'day', 'year']
    .map((part) => fields.valueOf(`owner/birthDate/${part}`).trim())
    .filter((part) => part !== '');
  const ownership = fields.valueOf('owner/ownershipPercent').trim();
  const otherManagers = fields.valueOf('owner/otherManagers');
  return [
    { label: t('label.owner/birthDate'), value: birthDate.join(' / ') },
    { label: t('label.owner/ssn'), ...toSecret(context, 'owner/ssn') },
    {
      label: t('label.owner/creditScore'),
      value: toLabel(configuration.creditScores, fields.valueOf('owner/creditScore')),
    },
    {
      label: t('label.owner/ownershipPercent'),
      value: ownership === '' ? '' : `${ownership.replace('%', '')}\u00a0%`,
    },
    {
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

function toPhone(typed: string): string {
  const digits = toPhoneDigits(typed);
  return digits.length === 10
    ? `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`
    : typed;
}

function toAddress({ fields }: StepContext, path: string): string {
  const part = (name: string) => fields.valueOf(`${path}/${name}`).trim();
  if (part('street') === '') return '';
  return `${part('street')}, ${part('city')}, ${part('state')} ${part('zip')}`;
}

/** Dots for the eye, words for the ear: only the last four digits are shown again. */
function toSecret({ t, fields }: StepContext, path: string): Omit<ReviewAnswer, 'label'> {
  const digits = toNineDigits(fields.valueOf(path));
  return digits === '' ? { value: '' } : { value: t('review.hidden', { last: digits.slice(-4) }) };
}
