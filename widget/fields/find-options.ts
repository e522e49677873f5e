// Finds the options of a picker by what people type: label, exact value and other words for it, in any case, with or without accents.

export interface PickerOption {
  readonly value: string;
  readonly label: string;
  /** Other names, as good as the label. */
  readonly names?: readonly string[];
  /** What people call it; each may lead to several options. */
  readonly words?: readonly string[];
}

export interface FoundOption extends PickerOption {
  /** The word by which it was found, where the label does not show why. */
  readonly via?: string | undefined;
}

/** The options of one picker, ready to be searched. */
export interface OptionList {
  readonly options: readonly PickerOption[];
  /** Everything for an empty query; else the best matches first. */
  readonly find: (query: string) => readonly FoundOption[];
  /** The exact value for a label, a name or a value; any other text as it is, for the check to refuse. */
  readonly toValue: (typed: string) => string;
  /** As `toValue`, once no more is typed: a whole word that is the only match will do then. */
  readonly toSettledValue: (typed: string) => string;
  readonly toLabel: (value: string) => string;
}

interface Candidate {
  readonly text: string;
  readonly comparable: string;
  /** With a blank before it, so that each of its words begins with one. */
  readonly spaced: string;
  readonly words: readonly string[];
  readonly isName: boolean;
}

interface Searched {
  readonly option: PickerOption;
  readonly candidates: readonly Candidate[];
}

interface Query {
  readonly text: string;
  readonly spaced: string;
  readonly words: readonly string[];
  readonly firstSpaced: string;
}

/** How well a candidate matches; `undefined` when it does not. */
type Rank = (candidate: Candidate, query: Query) => number | undefined;

export function createOptionList(options: readonly PickerOption[]): OptionList {
  // Prepared once: every key that is pressed looks at some hundred texts.
  const searched = options.map((option) => ({ option, candidates: toCandidates(option) }));

  function toValue(typed: string): string {
    const wanted = toComparable(typed);
    const found = searched.find(({ candidates }) =>
      candidates.some(({ comparable, isName }) => isName && comparable === wanted),
    );
    return found?.option.value ?? typed.trim();
  }

  return {
    options,
    find(query) {
      const wanted = toComparable(query);
      if (wanted === '') return options;
      const found = search(searched, wanted, toRank);
      return found.length > 0 ? found : search(searched, wanted, toGuess);
    },
    toValue,
    toSettledValue: (typed) => toOnlyMatch(searched, toComparable(typed))?.value ?? toValue(typed),
    toLabel: (value) => options.find((option) => option.value === value)?.label ?? value,
  };
}

/** Lower case, without accents and signs. */
export function toComparable(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\p{M}'’.]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}

function toCandidates({ label, value, names = [], words = [] }: PickerOption): Candidate[] {
  return [label, value, ...names, ...words].map((text, index) => {
    const comparable = toComparable(text);
    const spaced = ` ${comparable}`;
    return {
      text,
      comparable,
      spaced,
      words: toWords(comparable),
      isName: index < 2 + names.length,
    };
  });
}

/** The option for a word written out in full, as long as nothing else could be meant by it. */
function toOnlyMatch(searched: readonly Searched[], wanted: string): PickerOption | undefined {
  const [only, ...others] = search(searched, wanted, toRank);
  return others.length === 0 && only?.via !== undefined && toComparable(only.via) === wanted
    ? only
    : undefined;
}

function search(
  searched: readonly Searched[],
  wanted: string,
  toRankOf: Rank,
): readonly FoundOption[] {
  const words = toWords(wanted);
  const query = { text: wanted, spaced: ` ${wanted}`, words, firstSpaced: ` ${words[0]}` };
  const found: { readonly rank: number; readonly option: FoundOption }[] = [];
  for (const { option, candidates } of searched) {
    let best = Number.POSITIVE_INFINITY;
    let via: string | undefined;
    for (const candidate of candidates) {
      const matched = toRankOf(candidate, query);
      // Where both match alike, the label goes before what people call it.
      const rank = matched === undefined ? best : matched + (candidate.isName ? 0 : 0.5);
      if (rank >= best) continue;
      best = rank;
      via = candidate.isName ? undefined : candidate.text;
    }
    if (Number.isFinite(best)) found.push({ rank: best, option: { ...option, via } });
  }
  return found.toSorted((one, other) => one.rank - other.rank).map(({ option }) => option);
}

function toRank(
  { comparable, spaced, words: own, isName }: Candidate,
  query: Query,
): number | undefined {
  // Looked at first, since it leaves next to nothing: some hundred candidates are looked at for each key.
  if (spaced.includes(query.firstSpaced)) {
    if (spaced === query.spaced) return 0;
    if (spaced.startsWith(query.spaced)) return 1;
    if (spaced.includes(query.spaced)) return 2;
    if (query.words.every((word) => own.some((known) => known.startsWith(word)))) return 3;
  }
  return isName && query.text.length > 2 && comparable.includes(query.text) ? 4 : undefined;
}

/** Misspelt, or more was typed than is known of it: "italian restaurant". */
function toGuess({ words: own }: Candidate, { words }: Query): number | undefined {
  if (words.every((word) => own.some((known) => isNear(word, known)))) return 0;
  const isWithin = own.every((known) =>
    words.some((word) => word === known || (known.length > 4 && isNear(known, word))),
  );
  return isWithin ? 1 : undefined;
}

function toWords(comparable: string): readonly string[] {
  const words = comparable.split(' ');
  const essential = words.filter((word) => !fillers.has(word));
  return essential.length > 0 ? essential : words;
}

const fillers: ReadonlySet<string> = new Set(['and', 'of', 'the', 'y', 'de', 'del', 'la', 'el']);

/** Whether a word begins as typed, with one letter missing, too many, wrong or swapped with its neighbour in longer ones. */
function isNear(typed: string, word: string): boolean {
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
