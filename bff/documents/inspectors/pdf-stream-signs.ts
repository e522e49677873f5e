// Tells a stream that holds objects (ISO 32000-2, 7.5.7) by what was met before its data.

import { flateNames, otherFilterNames } from './pdf-names.ts';

export interface ObjectStreamDictionary {
  /** Where its first object stands in its data. */
  readonly first: number;
  /** `other`: one that is not undone here, or a place of the objects that another object says. */
  readonly filter: 'none' | 'flate' | 'other';
  /** It may also be something else: a colour profile has a number, too. */
  readonly isCertain: boolean;
}

/** Of everything since reading began, at whatever depth: readers disagree on where a malformed dictionary ends. */
export class StreamSigns {
  /** The data stand in another file, or are drawn from one (7.3.8.2, 8.10.4). */
  hasFile = false;
  #isTyped = false;
  #hasCount = false;
  #hasOwnCount = false;
  #firsts: number[] = [];
  #hasFilter = false;
  #flates = 0;
  #hasOther = false;

  takeName(name: string): void {
    if (flateNames.has(name)) this.#flates += 1;
    else if (otherFilterNames.has(name)) this.#hasOther = true;
    else if (name === 'ObjStm') this.#isTyped = true;
  }

  /** @param depth 1 in the outermost dictionary */
  takeKey(key: string, depth: number): void {
    if (key === 'N') {
      this.#hasCount = true;
      this.#hasOwnCount ||= depth === 1;
    } else if (key === 'Filter') this.#hasFilter = true;
    // The data are foretold by their neighbours.
    else if (key === 'Predictor') this.#hasOther = true;
    else if (depth === 1 && (key === 'F' || key === 'Ref')) this.hasFile = true;
  }

  takeFirst(first: number): void {
    this.#firsts.push(first);
  }

  /** What follows from a value that stands elsewhere. */
  takeReference(key: string): void {
    if (['First', 'Filter', 'DecodeParms', 'DP'].includes(key)) this.#hasOther = true;
  }

  /** `undefined` when the stream holds no objects. Readers do not ask for the type, MuPDF not even for `/First`. */
  toDictionary(): ObjectStreamDictionary | undefined {
    const [first = 0, ...others] = this.#firsts;
    const isCertain = this.#isTyped || (this.#hasCount && this.#firsts.length > 0);
    if (!isCertain && !this.#hasOwnCount) return undefined;
    const isPlain = !this.#hasFilter && this.#flates === 0;
    const isFlate = this.#hasFilter && this.#flates === 1;
    const isOther = this.#hasOther || others.length > 0 || !Number.isSafeInteger(first);
    const filter = isOther ? 'other' : isPlain ? 'none' : isFlate ? 'flate' : 'other';
    return { first, filter, isCertain };
  }
}
