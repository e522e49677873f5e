// The languages the form can be read in, each in its own words, at the top of every step.

import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../shared/application/lists.ts';
import { languageNames } from '../i18n/load-messages.ts';
import type { Translate } from '../i18n/text.ts';

export interface LanguageChoice {
  readonly locale: Locale;
  readonly offered: readonly Locale[];
  readonly failed: Locale | undefined;
  choose(locale: Locale): void;
}

/** In the language that did not come, since its readers chose it; so it cannot stand in the catalogue that is missing. */
const failures = {
  en: 'English could not be loaded. The form stays as it is; try again in a moment.',
  es: 'No se pudo cargar el español. El formulario sigue como está; inténtelo de nuevo en un momento.',
} as const satisfies Record<Locale, string>;

export function renderLanguageChoice(
  choice: LanguageChoice,
  t: Translate,
): TemplateResult | typeof nothing {
  const { locale, offered, failed } = choice;
  if (offered.length < 2) return nothing;
  return html`<div class="languages" role="group" aria-label=${t('language')}>
      ${offered.map(
        (one, index) =>
          html`${index === 0 ? nothing : html`<span aria-hidden="true">·</span>`}<button
              type="button"
              class="quiet"
              part="link"
              lang=${one}
              aria-current=${one === locale ? 'true' : nothing}
              @click=${() => choice.choose(one)}
            >
              ${languageNames[one]}
            </button>`,
      )}
    </div>
    <p class="small" role="status" lang=${failed ?? nothing}>${failed && failures[failed]}</p>`;
}
