// Looks up a sentence of the catalogue and puts values into it.

import { en } from './en.ts';

export type MessageKey = keyof typeof en;
export type MessageValues = Readonly<Record<string, string | number>>;

/** Turns a key of the catalogue into the sentence of one language. */
export type Translate = (key: MessageKey, values?: MessageValues) => string;

/** @param messages the catalogue of one language; every key has a sentence. */
export function createTranslate(messages: Readonly<Record<MessageKey, string>>): Translate {
  return (key, values = {}) =>
    messages[key].replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
      name in values ? String(values[name]) : placeholder,
    );
}

/** Whether the catalogue has this key; for keys put together from data. */
export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(en, key);
}
