// A document's name in the journal: sealed, since people write names into file names.

import * as z from 'zod/mini';
import type { ChildRow } from './records.ts';
import { namePlace } from './places.ts';
import type { Seal } from './sealing.ts';

/** What else stands in it was written by another version, and means nothing to this one. */
const nameSchema = z.object({
  name: z.string(),
  extension: z.string(),
});

/** `name` without extension, `extension` without dot. */
export type SealedName = z.infer<typeof nameSchema>;

export function sealName(seal: Seal, childId: string, { name, extension }: SealedName): Uint8Array {
  return seal.seal(namePlace(childId), JSON.stringify({ name, extension }));
}

/** Throws when the child is no document, or is not complete. */
export function openName(seal: Seal, { id, sealedName }: ChildRow): SealedName {
  if (sealedName === undefined) throw new RangeError('This child has no name');
  return nameSchema.parse(JSON.parse(seal.open(namePlace(id), sealedName).toString('utf8')));
}
