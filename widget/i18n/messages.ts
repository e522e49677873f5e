// The message catalogs: `en.json` for the first steps, `en-form.json`, `en-after.json` for the steps after the submission, and
// `en-handoff.json` and `en-phone.json` for the two devices of a handoff.

import type { Locale } from '../../shared/application/lists.ts';
import type en from './en.json';
import type enAfter from './en-after.json';
import type enForm from './en-form.json';
import type enHandoff from './en-handoff.json';
import type enPhone from './en-phone.json';

/** The key of a text of the form. */
export type MessageKey =
  | keyof typeof en
  | keyof typeof enForm
  | keyof typeof enAfter
  | keyof typeof enHandoff
  | keyof typeof enPhone;
/** Texts of one language by key. `{placeholders}` are replaced with values. */
export type Messages = Readonly<Partial<Record<MessageKey, string>>>;
export type MessageValues = Readonly<Record<string, string | number>>;

/** Turns a key of the catalog into a message. */
export interface Translate {
  (key: MessageKey, values?: MessageValues): string;
  /** Returns true if the loaded catalog has this key. For keys that are built from data. */
  readonly has: (key: string) => key is MessageKey;
}

/** The languages in their own words. */
export const languageNames = {
  en: 'English',
  es: 'Español',
} as const satisfies Record<Locale, string>;

/** These messages are in the language that could not be loaded, because the applicant chose it. Its catalog is not available. */
export const languageFailures = {
  en: 'We couldn’t load the English version. Your answers are still here. Try again in a moment.',
  es: 'No pudimos cargar la versión en español. Sus respuestas siguen aquí. Inténtelo de nuevo en un momento.',
} as const satisfies Record<Locale, string>;

/** The languages with a catalog of their own. The English messages come with the code that shows them. */
const catalogs: Readonly<
  Record<
    Exclude<Locale, 'en'>,
    () => Promise<{ readonly default: Readonly<Record<MessageKey, string>> }>
  >
> = {
  es: () => import('./es.json', { with: { type: 'json' } }),
};

/** Returns no messages for English. Rejects if the catalog can't be loaded. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  return locale === 'en' ? {} : (await catalogs[locale]()).default;
}

/** @param messages the catalog of one language, as far as it is loaded. */
export function createTranslate(messages: Messages): Translate {
  const translate = (key: MessageKey, values: MessageValues = {}): string =>
    (messages[key] ?? key).replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
      name in values ? String(values[name]) : placeholder,
    );
  const has = (key: string): key is MessageKey => Object.hasOwn(messages, key);
  return Object.assign(translate, { has });
}
