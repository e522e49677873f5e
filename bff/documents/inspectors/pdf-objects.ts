// Reads the objects of a PDF token by token, and says what is active in them; keeps what can only be judged once all are read.

import {
  activeEntries,
  activeNames,
  clickedActions,
  harmlessOpenings,
  resourceDictionaries,
} from './pdf-names.ts';
import { createFacts, type EncryptionPlace } from './pdf-facts.ts';
import { StreamSigns, type ObjectStreamDictionary } from './pdf-stream-signs.ts';
import type { PdfTokens } from './pdf-tokens.ts';
import type { InspectionDetail } from './verdict.ts';

/** Readers stop far earlier. Bytes of an image that are taken for objects open and close brackets at random, and stay well below. */
const maxDepth = 4096;

/** More are not written by any program; a file that is signed and saved often has two for each time. */
const maxEncryptions = 64;

/** Where the tokens come from. */
export interface ObjectSource {
  /** Whether somebody else begins to read in `[start, end)`. */
  isElsewhere(start: number, end: number): boolean;
  /** The number of the object that begins here. */
  getNumber(position: number): number;
  /** Where there are streams. @param position behind the word `stream` */
  readStream?(dictionary: ObjectStreamDictionary, position: number): InspectionDetail | undefined;
}

/** A dictionary or an array that is open. */
interface Level {
  readonly isDictionary: boolean;
  readonly isResource: boolean;
  readonly isOpening: boolean;
  /** In a dictionary: a key comes next, not a value. */
  wantsKey: boolean;
  key: string;
  hasAction: boolean;
  hasNext: boolean;
  hasClickedAction: boolean;
  hasOtherOpening: boolean;
  hasOwner: boolean;
  hasUser: boolean;
  readonly place: EncryptionPlace;
}

export class PdfObjects {
  readonly facts = createFacts();

  /** What is open, from the outermost in; `#top` is the innermost. */
  readonly #levels: Level[] = [];
  #top: Level | undefined;
  /** Readers disagree then on what is a dictionary's, what is a key and what a value; so every name is taken for both. */
  #isMalformed = false;
  #outermost = 0;
  #signs = new StreamSigns();
  #detail: InspectionDetail | undefined;

