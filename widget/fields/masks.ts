// The formats of amounts and numbers, and masks that apply them during typing.

import type { LitElement, ReactiveController, ReactiveControllerHost } from 'lit';
import {
  formatPhone,
  isPlainAmount,
  toNineDigits,
  toWholeDollars,
  toZip,
} from '../../shared/application/normalize-input.ts';

export type InputFormat = 'money' | 'count' | 'percent' | 'ssn' | 'ein' | 'zip' | 'phone';

/** Formats text. Text that has another meaning stays as typed. */
type Formatter = (text: string) => string;

interface Formatters {
  readonly whileTyping?: Formatter;
  /** After typing, if different. */
  readonly afterTyping?: Formatter;
  /** Pasted text is complete. Default: the format after typing. */
  readonly afterPasting?: Formatter;
}

/** The element whose shadow root contains the fields. */
type Host = ReactiveControllerHost & Pick<LitElement, 'renderRoot' | 'shadowRoot'>;

const eventTypes = [
  'focusin',
  'focusout',
  'keydown',
  'beforeinput',
  'input',
  'compositionend',
  'change',
] as const;
const formatted = 'input[data-format]';

const formatters: Readonly<Record<InputFormat, Formatters>> = {
  money: {
    whileTyping: formatTypedMoney,
    afterTyping: formatMoney,
    // `75k` is read when the applicant leaves the field, because the field then says how it was read.
    afterPasting: (text) => (isPlainAmount(text) ? formatMoney(text) : text),
  },
  count: { whileTyping: formatCount },
  // `60 %` → `60`
  percent: { whileTyping: (text) => /^\s*(\d+)\s*%?\s*$/.exec(text)?.[1] ?? text },
  // `219099999` → `219-09-9999`
  ssn: { whileTyping: (text) => insertDashes(text, toNineDigits(text), [3, 5]) },
  // `123456789` → `12-3456789`
  ein: { whileTyping: (text) => insertDashes(text, toNineDigits(text), [2]) },
  // `787011234` → `78701-1234`
  zip: { whileTyping: (text) => insertDashes(text, toZip(text).replace('-', ''), [5]) },
  phone: { afterTyping: formatPhone },
};

