// A picker one types into: a native text input, and a list below it that mouse and keys choose from.

import Navigation from '@github/combobox-nav';
import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { live } from 'lit/directives/live.js';
import { drawnAlone } from './drawn-alone.ts';
import {
  renderField,
  toDescription,
  toFieldId,
  type FieldContext,
  type FieldText,
} from './field.ts';
import type { FoundOption, OptionList } from './find-options.ts';
import { icons } from './icons.ts';

export interface ComboboxOptions extends FieldText {
  readonly list: OptionList;
  readonly autocomplete: string;
  readonly autocapitalize?: 'characters';
  /** Said when nothing matches. */
  readonly none: string;
  /** The one value that is offered then. */
  readonly otherwise?: string;
  /** Set while words are on their way: that nothing matches means nothing yet. */
  readonly isPartial?: boolean;
}

/** Takes an answer; `isSettled` is false while it is still being typed. */
export type TakeAnswer = (path: string, value: string, isSettled: boolean) => void;

const arrows: Readonly<Record<string, 1 | -1 | undefined>> = { ArrowDown: 1, ArrowUp: -1 };

/** The element whose shadow root holds all fields. */
export type PickerHost = ReactiveControllerHost & Element;

interface Opened {
  readonly input: HTMLInputElement;
  readonly path: string;
  /** What has been typed since; nothing while the list is only looked at. */
  readonly query?: string;
}

/**
 * Follows the list autocomplete pattern with manual selection (ARIA Authoring Practices, "Combobox"). One controller serves
 * every picker of the element: only the one with the focus can be open.
 */
export class Combobox implements ReactiveController {
  readonly #host: PickerHost;
  readonly #onAnswer: TakeAnswer;
  readonly #list = createRef<HTMLUListElement>();
  #opened: Opened | undefined;
  /** Where a word that was typed has come to something else. */
  #settled: HTMLInputElement | undefined;
  /** Draws the one that is open. */
  #redraw: (() => void) | undefined;
  #navigation: Navigation | undefined;

  constructor(host: PickerHost, onAnswer: TakeAnswer) {
    this.#host = host;
    this.#onAnswer = onAnswer;
    host.addController(this);
  }

  /** The navigation holds on to elements, so it follows what has just been drawn. */
  hostUpdated(): void {
    const list = this.#list.value;
    // Another step is shown; coming back, the list is closed.
    if (!list) this.#opened = undefined;
    if (!this.#opened || !list) return this.#endNavigation();
    if (this.#navigation?.list === list) return;
    this.#endNavigation();
    this.#navigation = new Navigation(this.#opened.input, list, { tabInsertsSuggestions: false });
    this.#navigation.start();
  }

  hostDisconnected(): void {
    this.#endNavigation();
    this.#opened = undefined;
  }

  /** Not `destroy()`: that takes the role and the attributes away that the template has written. */
  #endNavigation(): void {
    this.#navigation?.stop();
    this.#navigation = undefined;
  }

  render(context: FieldContext, options: ComboboxOptions): TemplateResult {
    return renderField(
      context,
      options,
      drawnAlone(
        () => this.#renderPicker(context, options),
        (redraw) => {
          if (this.#opened?.path === options.path) this.#redraw = redraw;
        },
      ),
    );
  }

  #renderPicker(context: FieldContext, options: ComboboxOptions): TemplateResult {
    const { path, list } = options;
    const opened = this.#opened?.path === path ? this.#opened : undefined;
    const listId = `${toFieldId(path)}-list`;
    const found = opened ? list.find(opened.query ?? '') : [];
    const isWaiting = options.isPartial === true && found.length === 0;
    return html`<div class="combobox selecting">
      <input
        class="control"
        part="input"
        id=${toFieldId(path)}
        name=${path}
        type="text"
        role="combobox"
        aria-expanded=${opened ? 'true' : 'false'}
        aria-controls=${listId}
        aria-autocomplete="list"
        aria-describedby=${toDescription(context, options)}
        aria-invalid=${context.errorOf(path) === undefined ? nothing : 'true'}
        autocomplete=${options.autocomplete}
        autocapitalize=${options.autocapitalize ?? 'words'}
        enterkeyhint="next"
        spellcheck="false"
        .value=${live(opened?.query ?? list.toLabel(context.valueOf(path)))}
        @input=${(event: Event) => this.#handleInput(event, options)}
        @change=${(event: Event) => event.stopPropagation()}
        @click=${(event: Event) => this.#open(toInput(event), path)}
        @keydown=${(event: KeyboardEvent) => this.#handleKey(event, options)}
        @blur=${(event: Event) => this.#settle(toInput(event), options)}
      />
      ${icons.down}
      ${opened ? this.#renderList(options, opened, isWaiting ? undefined : found) : nothing}
      <p class="visually-hidden" role="status">
        ${opened ? (isWaiting ? nothing : toCount(context, options, found.length)) : this.#toSettled(context, options)}
      </p>
    </div>`;
  }

  #renderList(
    { path, label, list, none, otherwise }: ComboboxOptions,
    { query = '' }: Opened,
    found: readonly FoundOption[] | undefined,
  ): TemplateResult {
    const listId = `${toFieldId(path)}-list`;
    const isFound = found !== undefined && found.length > 0;
    const offered: readonly FoundOption[] = isFound
      ? found
      : list.options.filter(({ value }) => value === otherwise);
    return html`<ul
      ${ref(this.#list)}
      class="listbox"
      part="listbox"
      id=${listId}
      role="listbox"
      aria-label=${label}
      ?hidden=${!found}
      @combobox-commit=${(event: Event) => this.#handleCommit(event, path)}
      @mousedown=${(event: Event) => event.preventDefault()}
    >
      ${offered.map(
        (option, index) =>
          html`<li role="option" id="${listId}-${index}" data-value=${option.value}>
            ${isFound ? renderFound(option, query) : none}
          </li>`,
      )}
      ${offered.length > 0 ? nothing : html`<li role="option" aria-disabled="true">${none}</li>`}
    </ul>`;
  }

