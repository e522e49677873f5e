// Texts of the settings that are missing in a language the form offers, so that applicants read the English one there.

import type { Locale, LocalizedText } from '../shared/application/locales.ts';
import type { Settings } from './settings.ts';

/** By their place in the file and the language, for example `fundingReasons.2.label (es)`; an empty text is missed in none. */
export function listUntranslatedTexts(settings: Settings): readonly string[] {
  return findTexts(settings, '').flatMap(({ place, text }) =>
    settings.locales
      .filter((locale) => text.en !== '' && isMissing(text, locale))
      .map((locale) => `${place} (${locale})`),
  );
}

/** For the operator, in one sentence; `undefined` when nothing is missing. */
export function describeUntranslatedTexts(settings: Settings): string | undefined {
  const missing = listUntranslatedTexts(settings);
  if (missing.length === 0) return undefined;
  const [some, rest] = [missing.slice(0, 5).join(', '), missing.length - 5];
  return `FUNDING_SETTINGS leaves texts in English where the form speaks another language: ${some}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

interface FoundText {
  readonly place: string;
  readonly text: LocalizedText;
}

/** An address may well be the same in all languages. */
const notRead: ReadonlySet<string> = new Set(['url']);

function findTexts(value: unknown, place: string): readonly FoundText[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isLocalizedText(value)) return [{ place, text: value }];
  return Object.entries(value).flatMap(([name, inner]) =>
    notRead.has(name) ? [] : findTexts(inner, place === '' ? name : `${place}.${name}`),
  );
}

/** No other setting has a member of that name. */
function isLocalizedText(value: object): value is LocalizedText {
  return 'en' in value && typeof value.en === 'string';
}

function isMissing(text: LocalizedText, locale: Locale): boolean {
  return text[locale] === undefined;
}
