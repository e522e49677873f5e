// A text input with a list of options (ARIA Authoring Practices, "Combobox": list autocomplete; the first match is selected).

import { html, nothing, type TemplateResult } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import {
  isTouch,
  renderField,
  toDescription,
  toFieldId,
  toInvalid,
  type FieldContext,
  type FieldText,
} from './field.ts';
import { live } from './live.ts';
import { toMarked, type FoundOption, type OptionList } from './option-list.ts';
import { icons } from './icons.ts';

export interface ComboboxHost {
  /** @param isComplete is false while the applicant types. */
  readonly answer: (path: string, value: string, isComplete: boolean) => void;
  /** Renders the fields again with the current answers. */
  readonly requestUpdate: () => void;
}

export interface ComboboxOptions extends FieldText {
  readonly list: OptionList;
  readonly autocomplete: string;
  readonly autocapitalize?: 'characters';
  /** The text of the list when nothing matches. */
  readonly noMatch: string;
  /** The value of the last row, for those who find no match. */
  readonly fallback?: string;
  /** The words of the list are still loading, so it does not say that nothing matches. */
  readonly isLoading?: boolean;
  readonly host: ComboboxHost;
}

interface OpenList {
  /** The text typed since the list opened. */
  readonly query?: string;
  /** The index of the selected option, or -1. */
  readonly selected: number;
  /** The applicant moved the selection with the arrow keys. */
  readonly isMoved?: boolean;
}

interface Row {
  /** The applicant can choose the row only if it has one. */
  readonly value: string | undefined;
  readonly text: TemplateResult | string;
  /** The row follows the matches, or replaces them. */
  readonly isNoMatch?: boolean;
}

/** A page that is lower than this, for example above the keyboard of a phone, gets a lower list. */
const lowPageHeight = 520;
/** The list needs this much room below the input. */
const listRoom = 190;

const arrows: Readonly<Record<string, 1 | -1 | undefined>> = { ArrowDown: 1, ArrowUp: -1 };

/** Renders the control itself when the list changes, so that a key does not update the whole element. */
class Combobox extends AsyncDirective {
  #open: OpenList | undefined;
  /** The typed text was replaced by the label of an option when the input lost the focus. */
  #isReplaced = false;
  /** The input lost the focus: screen readers announce what became of the text. */
  #isLeft = false;
  #rerender = (): void => undefined;
  #input: HTMLInputElement | undefined;
  #listening: AbortController | undefined;

  render(context: FieldContext, options: ComboboxOptions): TemplateResult {
    this.#rerender = () => this.setValue(this.#renderControl(context, options));
    return this.#renderControl(context, options);
  }

  protected override disconnected(): void {
    this.#setOpen(undefined);
  }

