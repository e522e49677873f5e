// Finds the options of a combobox by label, value, and synonyms. Ignores case, accents, punctuation, endings, and one wrong
// letter in each word.

export interface PickerOption {
  readonly value: string;
  readonly label: string;
  /** Other names, equal to the label. */
  readonly names?: readonly string[];
  /** Words that people use for the option. One word may belong to several options. */
  readonly synonyms?: readonly string[];
}

export interface FoundOption extends PickerOption {
  /** The synonym that matched, if the label did not match as well. */
  readonly via?: string | undefined;
}

/** A name or a synonym of an option. */
interface Phrase {
  readonly option: number;
  readonly text: string;
  readonly comparable: string;
  /** Without spaces: "carwash" is "car wash". */
  readonly joined: string;
  readonly isName: boolean;
  readonly words: readonly Word[];
  readonly head: Word | undefined;
  /** The least score of the option if the phrase is the head of the query, with any other words. */
  readonly headScore: number;
}

/** A word without its endings. */
interface Forms {
  readonly singular: string;
  readonly stem: string;
}

/** A word of one or more phrases. Each key compares every word with the query once, however many phrases contain it. */
interface Word extends Forms {
  readonly text: string;
  readonly phrases: Phrase[];
  /** High if few options contain the word. */
  weight: number;
}

/** A word of the query with the words that it matches. */
interface TypedWord {
  readonly matches: ReadonlyMap<Word, number>;
  readonly weight: number;
}

interface Query {
  readonly comparable: string;
  readonly words: readonly TypedWord[];
  /** The word that says what the others describe: "store" in "auto parts store". Queries of one word have none. */
  readonly head: TypedWord | undefined;
}

interface Found {
  readonly option: FoundOption;
  readonly score: number;
  /** The query contains all words of a phrase, such as "store" in "boat store". Such an option is not left out. */
  readonly isWhole: boolean;
}

/** A phrase with the words that the query contains. */
interface Hit {
  readonly phrase: Phrase;
  /** For each word of the query. */
  readonly strengths: number[];
  readonly words: Set<Word>;
}

/** Words about the kind of a business, not about its work. The head of "roofing contractor" is "roofing". */
const transparentWords = toFormSet(
  'business company service firm agency center contractor special specialty specialist professional provider operator work',
  'worker office industry',
  'related activity product general other system facility independent custom type various miscellaneous local small freelance',
  'manager supervisor director coordinator technician technologist assistant attendant expert owner crew associate new',
  'negocio empresa compania servicio centro agencia oficina contratista pequeno otro sector privado publico prestado general',
  'consultorio similar',
);
/** These and words that other words describe: the head of "auto parts store" is "store". */
const weakWords = new Set([
  ...transparentWords,
  ...toFormSet(
    'shop store supply equipment accessory goods material dealer dealership studio industrial tienda venta comercio menor taller',
    'producto suministro articulo equipo accesorio mantenimiento estudio',
  ),
]);
const fillers = new Set(
  'a an and or the of for in on at to by with from my our own i we am have run do etc nec not llc inc co '
    .concat(
      'y e o u de del la el los las un una unos unas para por en con su sus mi mis que tengo soy hago al',
    )
    .split(' '),
);
/** The words from the first of these on describe the words before them: "school of dance", "taller de bicicletas". */
const prepositions = new Set('of for in with from by to on de del para en con al por a'.split(' '));
/** The end of "grocery stores, except convenience stores" names another business. */
const exception = / (?:except|excluding|without|including|excepto|salvo|incluso|incluido) .*/;
const weakWeight = 0.4;
/** Marks before a synonym. "*": it decides as the head of a query. "~": it decides if the other words fit nothing better. */
const headScores: Readonly<Record<string, number | undefined>> = { '*': 0.8, '~': 0.4 };
/** The weight of a typed word that no phrase contains. */
const unknownWeight = 2;
/** How much the words of a phrase count that the query lacks. */
const restFactor = 0.3;
/** The same for a phrase that begins as typed: its end may follow with the next keys. */
const unfinishedFactor = 0.1;
/** How much the best match of each typed word counts, in any phrase of the option. */
const coverFactor = 0.3;
/** If both match equally well, a name precedes a synonym. */
const nameBonus = 0.04;
const beginningOfNameBonus = 0.15;
const worstScore = 0.2;
/** Options with less than this part of the best score are left out. */
const worstPart = 0.55;

/** How well a typed word matches a word of a phrase. */
const strengths = {
  same: 1,
  stem: 0.9,
  beginning: 0.85,
  misspelled: 0.7,
  misspelledBeginning: 0.6,
  part: 0.5,
};

