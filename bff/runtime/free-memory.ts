// Frees the memory of buffers at once. V8 cannot tell what a buffer costs: it collects garbage far too often or too late
// (docs/decisions/0004-keys-content-and-erasure.md has figures).

/** Frees the memory of a buffer that only the caller uses. */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Frees the memory of each chunk when the next one is requested, for a consumer that keeps none of them. */
export async function* freeChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    yield chunk;
    freeMemory(chunk);
  }
}