  #renderControl(context: FieldContext, options: ComboboxOptions): TemplateResult {
    const { path, label, list } = options;
    const id = toFieldId(path);
    const open = this.#open;
    const rows = open ? findRows(options, open) : [];
    const selected = toSelected(open, rows);
    const text = list.toLabel(context.valueOf(path));
    const isUnchosen =
      !open && text !== '' && !list.options.some((option) => option.label === text);
    // Text that was not chosen is searched again. A chosen option opens the whole list.
    const atClick: OpenList = isUnchosen ? { query: text, selected: 0 } : { selected: -1 };
    // An error says the same.
    const isMarked = isUnchosen && context.errorOf(path) === undefined;
    const mark = context.t('picker.unchosen');
    // The input no longer has the focus, so screen readers would not tell what became of its text.
    const outcome = isMarked ? mark : this.#isReplaced ? text : '';
    const announced = this.#isLeft && outcome !== '' ? `${label}: ${outcome}` : '';
    const description = toDescription(context, options);
    const ids = [description === nothing ? '' : description, isMarked ? `${id}-unchosen` : ''];
    return html`<div class="combobox selecting ${isMarked ? 'unchosen' : ''}">
      <input
        class="control"
        part="input"
        id=${id}
        name=${path}
        type="text"
        role="combobox"
        aria-expanded=${open ? 'true' : 'false'}
        aria-controls=${open ? `${id}-list` : nothing}
        aria-activedescendant=${selected < 0 ? nothing : `${id}-list-${selected}`}
        aria-autocomplete="list"
        aria-describedby=${ids.join(' ').trim() || nothing}
        aria-invalid=${toInvalid(context, path)}
        autocomplete=${options.autocomplete}
        autocapitalize=${options.autocapitalize ?? 'none'}
        autocorrect="off"
        enterkeyhint=${selected < 0 ? 'next' : 'done'}
        spellcheck="false"
        .value=${live(open?.query ?? text)}
        @input=${(event: Event) => this.#handleInput(event, options)}
        @change=${(event: Event) => event.stopPropagation()}
        @click=${(event: Event) => this.#show(open ?? atClick, toInput(event))}
        @focus=${() => setTimeout(() => list.prepare())}
        @keydown=${(event: KeyboardEvent) => this.#handleKey(event, options)}
        @blur=${(event: Event) => this.#takeText(toInput(event), options)}
      />
      ${isMarked ? html`<span class="mark" id="${id}-unchosen">${mark}</span>` : icons.down}
      ${
        open &&
        html`<ul
          class="listbox ${toPageHeight() < lowPageHeight ? 'low' : ''}"
          part="listbox"
          id="${id}-list"
          role="listbox"
          aria-label=${label}
          ?hidden=${rows.length === 0}
          @mousedown=${(event: Event) => event.preventDefault()}
        >
          ${rows.map(
            ({ value, text, isNoMatch }, index) =>
              // The input handles the keys.
              // oxlint-disable-next-line lit-a11y/click-events-have-key-events
              html`<li
                role="option"
                id="${id}-list-${index}"
                class=${isNoMatch ? 'no-match' : nothing}
                aria-selected=${index === selected ? 'true' : nothing}
                aria-disabled=${value === undefined ? 'true' : nothing}
                @click=${() => this.#take(value, options)}
              >
                ${text}
              </li>`,
          )}
        </ul>`
      }
      <p class="visually-hidden" role="status">
        ${open ? toStatus(context, options, rows) : announced}
      </p>
    </div>`;
  }

  #handleInput(event: Event, { path, list, host }: ComboboxOptions): void {
    event.stopPropagation();
    const input = toInput(event);
    const root = input.getRootNode();
    // Autofill sets the value of inputs that do not have the focus.
    const isTyped = root instanceof ShadowRoot && root.activeElement === input;
    host.answer(path, list.toValue(input.value), !isTyped);
    if (isTyped) this.#show({ query: input.value, selected: input.value.trim() ? 0 : -1 }, input);
  }

  #handleKey(event: KeyboardEvent, options: ComboboxOptions): void {
    // Keys of an input method are not for the list.
    if (event.isComposing) return;
    const open = this.#open;
    const { key } = event;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const arrow = arrows[key];
    if (arrow && !(open && hasModifier)) {
      event.preventDefault();
      this.#select(toInput(event), options, arrow);
    } else if (open && key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.#close(options);
    } else if (open && key === 'Enter') {
      // Enter in an open list never submits the form.
      event.preventDefault();
      const rows = findRows(options, open);
      this.#take(rows[toSelected(open, rows)]?.value, options);
    }
  }

  /** Selects the next or the previous option. After the last one and before the first one, none is selected. */
  #select(input: HTMLInputElement, options: ComboboxOptions, arrow: 1 | -1): void {
    const open = this.#open ?? { selected: -1 };
    const rows = findRows(options, open);
    const places = rows.length + 1;
    const selected = ((toSelected(open, rows) + 1 + arrow + places) % places) - 1;
    this.#show({ ...open, selected, isMoved: true }, input);
    const option = input.parentElement?.querySelector('[aria-selected="true"]');
    option?.scrollIntoView({ block: 'nearest' });
  }

  #take(value: string | undefined, options: ComboboxOptions): void {
    if (value === undefined) return;
    options.host.answer(options.path, value, true);
    this.#close(options);
  }

  /** Takes the text of an input that loses the focus. Text that is no option stays, and is marked. */
  #takeText(input: HTMLInputElement, options: ComboboxOptions): void {
    const value = options.list.toFinalValue(input.value);
    this.#isReplaced = options.list.toLabel(value) !== input.value;
    this.#isLeft = true;
    this.#take(value, options);
  }

  #show(open: OpenList, input: HTMLInputElement): void {
    this.#isReplaced = false;
    this.#isLeft = false;
    this.#input = input;
    this.#setOpen(open);
    this.#rerender();
    this.#makeRoom();
  }

  #close({ host }: ComboboxOptions): void {
    this.#setOpen(undefined);
    host.requestUpdate();
  }

  #setOpen(open: OpenList | undefined): void {
    this.#open = open;
    if (!open) this.#listening?.abort();
    if (!open || (this.#listening && !this.#listening.signal.aborted)) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    // On a touch screen, a tap beside the fields does not move the focus. A swipe ends with `pointercancel` instead.
    addEventListener('pointerup', (event) => this.#leaveFrom(event), { signal });
    visualViewport?.addEventListener('resize', () => this.#fitToPage(), { signal });
  }

  #leaveFrom(event: Event): void {
    const box = this.#input?.parentElement;
    if (box && !event.composedPath().includes(box)) this.#input?.blur();
  }

  /** The keyboard of a phone appears after the list has opened. */
  #fitToPage(): void {
    this.#rerender();
    this.#makeRoom();
  }

  /** Scrolls the input up if the list would be below the visible page, or behind the keyboard of a phone. */
  #makeRoom(): void {
    if (!this.#input || !isTouch()) return;
    const pageEnd = (visualViewport?.offsetTop ?? 0) + toPageHeight();
    const isTooLow = this.#input.getBoundingClientRect().bottom + listRoom > pageEnd;
    if (isTooLow) this.#input.scrollIntoView({ block: 'start' });
  }
}

