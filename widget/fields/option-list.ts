// Finds the options of a combobox by label, value, and synonyms. Ignores case, accents, and punctuation.

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

interface Candidate {
  readonly text: string;
  readonly comparable: string;
  readonly words: readonly string[];
  readonly isName: boolean;
}

/** Lower is better; infinity means no match. */
type Rank = (candidate: Candidate, query: Candidate) => number;

export class OptionList {
  readonly options: readonly PickerOption[];
  /** Prepared once, because each key searches hundreds of texts. */
  readonly #candidates: readonly (readonly Candidate[])[];

  constructor(options: readonly PickerOption[]) {
    this.options = options;
    this.#candidates = options.map(({ label, value, names = [], synonyms = [] }) => [
      ...[label, value, ...names].map((text) => toCandidate(text, true)),
      ...synonyms.map((text) => toCandidate(text, false)),
    ]);
  }

  /** All options for an empty query, otherwise the matches with the best first. */
  find(query: string): readonly FoundOption[] {
    const found = this.#search(query, rankExact);
    return found.length > 0 ? found : this.#search(query, rankSimilar);
  }

  /** The value of a label, name, or value. Returns other text as typed, so that validation rejects it. */
  toValue(typed: string): string {
    const query = toComparable(typed);
    const found = this.#candidates.findIndex((candidates) =>
      candidates.some(({ comparable, isName }) => isName && comparable === query),
    );
    return this.options[found]?.value ?? typed.trim();
  }

  /** Like `toValue`, for text that is complete: it may also be a synonym of only one option. */
  toFinalValue(typed: string): string {
    const [only, another] = this.#search(typed, rankExact);
    const isSynonym = only?.via !== undefined && toComparable(only.via) === toComparable(typed);
    return isSynonym && !another ? only.value : this.toValue(typed);
  }

  toLabel(value: string): string {
    return this.options.find((option) => option.value === value)?.label ?? value;
  }

  #search(typed: string, rank: Rank): readonly FoundOption[] {
    const query = toCandidate(typed, true);
    if (query.comparable === '') return this.options;
    const found = this.options.map((option, index) => {
      let best = Infinity;
      let via: string | undefined;
      for (const candidate of this.#candidates[index] ?? []) {
        // If both match equally well, a name precedes a synonym.
        const own = rank(candidate, query) + (candidate.isName ? 0 : 0.5);
        if (own >= best) continue;
        best = own;
        via = candidate.isName ? undefined : candidate.text;
      }
      return { best, option: { ...option, via } };
    });
    return found
      .filter(({ best }) => best < Infinity)
      .toSorted((one, other) => one.best - other.best)
      .map(({ option }) => option);
  }
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

function toCandidate(text: string, isName: boolean): Candidate {
  const comparable = toComparable(text);
  const words = comparable.split(' ');
  const essential = words.filter((word) => !fillers.has(word));
  return { text, comparable, words: essential.length > 0 ? essential : words, isName };
}

const fillers: ReadonlySet<string> = new Set(['and', 'of', 'the', 'y', 'de', 'del', 'la', 'el']);

function rankExact({ comparable, words, isName }: Candidate, query: Candidate): number {
  const text = ` ${comparable}`;
  // This check excludes nearly all candidates, so it is first.
  if (text.includes(` ${query.words[0]}`)) {
    const wanted = ` ${query.comparable}`;
    if (text === wanted) return 0;
    if (text.startsWith(wanted)) return 1;
    if (text.includes(wanted)) return 2;
    if (query.words.every((word) => words.some((own) => own.startsWith(word)))) return 3;
  }
  const isInsideName =
    isName && query.comparable.length > 2 && comparable.includes(query.comparable);
  return isInsideName ? 4 : Infinity;
}

/** Matches misspelled words, and queries with extra words such as "italian restaurant". */
function rankSimilar({ words }: Candidate, query: Candidate): number {
  if (query.words.every((word) => words.some((own) => isSimilar(word, own)))) return 0;
  const isContained = words.every((own) =>
    query.words.some((word) => word === own || (own.length > 4 && isSimilar(own, word))),
  );
  return isContained ? 1 : Infinity;
}

/** True if a word begins as typed. From five letters on, one may be missing, added, replaced, or swapped with the next. */
function isSimilar(typed: string, word: string): boolean {
  if (word.startsWith(typed)) return true;
  if (typed.length < 5) return false;
  let same = 0;
  while (typed[same] === word[same]) same += 1;
  if (same < 2) return false;
  const [rest, left] = [typed.slice(same), word.slice(same)];
  const swapped = `${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`;
  return (
    left.startsWith(rest.slice(1)) ||
    left.slice(1).startsWith(rest) ||
    left.slice(1).startsWith(rest.slice(1)) ||
    left.startsWith(swapped)
  );
}
