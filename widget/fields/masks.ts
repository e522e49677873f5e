// Separators while somebody types, by Maskito: it knows carets, pasting, undoing and the keyboards of phones. Loaded late.

import {
  Maskito,
  maskitoChangeEventPlugin,
  type MaskitoOptions,
  type MaskitoPlugin,
} from '@maskito/core';
import {
  toSettledMoney,
  toSettledPhone,
  toTypedCount,
  toTypedEin,
  toTypedMoney,
  toTypedPercent,
  toTypedSsn,
  toTypedZip,
  type TypedFormat,
} from './typed-formats.ts';

type Formatter = (text: string) => string;

interface Format {
  /** While it is typed; a phone number is left alone until then. */
  readonly typed?: Formatter;
  /** Once it is left, where that differs. */
  readonly settled?: Formatter;
}

interface ElementState {
  readonly value: string;
  readonly selection: readonly [number, number];
}

const formats: Readonly<Record<TypedFormat, Format>> = {
  money: { typed: toTypedMoney, settled: toSettledMoney },
  count: { typed: toTypedCount },
  percent: { typed: toTypedPercent },
  ssn: { typed: toTypedSsn },
  ein: { typed: toTypedEin },
  zip: { typed: toTypedZip },
  phone: { settled: toSettledPhone },
};

/** Keeps an input's text in its format while it has the focus; the function that is returned ends that. */
export function maskInput(input: HTMLInputElement, name: TypedFormat): () => void {
  const { typed, settled } = formats[name];
  if (!typed) return () => undefined;
  const mask = new Maskito(input, createMask(typed, settled));
  return () => mask.destroy();
}

/** What an input holds once it is left. */
export function toSettled(text: string, name: TypedFormat): string {
  const { typed, settled } = formats[name];
  return (settled ?? typed)?.(text) ?? text;
}

/** Everything may be typed, so that nothing is thrown away; only separators come and go. */
function createMask(typed: Formatter, settled: Formatter = typed): MaskitoOptions {
  let isDeleting = false;
  return {
    mask: /^.*$/s,
    plugins: [maskitoChangeEventPlugin(), createPastePlugin(settled)],
    preprocessors: [
      (state, action) => {
        isDeleting = action.startsWith('delete');
        return isDeleting
          ? { ...state, elementState: pastSeparator(state.elementState, action, typed) }
          : state;
      },
    ],
    postprocessors: [
      ({ value, selection: [from, to] }, initial) => {
        // Where a digit is taken away, commas stand wrong that stood right before.
        const wasRight = isDeleting && typed(withoutCommas(initial.value)) === initial.value;
        const text = typed(wasRight ? withoutCommas(value) : value);
        const toPlace = (at: number) => toSamePlace(value, at, text);
        return { value: text, selection: [toPlace(from), toPlace(to)] };
      },
    ],
  };
}

/** What is pasted is whole, and need not wait until the field is left. */
function createPastePlugin(settled: Formatter): MaskitoPlugin {
  return (input) => {
    const handleInput = (event: Event) => {
      if (!(event instanceof InputEvent && event.inputType.startsWith('insertFrom'))) return;
      const text = settled(input.value);
      if (text !== input.value) input.value = text;
    };
    input.addEventListener('input', handleInput);
    return () => input.removeEventListener('input', handleInput);
  };
}

/** A separator that was put in cannot be deleted, so the digit beside it goes instead. */
function pastSeparator(state: ElementState, action: string, typed: Formatter): ElementState {
  const { value, selection } = state;
  const [from, to] = selection;
  const isOurs = to - from === 1 && typed(value.slice(0, from) + value.slice(to)) === value;
  if (!isOurs) return state;
  const step = action === 'deleteForward' ? 1 : -1;
  return { value, selection: [from + step, to + step] };
}

/** The caret stays behind the same digit, whatever separators come and go. */
function toSamePlace(value: string, at: number, text: string): number {
  if (text === value) return at;
  if (at >= value.length) return text.length;
  const isKept = (sign: string) => /\d/.test(sign) || (sign === '.' && text.includes(sign));
  const isBehindSeparator = !isKept(value.charAt(at - 1)) && at > 0;
  let left = Array.from(value.slice(0, at)).filter(isKept).length;
  let place = 0;
  for (; left > 0 && place < text.length; place += 1) if (isKept(text.charAt(place))) left -= 1;
  return isBehindSeparator && /[-,]/.test(text.charAt(place)) ? place + 1 : place;
}

function withoutCommas(text: string): string {
  return text.replaceAll(',', '');
}
