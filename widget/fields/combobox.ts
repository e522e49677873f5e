// A text input with a list of options (ARIA Authoring Practices, "Combobox": list autocomplete with manual selection).

import { html, nothing, type TemplateResult } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import { live } from 'lit/directives/live.js';
import {
  renderField,
  toDescription,
  toFieldId,
  toInvalid,
  type FieldContext,
  type FieldText,
} from './field.ts';
import type { FoundOption, OptionList } from './option-list.ts';
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
  /** The value that the list offers when nothing matches. */
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
}

interface Row {
  /** The applicant can choose the row only if it has one. */
  readonly value: string | undefined;
  readonly text: TemplateResult | string;
}

const arrows: Readonly<Record<string, 1 | -1 | undefined>> = { ArrowDown: 1, ArrowUp: -1 };

/** Renders the control itself when the list changes, so that a key does not update the whole element. */
class Combobox extends AsyncDirective {
  #open: OpenList | undefined;
  /** The typed text was replaced by the label of an option when the input lost the focus. */
  #isReplaced = false;
  #rerender = (): void => undefined;

  render(context: FieldContext, options: ComboboxOptions): TemplateResult {
    this.#rerender = () => this.setValue(this.#renderControl(context, options));
    return this.#renderControl(context, options);
  }

  protected override disconnected(): void {
    this.#open = undefined;
  }

  #renderControl(context: FieldContext, options: ComboboxOptions): TemplateResult {
    const { path, label, list } = options;
    const id = toFieldId(path);
    const open = this.#open;
    const selected = open?.selected ?? -1;
    const rows = open ? findRows(options, open) : [];
    const text = list.toLabel(context.valueOf(path));
    // The input no longer has the focus, so screen readers would not tell that its text was replaced.
    const replacement = this.#isReplaced ? `${label}: ${text}` : '';
    return html`<div class="combobox selecting">
      <input
        class="control"
        part="input"
        id=${id}
        name=${path}
        type="text"
        role="combobox"
        aria-expanded=${open ? 'true' : 'false'}
        aria-controls="${id}-list"
        aria-activedescendant=${selected < 0 ? nothing : `${id}-list-${selected}`}
        aria-autocomplete="list"
        aria-describedby=${toDescription(context, options)}
        aria-invalid=${toInvalid(context, path)}
        autocomplete=${options.autocomplete}
        autocapitalize=${options.autocapitalize ?? 'words'}
        enterkeyhint="next"
        spellcheck="false"
        .value=${live(open?.query ?? text)}
        @input=${(event: Event) => this.#handleInput(event, options)}
        @change=${(event: Event) => event.stopPropagation()}
        @click=${() => this.#show({ selected: -1 })}
        @keydown=${(event: KeyboardEvent) => this.#handleKey(event, options)}
        @blur=${(event: Event) => this.#takeText(toInput(event), options)}
      />
      ${icons.down}
      ${
        open &&
        html`<ul
          class="listbox"
          part="listbox"
          id="${id}-list"
          role="listbox"
          aria-label=${label}
          ?hidden=${rows.length === 0}
          @mousedown=${(event: Event) => event.preventDefault()}
        >
          ${rows.map(
            ({ value, text }, index) =>
              // The input handles the keys.
              // oxlint-disable-next-line lit-a11y/click-events-have-key-events
              html`<li
                role="option"
                id="${id}-list-${index}"
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
        ${open ? toStatus(context, options, rows) : replacement}
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
    if (isTyped) this.#show({ query: input.value, selected: -1 });
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
      const input = toInput(event);
      const { list } = options;
      const value = list.toFinalValue(input.value);
      if (open.selected >= 0) this.#take(findRows(options, open)[open.selected]?.value, options);
      else if (list.options.some((option) => option.value === value))
        this.#takeText(input, options);
    } else if (open && !hasModifier) {
      this.#show({ ...open, selected: -1 });
    }
  }

  /** Selects the next or the previous option. After the last one and before the first one, none is selected. */
  #select(input: HTMLInputElement, options: ComboboxOptions, arrow: 1 | -1): void {
    const open = this.#open ?? { selected: -1 };
    const places = findRows(options, open).length + 1;
    this.#show({ ...open, selected: ((open.selected + 1 + arrow + places) % places) - 1 });
    const option = input.parentElement?.querySelector('[aria-selected="true"]');
    option?.scrollIntoView({ block: 'nearest' });
  }

  #take(value: string | undefined, options: ComboboxOptions): void {
    if (value === undefined) return;
    options.host.answer(options.path, value, true);
    this.#close(options);
  }

  #takeText(input: HTMLInputElement, options: ComboboxOptions): void {
    const value = options.list.toFinalValue(input.value);
    this.#isReplaced = options.list.toLabel(value) !== input.value;
    this.#take(value, options);
  }

  #show(open: OpenList): void {
    this.#isReplaced = false;
    this.#open = open;
    this.#rerender();
  }

  #close({ host }: ComboboxOptions): void {
    this.#open = undefined;
    host.requestUpdate();
  }
}

const renderControl = directive(Combobox);

export function renderCombobox(context: FieldContext, options: ComboboxOptions): TemplateResult {
  return renderField(context, options, renderControl(context, options));
}

function findRows(options: ComboboxOptions, { query = '' }: OpenList): readonly Row[] {
  const found = options.list.find(query);
  if (found.length === 0 && options.isLoading) return [];
  if (found.length === 0) return [{ value: options.fallback, text: options.noMatch }];
  return found.map((option) => ({ value: option.value, text: renderOption(option, query) }));
}

/** The matching word in gray, then the label, with the match in bold. */
function renderOption({ label, via }: FoundOption, query: string): TemplateResult {
  return html`<span
    >${via === undefined ? nothing : html`<span class="via">${renderMatch(via, query)} → </span>`}${renderMatch(label, query)}</span
  >`;
}

function renderMatch(text: string, query: string): TemplateResult | string {
  const match = query.trim();
  const start = match === '' ? -1 : text.toLowerCase().indexOf(match.toLowerCase());
  if (start < 0) return text;
  const end = start + match.length;
  return html`${text.slice(0, start)}<b>${text.slice(start, end)}</b>${text.slice(end)}`;
}

function toStatus({ t }: FieldContext, { noMatch }: ComboboxOptions, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  if (rows[0]?.text === noMatch) return noMatch;
  return rows.length === 1 ? t('picker.count.one') : t('picker.count.many', { count: rows.length });
}

/** The input that an event listener of the template above was called for. */
function toInput({ currentTarget }: Event): HTMLInputElement {
  if (currentTarget instanceof HTMLInputElement) return currentTarget;
  throw new TypeError('The event has no input.');
}
