// The industry picker: type and choose with mouse or keys; on touch screens the system's own list.

import Combobox from '@github/combobox-nav';
import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { live } from 'lit/directives/live.js';
import type { Translate } from '../i18n/text.ts';
import { renderField, toDescription, toFieldId, type FieldContext } from './field.ts';
import {
  findIndustries,
  industryOptions,
  toIndustryLabel,
  toIndustryValue,
} from './industry-search.ts';
import { renderSelectField } from './select-field.ts';

const path = 'business/industry';
const listId = 'industry-options';

/** Follows the list autocomplete pattern with manual selection (ARIA Authoring Practices, "Combobox"). */
export class IndustryCombobox implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #onAnswer: (path: string, value: string, isSettled: boolean) => void;
  readonly #isTouch: () => boolean;
  readonly #input = createRef<HTMLInputElement>();
  readonly #list = createRef<HTMLUListElement>();
  #navigation: Combobox | undefined;
  #query: string | undefined;
  #isOpen = false;

  /** @param onAnswer takes the chosen value; `isSettled` is false while it is still being typed. */
  constructor(
    host: ReactiveControllerHost,
    onAnswer: (path: string, value: string, isSettled: boolean) => void,
    isTouch: () => boolean = () => matchMedia('(pointer: coarse)').matches,
  ) {
    this.#host = host;
    this.#onAnswer = onAnswer;
    this.#isTouch = isTouch;
    host.addController(this);
  }

  /** The navigation holds on to elements, so it follows what has just been drawn. */
  hostUpdated(): void {
    const [input, list] = [this.#input.value, this.#list.value];
    if (!input) {
      // Another step is shown; coming back, the list is closed.
      this.#isOpen = false;
      this.#query = undefined;
    }
    if (!this.#isOpen || !input || !list) {
      this.#endNavigation();
      return;
    }
    if (!this.#navigation) {
      this.#navigation = new Combobox(input, list, { tabInsertsSuggestions: false });
      this.#navigation.start();
    }
  }

  hostDisconnected(): void {
    this.#endNavigation();
    this.#isOpen = false;
  }

  /** Not `destroy()`: that takes the role and the attributes away that the template has written. */
  #endNavigation(): void {
    this.#navigation?.stop();
    this.#navigation = undefined;
  }

  render(context: FieldContext): TemplateResult {
    const { t } = context;
    if (this.#isTouch()) {
      return renderSelectField(context, {
        path,
        label: t('label.business/industry'),
        hint: t('hint.business/industry.select'),
        choices: industryOptions,
      });
    }
    const text = { path, label: t('label.business/industry'), hint: t('hint.business/industry') };
    const shown = this.#query ?? toIndustryLabel(context.valueOf(path));
    return renderField(
      context,
      text,
      html`<div class="combobox">
        <input
          ${ref(this.#input)}
          class="control"
          part="input"
          id=${toFieldId(path)}
          name="industry"
          type="text"
          role="combobox"
          aria-expanded=${this.#isOpen ? 'true' : 'false'}
          aria-controls=${listId}
          aria-autocomplete="list"
          aria-describedby=${toDescription(context, text)}
          aria-invalid=${context.errorOf(path) === undefined ? nothing : 'true'}
          autocomplete="off"
          spellcheck="false"
          .value=${live(shown)}
          @input=${this.#handleInput}
          @change=${(event: Event) => event.stopPropagation()}
          @click=${this.#open}
          @keydown=${this.#handleKey}
          @blur=${this.#handleBlur}
        />
        ${this.#isOpen ? this.#renderList(t) : nothing}
      </div>`,
    );
  }

  #renderList(t: Translate): TemplateResult {
    const found = findIndustries(this.#query ?? '');
    const options =
      found.length > 0 ? found : industryOptions.filter(({ value }) => value === 'Services');
    return html`
      <ul
        ${ref(this.#list)}
        class="listbox"
        id=${listId}
        role="listbox"
        aria-label=${t('label.business/industry')}
        @combobox-commit=${this.#handleCommit}
        @mousedown=${(event: Event) => event.preventDefault()}
      >
        ${options.map(
          ({ value, label }, index) =>
            html`<li role="option" id="industry-${index}" data-value=${value}>
              ${found.length > 0 ? this.#renderMatch(label) : t('industry.none')}
            </li>`,
        )}
      </ul>
      <p class="visually-hidden" role="status">
        ${found.length === 1 ? t('industry.count.one') : t('industry.count.many', { count: found.length })}
      </p>
    `;
  }

  #renderMatch(label: string): TemplateResult | string {
    const query = this.#query?.trim() ?? '';
    const at = query === '' ? -1 : label.toLowerCase().indexOf(query.toLowerCase());
    if (at < 0) return label;
    const end = at + query.length;
    return html`<span
      >${label.slice(0, at)}<mark>${label.slice(at, end)}</mark>${label.slice(end)}</span
    >`;
  }

  #handleInput = (event: Event): void => {
    event.stopPropagation();
    this.#query = this.#input.value?.value ?? '';
    this.#onAnswer(path, toIndustryValue(this.#query), false);
    this.#navigation?.clearSelection();
    this.#open();
  };

  #handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.#isOpen) {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !this.#isOpen) {
      event.preventDefault();
      this.#open();
      void this.#host.updateComplete.then(() =>
        this.#navigation?.navigate(event.key === 'ArrowDown' ? 1 : -1),
      );
    }
  };

  #handleCommit = (event: Event): void => {
    const option =
      event.target instanceof HTMLElement ? event.target.closest('[data-value]') : undefined;
    const value = option instanceof HTMLElement ? option.dataset['value'] : undefined;
    if (value === undefined) return;
    this.#onAnswer(path, value, true);
    this.#close();
  };

  #handleBlur = (): void => {
    this.#onAnswer(path, toIndustryValue(this.#input.value?.value ?? ''), true);
    this.#close();
  };

  #open = (): void => {
    this.#isOpen = true;
    this.#host.requestUpdate();
  };

  #close(): void {
    this.#isOpen = false;
    this.#query = undefined;
    this.#host.requestUpdate();
  }
}
