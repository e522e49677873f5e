// Everything that is wrong on a step, above it, each a link to its field.

import { html, type TemplateResult } from 'lit';
import type { Translate } from '../i18n/text.ts';
import { toFieldId } from './field.ts';

export interface SummaryEntry {
  readonly path: string;
  readonly sentence: string;
  readonly isMended?: true;
}

/** Fragment links do not reach into shadow roots, so a link focuses its field by `onChoose`. What is mended stands struck out until the next Continue, so that nothing moves while somebody types; few screen readers say that, so a word does. */
export function renderErrorSummary(
  t: Translate,
  entries: readonly SummaryEntry[],
  onChoose: (path: string) => void,
): TemplateResult {
  const isMended = entries.every((entry) => entry.isMended);
  return html`<div
    class="summary ${isMended ? 'mended' : ''}"
    part="error-summary"
    role="group"
    aria-labelledby="error-summary-title"
    aria-describedby="error-summary-list"
    tabindex="-1"
    id="error-summary"
  >
    <h3 id="error-summary-title">${t(isMended ? 'summary.mended' : 'summary.title')}</h3>
    <ul id="error-summary-list">
      ${entries.map(
        (entry) =>
          html`<li>
            ${
              entry.isMended
                ? html`<span class="visually-hidden">${t('summary.done')} </span
                    ><s>${entry.sentence}</s>`
                : html`<a
                    href="#${toFieldId(entry.path)}"
                    @click=${(event: Event) => {
                      event.preventDefault();
                      onChoose(entry.path);
                    }}
                    >${entry.sentence}</a
                  >`
            }
          </li>`,
      )}
    </ul>
  </div>`;
}
