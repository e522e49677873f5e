// The list of industries while its synonyms load, in any order.

import { describe, expect, it } from 'vitest';
import { IndustryLists, industryWordLoaders } from '../../../widget/fields/pickers.ts';
import { industryWordsEs } from '../../../widget/fields/industry-words-es.ts';
import { industryWordsEn } from '../../../widget/fields/industry-words-en.ts';

const words = { en: industryWordsEn, es: industryWordsEs };

describe('IndustryLists', () => {
  it.each<readonly ['en' | 'es', 'en' | 'es']>([
    ['en', 'es'],
    ['es', 'en'],
  ])('finds synonyms of both languages when %s loads before %s', async (first, second) => {
    const { lists, loads, resolve } = createLists();
    resolve[first](words[first]);
    await loads[first];
    resolve[second](words[second]);
    await loads[second];
    expect(labelsOf(lists, 'panad')).toEqual(['Alimentos y bebidas']);
    expect(labelsOf(lists, 'bakery')).toEqual(['Alimentos y bebidas']);
  });

  it('is loading until both languages are loaded, while one finds its synonyms', async () => {
    const { lists, loads, resolve } = createLists();
    resolve.es(words.es);
    await loads.es;
    expect(labelsOf(lists, 'panad')).toEqual(['Alimentos y bebidas']);
    expect(lists.isLoading).toBe(true);
    resolve.en(words.en);
    await loads.en;
    expect(lists.isLoading).toBe(false);
  });

  it('keeps the synonyms of one language when the other fails to load', async () => {
    const { lists, loads, fail, resolve } = createLists();
    resolve.es(words.es);
    fail.en(new TypeError('Failed to fetch'));
    await Promise.all([loads.es, loads.en]);
    expect(lists.isLoading).toBe(false);
    expect(labelsOf(lists, 'panad')).toEqual(['Alimentos y bebidas']);
  });
});

/** Starts to load both languages, which the test resolves in any order. */
function createLists() {
  const [en, es] = [createLoading(), createLoading()];
  const lists = new IndustryLists(() => undefined, {
    ...industryWordLoaders,
    en: () => en.words,
    es: () => es.words,
  });
  const loads = { en: lists.load('en'), es: lists.load('es') };
  return {
    lists,
    loads,
    resolve: { en: en.resolve, es: es.resolve },
    fail: { en: en.reject, es: es.reject },
  };
}

function createLoading() {
  let resolve!: (words: readonly string[]) => void;
  let reject!: (problem: TypeError) => void;
  const words = new Promise<readonly string[]>((...settle) => ([resolve, reject] = settle));
  return { words, resolve, reject };
}

function labelsOf(lists: IndustryLists, query: string): readonly string[] {
  return lists
    .of('es')
    .find(query)
    .map(({ label }) => label);
}
