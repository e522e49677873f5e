// Industry and state: pickers one types into; on touch screens and on request the system's own lists.

import type { TemplateResult } from 'lit';
import type { Locale } from '../../shared/application/locales.ts';
import { Combobox, type PickerHost, type TakeAnswer } from './combobox.ts';
import type { FieldContext } from './field.ts';
import type { OptionList } from './find-options.ts';
import { createIndustryOptions, type IndustryWords } from './industry-options.ts';
import { renderSelectField } from './select-field.ts';
import { stateOptions } from './state-options.ts';

const loaders = {
  en: async (): Promise<IndustryWords> => ({
    en: (await import('./industry-words.ts')).industryWords,
  }),
  es: async (): Promise<IndustryWords> => ({
    es: (await import('./industry-words-es.ts')).industryWordsEs,
  }),
} as const;

export class Pickers {
  readonly #host: PickerHost;
  readonly #combobox: Combobox;
  readonly #usesSelects: () => boolean;
  readonly #asked = new Set<Locale>();
  readonly #lists = new Map<Locale, OptionList>();
  #words: IndustryWords = {};
  #underWay = 0;

  /** @param usesSelects whether native selects stand in for the pickers. */
  constructor(host: PickerHost, onAnswer: TakeAnswer, usesSelects: () => boolean) {
    this.#host = host;
    this.#combobox = new Combobox(host, onAnswer);
    this.#usesSelects = usesSelects;
  }

  renderIndustry(context: FieldContext, locale: Locale): TemplateResult {
    const { t } = context;
    const path = 'business/industry';
    const label = t('label.business/industry');
    const list = this.#industries(locale);
    if (this.#usesSelects()) {
      const hint = t('hint.business/industry.select');
      return renderSelectField(context, { path, label, hint, choices: list.options });
    }
    void this.#load('en');
    return this.#combobox.render(context, {
      path,
      label,
      hint: t('hint.business/industry'),
      list,
      autocomplete: 'off',
      none: t('industry.none'),
      otherwise: 'Services',
      isPartial: this.#underWay > 0,
    });
  }

  /** @param autocomplete autofill puts a code or a name into it. */
  renderState(context: FieldContext, path: string, autocomplete: string): TemplateResult {
    const { t } = context;
    const label = t('label.address/state');
    return this.#usesSelects()
      ? renderSelectField(context, { path, label, autocomplete, choices: stateOptions.options })
      : this.#combobox.render(context, {
          path,
          label,
          list: stateOptions,
          autocomplete,
          autocapitalize: 'characters',
          none: t('state.none'),
        });
  }

  toIndustryLabel(value: string, locale: Locale): string {
    return this.#industries(locale).toLabel(value);
  }

  #industries(locale: Locale): OptionList {
    if (locale === 'es') void this.#load('es');
    const list = this.#lists.get(locale) ?? createIndustryOptions(locale, this.#words);
    this.#lists.set(locale, list);
    return list;
  }

  /** Asked for once, and never waited for: without the words industries are found by their names. */
  async #load(locale: Locale): Promise<void> {
    if (this.#asked.has(locale)) return;
    this.#asked.add(locale);
    this.#underWay += 1;
    try {
      this.#words = { ...this.#words, ...(await loaders[locale]()) };
      this.#lists.clear();
    } catch {
      // A browser may remember a failed module for good, and every key that is pressed would ask again.
    }
    this.#underWay -= 1;
    this.#host.requestUpdate();
  }
}
