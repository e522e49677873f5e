// Everything that is wrong on a step, above it, each a link to its field.

import { html, nothing, type TemplateResult } from 'lit';
import type { Translate } from '../i18n/text.ts';
import { toFieldId } from './field.ts';

export interface SummaryEntry {
  readonly path: string;
  readonly sentence: string;
  readonly isMended?: true;
}

/** Fragment links do not reach into shadow roots, so a link focuses its field by `onChoose`. */
export function renderErrorSummary(
  t: Translate,
  entries: readonly SummaryEntry[],
  onChoose: (path: string) => void,
): TemplateResult {
  return html`<div
    class="summary ${entries.every(({ isMended }) => isMended) ? 'mended' : ''}"
    part="error-summary"
    role="group"
    aria-labelledby="error-summary-title"
    tabindex="-1"
    id="error-summary"
  >
    <h3 id="error-summary-title">${t('summary.title')}</h3>
    <ul>
      ${entries.map(
        ({ path, sentence, isMended }) =>
          html`<li class=${isMended ? 'mended' : nothing}>
            <a
              href="#${toFieldId(path)}"
              @click=${(event: Event) => {
                event.preventDefault();
                onChoose(path);
              }}
              >${sentence}</a
            >
          </li>`,
      )}
    </ul>
  </div>`;
}
