// Looks up a sentence of the catalogue and puts values into it.

import { en } from './en.ts';
import type { enAfter } from './en-after.ts';
import type { enOffers } from './en-offers.ts';
import type { enProblems } from './en-problems.ts';

/** The key of a text of the form. */
export type MessageKey =
  keyof typeof en | keyof typeof enProblems | keyof typeof enAfter | keyof typeof enOffers;
/** Texts of one language by key. `{placeholders}` are replaced with values. */
export type Messages = Readonly<Partial<Record<MessageKey, string>>>;
export type MessageValues = Readonly<Record<string, string | number>>;

/** Turns a key of the catalogue into the sentence of one language. */
export type Translate = (key: MessageKey, values?: MessageValues) => string;

/** @param messages the catalogue of one language, as far as it is loaded. */
export function createTranslate(messages: Messages): Translate {
  return (key, values = {}) =>
    (messages[key] ?? key).replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
      name in values ? String(values[name]) : placeholder,
    );
}

/** Whether the form's catalogue has this key; for keys put together from data. */
export function isMessageKey(key: string): key is keyof typeof en {
  return Object.hasOwn(en, key);
}
