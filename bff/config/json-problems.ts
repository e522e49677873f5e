// Finds mistakes in JSON that a person wrote, with their place: `JSON.parse` names no place for some, and ignores repeated names.

import { tryParseJson } from '../runtime/json.ts';

interface Mistake {
  readonly at: number;
  readonly text: string;
}

/** Returns clauses such as `line 3, column 5 has a comment. JSON has no comments: remove it`; an empty list if the text is valid. */
export function listJsonProblems(text: string): readonly string[] {
  const repeated: Mistake[] = [];
  let mistakes: readonly Mistake[] = repeated;
  try {
    new JsonReader(text, repeated).readFile();
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    mistakes = [error];
  }
  return mistakes.map(({ at, text: problem }) => {
    const before = text.slice(0, at).split(/\r\n?|\n/);
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} ${problem}`;
  });
}

class JsonMistake extends Error implements Mistake {
  readonly at: number;
  readonly text: string;

  constructor(at: number, text: string) {
    super(text);
    this.at = at;
    this.text = text;
  }
}

const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const string = /"(?:[^"\\\n\r]|\\.)*"/y;

/** RFC 8259, and the first thing that is not of it. */
class JsonReader {
  readonly #text: string;
  readonly #repeated: Mistake[];
  #at = 0;

  constructor(text: string, repeated: Mistake[]) {
    this.#text = text;
    this.#repeated = repeated;
  }

  readFile(): void {
    this.#skipSpace();
    if (this.#at === this.#text.length) this.#fail('ends without a value. Write at least {}');
    this.#readValue();
    this.#skipSpace();
    if (this.#at < this.#text.length)
      this.#fail('has more text after the end of the settings. Remove it');
  }

  #readValue(): void {
    this.#skipSpace();
    if (this.#accept('{')) this.#readMembers('}', () => this.#readMember());
    else if (this.#accept('[')) this.#readMembers(']', () => this.#readValue());
    else if (this.#peek() === '"') this.#readString();
    else if (this.#match(literal) === undefined) this.#fail(this.#describe());
  }

  #readMembers(end: string, readOne: () => void): void {
    const names = this.#names;
    this.#names = new Set();
    this.#skipSpace();
    while (!this.#accept(end)) {
      readOne();
      this.#skipSpace();
      const commaAt = this.#at;
      if (this.#accept(',')) {
        this.#skipSpace();
        if (this.#peek() === end) {
          this.#at = commaAt;
          this.#fail(`has a comma before ${end}. Remove the comma`);
        }
      } else if (this.#peek() !== end) {
        this.#fail(
          this.#at < this.#text.length
            ? `lacks a comma, or a ${end}, before this place. Add it`
            : `ends without a ${end}. Add it`,
        );
      }
    }
    this.#names = names;
  }

  /** The names of the object that is being read. */
  #names = new Set<string>();

  #readMember(): void {
    this.#skipSpace();
    const at = this.#at;
    if (this.#peek() !== '"') this.#fail(this.#describeName());
    const name = this.#readString();
    if (this.#names.has(name)) {
      this.#repeated.push({ at, text: `repeats the setting ${name}. Remove one of them` });
    }
    this.#names.add(name);
    this.#skipSpace();
    if (!this.#accept(':')) this.#fail(`lacks a colon after ${name}. Add it`);
    this.#readValue();
  }

  #readString(): string {
    const at = this.#at;
    // The pattern also matches escapes that JSON does not have.
    const text: unknown = tryParseJson(this.#match(string) ?? '');
    if (typeof text === 'string') return text;
    this.#at = at;
    return this.#fail(
      'has a text that does not end on its line, or contains an invalid \\. Write a line break as \\n',
    );
  }

  #describe(): string {
    const rest = this.#text.slice(this.#at);
    if (rest === '') return 'ends too early. Add the missing value and brackets';
    if (/^(?:\/[/*]|#)/.test(rest)) return 'has a comment. JSON has no comments: remove it';
    if (/^['‘’“”`]/.test(rest))
      return 'has a quotation mark that is not ". Use " for texts and names';
    if (rest.startsWith(',')) return 'has a comma without a value before it. Remove the comma';
    if (/^(?:True|False|None|yes|no|on|off)\b/i.test(rest))
      return 'has a word that is not a value. Write true or false';
    return 'has a value that is not JSON. Write texts in ", and numbers with digits only';
  }

  #describeName(): string {
    const rest = this.#text.slice(this.#at);
    return /^[A-Za-z_$]/.test(rest)
      ? 'has a name without quotation marks. Write it in "'
      : this.#describe();
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #accept(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#peek() ?? '')) this.#at += 1;
  }

  #fail(text: string): never {
    throw new JsonMistake(this.#at, text);
  }
}
