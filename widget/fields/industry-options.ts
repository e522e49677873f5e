// The industries as people read and call them, by language; the values on the wire keep the service's own spelling.

import { industries, type Industry } from '../../shared/application/industries.ts';
import type { Locale } from '../../shared/application/lists.ts';
import { createOptionList, type OptionList, type PickerOption } from './find-options.ts';

/** For each industry, in the order of the list, what people call it; commas between. */
export interface IndustryWords {
  readonly en?: readonly string[];
  /** Each begins with the label and a colon. */
  readonly es?: readonly string[];
}

const correctedLabels: Partial<Record<Industry, string>> = {
  'Convenient Stores': 'Convenience Stores',
  'Doctors Office': 'Doctor’s Office',
  Pest: 'Pest Control',
};

/** @param words as far as they are loaded: without them the industries are found by their names alone. */
export function createIndustryOptions(locale: Locale, words: IndustryWords): OptionList {
  const options = industries.map((value, index) => toOption(value, index, locale, words));
  return createOptionList(
    locale === 'en'
      ? options
      : options.toSorted((one, other) => one.label.localeCompare(other.label, locale)),
  );
}

function toOption(
  value: Industry,
  index: number,
  locale: Locale,
  { en, es }: IndustryWords,
): PickerOption {
  const label = correctedLabels[value] ?? value;
  const words = en?.[index]?.split(',') ?? [];
  const [spanish, spanishWords = ''] = es?.[index]?.split(':') ?? [];
  // English words are understood in Spanish too: "roofing" is what many call it.
  return locale === 'es' && spanish !== undefined
    ? { value, label: spanish, names: [label], words: [...spanishWords.split(','), ...words] }
    : { value, label, words };
}
