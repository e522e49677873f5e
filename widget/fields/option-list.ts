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

/** Words about the kind of a business, not about its work: "roofing contractor", "cleaning business", "tienda de ropa". */
const weakStems = new Set(
  [
    'business company service shop store firm agency center contractor specialist professional provider operator supply',
    'equipment accessory goods material dealer dealership worker office studio industry industrial small local independent',
    'freelance other related activity product general',
    'negocio empresa compania servicio tienda centro agencia oficina contratista venta pequeno otro producto suministro',
    'articulo equipo accesorio',
  ].flatMap((line) => line.split(' ').map((word) => toForms(word).stem)),
);
const fillers = new Set(
  'a an and or the of for in on at to by with from my our own i we am have run do etc nec except not llc inc co '
    .concat('y e o u de del la el los las un una para por en con mi mis que tengo soy hago al')
    .split(' '),
);
const weakWeight = 0.4;
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
  readonly #phrases: readonly Phrase[];
  readonly #words = new Map<string, Word>();

  constructor(options: readonly PickerOption[]) {
    this.options = options;
    this.#phrases = options.flatMap(({ label, value, names = [], synonyms = [] }, index) => [
      ...[label, value, ...names].map((text) => this.#addPhrase(text, index, true)),
      ...synonyms.map((text) => this.#addPhrase(text, index, false)),
    ]);
    for (const word of this.#words.values()) {
      const { size } = new Set(word.phrases.map(({ option }) => option));
      word.weight = weakStems.has(word.stem) ? weakWeight : Math.log(1 + options.length / size);
    }
  }

  /** All options for an empty query, otherwise the matches with the best first. */
  find(query: string): readonly FoundOption[] {
    return toComparable(query) === '' ? this.options : this.#search(query);
  }

  /** The value of a label, name, or value. Returns other text as typed, so that validation rejects it. */
  toValue(typed: string): string {
    const query = toComparable(typed);
    const found = this.#phrases.find(({ isName, comparable }) => isName && comparable === query);
    return (found && this.options[found.option]?.value) ?? typed.trim();
  }

  /** Like `toValue`, for text that is complete: it may also be a synonym of only one option. */
  toFinalValue(typed: string): string {
    const query = toComparable(typed);
    const [only, another] = this.#phrases.filter(({ comparable }) => comparable.startsWith(query));
    if (only && (!another || another.option === only.option) && only.comparable === query)
      return this.options[only.option]?.value ?? typed;
    return this.toValue(typed);
  }

  toLabel(value: string): string {
    return this.options.find((option) => option.value === value)?.label ?? value;
  }

  #addPhrase(text: string, option: number, isName: boolean): Phrase {
    const comparable = toComparable(text);
    const words = toWords(comparable).map((word) => {
      const known = this.#words.get(word);
      if (known) return known;
      const added = { ...toForms(word), text: word, phrases: [], weight: 0 };
      this.#words.set(word, added);
      return added;
    });
    const joined = comparable.replaceAll(' ', '');
    const phrase = { option, text, comparable, joined, isName, words };
    for (const { phrases } of new Set(words)) phrases.push(phrase);
    return phrase;
  }

  #search(typed: string): readonly FoundOption[] {
    const comparable = toComparable(typed);
    const query = toWords(comparable).map((word) => this.#toTypedWord(word));
    const hits = new Map<Phrase, Hit>();
    const hit = (phrase: Phrase) => {
      const known = hits.get(phrase) ?? { phrase, strengths: query.map(() => 0), words: new Set() };
      hits.set(phrase, known);
      return known;
    };
    for (const [index, { matches }] of query.entries())
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
      return own.length > 0 ? [toFound(option, own, query, comparable)] : [];
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
    return this.#phrases.filter(
      (phrase) => phrase.joined.startsWith(joined) && !phrase.comparable.startsWith(comparable),
    );
  }

  #toTypedWord(typed: string): TypedWord {
    const forms = toForms(typed);
    const matches = new Map<Word, number>();
    for (const word of this.#words.values()) {
      const strength = toStrength(typed, forms, word);
      if (strength > 0) matches.set(word, strength);
    }
    const best = Math.max(...matches.values());
    let weight = 0;
    for (const [word, strength] of matches) {
      // A word that is spelled correctly is not a misspelled other word.
      if (strength < strengths.beginning && best >= strengths.beginning) matches.delete(word);
      else if (strength === best) weight = Math.max(weight, word.weight);
    }
    if (weakStems.has(forms.stem)) weight = weakWeight;
    return { matches, weight: weight || unknownWeight };
  }
}

function toFound(
  option: PickerOption,
  hits: readonly Hit[],
  query: readonly TypedWord[],
  comparable: string,
): Found {
  const sum = (own: readonly number[]) =>
    query.reduce((total, { weight }, index) => total + weight * (own[index] ?? 0), 0);
  const total = sum(query.map(() => 1));
  const cover = query.map(() => 0);
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
    const score = sum(own) / (total + factor * rest) + bonus;
    if (score <= best) continue;
    best = score;
    via = phrase.isName ? undefined : phrase.text;
  }
  return { option: { ...option, via }, score: best + (coverFactor * sum(cover)) / total, isWhole };
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

/** Without endings, so that "cleaners", "cleaner", and "cleaning" are one word, and "plomero" and "plomería". */
function toForms(word: string): Forms {
  const singular = word
    .replace(/ies$/, 'y')
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
): number {
  if (word.singular === singular) return strengths.same;
  if (word.stem === stem) {
    // "plasterer" is closer to "plaster" than to "plastic".
    const same = countSame(typed, word.text);
    return strengths.stem + (0.05 * same) / Math.max(typed.length, word.text.length);
  }
  if (word.text.startsWith(typed)) return strengths.beginning;
  if (typed.length < 4) return 0;
  // "housewares" and "greengrocer"
  if (word.text.length > 3 && (typed.startsWith(word.text) || typed.endsWith(word.text)))
    return strengths.part;
  const rest = toRestAfterEdit(typed, word.text);
  if (rest === undefined) return 0;
  if (rest <= 1) return strengths.misspelled;
  return typed.length > 4 ? strengths.misspelledBeginning : 0;
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
