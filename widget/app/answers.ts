// The answers of the form, formatted for reading: on the review, and in the printed record.

import { html, nothing, type TemplateResult } from 'lit';
import type { Choice, Configuration } from '../../shared/api/configuration.ts';
import {
  toMonth,
  toNineDigits,
  toWholeDollars,
  toWholeNumber,
  toZip,
  formatPhone,
} from '../../shared/application/normalize-input.ts';
import { states } from '../../shared/application/states.ts';
import { renderErrorLine } from '../fields/field.ts';
import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/messages.ts';
import type { Draft } from './draft.ts';
import type { FormStepId } from './navigation.ts';

export interface Answer {
  /** An error belongs to this answer if its path begins with this path. */
  readonly path: string;
  readonly label: string;
  /** Empty if not provided. */
  readonly value: string;
}

export interface AnswerGroup {
  readonly step: FormStepId;
  readonly title: string;
  readonly answers: readonly Answer[];
}

export interface AnswersContext {
  readonly t: Translate;
  readonly format: Format;
  readonly configuration: Pick<Configuration, 'fundingReasons' | 'businessTypes' | 'creditScores'>;
  /** The name of an industry in the current language. */
  readonly toIndustryLabel: (value: string) => string;
}

/** All answers by step. Of the SSN and the EIN, only the last four digits. */
export function toAnswerGroups(context: AnswersContext, draft: Draft): readonly AnswerGroup[] {
  const { t, format, configuration } = context;
  const typed = (path: string) => (draft[path] ?? '').trim();
  const row = (path: LabeledPath, value = typed(path)): Answer => ({
    path,
    label: t(`label.${path}`),
    value,
  });
  const choice = (path: LabeledPath, choices: readonly Choice[]) =>
    row(path, choices.find(({ value }) => value === typed(path))?.label);
  const money = (path: LabeledPath) =>
    row(path, formatNumber(typed(path), toWholeDollars, format.dollars));
  const secret = (path: LabeledPath) => {
    const digits = toNineDigits(typed(path));
    return row(path, digits && t('review.hidden', { last: digits.slice(-4) }));
  };
  const date = (month: string, day: string, year: string) =>
    formatDate(format, typed(month), typed(day), typed(year));
  const group = (step: FormStepId, answers: readonly Answer[]): AnswerGroup => ({
    step,
    title: t(`step.${step}.name`),
    answers,
  });
  const home =
    typed('owner/homeSameAsBusiness') === 'yes' ? 'business/address' : 'owner/homeAddress';
  const otherManagers = typed('owner/otherManagers');
  return [
    group('funding-need', [
      money('fundingNeed/amount'),
      choice('fundingNeed/reason', configuration.fundingReasons),
    ]),
    group('business', [
      row('business/name'),
      choice('business/type', configuration.businessTypes),
      row('business/industry', context.toIndustryLabel(typed('business/industry'))),
      secret('business/taxId'),
      {
        path: 'business/address',
        label: t('label.businessAddress'),
        value: formatAddress(typed, 'business/address'),
      },
      money('business/annualRevenue'),
      {
        path: 'business/founded',
        label: t('label.founded'),
        value: date('business/foundedMonth', 'business/foundedDay', 'business/foundedYear'),
      },
      row('business/employees'),
    ]),
    group('owner', [
      row('owner/firstName'),
      row('owner/lastName'),
      row('owner/email'),
      row('owner/phone', formatPhone(typed('owner/phone'))),
      {
        path: 'owner/homeAddress',
        label: t('label.homeAddress'),
        value: formatAddress(typed, home),
      },
    ]),
    group('identity', [
      row(
        'owner/birthDate',
        date('owner/birthDate/month', 'owner/birthDate/day', 'owner/birthDate/year'),
      ),
      secret('owner/ssn'),
      choice('owner/creditScore', configuration.creditScores),
      row(
        'owner/ownershipPercent',
        formatNumber(typed('owner/ownershipPercent'), toWholeNumber, format.percent),
      ),
      row('owner/otherManagers', otherManagers && t(otherManagers === 'yes' ? 'yes' : 'no')),
    ]),
  ];
}

/** @param isWrong whether the answer has an error. */
export function renderAnswers(
  t: Translate,
  answers: readonly Answer[],
  isWrong: (answer: Answer) => boolean = () => false,
): TemplateResult {
  return html`<dl class="answers" part="answers">
    ${answers.map(
      (answer) =>
        html`<div>
          <dt>${answer.label}</dt>
          <dd class="figures">
            ${answer.value === '' ? html`<span class="optional">${t('not-provided')}</span>` : answer.value}
            ${isWrong(answer) ? renderErrorLine(t, t('review.check')) : nothing}
          </dd>
        </div>`,
    )}
  </dl>`;
}

/** A path whose label in the form is also its label here. */
type LabeledPath = MessageKey extends infer Key
  ? Key extends `label.${infer Path}`
    ? Path
    : never
  : never;

/** Formats a number. Invalid text stays as typed. */
function formatNumber(
  typed: string,
  parse: (typed: string) => number | undefined,
  format: (value: number) => string,
): string {
  const value = parse(typed);
  return value === undefined || Number.isNaN(value) ? typed : format(value);
}

/** Spells out the month, so that a swapped day and month is visible. Without a day: `March 2017`. Invalid dates stay as typed. */
function formatDate(format: Format, month: string, day: string, year: string): string {
  const [m, d, y] = [toMonth(month), toWholeNumber(day), toWholeNumber(year)];
  if (!m || !y || Number.isNaN(d)) return [month, day, year].filter(Boolean).join(' ');
  const date = new Date(y, m - 1, d ?? 1);
  return d === undefined ? format.monthOfYear(date) : format.date(date);
}

function formatAddress(typed: (path: string) => string, path: string): string {
  const street = typed(`${path}/street`);
  if (street === '') return '';
  const code = typed(`${path}/state`);
  const state = states.find((one) => one.code === code)?.name ?? code;
  return `${street}, ${typed(`${path}/city`)}, ${state} ${toZip(typed(`${path}/zip`))}`;
}
