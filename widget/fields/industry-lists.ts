// The list of industries of each language, with as many of the words people type as have been loaded.

import type { Locale } from '../../shared/application/lists.ts';
import type { OptionList } from './find-options.ts';
import { createIndustryOptions, type IndustryWords } from './industry-options.ts';

type Loaders = Readonly<Record<Locale, () => Promise<IndustryWords>>>;

const loaders: Loaders = {
  en: async () => ({ en: (await import('./industry-words.ts')).industryWords }),
  es: async () => ({ es: (await import('./industry-words-es.ts')).industryWordsEs }),
};

export class IndustryLists {
  readonly #onLoad: () => void;
  readonly #loaders: Loaders;
  readonly #asked = new Set<Locale>();
  readonly #lists = new Map<Locale, OptionList>();
  #words: IndustryWords = {};
  #underWay = 0;

  constructor(onLoad: () => void, wordLoaders = loaders) {
    this.#onLoad = onLoad;
    this.#loaders = wordLoaders;
  }

  /** Whether words are on their way. */
  get isPartial(): boolean {
    return this.#underWay > 0;
  }

  of(locale: Locale): OptionList {
    // Spanish labels come with their words.
    if (locale === 'es') void this.load('es');
    const list = this.#lists.get(locale) ?? createIndustryOptions(locale, this.#words);
    this.#lists.set(locale, list);
    return list;
  }

  /** Asked for once, and never waited for: without the words industries are found by their names. */
  async load(locale: Locale): Promise<void> {
    if (this.#asked.has(locale)) return;
    this.#asked.add(locale);
    this.#underWay += 1;
    try {
      const loaded = await this.#loaders[locale]();
      // Only now: the other language may have come while this one was under way.
      this.#words = { ...this.#words, ...loaded };
      this.#lists.clear();
    } catch {
      // A browser may remember a failed module for good, and every key that is pressed would ask again.
    }
    this.#underWay -= 1;
    this.#onLoad();
  }
}
