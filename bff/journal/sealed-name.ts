// A document's name in the journal, and what was found out about it: sealed, since people write names into file names.

import * as z from 'zod/mini';
import type { ChildRow } from './records.ts';
import { namePlace } from './places.ts';
import type { Seal } from './sealing.ts';

/** What else stands in it was written by another version, and means nothing to this one. */
const nameSchema = z.object({
  name: z.string(),
  extension: z.string(),
  needsPassword: z._default(z.boolean(), false),
});

/** `name` without extension, `extension` without dot. `needsPassword`: a PDF that asks for a password to be opened. */
export type SealedName = z.infer<typeof nameSchema>;

/** `needsPassword` is written only where it is true, as an older program on the same journal knows two fields only. */
export function sealName(
  seal: Seal,
  childId: string,
  { name, extension, needsPassword = false }: z.input<typeof nameSchema>,
): Uint8Array {
  const text = JSON.stringify({ name, extension, ...(needsPassword ? { needsPassword } : {}) });
  return seal.seal(namePlace(childId), text);
}

/** Throws when the child is no document, or is not complete. */
export function openName(seal: Seal, { id, sealedName }: ChildRow): SealedName {
  if (sealedName === undefined) throw new RangeError('This child has no name');
  return nameSchema.parse(JSON.parse(seal.open(namePlace(id), sealedName).toString('utf8')));
}