/** The height of the page that is visible, without the keyboard of a phone. */
function toPageHeight(): number {
  return visualViewport?.height ?? innerHeight;
}

/** The index of the selected row, or -1. Only the arrow keys select the row that follows the matches. */
function toSelected(open: OpenList | undefined, rows: readonly Row[]): number {
  if (!open || open.selected >= rows.length) return -1;
  return rows[open.selected]?.isNoMatch && !open.isMoved ? -1 : open.selected;
}

const renderControl = directive(Combobox);

export function renderCombobox(context: FieldContext, options: ComboboxOptions): TemplateResult {
  return renderField(context, options, renderControl(context, options));
}

function findRows(options: ComboboxOptions, { query = '' }: OpenList): readonly Row[] {
  const { list, fallback, noMatch, isLoading } = options;
  const found = list.find(query);
  if (found.length === 0 && isLoading) return [];
  const rows = found.map((option) => ({
    value: option.value,
    text: renderOption(option, query),
  }));
  const isFallbackFound = fallback === undefined || found.some(({ value }) => value === fallback);
  if (found.length > 0 && isFallbackFound) return rows;
  return [...rows, { value: fallback, text: noMatch, isNoMatch: true }];
}

/** The matching word in gray, then the label, with the match in bold. */
function renderOption({ label, via }: FoundOption, query: string): TemplateResult {
  return html`<span
    >${via === undefined ? nothing : html`<span class="via">${renderMatch(via, query)}<span aria-hidden="true"> → </span></span>`}${renderMatch(label, query)}</span
  >`;
}

function renderMatch(text: string, query: string): readonly (TemplateResult | string)[] {
  return toMarked(text, query).map((part) =>
    part.isMatch ? html`<b>${part.text}</b>` : part.text,
  );
}

function toStatus({ t }: FieldContext, { noMatch }: ComboboxOptions, rows: readonly Row[]): string {
  const count = rows.filter(({ isNoMatch }) => !isNoMatch).length;
  if (rows.length === 0) return '';
  if (count === 0) return noMatch;
  return count === 1 ? t('picker.count.one') : t('picker.count.many', { count });
}

/** The input that an event listener of the template above was called for. */
function toInput({ currentTarget }: Event): HTMLInputElement {
  if (currentTarget instanceof HTMLInputElement) return currentTarget;
  throw new TypeError('The event has no input.');
}
