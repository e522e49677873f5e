// Finding an industry by its name, and by what people call it.

import { describe, expect, it } from 'vitest';
import { industries } from '../../../shared/application/industries.ts';
import { createIndustryOptions } from '../../../widget/fields/pickers.ts';
import { industryWordsEs } from '../../../widget/fields/industry-words-es.ts';
import { industryWordsEn } from '../../../widget/fields/industry-words-en.ts';
import { englishPhrases, misspeltPhrases, spanishPhrases } from './industry-phrases.ts';

const bare = createIndustryOptions('en', {});
const english = createIndustryOptions('en', { en: industryWordsEn });
const spanish = createIndustryOptions('es', { en: industryWordsEn, es: industryWordsEs });

const labelsOf = (query: string, list = english) => list.find(query).map(({ label }) => label);
const firstThree = (query: string, list = english) =>
  list
    .find(query)
    .slice(0, 3)
    .map(({ value }) => value);

describe('the words for industries', () => {
  it('are there for all 67, none of them empty', () => {
    for (const words of [industryWordsEn, industryWordsEs]) {
      expect(words).toHaveLength(industries.length);
      expect(
        words.flatMap((row) => row.split(/[,:]/)).filter((word) => word.trim() !== word),
      ).toEqual([]);
      expect(words.flatMap((row) => row.split(/[,:]/))).not.toContain('');
    }
  });

  it('are tried with 150 phrases in English and 80 in Spanish', () => {
    expect(englishPhrases.length).toBeGreaterThanOrEqual(150);
    expect(spanishPhrases.length).toBeGreaterThanOrEqual(80);
  });

  it.each(englishPhrases)('lead from “%s” to %s among the first three', (phrase, industry) => {
    expect(firstThree(phrase)).toContain(industry);
  });

  it.each(misspeltPhrases)('lead from the misspelt “%s” to %s', (phrase, industry) => {
    expect(firstThree(phrase)).toContain(industry);
  });

  it.each(spanishPhrases)('lead in Spanish from “%s” to %s', (phrase, industry) => {
    expect(firstThree(phrase, spanish)).toContain(industry);
  });

  it('say by which of them an industry was found, unless its name shows it', () => {
    expect(english.find('plumb')[0]).toMatchObject({ label: 'Specialty Trade', via: 'plumber' });
    expect(english.find('roofing')[0]).toMatchObject({ label: 'Roofing', via: undefined });
  });

  it('are found with every letter that is typed, until there is one match', () => {
    for (const typed of ['p', 'pl', 'plu', 'plum', 'plumb', 'plumbe', 'plumber'])
      expect(labelsOf(typed)).toContain('Specialty Trade');
  });
});

describe('the industries', () => {
  it('are all offered for an empty query', () => {
    expect(labelsOf('  ')).toHaveLength(67);
  });

  it('are found by their names before the words have come', () => {
    expect(labelsOf('auto', bare)).toEqual(['Auto Parts/Tires', 'Auto Repair', 'Auto Sales']);
    expect(labelsOf('plumber', bare)).toEqual([]);
  });

  it('stand in the order of how well their names match', () => {
    expect(labelsOf('re').slice(0, 3)).toEqual(['Real Estate', 'Recreation', 'Retail']);
    expect(labelsOf('care', bare)).toEqual(['Care Providers', 'Pet Care', 'Healthcare']);
  });

  it('are found past signs, accents, case and small words', () => {
    expect(labelsOf('FOOD and', bare)).toEqual(['Food & Beverage']);
    expect(labelsOf('doctors', bare)).toEqual(['Doctor’s Office']);
    expect(labelsOf('construccion', spanish)[0]).toBe('Construcción');
  });

  it('are not guessed from short or distant words', () => {
    expect(labelsOf('zzz')).toEqual([]);
    expect(labelsOf('piracy')).toEqual([]);
  });

  it.each([
    ['English', english],
    ['Spanish', spanish],
  ])('have a label in %s that leads back to the exact value', (_language, list) => {
    expect(list.options.map(({ label }) => list.toValue(label)).toSorted()).toEqual(
      [...industries].toSorted(),
    );
    expect(new Set(list.options.map(({ label }) => label)).size).toBe(67);
  });

  it('are sorted as they read in Spanish', () => {
    const labels = spanish.options.map(({ label }) => label);
    expect(labels).toEqual(labels.toSorted((one, other) => one.localeCompare(other, 'es')));
  });

  it('are understood in the service’s own spelling and shown corrected', () => {
    expect(english.toValue('convenient stores')).toBe('Convenient Stores');
    expect(english.toLabel('Convenient Stores')).toBe('Convenience Stores');
  });

  it('are chosen by a whole word that is the only match, once no more is typed', () => {
    expect(english.toFinalValue(' Bakery ')).toBe('Food & Beverage');
    expect(spanish.toFinalValue('panaderia')).toBe('Food & Beverage');
    expect(english.toValue('bakery')).toBe('bakery');
  });

  it('are never chosen by less: any other text stays, for the check to refuse', () => {
    expect(english.toFinalValue(' Piracy ')).toBe('Piracy');
    expect(english.toFinalValue('baker')).toBe('baker');
    expect(english.toFinalValue('bakrey')).toBe('bakrey');
  });

  it('are not chosen by a word that may be the beginning of another', () => {
    expect(firstThree('bar')).toContain('Food & Beverage');
    expect(english.toFinalValue('bar')).toBe('bar');
  });
});
