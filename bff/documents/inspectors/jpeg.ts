// A JPEG as cameras, scanners and telephones write it: one picture, and behind it nothing but what they put there.

import { walkPicture } from './jpeg-picture.ts';
import { inspectTrailer } from './jpeg-trailer.ts';
import type { InspectionDetail } from './verdict.ts';

const shortest = 6;

export function inspectJpeg(bytes: Buffer): InspectionDetail | undefined {
  if (bytes.length < shortest) return 'jpeg-end-missing';
  if (isScript(bytes)) return 'jpeg-script';
  const end = walkPicture(bytes, 0);
  return typeof end === 'string' ? end : inspectTrailer(bytes, end);
}

/** A first segment whose length reads as `/*` makes the file a script as well: the signature is a word, and the picture is a comment. */
function isScript(bytes: Buffer): boolean {
  return bytes.readUInt16BE(4) === 0x2f2a && bytes.includes('*/');
}
