// The formats of amounts and numbers, and masks that apply them during typing. Maskito handles the caret, pasting, undo, and touch
// keyboards.

import type { LitElement, ReactiveController, ReactiveControllerHost } from 'lit';
import {
  Maskito,
  maskitoChangeEventPlugin,
  type MaskitoOptions,
  type MaskitoPlugin,
  type MaskitoPostprocessor,
} from '@maskito/core';
import {
  formatPhone,
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
}

/** The element whose shadow root contains the fields. */
type Host = ReactiveControllerHost & Pick<LitElement, 'renderRoot' | 'shadowRoot'>;

const eventTypes = ['focusin', 'focusout', 'change'] as const;
const formatted = 'input[data-format]';

type ElementState = Parameters<MaskitoPostprocessor>[0];

const formatters: Readonly<Record<InputFormat, Formatters>> = {
  money: { whileTyping: formatTypedMoney, afterTyping: formatMoney },
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
  #masked: { readonly input: HTMLInputElement; readonly stop: () => void } | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
    // The applicant may have reached the first field before this chunk was loaded.
    this.#mask(host.shadowRoot?.activeElement ?? null);
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
    this.#stopMask();
  }

  handleEvent({ type, target }: Event): void {
    if (type === 'focusin') this.#mask(target);
    else if (type === 'focusout') this.#stopMask();
    else if (isFormatted(target)) {
      const text = formatInput(target.value, toFormat(target));
      if (text !== target.value) target.value = text;
    }
  }

  hostUpdated(): void {
    if (this.#masked?.input.isConnected === false) this.#stopMask();
  }

  #mask(target: EventTarget | null): void {
    this.#stopMask();
    if (!isFormatted(target)) return;
    this.#masked = { input: target, stop: maskInput(target, toFormat(target)) };
  }

  #stopMask(): void {
    this.#masked?.stop();
    this.#masked = undefined;
  }
}

function isFormatted(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.matches(formatted);
}

function toFormat(input: HTMLInputElement): InputFormat {
  // Only the templates of the fields write this attribute, and their option has this type.
  return input.dataset['format'] as InputFormat;
}

/** Formats an input while it has the focus. Returns a function that stops it. */
export function maskInput(input: HTMLInputElement, format: InputFormat): () => void {
  const { whileTyping, afterTyping } = formatters[format];
  if (!whileTyping) return () => undefined;
  const mask = new Maskito(input, createMask(whileTyping, afterTyping));
  return () => mask.destroy();
}

/** Formats the text of an input that the applicant has left. */
export function formatInput(text: string, format: InputFormat): string {
  const { whileTyping, afterTyping = whileTyping } = formatters[format];
  return afterTyping?.(text) ?? text;
}

/**
 * `$1250000` → `1,250,000`. A comma before fewer than three digits may be a decimal comma, so it stays. More than two digits
 * after a point may be thousands, as in `25.000`.
 */
export function formatTypedMoney(text: string): string {
  const match = /^[\s$]*(\d[\d,\s]*)(\.\d{0,2})?\s*$/.exec(text);
  const dollars = (match?.[1] ?? '').replaceAll(/\s/g, '');
  if (!match || /,\d{0,2}$/.test(dollars)) return text;
  return `${groupThousands(withoutCommas(dollars))}${match[2] ?? ''}`;
}

/** Removes the cents, too. */
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

/** The mask accepts all text, so that no input is lost. It only inserts and removes separators. */
function createMask(format: Formatter, formatPasted: Formatter = format): MaskitoOptions {
  let isDeleting = false;
  return {
    mask: /^.*$/s,
    plugins: [maskitoChangeEventPlugin(), createPastePlugin(formatPasted)],
    preprocessors: [
      (state, action) => {
        isDeleting = action.startsWith('delete');
        return isDeleting
          ? { ...state, elementState: skipSeparator(state.elementState, action, format) }
          : state;
      },
    ],
    postprocessors: [
      ({ value, selection: [from, to] }, initial) => {
        // After a digit is deleted, the commas of a correct text are in the wrong places.
        const wasCorrect = isDeleting && format(withoutCommas(initial.value)) === initial.value;
        const text = format(wasCorrect ? withoutCommas(value) : value);
        return {
          value: text,
          selection: [moveCaret(value, from, text), moveCaret(value, to, text)],
        };
      },
    ],
  };
}

/** Pasted text is complete, so it is formatted at once. */
function createPastePlugin(format: Formatter): MaskitoPlugin {
  return (input) => {
    const handleInput = (event: Event) => {
      if (!(event instanceof InputEvent && event.inputType.startsWith('insertFrom'))) return;
      const text = format(input.value);
      if (text !== input.value) input.value = text;
    };
    input.addEventListener('input', handleInput);
    return () => input.removeEventListener('input', handleInput);
  };
}

/** Deletes the digit beside a separator, because the format would insert a deleted separator again. */
function skipSeparator(state: ElementState, action: string, format: Formatter): ElementState {
  const { value, selection } = state;
  const [from, to] = selection;
  const isSeparator = to - from === 1 && format(value.slice(0, from) + value.slice(to)) === value;
  if (!isSeparator) return state;
  const step = action === 'deleteForward' ? 1 : -1;
  return { value, selection: [from + step, to + step] };
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
