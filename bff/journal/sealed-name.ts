// A document's name in the journal, and what was found out about it: sealed, since people write names into file names.

import * as z from 'zod/mini';
import type { ChildRow } from './records.ts';
import { namePlace } from './places.ts';
import type { Seal } from './sealing.ts';

const nameSchema = z.strictObject({
  name: z.string(),
  extension: z.string(),
  isEncrypted: z._default(z.boolean(), false),
});

/** `name` without extension, `extension` without dot. `isEncrypted`: a PDF that is protected, and may ask for a password. */
export type SealedName = z.infer<typeof nameSchema>;

/** `isEncrypted` is written only where it is true, as an older program on the same journal knows two fields only. */
export function sealName(
  seal: Seal,
  childId: string,
  { name, extension, isEncrypted = false }: z.input<typeof nameSchema>,
): Uint8Array {
  const text = JSON.stringify({ name, extension, ...(isEncrypted ? { isEncrypted } : {}) });
  return seal.seal(namePlace(childId), text);
}

/** Throws when the child is no document, or is not complete. */
export function openName(seal: Seal, { id, sealedName }: ChildRow): SealedName {
  if (sealedName === undefined) throw new RangeError('This child has no name');
  return nameSchema.parse(JSON.parse(seal.open(namePlace(id), sealedName).toString('utf8')));
}
