// The words for industries come when they come, in any order, and are all kept.

import { describe, expect, it } from 'vitest';
import type { Locale } from '../../../shared/application/lists.ts';
import { IndustryLists, type IndustryWords } from '../../../widget/fields/pickers.ts';
import { industryWordsEs } from '../../../widget/fields/industry-words-es.ts';
import { industryWordsEn } from '../../../widget/fields/industry-words-en.ts';

const words = { en: { en: industryWordsEn }, es: { es: industryWordsEs } };

describe('the lists of industries', () => {
  it.each<readonly [Locale, Locale]>([
    ['en', 'es'],
    ['es', 'en'],
  ])('find by the words of both languages when %s comes before %s', async (first, second) => {
    const { lists, loads, settle } = createLists();
    settle[first](words[first]);
    await loads[first];
    settle[second](words[second]);
    await loads[second];
    expect(labelsOf(lists, 'panad')).toEqual(['Alimentos y bebidas']);
    expect(labelsOf(lists, 'bakery')).toEqual(['Alimentos y bebidas']);
    expect(lists.isLoading).toBe(false);
  });

  it('find by one language while the other is under way, and say so', async () => {
    const { lists, loads, settle } = createLists();
    settle.es(words.es);
    await loads.es;
    expect(labelsOf(lists, 'panad')).toEqual(['Alimentos y bebidas']);
    expect(lists.isLoading).toBe(true);
  });

  it('keep the words of one language when the other cannot be loaded', async () => {
    const { lists, loads, fail, settle } = createLists();
    settle.es(words.es);
    fail.en(new TypeError('Failed to fetch'));
    await Promise.all([loads.es, loads.en]);
    expect(labelsOf(lists, 'panad')).toEqual(['Alimentos y bebidas']);
    expect(lists.isLoading).toBe(false);
  });
});

/** Lists of which both languages are under way, to be settled in any order. */
function createLists() {
  const [en, es] = [createLoading(), createLoading()];
  const lists = new IndustryLists(() => undefined, { en: () => en.words, es: () => es.words });
  const loads = { en: lists.load('en'), es: lists.load('es') };
  return {
    lists,
    loads,
    settle: { en: en.resolve, es: es.resolve },
    fail: { en: en.reject, es: es.reject },
  };
}

function createLoading() {
  let resolve!: (words: IndustryWords) => void;
  let reject!: (problem: TypeError) => void;
  const words = new Promise<IndustryWords>((...settle) => ([resolve, reject] = settle));
  return { words, resolve, reject };
}

function labelsOf(lists: IndustryLists, query: string): readonly string[] {
  return lists
    .of('es')
    .find(query)
    .map(({ label }) => label);
}
