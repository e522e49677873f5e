// Puts actions, annotations and other objects into a small good PDF, each where a viewer finds it.

import { toBytes } from '../good-files/good-file.ts';
import { plainBodies, writePdf } from '../good-files/pdf-writer.ts';

export const plain = writePdf(plainBodies);
/** One character a byte. */
export const text = plain.toString('latin1');

/** The plain document with entries in its catalog, and more objects from number 6 on. */
export function withCatalog(entries: string, ...more: readonly string[]): Buffer {
  const [, ...others] = plainBodies;
  return writePdf([`<</Type/Catalog/Pages 2 0 R${entries}>>`, ...others, ...more]);
}

/** The plain document with entries in its only page, and more objects from number 6 on. */
export function withPage(entries: string, ...more: readonly string[]): Buffer {
  const [catalog = '', pages = '', page = '', ...others] = plainBodies;
  return writePdf([catalog, pages, page.replace(/>>$/, `${entries}>>`), ...others, ...more]);
}

export function withAnnotation(entries: string, ...more: readonly string[]): Buffer {
  return withPage(`/Annots[<</Type/Annot/Rect[0 0 9 9]${entries}>>]`, ...more);
}

/** Before the cross-reference table, whose place is then wrong. */
export function insert(between: string): Buffer {
  return toBytes(text.replace(/\nxref\n/, () => `\n${between}xref\n`));
}

export function encrypt(encryption: string): Buffer {
  return writePdf(plainBodies, { trailer: `/ID[<00><00>]/Encrypt ${encryption}` });
}
