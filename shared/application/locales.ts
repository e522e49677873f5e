// The languages the form speaks, and texts that are written in them.

export const locales = ['en', 'es'] as const;

export type Locale = (typeof locales)[number];

/** A text for people; where a language is missing, the English one stands in for it. */
export interface LocalizedText {
  readonly en: string;
  readonly es?: string | undefined;
}
