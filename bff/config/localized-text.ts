// Texts of the settings that applicants read, in one or several languages.

import * as z from 'zod/mini';
import type { Locale, LocalizedText } from '../../shared/application/application.ts';

/** Accepts `"Equipment"` or `{"en": "Equipment", "es": "Equipo"}`. The schema `text` checks each string. */
export function localized<Text extends z.core.$ZodType<string, string>>(text: Text) {
  return z.union([
    z.pipe(
      text,
      z.transform((en): LocalizedText => ({ en })),
    ),
    z.strictObject({ en: text, es: z.optional(text) }),
  ]);
}

/** Returns the requested language if it is offered, or the first offered one. */
export function pickLocale(offered: readonly Locale[], asked: string | undefined): Locale {
  const language = asked && toLanguage(asked);
  return offered.find((locale) => locale === language) ?? offered[0] ?? 'en';
}

/** `es-MX` → `es`. */
export function toLanguage(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}

export function toText(text: LocalizedText, locale: Locale): string {
  return text[locale] ?? text.en;
}

/** The text in all its languages. */
export function listTexts({ en, es }: LocalizedText): readonly string[] {
  return es === undefined ? [en] : [en, es];
}
