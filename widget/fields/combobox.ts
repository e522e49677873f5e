// A text input with a list of options (ARIA Authoring Practices, "Combobox": list autocomplete with manual selection).

import Navigation from '@github/combobox-nav';
import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import { createRef, ref } from 'lit/directives/ref.js';
import { live } from 'lit/directives/live.js';
import {
  renderField,
  toDescription,
  toFieldId,
  type FieldContext,
  type FieldText,
} from './field.ts';
import type { FoundOption, OptionList } from './option-list.ts';
import { icons } from './icons.ts';

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
}

/** Takes an answer. `isFinal` is false while the applicant types. */
export type TakeAnswer = (path: string, value: string, isFinal: boolean) => void;

/** The element whose shadow root contains all fields. */
export type PickerHost = ReactiveControllerHost & Element;

interface OpenList {
  readonly input: HTMLInputElement;
  readonly path: string;
  /** The text typed since the list opened. */
  readonly query?: string;
}

const arrows: Readonly<Record<string, 1 | -1 | undefined>> = { ArrowDown: 1, ArrowUp: -1 };

class Rerenderable extends AsyncDirective {
  render(template: () => TemplateResult, onRender: (rerender: () => void) => void): TemplateResult {
    onRender(() => this.setValue(template()));
    return template();
  }
}

/** Renders a template, and passes a function that renders it again without an update of the whole element. */
const rerenderable = directive(Rerenderable);

/** One controller serves all comboboxes of the element, because only the one with the focus can be open. */
export class Combobox implements ReactiveController {
  readonly #host: PickerHost;
  readonly #onAnswer: TakeAnswer;
  readonly #list = createRef<HTMLUListElement>();
  #open: OpenList | undefined;
  /** The input whose text was replaced by the label of an option when it lost the focus. */
  #replaced: HTMLInputElement | undefined;
  #rerenderOpen: (() => void) | undefined;
  #navigation: Navigation | undefined;

  constructor(host: PickerHost, onAnswer: TakeAnswer) {
    this.#host = host;
    this.#onAnswer = onAnswer;
    host.addController(this);
  }

  /** Connects the keyboard navigation to the rendered list. */
  hostUpdated(): void {
    const list = this.#list.value;
    // Without a list, another step is shown.
    if (!list) this.#open = undefined;
    if (!this.#open || !list) return this.#stopNavigation();
    if (this.#navigation?.list === list) return;
    this.#stopNavigation();
    this.#navigation = new Navigation(this.#open.input, list, { tabInsertsSuggestions: false });
    this.#navigation.start();
  }

  hostDisconnected(): void {
    this.#stopNavigation();
    this.#open = undefined;
  }

  /** Not `destroy()`, which removes attributes that the template has written. */
  #stopNavigation(): void {
    this.#navigation?.stop();
    this.#navigation = undefined;
  }

  render(context: FieldContext, options: ComboboxOptions): TemplateResult {
    const control = rerenderable(
      () => this.#renderControl(context, options),
      (rerender) => {
        if (this.#open?.path === options.path) this.#rerenderOpen = rerender;
      },
    );
    return renderField(context, options, control);
  }

  #renderControl(context: FieldContext, options: ComboboxOptions): TemplateResult {
    const { path, list } = options;
    const open = this.#open?.path === path ? this.#open : undefined;
    const found = open ? list.find(open.query ?? '') : [];
    const isWaiting = options.isLoading === true && found.length === 0;
    const status = open
      ? isWaiting
        ? ''
        : toCount(context, options, found.length)
      : this.#toReplacement(context, options);
    return html`<div class="combobox selecting">
      <input
        class="control"
        part="input"
        id=${toFieldId(path)}
        name=${path}
        type="text"
        role="combobox"
        aria-expanded=${open ? 'true' : 'false'}
        aria-controls="${toFieldId(path)}-list"
        aria-autocomplete="list"
        aria-describedby=${toDescription(context, options)}
        aria-invalid=${context.errorOf(path) === undefined ? nothing : 'true'}
        autocomplete=${options.autocomplete}
        autocapitalize=${options.autocapitalize ?? 'words'}
        enterkeyhint="next"
        spellcheck="false"
        .value=${live(open?.query ?? list.toLabel(context.valueOf(path)))}
        @input=${(event: Event) => this.#handleInput(event, options)}
        @change=${(event: Event) => event.stopPropagation()}
        @click=${(event: Event) => this.#openList({ input: toInput(event), path })}
        @keydown=${(event: KeyboardEvent) => this.#handleKey(event, options)}
        @blur=${(event: Event) => this.#takeText(toInput(event), options)}
      />
      ${icons.down}
      ${open ? this.#renderList(options, open, isWaiting ? undefined : found) : nothing}
      <p class="visually-hidden" role="status">${status}</p>
    </div>`;
  }

  /** @param found undefined hides the list. */
  #renderList(
    { path, label, list, noMatch, fallback }: ComboboxOptions,
    { query = '' }: OpenList,
    found: readonly FoundOption[] | undefined,
  ): TemplateResult {
    const id = `${toFieldId(path)}-list`;
    const hasMatch = found !== undefined && found.length > 0;
    const offered = hasMatch ? found : list.options.filter(({ value }) => value === fallback);
    return html`<ul
      ${ref(this.#list)}
      class="listbox"
      part="listbox"
      id=${id}
      role="listbox"
      aria-label=${label}
      ?hidden=${!found}
      @combobox-commit=${(event: Event) => this.#handleCommit(event, path)}
      @mousedown=${(event: Event) => event.preventDefault()}
    >
      ${offered.map(
        (option, index) =>
          html`<li role="option" id="${id}-${index}" data-value=${option.value}>
            ${hasMatch ? renderOption(option, query) : noMatch}
          </li>`,
      )}
      ${offered.length > 0 ? nothing : html`<li role="option" aria-disabled="true">${noMatch}</li>`}
    </ul>`;
  }