export class OptionList {
  readonly options: readonly PickerOption[];
  readonly #words = new Map<string, Word>();
  #phrases: readonly Phrase[] = [];
  #wordsBySingular: ReadonlyMap<string, readonly Word[]> = new Map();
  #wordsByStem: ReadonlyMap<string, readonly Word[]> = new Map();

  constructor(options: readonly PickerOption[]) {
    this.options = options;
  }

  /** Prepares the search. With all synonyms, this takes 130 ms on a slow phone. The first search does it, if nobody has before. */
  prepare(): void {
    const { options } = this;
    if (this.#phrases.length > 0) return;
    this.#phrases = options.flatMap(({ label, value, names = [], synonyms = [] }, index) => [
      ...[label, value, ...names].map((text) => this.#addPhrase(text, index, true)),
      ...synonyms.map((text) => this.#addPhrase(text, index, false)),
    ]);
    this.#wordsBySingular = groupBy(this.#words.values(), ({ singular }) => singular);
    this.#wordsByStem = groupBy(this.#words.values(), ({ stem }) => stem);
    for (const word of this.#words.values()) {
      const { size } = new Set(word.phrases.map(({ option }) => option));
      word.weight = weakWords.has(word.singular) ? weakWeight : Math.log(1 + options.length / size);
    }
  }

  /** All options for an empty query, otherwise the matches with the best first. */
  find(query: string): readonly FoundOption[] {
    return toComparable(query) === '' ? this.options : this.#search(query);
  }

  /** The value of a label, name, or value. Returns other text as typed, so that validation rejects it. */
  toValue(typed: string): string {
    const exact = this.#toExactValue(typed);
    if (exact !== undefined) return exact;
    this.prepare();
    const query = toComparable(typed);
    const found = this.#phrases.find(({ isName, comparable }) => isName && comparable === query);
    return (found && this.options[found.option]?.value) ?? typed.trim();
  }

  /** Like `toValue`, for text that is complete: it may also be a synonym of only one option. */
  toFinalValue(typed: string): string {
    const exact = this.#toExactValue(typed);
    if (exact !== undefined) return exact;
    this.prepare();
    const query = toComparable(typed);
    const [only, another] = this.#phrases.filter(({ comparable }) => comparable.startsWith(query));
    if (only && (!another || another.option === only.option) && only.comparable === query)
      return this.options[only.option]?.value ?? typed;
    return this.toValue(typed);
  }

  toLabel(value: string): string {
    return this.options.find((option) => option.value === value)?.label ?? value;
  }

  /** The value of a chosen label needs no search. */
  #toExactValue(typed: string): string | undefined {
    return typed === '' ? '' : this.options.find(({ label }) => label === typed)?.value;
  }