  /** Up to the data of a stream, a word that is elsewhere, or the end. */
  read(tokens: PdfTokens, source: ObjectSource): InspectionDetail | undefined {
    this.#levels.length = 0;
    this.#top = undefined;
    this.#isMalformed = false;
    this.#signs = new StreamSigns();
    this.#detail = undefined;
    tokens.hasOddBlank = false;
    let wasClosed = false;
    while (this.#detail === undefined) {
      const kind = tokens.next();
      if (kind === 'end') break;
      this.#isMalformed ||= tokens.hasOddBlank;
      // Within a dictionary or an array that is open, some readers go on past the beginning of another object.
      const end = kind === 'word' ? tokens.position : tokens.start + 1;
      if (!this.#top && source.isElsewhere(tokens.start, end)) break;
      if (kind === 'word') {
        if (source.readStream && isStream(tokens)) {
          this.#takeStream(tokens.position, source);
          // Within a dictionary it is none for most readers, so what follows is read as well.
          if (wasClosed && !this.#top) break;
        } else this.#takeWord(tokens, source);
      } else if (kind === 'name') this.#takeName(tokens);
      else if (kind === '<<') this.#open(true, tokens);
      else if (kind === '[') this.#open(false, tokens);
      else if (kind === '>>') this.#closeDictionary(source);
      else if (kind === ']') this.#closeArray();
      else this.#passValue();
      wasClosed = kind === '>>';
    }
    return this.#detail;
  }

  #takeName(tokens: PdfTokens): void {
    const name = tokens.readName();
    const top = this.#top;
    const active = activeNames.get(name) ?? (this.#isEntry() ? activeEntries.get(name) : undefined);
    if (active !== undefined) {
      this.#detail = active;
      return;
    }
    this.#signs.takeName(name);
    if (!top?.isDictionary) return;
    if (top.hasAction && (this.#isMalformed || (!top.wantsKey && top.key === 'S'))) {
      takeAction(top, name);
    }
    if (top.wantsKey || this.#isMalformed) this.#takeKey(top, name, tokens.position);
    // A file that is fetched from a server (7.11.5).
    else if (top.key === 'FS' && name === 'URL') this.#detail = 'pdf-remote-target';
    top.wantsKey = !top.wantsKey;
  }

  #takeKey(top: Level, name: string, position: number): void {
    top.key = name;
    this.#signs.takeKey(name, this.#levels.length);
    if (name === 'S') top.hasAction = true;
    else if (name === 'Next') top.hasNext = true;
    else if (name === 'O') top.hasOwner = true;
    else if (name === 'U') top.hasUser = true;
    else if (name === 'Root') this.facts.catalogs.push(top.place);
    else if (name === 'ID') top.place.id = position;
    else if (name === 'Encrypt') {
      top.place.encryption = position;
      this.facts.encryptions.push(top.place);
      if (this.facts.encryptions.length > maxEncryptions) this.#detail = 'pdf-encryption-unknown';
    }
  }

  #takeWord(tokens: PdfTokens, source: ObjectSource): void {
    const top = this.#top;
    if (isReference(tokens)) {
      // Without its two numbers it is a value to some, and nothing to others.
      this.#isMalformed ||= top?.isDictionary === true && !top.wantsKey;
      if (top?.isDictionary) this.#signs.takeReference(top.key);
      if (top?.isDictionary && top.key === 'S') this.#detail = 'pdf-open-action';
      // An object that is nothing but another one may be any.
      else if (!top) this.facts.unfitForOpening.add(source.getNumber(tokens.start));
      return;
    }
    if (top?.isDictionary) this.#isMalformed ||= !isPlainWord(tokens.readWord());
    if (top?.isDictionary && !top.wantsKey) {
      if (top.key === 'OpenAction') addNumber(this.facts.openings, tokens.readWord());
      else if (top.key === 'First') this.#signs.takeFirst(Number(tokens.readWord()));
    }
    this.#passValue();
  }

  #takeStream(position: number, source: ObjectSource): void {
    const dictionary = this.#signs.toDictionary();
    if (this.#signs.hasFile) this.#detail = 'pdf-remote-target';
    else if (dictionary) this.#detail = source.readStream?.(dictionary, position);
  }

  #open(isDictionary: boolean, tokens: PdfTokens): void {
    const parent = this.#top;
    // Where a key has to be, readers pass over the bracket and take what follows it for keys.
    if (!isDictionary && parent?.isDictionary && parent.wantsKey) {
      this.#isMalformed = true;
      return;
    }
    if (this.#levels.length >= maxDepth) {
      this.#detail = 'pdf-nesting';
      return;
    }
    const key = parent?.isDictionary && !parent.wantsKey ? parent.key : '';
    if (!parent) this.#outermost = tokens.start;
    this.#passValue();
    this.#top = createLevel(isDictionary, key);
    this.#levels.push(this.#top);
  }

  #closeDictionary(source: ObjectSource): void {
    const top = this.#top;
    if (!top?.isDictionary) {
      this.#isMalformed = true;
      return;
    }
    if (top.hasAction && top.hasNext) this.#detail = 'pdf-action-chain';
    if (top.isOpening && (top.hasOtherOpening || !top.hasAction)) this.#detail = 'pdf-open-action';
    if (top.hasOwner && top.hasUser) this.facts.passwordChecks += 1;
    this.#close();
    if (!this.#top && top.hasClickedAction) {
      this.facts.unfitForOpening.add(source.getNumber(this.#outermost));
    }
  }

  #closeArray(): void {
    if (this.#top && !this.#top.isDictionary) this.#close();
    else {
      this.#isMalformed = true;
      this.#passValue();
    }
  }

  #close(): void {
    this.#levels.pop();
    this.#top = this.#levels.at(-1);
  }

  /** After a value a key comes; what stands where a key has to be is passed over, as readers do. */
  #passValue(): void {
    if (this.#top?.isDictionary) this.#top.wantsKey = true;
  }

  #isEntry(): boolean {
    if (this.#isMalformed) return true;
    return this.#top?.isDictionary === true && !this.#top.isResource;
  }
}

function takeAction(level: Level, name: string): void {
  if (clickedActions.has(name)) level.hasClickedAction = true;
  if (!harmlessOpenings.has(name)) level.hasOtherOpening = true;
}

function addNumber(numbers: Set<number>, word: string): void {
  if (/^\+?\d+$/.test(word)) numbers.add(Number(word));
}

/** What may stand in a dictionary that is neither a name, a string nor a bracket (7.3.2, 7.3.3, 7.3.9). */
function isPlainWord(word: string): boolean {
  return /^([+-]?[\d.]+|true|false|null)$/.test(word);
}

function isReference({ bytes, start, position }: PdfTokens): boolean {
  return position - start === 1 && bytes[start] === 0x52;
}

function isStream(tokens: PdfTokens): boolean {
  return tokens.position - tokens.start === 6 && tokens.readWord() === 'stream';
}

/** @param key under which it stands in its dictionary; else empty */
function createLevel(isDictionary: boolean, key: string): Level {
  return {
    isDictionary,
    isResource: resourceDictionaries.has(key),
    isOpening: key === 'OpenAction',
    wantsKey: true,
    key: '',
    hasAction: false,
    hasNext: false,
    hasClickedAction: false,
    hasOtherOpening: false,
    hasOwner: false,
    hasUser: false,
    place: { encryption: undefined, id: undefined },
  };
}
