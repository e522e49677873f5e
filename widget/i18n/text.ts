// Looks up a sentence of the catalogue and puts values into it.

import type { en } from './en.ts';
import type { enAfter } from './en-after.ts';
import type { enOffers } from './en-offers.ts';
import type { enProblems } from './en-problems.ts';

/** The key of a text of the form. */
export type MessageKey =
  keyof typeof en | keyof typeof enProblems | keyof typeof enAfter | keyof typeof enOffers;
/** Texts of one language by key. `{placeholders}` are replaced with values. */
export type Messages = Readonly<Partial<Record<MessageKey, string>>>;
export type MessageValues = Readonly<Record<string, string | number>>;

/** Turns a key of the catalog into a message. */
export interface Translate {
  (key: MessageKey, values?: MessageValues): string;
  /** Whether the loaded catalog has this key. For keys that are built from data. */
  readonly has: (key: string) => key is MessageKey;
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
