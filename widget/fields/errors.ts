// The errors of a step: the message of each field, and the list above the fields, in which each error is a link to its field.

import { html, nothing, type TemplateResult } from 'lit';
import { Directive, directive, type DirectiveResult } from 'lit/directive.js';
import type { Translate } from '../i18n/messages.ts';
import { toFieldId, type ErrorMessage } from './field.ts';
import { icons } from './icons.ts';

class KeepCorrected extends Directive {
  #key = '';
  #kept: readonly ErrorMessage[] = [];

  render(
    key: string,
    errors: readonly ErrorMessage[],
    render: (errors: readonly ErrorMessage[]) => unknown,
  ): unknown {
    const isKept = ({ path }: ErrorMessage) => this.#kept.some((kept) => kept.path === path);
    if (key !== this.#key || !errors.every(isKept)) this.#kept = errors;
    this.#key = key;
    const isCorrected = true;
    return render(
      this.#kept.map(
        (kept) => errors.find(({ path }) => path === kept.path) ?? { ...kept, isCorrected },
      ),
    );
  }
}

/**
 * Renders the errors together with those that were corrected since, until there is a new error or another key. The style
 * sheet hides a corrected error, and closes its space when nothing is pressed.
 */
const keepCorrected = directive(KeepCorrected);

/** The message of a field. */
export function renderFieldError(
  t: Translate,
  path: string,
  sentence: string | undefined,
): DirectiveResult {
  return keepCorrected(path, sentence === undefined ? [] : [{ path, sentence }], (errors) =>
    errors.map((error) =>
      renderErrorLine(t, error.sentence, `${toFieldId(path)}-error`, error.isCorrected),
    ),
  );
}

interface SummaryContext {
  readonly t: Translate;
  readonly headingLevel: (depth: 1) => number;
}

/**
 * @param step the step that the errors belong to.
 * @param onChoose focuses the field. Fragment links do not work inside a shadow root.
 */
export function renderErrorSummary(
  { t, headingLevel }: SummaryContext,
  step: string,
  errors: readonly ErrorMessage[],
  onChoose: (path: string) => void,
): DirectiveResult {
  const renderEntry = ({ path, sentence, isCorrected }: ErrorMessage): TemplateResult => {
    const handleClick = (event: Event) => {
      event.preventDefault();
      onChoose(path);
    };
    return html`<li class=${isCorrected ? 'corrected' : ''}>
      <a href="#${toFieldId(path)}" @click=${handleClick}>${sentence}</a>
    </li>`;
  };
  return keepCorrected(step, errors, (kept) =>
    kept.length === 0
      ? nothing
      : html`<div
          class="summary ${kept.every(({ isCorrected }) => isCorrected) ? 'corrected' : ''}"
          part="error-summary"
          role="group"
          aria-labelledby="error-summary-title"
          aria-describedby="error-summary-list"
          tabindex="-1"
          id="error-summary"
        >
          <h3 id="error-summary-title" aria-level=${headingLevel(1)}>${t('summary.title')}</h3>
          <ul id="error-summary-list">
            ${kept.map(renderEntry)}
          </ul>
        </div>`,
  );
}

/** @param isCorrected hides the message. */
export function renderErrorLine(
  t: Translate,
  sentence: string,
  id?: string,
  isCorrected = false,
): TemplateResult {
  return html`<p class="error ${isCorrected ? 'corrected' : ''}" id=${id ?? nothing} part="error">
    ${icons.alert}<span><span class="visually-hidden">${t('error.prefix')} </span>${sentence}</span>
  </p>`;
}
