// One JPEG picture (ITU-T T.81, annex B), marker by marker: whole, and of a size that a reader can hold.

import { inspectSize } from './pixels.ts';
import type { InspectionDetail } from './verdict.ts';

/** Encoders write ten or so; each costs a decoder a pass over the whole picture. */
const maxScans = 100;

const marker = 0xff;
const startOfScan = 0xda;
const endOfImage = 0xd9;

/** Baseline, extended and progressive with Huffman codes: what browsers and viewers decode. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
/** Other kinds of frames, and a height that comes only after the picture (B.2.5). */
const unusualFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf, 0xdc]);

/** Behind the end of the picture that begins at `start`, or what is wrong with it. */
export function walkPicture(bytes: Buffer, start: number): number | InspectionDetail {
  let at = start + 2;
  let hasFrame = false;
  let scans = 0;
  for (;;) {
    if (at >= bytes.length) return 'jpeg-end-missing';
    if (bytes[at] !== marker) return 'jpeg-structure';
    // Any number of fill bytes may stand before a marker (B.1.1.2).
    while (bytes[at] === marker) at += 1;
    const code = bytes[at];
    at += 1;
    if (code === undefined) return 'jpeg-end-missing';
    if (code === endOfImage) return hasFrame && scans > 0 ? at : 'jpeg-structure';
    if (unusualFrames.has(code)) return 'jpeg-coding';
    if (code < 0xc0 || (code >= 0xd0 && code <= 0xd8)) return 'jpeg-structure';
    if (at + 2 > bytes.length) return 'jpeg-end-missing';
    const length = bytes.readUInt16BE(at);
    if (length < 2) return 'jpeg-structure';
    if (at + length > bytes.length) return 'jpeg-end-missing';
    if (frames.has(code)) {
      const wrong = hasFrame ? 'jpeg-structure' : inspectFrame(bytes.subarray(at, at + length));
      if (wrong) return wrong;
      hasFrame = true;
    }
    at += length;
    if (code === startOfScan) {
      scans += 1;
      if (!hasFrame) return 'jpeg-structure';
      if (scans > maxScans) return 'jpeg-too-many-scans';
      at = skipScan(bytes, at);
    }
  }
}

/** B.2.2: precision, height, width, components. */
function inspectFrame(segment: Buffer): InspectionDetail | undefined {
  if (segment.length < 8) return 'jpeg-structure';
  const [precision, components] = [segment.readUInt8(2), segment.readUInt8(7)];
  const [height, width] = [segment.readUInt16BE(3), segment.readUInt16BE(5)];
  if (segment.length !== 8 + 3 * components) return 'jpeg-structure';
  if (precision !== 8 || height === 0 || ![1, 3, 4].includes(components)) return 'jpeg-coding';
  if (width === 0) return 'jpeg-structure';
  return inspectSize(width, height);
}

/** To the next marker: within a scan a marker's first byte is followed by 0, or is a restart (B.1.1.5). */
function skipScan(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(marker, start);
  while (at !== -1) {
    const code = bytes[at + 1] ?? 0;
    // A fill byte: the next one may begin the marker.
    if (code === marker) at += 1;
    else if (code === 0 || (code >= 0xd0 && code <= 0xd7)) at = bytes.indexOf(marker, at + 2);
    else return at;
  }
  return bytes.length;
}