/** Applies the masks to the field that has the focus. It listens where the events of all fields arrive. The steps' templates mark their fields. */
export class FieldMasks implements ReactiveController {
  readonly #host: Host;
  #mask: Mask | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
    // The applicant may have reached the first field before this chunk was loaded.
    this.#mask = createMask(host.shadowRoot?.activeElement ?? null);
  }

  /**
   * Formats the answers that were typed before this chunk was loaded.
   *
   * @param isComplete also the field that has the focus. Otherwise it is formatted with the next key, which keeps its caret.
   */
  formatTyped(isComplete: boolean): void {
    for (const input of this.#host.renderRoot.querySelectorAll(formatted))
      if (isComplete || input !== this.#host.shadowRoot?.activeElement)
        input.dispatchEvent(new Event('change', { bubbles: true }));
  }

  hostConnected(): void {
    // Captured, so that the text is formatted before the form reads it.
    for (const type of eventTypes) this.#host.renderRoot.addEventListener(type, this, true);
  }

  hostDisconnected(): void {
    for (const type of eventTypes) this.#host.renderRoot.removeEventListener(type, this, true);
    this.#mask = undefined;
  }

  handleEvent(event: Event): void {
    const { type, target } = event;
    if (type === 'focusin') this.#mask = createMask(target);
    else if (type === 'focusout') {
      this.#mask?.reportChange();
      this.#mask = undefined;
    } else if (type === 'change') this.#formatComplete(target);
    else if (target === this.#mask?.input) this.#mask?.handleEvent(event);
  }

  #formatComplete(target: EventTarget | null): void {
    if (!isFormatted(target)) return;
    const text = formatInput(target.value, toFormat(target));
    if (text !== target.value) target.value = text;
    if (target === this.#mask?.input) this.#mask.changedValue = text;
  }
}

function isFormatted(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.matches(formatted);
}

function toFormat(input: HTMLInputElement): InputFormat {
  // Only the templates of the fields write this attribute, and their option has this type.
  return input.dataset['format'] as InputFormat;
}

/** Undefined for an input that is not formatted during typing. */
function createMask(target: EventTarget | null): Mask | undefined {
  if (!isFormatted(target)) return undefined;
  const { whileTyping, afterTyping, afterPasting = afterTyping } = formatters[toFormat(target)];
  return whileTyping && new Mask(target, whileTyping, afterPasting);
}

/** Formats the text of an input that the applicant has left. */
export function formatInput(text: string, format: InputFormat): string {
  const { whileTyping, afterTyping = whileTyping } = formatters[format];
  return afterTyping?.(text) ?? text;
}

/**
 * `$1250000` → `1,250,000`. A comma before fewer than three digits may be a decimal comma, so it stays. More than two digits
 * after a point may be thousands, as in `25.000`. Words such as in `1.5 million` stay, and the space before them.
 */
export function formatTypedMoney(text: string): string {
  const match = /^[\s$]*(\d[\d,\s]*?)(\.\d{0,2})?( ?)\s*$/.exec(text.normalize('NFKC'));
  const dollars = (match?.[1] ?? '').replaceAll(/\s/g, '');
  if (!match || /,\d{0,2}$/.test(dollars)) return text;
  return `${groupThousands(withoutCommas(dollars))}${match[2] ?? ''}${match[3]}`;
}

/** Reads the amount, and rounds it to whole dollars. */
export function formatMoney(text: string): string {
  const dollars = toWholeDollars(text) ?? Number.NaN;
  return dollars < Number.MAX_SAFE_INTEGER ? groupThousands(String(dollars)) : text;
}

/** `1,200` → `1200`. A comma before other than three digits may be a decimal comma, so it stays. */
export function formatCount(text: string): string {
  const bare = text.replaceAll(/\s/g, '');
  return /^(\d+|\d{1,3}(,\d{3})+)$/.test(bare) ? withoutCommas(bare) : text;
}

/** Inserts dashes into one to nine digits. */
function insertDashes(text: string, digits: string, positions: readonly number[]): string {
  if (!/^\d{1,9}$/.test(digits)) return text;
  const parts = [0, ...positions].map((start, index) => digits.slice(start, positions[index]));
  return parts.filter((part) => part !== '').join('-');
}

function groupThousands(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

function withoutCommas(text: string): string {
  return text.replaceAll(',', '');
}

/** The text of an input, and the start and the end of its selection. */
type InputState = readonly [value: string, from: number, to: number];

/**
 * Formats the text of the field that has the focus. The browser makes each edit first, so that nothing typed is lost on
 * any keyboard. A browser forgets its undo history and the change event when a script changes the text, so the mask has its own.
 */
class Mask {
  readonly input: HTMLInputElement;
  /** The text of the last change event. */
  changedValue: string;
  readonly #format: Formatter;
  /** Pasted text is complete. */
  readonly #formatPasted: Formatter;
  /** The states after each edit, and the index of the current one. */
  #states: InputState[];
  #current = 0;
  /** Replaces the edit of the browser. */
  #edited: InputState | undefined;

  constructor(input: HTMLInputElement, format: Formatter, formatPasted: Formatter = format) {
    this.input = input;
    this.#format = format;
    this.#formatPasted = formatPasted;
    this.#states = [this.#read()];
    this.changedValue = input.value;
  }

  /** Dispatches the change event that the browser has forgotten. */
  reportChange(): void {
    if (this.input.value !== this.changedValue)
      this.input.dispatchEvent(new Event('change', { bubbles: true }));
  }

  handleEvent(event: Event): void {
    if (event instanceof KeyboardEvent) {
      const step = toHistoryStep(event);
      if (step) this.#travel(event, step);
    } else if (isComposition(event)) return;
    else if (event instanceof InputEvent && event.type === 'beforeinput')
      this.#handleBeforeInput(event);
    else this.#handleInput(toInputType(event));
  }

  #handleBeforeInput(event: InputEvent): void {
    const { inputType } = event;
    if (inputType.startsWith('history')) {
      this.#travel(event, inputType === 'historyUndo' ? -1 : 1);
      return;
    }
    this.#states[this.#current] = this.#read();
    if (inputType === 'deleteContentForward') this.#edited = this.#skipSeparator(1);
    else if (inputType === 'deleteContentBackward') this.#edited = this.#skipSeparator(-1);
    else this.#edited = undefined;
  }

  /** Deletes the digit beside a separator, because the format would insert a deleted separator again. */
  #skipSeparator(step: 1 | -1): InputState | undefined {
    const [value, from, to] = this.#read();
    const start = from === to && step < 0 ? from - 1 : from;
    const end = start + 1;
    const isSeparator =
      start >= 0 && to <= end && this.#format(value.slice(0, start) + value.slice(end)) === value;
    const digit = start + step;
    return isSeparator ? [value.slice(0, digit) + value.slice(digit + 1), digit, digit] : undefined;
  }

  #handleInput(inputType: string): void {
    if (inputType.startsWith('history')) return;
    const [value, from, to] = this.#edited ?? this.#read();
    this.#edited = undefined;
    const earlier = this.#states[this.#current]?.[0] ?? '';
    // After a digit is deleted, the commas of a correct text are in the wrong places.
    const wasCorrect =
      inputType.startsWith('delete') && this.#format(withoutCommas(earlier)) === earlier;
    const isPasted = inputType === 'insertFromPaste' || inputType === 'insertFromDrop';
    const format = isPasted ? this.#formatPasted : this.#format;
    const text = format(wasCorrect ? withoutCommas(value) : value);
    this.#write([text, moveCaret(value, from, text), moveCaret(value, to, text)]);
    if (text === earlier) return;
    this.#states.splice((this.#current += 1), Infinity, this.#read());
  }

  #travel(event: Event, step: 1 | -1): void {
    event.preventDefault();
    const state = this.#states[this.#current + step];
    if (!state) return;
    this.#current += step;
    this.#write(state);
    const inputType = step < 0 ? 'historyUndo' : 'historyRedo';
    this.input.dispatchEvent(new InputEvent('input', { inputType, bubbles: true }));
  }

  #read(): InputState {
    const { value, selectionStart, selectionEnd } = this.input;
    return [value, selectionStart ?? 0, selectionEnd ?? 0];
  }

  #write([value, from, to]: InputState): void {
    if (this.input.value === value) return;
    this.input.value = value;
    if (this.input.matches(':focus')) this.input.setSelectionRange(from, to);
  }
}

