// Adds attachments with encrypted content to a store.

import { type Encryption, encryptName } from '../../../bff/store/encryption.ts';
import type { NewAttachment, Store } from '../../../bff/store/store.ts';

/** Adds a complete document, with its name, or a bank report. Its fingerprint is its id. */
export async function addEncryptedAttachment(
  store: Store,
  encryption: Encryption,
  row: NewAttachment,
  chunks: readonly string[],
  name: string,
): Promise<void> {
  const { id, applicationId, kind } = row;
  const { key } = (await store.findApplication(applicationId))!;
  const cipher = encryption.unwrapKey(applicationId, key);
  await store.beginAttachment(row, 9);
  for (const [number, chunk] of chunks.entries()) {
    await store.addChunk(id, number, cipher.encrypt('chunk', `${id}/${number}`, chunk));
  }
  const encryptedName =
    kind === 'document' ? encryptName(cipher, id, { name, extension: 'pdf' }) : undefined;
  const bytes = chunks.join('').length;
  await store.completeAttachment(id, { fingerprint: id, bytes, encryptedName, limit: 9 });
}
