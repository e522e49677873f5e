// Gets the sentences of a language that the form does not have from the start.

import type { Locale } from '../../shared/application/lists.ts';
import type { Messages } from './text.ts';

/** What a language is called by those who read it. */
export const languageNames = {
  en: 'English',
  es: 'Español',
} as const satisfies Record<Locale, string>;

/**
 * English comes with the steps themselves.
 *
 * @param isLate whether the sentences of what comes after the submission are needed too.
 * @throws when a piece cannot be loaded.
 */
export async function loadMessages(locale: Locale, isLate: boolean): Promise<Messages> {
  if (locale === 'en') return {};
  const [form, late] = await Promise.all([
    import('./spanish.ts'),
    isLate ? import('./spanish-late.ts') : undefined,
  ]);
  return { ...form.spanish, ...late?.spanishLate };
}
