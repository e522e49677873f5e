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

/** Written in the language that failed to load, because the applicant chose it. Its catalog is missing, so the texts are here. */
const failures = {
  en: 'We couldn’t load the English version. Your answers are still here. Try again in a moment.',
  es: 'No pudimos cargar la versión en español. Sus respuestas siguen aquí. Inténtelo de nuevo en un momento.',
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
