// Collects content whose chunks are only valid until the next one is requested.

/** Strings become UTF-8. */
export async function collectChunks(content: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
