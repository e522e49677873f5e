// The fields for industry and state: comboboxes, or selects on request. On touch screens, the state is a select.

import type { TemplateResult } from 'lit';
import { industries, type Industry } from '../../shared/application/industries.ts';
import type { Locale } from '../../shared/application/lists.ts';
import { states, type StateCode } from '../../shared/application/states.ts';
import { renderCombobox, type ComboboxHost } from './combobox.ts';
import { isTouch, renderSelectField, type FieldContext } from './field.ts';
import { OptionList, toComparable, type PickerOption } from './option-list.ts';

export interface PickerHost extends ComboboxHost {
  /** Returns true if the host page asks for native selects instead of comboboxes. */
  readonly usesSelects: () => boolean;
}

export class Pickers {
  readonly #host: PickerHost;
  readonly #industries: IndustryLists;

  constructor(host: PickerHost) {
    this.#host = host;
    this.#industries = new IndustryLists(host.requestUpdate);
  }

  renderIndustry(context: FieldContext, locale: Locale): TemplateResult {
    const { t } = context;
    const list = this.#industries.of(locale);
    const field = { path: 'business/industry', label: t('label.business/industry') };
    if (this.#host.usesSelects()) {
      const hint = t('hint.business/industry.select');
      return renderSelectField(context, { ...field, hint, choices: list.options });
    }
    void this.#industries.load('en');
    return renderCombobox(context, {
      ...field,
      host: this.#host,
      hint: t('hint.business/industry'),
      list,
      autocomplete: 'off',
      noMatch: t('industry.none'),
      fallback: 'Services',
      isLoading: this.#industries.isLoading,
    });
  }

  renderState(context: FieldContext, path: string, autocomplete: string): TemplateResult {
    const { t } = context;
    const field = { path, label: t('label.address/state'), autocomplete };
    // People know the name of their state, so that the list of the phone suits them. Few know the name of their industry.
    return this.#host.usesSelects() || isTouch()
      ? renderSelectField(context, { ...field, choices: stateOptions.options })
      : renderCombobox(context, {
          ...field,
          host: this.#host,
          list: stateOptions,
          autocapitalize: 'characters',
          noMatch: t('state.none'),
        });
  }

  toIndustryLabel(value: string, locale: Locale): string {
    return this.#industries.of(locale).toLabel(value);
  }
}

/** Synonyms of each industry in the order of `industries`, separated by commas. In languages other than English, they follow the label and a colon. */
export type IndustryWords = Readonly<Partial<Record<Locale, readonly string[]>>>;

/** The chunks with the synonyms, and with the labels in languages other than English. */
export const industryWordLoaders: Readonly<Record<Locale, () => Promise<readonly string[]>>> = {
  en: async () => (await import('./industry-words-en.ts')).industryWordsEn,
  es: async () => (await import('./industry-words-es.ts')).industryWordsEs,
};

/** The list of industries in each language, with the synonyms that are loaded. */
export class IndustryLists {
  readonly #onLoad: () => void;
  readonly #loaders: typeof industryWordLoaders;
  readonly #requested = new Set<Locale>();
  readonly #lists = new Map<Locale, OptionList>();
  #words: IndustryWords = {};
  #pending = 0;

  constructor(onLoad: () => void, loaders = industryWordLoaders) {
    this.#onLoad = onLoad;
    this.#loaders = loaders;
  }

  get isLoading(): boolean {
    return this.#pending > 0;
  }

  of(locale: Locale): OptionList {
    // Labels in languages other than English load together with the synonyms.
    if (locale !== 'en') void this.load(locale);
    const list = this.#lists.get(locale) ?? createIndustryOptions(locale, this.#words);
    this.#lists.set(locale, list);
    return list;
  }

  /** Loads the synonyms once. Without them, industries are found by their names. */
  async load(locale: Locale): Promise<void> {
    if (this.#requested.has(locale)) return;
    this.#requested.add(locale);
    this.#pending += 1;
    try {
      const words = await this.#loaders[locale]();
      // Read after the await, because another language may have loaded during it.
      this.#words = { ...this.#words, [locale]: words };
      this.#lists.clear();
    } catch {
      // Browsers may cache a failed module, and each key would request it again.
    }
    this.#pending -= 1;
    this.#onLoad();
  }
}

/** Labels for values that the funding service misspells or shortens. */
const correctedLabels: Partial<Record<Industry, string>> = {
  'Convenient Stores': 'Convenience Stores',
  'Doctors Office': 'Doctor’s Office',
  Pest: 'Pest Control',
};

export function createIndustryOptions(locale: Locale, words: IndustryWords): OptionList {
  const options = industries.map((value, index) => {
    const label = correctedLabels[value] ?? value;
    const english = words.en?.[index]?.split(',') ?? [];
    const translation = locale === 'en' ? undefined : words[locale]?.[index];
    if (translation === undefined) return { value, label, synonyms: english };
    const [translatedLabel = '', own = ''] = translation.split(':');
    // Many Spanish speakers use English words, such as "roofing".
    const synonyms = [...own.split(','), ...english];
    return { value, label: translatedLabel, names: [label], synonyms };
  });
  return new OptionList(locale === 'en' ? options : sortByLabel(options, locale));
}

function sortByLabel(options: readonly PickerOption[], locale: Locale): readonly PickerOption[] {
  return options.toSorted((one, other) => one.label.localeCompare(other.label, locale));
}

/** Spanish names that differ by more than accents, and the usual names of the capital. */
const otherStateNames: Partial<Record<StateCode, string>> = {
  DC: 'Washington DC,Distrito de Columbia',
  LA: 'Luisiana',
  MN: 'Minesota',
  MS: 'Misisipi',
  MO: 'Misuri',
  NH: 'Nuevo Hampshire,Nueva Hampshire',
  NJ: 'Nueva Jersey',
  NM: 'Nuevo México,Nuevo Méjico',
  NY: 'Nueva York',
  NC: 'Carolina del Norte',
  ND: 'Dakota del Norte',
  PA: 'Pensilvania',
  SC: 'Carolina del Sur',
  SD: 'Dakota del Sur',
  TN: 'Tenesí',
  TX: 'Tejas',
  WV: 'Virginia Occidental,Virginia del Oeste',
  AS: 'Samoa Americana',
  MP: 'Islas Marianas del Norte',
  VI: 'Islas Vírgenes',
};

class StateList extends OptionList {
  /** Accepts the beginning of a name, from three letters on, if no other name begins with it. */
  override toValue(typed: string): string {
    const value = super.toValue(typed);
    const beginning = toComparable(typed);
    if (value !== typed.trim() || beginning.length < 3) return value;
    const [only, another] = states.filter(({ name }) => toComparable(name).startsWith(beginning));
    return only && !another ? only.code : value;
  }
}

/** States by code, name, and abbreviation: "TX", "texas", "tex", and "tejas" are Texas. */
export const stateOptions = new StateList(
  sortByLabel(
    states.map(({ code, name }) => ({
      value: code,
      label: `${name} (${code})`,
      names: [name, ...(otherStateNames[code]?.split(',') ?? [])],
    })),
    'en',
  ),
);