  #handleInput(event: Event, { path, list }: ComboboxOptions): void {
    event.stopPropagation();
    const input = toInput(event);
    // Browsers fill in addresses without a focus and without a key; nobody is choosing then.
    const isTyped = this.#host.shadowRoot?.activeElement === input;
    this.#onAnswer(path, list.toValue(input.value), !isTyped);
    if (!isTyped) return;
    if (this.#opened?.path !== path) return this.#open(input, path, input.value);
    this.#opened = { input, path, query: input.value };
    this.#redraw?.();
  }

  #handleKey(event: KeyboardEvent, options: ComboboxOptions): void {
    // Keys that belong to an input method are not ours, nor the navigation's, which misses where composing began.
    if (event.isComposing) return event.stopImmediatePropagation();
    const input = toInput(event);
    const arrow = arrows[event.key];
    if (event.key === 'Escape' && this.#opened) {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    } else if (event.key === 'Enter' && this.#opened) {
      // The navigation commits the option that is chosen; Enter over an open list never sends the form.
      event.preventDefault();
      if (!input.hasAttribute('aria-activedescendant')) this.#commitTyped(input, options);
    } else if (arrow && !this.#opened) {
      event.preventDefault();
      this.#open(input, options.path);
      void this.#host.updateComplete.then(() => this.#navigation?.navigate(arrow));
    }
  }

  #commitTyped(input: HTMLInputElement, options: ComboboxOptions): void {
    const value = options.list.toSettledValue(input.value);
    if (options.list.options.some((option) => option.value === value)) this.#settle(input, options);
  }

  #handleCommit(event: Event, path: string): void {
    const option = event.target instanceof Element ? event.target.closest('[data-value]') : null;
    const value = option?.getAttribute('data-value');
    if (typeof value !== 'string') return;
    this.#onAnswer(path, value, true);
    this.#close();
  }

  #settle(input: HTMLInputElement, { path, list }: ComboboxOptions): void {
    const value = list.toSettledValue(input.value);
    this.#settled = list.toLabel(value) === input.value ? undefined : input;
    this.#onAnswer(path, value, true);
    this.#close();
  }

  /** The focus has left it by then. */
  #toSettled(context: FieldContext, { path, label, list }: ComboboxOptions): string {
    const { name, isConnected } = this.#settled ?? {};
    return name === path && isConnected ? `${label}: ${list.toLabel(context.valueOf(path))}` : '';
  }

  #open(input: HTMLInputElement, path: string, query?: string): void {
    this.#settled = undefined;
    this.#opened = { input, path, ...(query === undefined ? {} : { query }) };
    this.#host.requestUpdate();
  }

  #close(): void {
    this.#opened = undefined;
    this.#host.requestUpdate();
  }
}

/** The word that led here in grey, then the label, with what was typed in bold. */
function renderFound({ label, via }: FoundOption, query: string): TemplateResult {
  return html`<span
    >${via === undefined ? nothing : html`<span class="via">${renderMatch(via, query)} → </span>`}${renderMatch(label, query)}</span
  >`;
}

function renderMatch(text: string, query: string): TemplateResult | string {
  const wanted = query.trim().toLowerCase();
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted);
  if (at < 0) return text;
  const end = at + wanted.length;
  return html`${text.slice(0, at)}<b>${text.slice(at, end)}</b>${text.slice(end)}`;
}

function toCount({ t }: FieldContext, { none }: ComboboxOptions, count: number): string {
  if (count === 0) return none;
  return count === 1 ? t('picker.count.one') : t('picker.count.many', { count });
}

/** The input a listener in the template above was called for. */
function toInput({ currentTarget }: Event): HTMLInputElement {
  if (currentTarget instanceof HTMLInputElement) return currentTarget;
  throw new TypeError('Not called for an input');
}