  #addPhrase(marked: string, option: number, isName: boolean): Phrase {
    const headScore = headScores[marked.charAt(0)] ?? 0;
    const text = headScore > 0 ? marked.slice(1) : marked;
    const comparable = toComparable(text);
    const words = toWords(comparable).map((word) => {
      const known = this.#words.get(word);
      if (known) return known;
      const added = { ...toForms(word), text: word, phrases: [], weight: 0 };
      this.#words.set(word, added);
      return added;
    });
    const joined = comparable.replaceAll(' ', '');
    const headText = toHead(comparable);
    const head = headText === undefined ? undefined : this.#words.get(headText);
    const phrase = { option, text, comparable, joined, isName, words, head, headScore };
    for (const { phrases } of new Set(words)) phrases.push(phrase);
    return phrase;
  }

  #search(typed: string): readonly FoundOption[] {
    this.prepare();
    const comparable = toComparable(typed);
    const query = this.#toQuery(comparable.replace(exception, ''));
    const hits = new Map<Phrase, Hit>();
    const hit = (phrase: Phrase) => {
      const known = hits.get(phrase) ?? {
        phrase,
        strengths: query.words.map(() => 0),
        words: new Set(),
      };
      hits.set(phrase, known);
      return known;
    };
    for (const [index, { matches }] of query.words.entries())
      for (const [word, strength] of matches)
        for (const phrase of word.phrases) {
          const { strengths: own, words } = hit(phrase);
          own[index] = Math.max(own[index] ?? 0, strength);
          words.add(word);
        }
    for (const phrase of this.#findJoined(comparable)) {
      const { strengths: own, words } = hit(phrase);
      own.fill(strengths.beginning);
      for (const word of phrase.words) words.add(word);
    }
    const byOption: Hit[][] = this.options.map(() => []);
    for (const found of hits.values()) byOption[found.phrase.option]?.push(found);
    const found = this.options.flatMap((option, index) => {
      const own = byOption[index] ?? [];
      return own.length > 0 ? [toFound(option, own, query)] : [];
    });
    const best = Math.max(...found.map(({ score }) => score));
    return found
      .filter(({ score, isWhole }) => isWhole || score >= Math.max(worstScore, best * worstPart))
      .toSorted((one, other) => other.score - one.score)
      .map(({ option }) => option);
  }

  /** Phrases that differ from the query by their spaces only: "carwash" is "car wash". */
  #findJoined(comparable: string): readonly Phrase[] {
    const joined = comparable.replaceAll(' ', '');
    if (joined.length < 4) return [];
    const { singular } = toForms(joined);
    return this.#phrases.filter(
      (phrase) =>
        (phrase.joined.startsWith(joined) || phrase.joined === singular) &&
        !phrase.comparable.startsWith(comparable),
    );
  }

  #toQuery(comparable: string): Query {
    const texts = toWords(comparable);
    const headText = texts.length > 1 ? toHead(comparable) : undefined;
    const words = texts.map((text, index) => this.#toTypedWord(text, index < texts.length - 1));
    return {
      comparable,
      words,
      head: headText === undefined ? undefined : words[texts.indexOf(headText)],
    };
  }

  /** @param isComplete is false for the last word of the query, because its other letters may follow. */
  #toTypedWord(typed: string, isComplete: boolean): TypedWord {
    const forms = toForms(typed);
    const isWeak = weakWords.has(forms.singular);
    const matches = new Map<Word, number>();
    const known = [
      ...(this.#wordsBySingular.get(forms.singular) ?? []),
      ...(this.#wordsByStem.get(forms.stem) ?? []),
    ];
    for (const word of known) matches.set(word, toStrength(typed, forms, word));
    // A word that is spelled correctly is not a misspelled other word.
    const isKnown = matches.size > 0 || isWeak;
    if (!isKnown || !isComplete)
      for (const word of this.#words.values()) {
        if (matches.has(word) || (isKnown && !word.text.startsWith(typed))) continue;
        const strength = toStrength(typed, forms, word, isComplete);
        if (strength > 0) matches.set(word, strength);
      }
    const best = Math.max(...matches.values());
    let weight = 0;
    for (const [word, strength] of matches) {
      if (strength < strengths.beginning && best >= strengths.beginning) matches.delete(word);
      else if (strength === best) weight = Math.max(weight, word.weight);
    }
    if (isWeak) weight = weakWeight;
    return { matches, weight: weight || unknownWeight };
  }
}

function toFound(
  option: PickerOption,
  hits: readonly Hit[],
  { comparable, words: typed, head }: Query,
): Found {
  const sum = (own: readonly number[]) =>
    typed.reduce((total, { weight }, index) => total + weight * (own[index] ?? 0), 0);
  const total = sum(typed.map(() => 1));
  const cover = typed.map(() => 0);
  let best = 0;
  let isWhole = false;
  let via: string | undefined;
  for (const { phrase, strengths: own, words } of hits) {
    const rest = phrase.words.reduce((left, word) => left + (words.has(word) ? 0 : word.weight), 0);
    for (const [index, strength] of own.entries())
      cover[index] = Math.max(cover[index] ?? 0, strength);
    isWhole ||= rest === 0 && Math.max(...own) >= strengths.stem;
    const isBeginning = phrase.comparable.startsWith(comparable);
    const isBeginningOfName = isBeginning && phrase.isName;
    const factor = isBeginningOfName ? 0 : isBeginning ? unfinishedFactor : restFactor;
    const bonus = isBeginningOfName ? beginningOfNameBonus : phrase.isName ? nameBonus : 0;
    const strengthOfHead = phrase.head ? head?.matches.get(phrase.head) : undefined;
    const isHead = rest === 0 && strengthOfHead === strengths.same;
    const score =
      Math.max(isHead ? phrase.headScore : 0, sum(own) / (total + factor * rest)) + bonus;
    if (score <= best) continue;
    best = score;
    via = phrase.isName ? undefined : phrase.text;
  }
  return { option: { ...option, via }, score: best + (coverFactor * sum(cover)) / total, isWhole };
}

/** The words of the lines without the endings of their singular and plural. */
function toFormSet(...lines: readonly string[]): ReadonlySet<string> {
  const words = lines.join(' ').split(' ');
  return new Set(
    words.flatMap((word) => [word, toForms(word).singular, toForms(`${word}s`).singular]),
  );
}

