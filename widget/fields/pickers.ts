// The fields for industry and state: comboboxes, or selects on touch screens and on request.

import type { TemplateResult } from 'lit';
import { industries, type Industry } from '../../shared/application/industries.ts';
import type { Locale } from '../../shared/application/lists.ts';
import { states, type StateCode } from '../../shared/application/states.ts';
import { Combobox, type PickerHost, type TakeAnswer } from './combobox.ts';
import { renderSelectField, type FieldContext } from './field.ts';
import { createOptionList, toComparable, type OptionList } from './option-list.ts';

export class Pickers {
  readonly #combobox: Combobox;
  readonly #usesSelects: () => boolean;
  readonly #industries: IndustryLists;

  constructor(host: PickerHost, onAnswer: TakeAnswer, usesSelects: () => boolean) {
    this.#combobox = new Combobox(host, onAnswer);
    this.#usesSelects = usesSelects;
    this.#industries = new IndustryLists(() => host.requestUpdate());
  }

  renderIndustry(context: FieldContext, locale: Locale): TemplateResult {
    const { t } = context;
    const list = this.#industries.of(locale);
    const field = {
      path: 'business/industry',
      label: t('label.business/industry'),
      hint: t('hint.business/industry'),
    };
    if (this.#usesSelects()) {
      const hint = t('hint.business/industry.select');
      return renderSelectField(context, { ...field, hint, choices: list.options });
    }
    void this.#industries.load('en');
    return this.#combobox.render(context, {
      ...field,
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
    return this.#usesSelects()
      ? renderSelectField(context, { ...field, choices: stateOptions.options })
      : this.#combobox.render(context, {
          ...field,
          list: stateOptions,
          autocapitalize: 'characters',
          noMatch: t('state.none'),
        });
  }

  toIndustryLabel(value: string, locale: Locale): string {
    return this.#industries.of(locale).toLabel(value);
  }
}

/** Synonyms of each industry in the order of `industries`, separated by commas. */
export interface IndustryWords {
  readonly en?: readonly string[];
  /** Each line begins with the Spanish label and a colon. */
  readonly es?: readonly string[];
}

type Loaders = Readonly<Record<Locale, () => Promise<IndustryWords>>>;

const defaultLoaders: Loaders = {
  en: async () => ({ en: (await import('./industry-words-en.ts')).industryWordsEn }),
  es: async () => ({ es: (await import('./industry-words-es.ts')).industryWordsEs }),
};

/** The list of industries in each language, with the synonyms that are loaded. */
export class IndustryLists {
  readonly #onLoad: () => void;
  readonly #loaders: Loaders;
  readonly #requested = new Set<Locale>();
  readonly #lists = new Map<Locale, OptionList>();
  #words: IndustryWords = {};
  #pending = 0;

  constructor(onLoad: () => void, loaders = defaultLoaders) {
    this.#onLoad = onLoad;
    this.#loaders = loaders;
  }

  get isLoading(): boolean {
    return this.#pending > 0;
  }

  of(locale: Locale): OptionList {
    // Spanish labels load together with the synonyms.
    if (locale === 'es') void this.load('es');
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
      const loaded = await this.#loaders[locale]();
      // Read after the await, because the other language may have loaded during it.
      this.#words = { ...this.#words, ...loaded };
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

export function createIndustryOptions(locale: Locale, { en, es }: IndustryWords): OptionList {
  const options = industries.map((value, index) => {
    const label = correctedLabels[value] ?? value;
    const synonyms = en?.[index]?.split(',') ?? [];
    const [spanish, spanishSynonyms = ''] = es?.[index]?.split(':') ?? [];
    // Many Spanish speakers use English words, such as "roofing".
    return locale === 'es' && spanish !== undefined
      ? {
          value,
          label: spanish,
          names: [label],
          synonyms: [...spanishSynonyms.split(','), ...synonyms],
        }
      : { value, label, synonyms };
  });
  return createOptionList(
    locale === 'en'
      ? options
      : options.toSorted((one, other) => one.label.localeCompare(other.label, locale)),
  );
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

const stateList = createOptionList(
  states
    .map(({ code, name }) => ({
      value: code,
      label: `${name} (${code})`,
      names: [name, ...(otherStateNames[code]?.split(',') ?? [])],
    }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
);

/** States by code, name, and abbreviation: "TX", "texas", "tex", and "tejas" are Texas. */
export const stateOptions: OptionList = {
  ...stateList,
  toValue: toStateCode,
  toFinalValue: toStateCode,
};

/** Accepts the beginning of a name, from three letters on, if no other name begins with it. */
function toStateCode(typed: string): string {
  const value = stateList.toValue(typed);
  const beginning = toComparable(typed);
  if (value !== typed.trim() || beginning.length < 3) return value;
  const [only, another] = states.filter(({ name }) => toComparable(name).startsWith(beginning));
  return only && !another ? only.code : value;
}
