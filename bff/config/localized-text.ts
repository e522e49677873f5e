// Texts of the partner's settings that applicants read: one for every language, or one for each.

import * as z from 'zod/mini';
import type { Locale, LocalizedText } from '../../shared/application/application.ts';

/** `"Equipment"`, or `{"en": "Equipment", "es": "Equipo"}`; each of them as `text` demands. */
export function localized<Text extends z.core.$ZodType<string, string>>(text: Text) {
  return z.union([
    z.pipe(
      text,
      z.transform((en): LocalizedText => ({ en })),
    ),
    z.strictObject({ en: text, es: z.optional(text) }),
  ]);
}

/** The offered language that was asked for, with a region or without, or the first one. */
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

/** In every language it is written in. */
export function listTexts({ en, es }: LocalizedText): readonly string[] {
  return es === undefined ? [en] : [en, es];
}