function groupBy<T>(
  items: Iterable<T>,
  toKey: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(toKey(item));
    if (group) group.push(item);
    else groups.set(toKey(item), [item]);
  }
  return groups;
}

/** Lower case, without accents and punctuation. */
export function toComparable(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\p{M}'’.]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** The parts of a text, of which those that match the query are bold. */
export function toMarked(
  text: string,
  query: string,
): readonly { readonly text: string; readonly isMatch: boolean }[] {
  const typed = toWords(toComparable(query)).map((word) => ({ word, forms: toForms(word) }));
  return text.split(/([\p{L}\p{N}’']+)/u).flatMap((part, index) => {
    const comparable = toComparable(part);
    const word = { ...toForms(comparable), text: comparable };
    if (index % 2 === 0 || comparable === '') return [{ text: part, isMatch: false }];
    const met = typed.find((own) => toStrength(own.word, own.forms, word) > 0);
    // The letters of the query, or the whole word if it is spelled in another way.
    const isBeginning = met && comparable.startsWith(met.word) && comparable.length === part.length;
    const end = !met ? 0 : isBeginning ? met.word.length : part.length;
    return [
      { text: part.slice(0, end), isMatch: true },
      { text: part.slice(end), isMatch: false },
    ];
  });
}

/** Without fillers, unless there is nothing else. */
function toWords(comparable: string): readonly string[] {
  const words = comparable.split(' ');
  const essential = words.filter((word) => !fillers.has(word));
  return essential.length > 0 ? essential : words;
}

/** The last word before a preposition, which the other words describe: "school" in "private school of dance". */
function toHead(comparable: string): string | undefined {
  const all = comparable.split(' ');
  const end = all.findIndex((word, index) => index > 0 && prepositions.has(word));
  const words = toWords(all.slice(0, end < 0 ? undefined : end).join(' '));
  return words.findLast((word) => !transparentWords.has(toForms(word).singular));
}

/** Without endings, so that "cleaners", "cleaner", and "cleaning" are one word, and "plomero" and "plomería". */
function toForms(word: string): Forms {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(?<=wi|kni)ves$/, 'fe')
    .replace(/(?<=[cs]h|x|ss)es$/, '')
    .replace(/(?<=\w{3})(?:(?<=[cglnrdj])es|(?<=[^su])s)$/, '');
  return { singular, stem: withoutEnding(withoutEnding(singular)) };
}

function withoutEnding(word: string): string {
  return word.replace(
    /(?<=\w{4})(?:ing|ery?|or|ion|eri?[ao]|ista?|ian|[ai]l|ic[ao]?|[aeo]|(?<=\w{5})y)$/,
    '',
  );
}

function toStrength(
  typed: string,
  { singular, stem }: Forms,
  word: Forms & { readonly text: string },
  isComplete = false,
): number {
  if (word.singular === singular) return strengths.same;
  if (word.stem === stem) {
    // "plasterer" is closer to "plaster" than to "plastic".
    const same = countSame(typed, word.text);
    return strengths.stem + (0.05 * same) / Math.max(typed.length, word.text.length);
  }
  if (word.text.startsWith(typed) && !isComplete) return strengths.beginning;
  if (typed.length < 4) return 0;
  if (word.text.startsWith(typed)) return strengths.part;
  // "housewares" and "greengrocer"
  if (word.text.length > 3 && (typed.startsWith(word.text) || typed.endsWith(word.text)))
    return strengths.part;
  const rest = toRestAfterEdit(typed, word.text);
  if (rest === undefined) return 0;
  if (rest <= 1) return strengths.misspelled;
  return typed.length > 4 && !isComplete ? strengths.misspelledBeginning : 0;
}

/**
 * The number of letters that the word has in addition, if it begins as typed except for one letter, which is missing, added,
 * replaced, or swapped with the next.
 */
function toRestAfterEdit(typed: string, word: string): number | undefined {
  const same = countSame(typed, word);
  const [rest, left] = [typed.slice(same), word.slice(same)];
  const swapped = `${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`;
  if (left.startsWith(swapped)) return left.length - swapped.length;
  if (left.slice(1).startsWith(rest.slice(1))) return left.length - rest.length;
  if (left.slice(1).startsWith(rest)) return left.length - 1 - rest.length;
  if (left.startsWith(rest.slice(1))) return left.length - rest.length + 1;
  return undefined;
}

/** The number of letters with which both texts begin. */
function countSame(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}
