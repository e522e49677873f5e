// The list of a step's errors above its fields. Each error is a link to its field.

import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import type { Translate } from '../i18n/text.ts';
import { keepCorrected, toFieldId, type ErrorMessage } from './field.ts';

interface Context {
  readonly t: Translate;
  readonly headingLevel: (depth: 1) => number;
}

/**
 * @param step whose errors these are.
 * @param onChoose focuses the field. Fragment links do not work inside a shadow root.
 */
export function renderErrorSummary(
  context: Context,
  step: string,
  errors: readonly ErrorMessage[],
  onChoose: (path: string) => void,
): DirectiveResult {
  return keepCorrected(step, errors, (kept) =>
    kept.length === 0 ? nothing : renderList(context, kept, onChoose),
  );
}

function renderList(
  { t, headingLevel }: Context,
  errors: readonly ErrorMessage[],
  onChoose: (path: string) => void,
): TemplateResult {
  const isCorrected = errors.every((error) => error.isCorrected);
  return html`<div
    class="summary ${isCorrected ? 'corrected' : ''}"
    part="error-summary"
    role="group"
    aria-labelledby="error-summary-title"
    aria-describedby="error-summary-list"
    tabindex="-1"
    id="error-summary"
  >
    <h3 id="error-summary-title" aria-level=${headingLevel(1)}>${t('summary.title')}</h3>
    <ul id="error-summary-list">
      ${errors.map(
        (error) =>
          html`<li class=${error.isCorrected ? 'corrected' : ''}>
            <a
              href="#${toFieldId(error.path)}"
              @click=${(event: Event) => {
                event.preventDefault();
                onChoose(error.path);
              }}
              >${error.sentence}</a
            >
          </li>`,
      )}
    </ul>
  </div>`;
}