/** The empty text for autofill, and for events of scripts. */
function toInputType(event: Event): string {
  return event instanceof InputEvent ? event.inputType : '';
}

/** The text of an input method is formatted when it is complete. */
function isComposition(event: Event): boolean {
  return toInputType(event) === 'insertCompositionText';
}

/** Ctrl+Z and Ctrl+Y, or Command+Z and Command+Shift+Z. */
function toHistoryStep({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): 1 | -1 | 0 {
  if (altKey || ctrlKey === metaKey) return 0;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 1 : -1;
  return letter === 'y' && ctrlKey && !shiftKey ? 1 : 0;
}

/** Keeps the caret after the same digit. */
function moveCaret(value: string, at: number, text: string): number {
  if (text === value) return at;
  if (at >= value.length) return text.length;
  const isKept = (character: string) =>
    /\d/.test(character) || (character === '.' && text.includes(character));
  const isAfterSeparator = at > 0 && !isKept(value.charAt(at - 1));
  let remaining = Array.from(value.slice(0, at)).filter(isKept).length;
  let caret = 0;
  for (; remaining > 0 && caret < text.length; caret += 1)
    if (isKept(text.charAt(caret))) remaining -= 1;
  return isAfterSeparator && /[-,]/.test(text.charAt(caret)) ? caret + 1 : caret;
}
