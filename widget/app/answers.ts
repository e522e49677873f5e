// The answers of the form, formatted for reading: on the review, and in the printed record.

import { html, nothing, type TemplateResult } from 'lit';
import type { Configuration } from '../../shared/api/configuration.ts';
import {
  toMonth,
  toNineDigits,
  toWholeDollars,
  toWholeNumber,
  toZip,
  formatPhone,
} from '../../shared/application/normalize-input.ts';
import { states } from '../../shared/application/states.ts';
import { renderErrorLine } from '../fields/errors.ts';
import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/messages.ts';
import { homeChoicePath, type Draft } from './draft.ts';
import { formFields, type FormField } from './form-fields.ts';
import { answeredSteps, type FormStepId } from './navigation.ts';

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
  const date = (month: string, day: string, year: string) =>
    formatDate(format, typed(month), typed(day), typed(year));
  const toLabel = (path: string) => {
    const key = `label.${path}`;
    return t.has(key) ? t(key) : path;
  };
  const toValue = ({ path, kind }: FormField): string => {
    const text = typed(path);
    switch (kind) {
      case 'choice':
        return listChoices(path, configuration).find(({ value }) => value === text)?.label ?? text;
      case 'industry':
        return context.toIndustryLabel(text);
      case 'dollars':
        return formatNumber(text, toWholeDollars, format.dollars);
      case 'percent':
        return formatNumber(text, toWholeNumber, format.percent);
      case 'phone':
        return formatPhone(text);
      case 'nine-digits':
        return toNineDigits(text) && t('review.hidden', { last: toNineDigits(text).slice(-4) });
      case 'yes-no':
        return text && t(text === 'yes' ? 'yes' : 'no');
      case 'date':
        return date(`${path}/month`, `${path}/day`, `${path}/year`);
      default:
        return text;
    }
  };
  /** Undefined for a field that is part of the answer of an earlier one. */
  const toAnswer = (field: FormField): Answer | undefined => {
    const { path } = field;
    if (/\/(suite|city|state|zip|homeSameAsBusiness|foundedDay|foundedYear)$/.test(path))
      return undefined;
    if (path === 'business/foundedMonth')
      return {
        path: 'business/founded',
        label: t('label.founded'),
        value: date('business/foundedMonth', 'business/foundedDay', 'business/foundedYear'),
      };
    if (path === 'business/address/street')
      return {
        path: 'business/address',
        label: t('label.businessAddress'),
        value: formatAddress(typed, 'business/address'),
      };
    if (path === 'owner/homeAddress/street')
      return {
        // Also of the question whether the addresses differ.
        path: 'owner/home',
        label: t('label.homeAddress'),
        value: formatAddress(typed, home),
      };
    return { path, label: toLabel(path), value: toValue(field) };
  };
  const home = typed(homeChoicePath) === 'yes' ? 'business/address' : 'owner/homeAddress';
  return answeredSteps.map((step) => ({
    step,
    title: t(`step.${step}.name`),
    answers: formFields[step].map(toAnswer).filter((answer) => answer !== undefined),
  }));
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

function listChoices(path: string, configuration: AnswersContext['configuration']) {
  if (path === 'fundingNeed/reason') return configuration.fundingReasons;
  return path === 'business/type' ? configuration.businessTypes : configuration.creditScores;
}

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

export function formatAddress(typed: (path: string) => string, path: string): string {
  const street = typed(`${path}/street`);
  if (street === '') return '';
  const state = toStateName(typed(`${path}/state`));
  const suite = typed(`${path}/suite`);
  const lines = suite === '' ? street : `${street}, ${suite}`;
  return `${lines}, ${typed(`${path}/city`)}, ${state} ${toZip(typed(`${path}/zip`))}`;
}

/** The names of states are the same in all languages. */
export function toStateName(code: string): string {
  return states.find((state) => state.code === code)?.name ?? code;
}
