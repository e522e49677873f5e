// The body of Upload File as a stream of Base64, so that memory does not grow with the file.

import type { FileUpload } from './funding-service.ts';
import type { StreamedBody } from './transport.ts';

/** Encoded at a time; a multiple of three. V8 moves strings of more than 128 KB to a space that it rarely collects. */
const sliceBytes = 3 * 30_000;

/** `{"leadId", "file": {"name", "ext", "category", "file": "<Base64>"}}` (spec, operation 6). */
export function createUploadBody(leadId: string, file: FileUpload): StreamedBody {
  const { name, extension: ext, category } = file;
  const fields = JSON.stringify({ name, ext, category });
  const head = `{"leadId":${JSON.stringify(leadId)},"file":${fields.slice(0, -1)},"file":"`;
  const tail = '"}}';
  return {
    bytes: Buffer.byteLength(head) + toBase64Length(file.bytes) + tail.length,
    open: async function* open() {
      yield head;
      yield* encodeBase64(file.content(), file.bytes);
      yield tail;
    },
  };
}

/** Throws a RangeError if the content is not as `FileUpload` describes it, because the Base64 would be another file. */
async function* encodeBase64(
  content: AsyncIterable<Uint8Array>,
  expectedBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // A socket would measure each string, and then convert it to UTF-8. All chunks use the same memory.
  const encoded = Buffer.allocUnsafeSlow(toBase64Length(Math.min(sliceBytes, expectedBytes)));
  for await (const chunk of content) {
    if (chunk.byteLength === 0) continue;
    if (bytes % 3 !== 0) {
      throw new RangeError('A chunk before the last has a length that is not a multiple of three');
    }
    bytes += chunk.byteLength;
    if (bytes > expectedBytes) throw new RangeError('The content is longer than announced');
    const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < view.byteLength; at += sliceBytes) {
      const length = encoded.write(view.toString('base64', at, at + sliceBytes), 'latin1');
      yield encoded.subarray(0, length);
    }
  }
  if (bytes !== expectedBytes) throw new RangeError('The content is shorter than announced');
}

/** The length of padded Base64 (RFC 4648 section 4). */
function toBase64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
