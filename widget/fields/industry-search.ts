// Finds industries by what people type; the labels correct the service's spelling, the values keep it.

import { industries, type Industry } from '../../shared/application/industries.ts';

export interface IndustryOption {
  readonly value: Industry;
  readonly label: string;
}

const correctedLabels: Partial<Record<Industry, string>> = {
  'Convenient Stores': 'Convenience Stores',
  'Doctors Office': 'Doctor’s Office',
  Pest: 'Pest Control',
};

export const industryOptions: readonly IndustryOption[] = industries.map((value) => ({
  value,
  label: toIndustryLabel(value),
}));

export function toIndustryLabel(value: string): string {
  return Object.entries(correctedLabels).find(([industry]) => industry === value)?.[1] ?? value;
}

/** All industries for an empty query; else those that hold it: at the start first, then at the start of a word, then anywhere. */
export function findIndustries(query: string): readonly IndustryOption[] {
  const wanted = comparable(query);
  if (wanted === '') return industryOptions;
  return industryOptions
    .map((option) => ({ option, rank: rankOf(comparable(option.label), wanted) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ option }) => option);
}

/** The exact value for a typed label, or the text itself, for the check to refuse. */
export function toIndustryValue(typed: string): string {
  const wanted = comparable(typed);
  const found = industryOptions.find(
    ({ value, label }) => comparable(label) === wanted || comparable(value) === wanted,
  );
  return found?.value ?? typed.trim();
}

function rankOf(label: string, wanted: string): number {
  if (label.startsWith(wanted)) return 0;
  if (label.includes(` ${wanted}`)) return 1;
  return label.includes(wanted) ? 2 : 3;
}

function comparable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}
