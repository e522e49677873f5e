// The body of Upload File as a stream: the file's pieces become Base64 one by one, so memory does not grow with the file.

import type { FileUpload } from './funding-service.ts';

/** A multiple of three. Slices keep text and bytes of a whole piece from lying about until they are collected. */
const sliceBytes = 3 * 16_384;

/** A body of `bytes` bytes exactly; `open` begins it anew. */
export interface UploadBody {
  readonly bytes: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** `{"leadId", "file": {"name", "ext", "category", "file": "<Base64>"}}` (spec, operation 6). */
export function createUploadBody(leadId: string, file: FileUpload): UploadBody {
  const { name, extension: ext, category } = file;
  const fields = JSON.stringify({ name, ext, category });
  const head = Buffer.from(
    `{"leadId":${JSON.stringify(leadId)},"file":${fields.slice(0, -1)},"file":"`,
  );
  const tail = Buffer.from('"}}');
  return {
    bytes: head.byteLength + toBase64Length(file.bytes) + tail.byteLength,
    open: async function* open() {
      yield head;
      yield* encodePieces(file.content(), file.bytes);
      yield tail;
    },
  };
}

/** Length of padded Base64 (RFC 4648 section 4). */
export function toBase64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Throws a RangeError when the pieces break their contract; the Base64 sent so far would not be the file's. */
export async function* encodePieces(
  pieces: AsyncIterable<Uint8Array>,
  expectedBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    if (piece.byteLength === 0) continue;
    if (bytes % 3 !== 0)
      throw new RangeError('A piece before the last is no multiple of three bytes');
    bytes += piece.byteLength;
    if (bytes > expectedBytes) throw new RangeError('The pieces are longer than announced');
    const view = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = 0; at < view.byteLength; at += sliceBytes) {
      yield Buffer.from(view.toString('base64', at, at + sliceBytes), 'latin1');
    }
  }
  if (bytes !== expectedBytes) throw new RangeError('The pieces are shorter than announced');
}
