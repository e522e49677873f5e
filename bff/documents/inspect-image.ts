// Decides whether a JPEG or a PNG is accepted: whole up to its end mark, and of a size that a viewer can hold. Cameras, phones and
// scanners write other things behind the picture, which viewers ignore, and so does this.

import { crc32 } from 'node:zlib';
import type { InspectionDetail } from './refusals.ts';

/**
 * Phones take pictures of 48 to 108 million pixels. Nothing here unpacks a picture: the limit protects the viewer of the lender's
 * staff, which needs 4 bytes a pixel.
 */
const maxPixels = 120_000_000;

const marker = 0xff;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Baseline, extended and progressive, as browsers and viewers show them (ITU-T T.81, table B.1). */
const frames = new Set([0xc0, 0xc1, 0xc2]);
/** Lossless, hierarchical and arithmetic coding, which they do not. */
const unusualFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/** Walks a JPEG (ITU-T T.81, annex B) from marker to marker. Segments are passed over whole, since they may hold a small picture with its own end. */
export function inspectJpeg(bytes: Buffer): InspectionDetail | undefined {
  let hasFrame = false;
  let hasScan = false;
  let at = 2;
  for (;;) {
    at = findMarker(bytes, at);
    const code = bytes[at + 1];
    if (code === undefined) return 'jpeg-cut-off';
    at += 2;
    if (code === endOfImage) return hasFrame && hasScan ? undefined : 'jpeg-structure';
    if (unusualFrames.has(code)) return 'jpeg-coding';
    if (at + 2 > bytes.length) return 'jpeg-cut-off';
    const length = bytes.readUInt16BE(at);
    if (at + length > bytes.length) return 'jpeg-cut-off';
    if (frames.has(code)) {
      const wrong = inspectFrame(bytes.subarray(at, at + length));
      if (wrong) return wrong;
      hasFrame = true;
    }
    hasScan ||= code === startOfScan;
    at += length;
  }
}

/** The next marker with a meaning: not a byte of data (0), a fill byte, a restart or a word without a segment (B.1.1.2 to B.1.1.5). */
function findMarker(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(marker, start);
  while (at !== -1) {
    const code = bytes[at + 1] ?? 0;
    if (code >= 0xc0 && code !== marker && !(code >= 0xd0 && code <= 0xd8)) return at;
    at = bytes.indexOf(marker, at + 1);
  }
  return bytes.length;
}

/** Precision, height, width, components (B.2.2). */
function inspectFrame(segment: Buffer): InspectionDetail | undefined {
  if (segment.length < 8) return 'jpeg-structure';
  const [height, width] = [segment.readUInt16BE(3), segment.readUInt16BE(5)];
  if (segment[2] !== 8 || height === 0 || width === 0) return 'jpeg-coding';
  return inspectSize(width, height);
}

const signatureLength = 8;
/** Length, type and checksum. */
const chunkOverhead = 12;

/** Walks a PNG (W3C Recommendation, third edition) from chunk to chunk. The checksum of a chunk that viewers may skip is not compared. */
export function inspectPng(bytes: Buffer): InspectionDetail | undefined {
  let hasData = false;
  let at = signatureLength;
  while (at + chunkOverhead <= bytes.length) {
    const dataEnd = at + 8 + bytes.readUInt32BE(at);
    if (dataEnd + 4 > bytes.length) return 'png-cut-off';
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) return 'png-structure';
    if ((type === 'IHDR') !== (at === signatureLength)) return 'png-structure';
    const isCritical = /^[A-Z]/.test(type);
    if (isCritical && crc32(bytes.subarray(at + 4, dataEnd)) !== bytes.readUInt32BE(dataEnd)) {
      return 'png-checksum';
    }
    if (type === 'IHDR') {
      if (dataEnd - at !== 8 + 13) return 'png-structure';
      const [width, height] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
      if (width === 0 || height === 0) return 'png-structure';
      const wrong = inspectSize(width, height);
      if (wrong) return wrong;
    }
    hasData ||= type === 'IDAT';
    if (type === 'IEND') return hasData ? undefined : 'png-structure';
    at = dataEnd + 4;
  }
  return 'png-cut-off';
}

function inspectSize(width: number, height: number): InspectionDetail | undefined {
  return width * height > maxPixels ? 'too-many-pixels' : undefined;
}