  #handleInput(event: Event, { path, list }: ComboboxOptions): void {
    event.stopPropagation();
    const input = toInput(event);
    // Autofill sets the value of inputs that do not have the focus.
    const isTyped = this.#host.shadowRoot?.activeElement === input;
    this.#onAnswer(path, list.toValue(input.value), !isTyped);
    if (!isTyped) return;
    const open = { input, path, query: input.value };
    if (this.#open?.path !== path) return this.#openList(open);
    this.#open = open;
    this.#rerenderOpen?.();
  }

  #handleKey(event: KeyboardEvent, options: ComboboxOptions): void {
    // Keys of an input method are not for the list, nor for the navigation, which ignores where composing began.
    if (event.isComposing) return event.stopImmediatePropagation();
    const input = toInput(event);
    const arrow = arrows[event.key];
    if (event.key === 'Escape' && this.#open) {
      event.preventDefault();
      event.stopPropagation();
      this.#closeList();
    } else if (event.key === 'Enter' && this.#open) {
      // Enter in an open list never submits the form. The navigation commits the selected option.
      event.preventDefault();
      const value = options.list.toFinalValue(input.value);
      const isOption = options.list.options.some((option) => option.value === value);
      if (isOption && !input.hasAttribute('aria-activedescendant')) this.#takeText(input, options);
    } else if (arrow && !this.#open) {
      event.preventDefault();
      this.#openList({ input, path: options.path });
      void this.#host.updateComplete.then(() => this.#navigation?.navigate(arrow));
    }
  }

  #handleCommit(event: Event, path: string): void {
    const option = event.target instanceof Element ? event.target.closest('[data-value]') : null;
    const value = option?.getAttribute('data-value');
    if (typeof value !== 'string') return;
    this.#onAnswer(path, value, true);
    this.#closeList();
  }

  #takeText(input: HTMLInputElement, { path, list }: ComboboxOptions): void {
    const value = list.toFinalValue(input.value);
    this.#replaced = list.toLabel(value) === input.value ? undefined : input;
    this.#onAnswer(path, value, true);
    this.#closeList();
  }

  /** Tells screen readers the replacement, because the input no longer has the focus. */
  #toReplacement(context: FieldContext, { path, label, list }: ComboboxOptions): string {
    const { name, isConnected } = this.#replaced ?? {};
    return name === path && isConnected ? `${label}: ${list.toLabel(context.valueOf(path))}` : '';
  }

  #openList(open: OpenList): void {
    this.#replaced = undefined;
    this.#open = open;
    this.#host.requestUpdate();
  }

  #closeList(): void {
    this.#open = undefined;
    this.#host.requestUpdate();
  }
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

function toCount({ t }: FieldContext, { noMatch }: ComboboxOptions, count: number): string {
  if (count === 0) return noMatch;
  return count === 1 ? t('picker.count.one') : t('picker.count.many', { count });
}

/** The input that an event listener of the template above was called for. */
function toInput({ currentTarget }: Event): HTMLInputElement {
  if (currentTarget instanceof HTMLInputElement) return currentTarget;
  throw new TypeError('The event has no input.');
}
