// Finding an industry by its name or a synonym.

import { describe, expect, it } from 'vitest';
import { industries } from '../../../shared/application/industries.ts';
import { locales } from '../../../shared/application/lists.ts';
import { OptionList } from '../../../widget/fields/option-list.ts';
import { createIndustryOptions, industryWordLoaders } from '../../../widget/fields/pickers.ts';
import { industryWordsEs } from '../../../widget/fields/industry-words-es.ts';
import { industryWordsEn } from '../../../widget/fields/industry-words-en.ts';
import phrases from '../../fixtures/industry-search/phrases.json' with { type: 'json' };

const bare = createIndustryOptions('en', {});
const english = createIndustryOptions('en', { en: industryWordsEn });
const spanish = createIndustryOptions('es', { en: industryWordsEn, es: industryWordsEs });

const labelsOf = (query: string, list = english) => list.find(query).map(({ label }) => label);
const firstThree = (query: string, list = english) =>
  list
    .find(query)
    .slice(0, 3)
    .map(({ value }) => value);

/** Phrases that applicants type, each with the industry that must be among the first three matches. */
function toPairs(typed: Readonly<Record<string, string>>) {
  return Object.entries(typed).flatMap(([industry, list]) =>
    list.split(', ').map((phrase) => [phrase, industry] as const),
  );
}

const englishPhrases = toPairs(phrases.english);
const spanishPhrases = toPairs(phrases.spanish);

describe('the synonyms of industries', () => {
  it.each(locales)('exist in “%s” for all 67 industries, without empty words', async (locale) => {
    const rows = await industryWordLoaders[locale]();
    const words = rows.flatMap((row) => row.split(/[,:]/));
    expect(rows).toHaveLength(industries.length);
    expect(words.filter((word) => word.trim() !== word)).toEqual([]);
    expect(words).not.toContain('');
  });

  it.each(locales.filter((locale) => locale !== 'en'))(
    'follow the translated label in “%s”',
    async (locale) => {
      const rows = await industryWordLoaders[locale]();
      expect(rows.filter((row) => !/^[^:,]+(?:, [^:,]+)*:[^:]+$/.test(row))).toEqual([]);
    },
  );

  it('are tested with 150 English and 80 Spanish phrases', () => {
    expect(englishPhrases.length).toBeGreaterThanOrEqual(150);
    expect(spanishPhrases.length).toBeGreaterThanOrEqual(80);
  });

  it.each([
    ...[...englishPhrases, ...toPairs(phrases.misspelled)].map((row) => [...row, english] as const),
    ...spanishPhrases.map((row) => [...row, spanish] as const),
  ])('for “%s” put %s among the first three', (phrase, industry, list) => {
    expect(firstThree(phrase, list)).toContain(industry);
  });

  it('are shown with the industry that they found', () => {
    expect(english.find('plumb')[0]).toMatchObject({ label: 'Specialty Trade', via: 'plumber' });
  });

  it('are not shown if the name of the industry matches', () => {
    expect(english.find('roofing')[0]).toMatchObject({ label: 'Roofing', via: undefined });
  });

  it('are found with every typed letter', () => {
    for (const typed of ['p', 'pl', 'plu', 'plum', 'plumb', 'plumbe', 'plumber'])
      expect(labelsOf(typed)).toContain('Specialty Trade');
  });
});

describe('the industries', () => {
  it('are all found by an empty query', () => {
    expect(labelsOf('  ')).toHaveLength(67);
  });

  it.each([
    [
      'by their names before the synonyms load',
      'auto',
      ['Auto Parts/Tires', 'Auto Repair', 'Auto Sales'],
    ],
    ['by no synonym before these load', 'plumber', []],
    ['in the order of how well their names match', 'care', ['Care Providers', 'Pet Care']],
    ['in any case, also with filler words', 'FOOD and', ['Food & Beverage']],
    ['without punctuation', 'doctors', ['Doctor’s Office']],
  ])('are found %s', (_how, query, labels) => {
    expect(labelsOf(query, bare)).toEqual(labels);
  });

  it('are found without accents', () => {
    expect(labelsOf('construccion', spanish)[0]).toBe('Construcción');
  });

  it.each(['zzz', 'piracy'])('are not found by the unrelated “%s”', (query) => {
    expect(labelsOf(query)).toEqual([]);
  });

  // Each value is there once, so no two industries share a label.
  it.each([
    ['English', english],
    ['Spanish', spanish],
  ])('have a label in %s that converts back to the value', (_language, list) => {
    const values = list.options.map(({ label }) => list.toValue(label));
    expect(values.toSorted()).toEqual([...industries].toSorted());
  });

  it('are sorted by their Spanish labels in Spanish', () => {
    const labels = spanish.options.map(({ label }) => label);
    expect(labels).toEqual(labels.toSorted((one, other) => one.localeCompare(other, 'es')));
  });

  it('are found by the funding service’s spelling', () => {
    expect(english.toValue('convenient stores')).toBe('Convenient Stores');
  });

  it('are shown with corrected labels', () => {
    expect(english.toLabel('Convenient Stores')).toBe('Convenience Stores');
  });

  it('are chosen by a complete synonym of only one industry', () => {
    expect(english.toFinalValue(' Bakery ')).toBe('Food & Beverage');
    expect(spanish.toFinalValue('panaderia')).toBe('Food & Beverage');
  });

  it('are not chosen by a synonym during typing', () => {
    expect(english.toValue('bakery')).toBe('bakery');
  });

  it.each([
    ['an unknown word', ' Piracy ', 'Piracy'],
    ['the beginning of a synonym', 'baker', 'baker'],
    ['a misspelled synonym', 'bakrey', 'bakrey'],
  ])('are not chosen by %s', (_text, typed, value) => {
    expect(english.toFinalValue(typed)).toBe(value);
  });

  it('are not chosen by a synonym that begins another word', () => {
    expect(firstThree('bar')).toContain('Food & Beverage');
    expect(english.toFinalValue('bar')).toBe('bar');
  });
});

describe('the index of the synonyms', () => {
  it('is built by the first search', () => {
    let reads = 0;
    const option = {
      value: 'food',
      label: 'Food',
      get synonyms() {
        reads += 1;
        return ['bakery'];
      },
    };
    const list = new OptionList([option]);
    list.find('');
    list.toLabel('food');
    expect([list.toValue('Food'), list.toFinalValue('')]).toEqual(['food', '']);
    expect(reads).toBe(0);
    expect(list.find('bak').map(({ value }) => value)).toEqual(['food']);
    expect(reads).toBeGreaterThan(0);
  });
});
