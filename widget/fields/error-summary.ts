// The list of a step's errors above its fields. Each error is a link to its field.

import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import type { Translate } from '../i18n/messages.ts';
import { keepCorrected, toFieldId, type ErrorMessage } from './field.ts';

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
