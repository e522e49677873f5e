// Decides whether a JPEG or a PNG is accepted: it is complete up to its end marker, and a viewer can display its size. Bytes after
// the end are accepted, because cameras, phones, and scanners write them and viewers ignore them.

import { crc32 } from 'node:zlib';
import type { InspectionDetail } from './refusals.ts';

/**
 * Phones take photos of 48 to 108 million pixels. The limit protects the viewer of the lender's staff, which needs 4 bytes per
 * pixel. The BFF itself does not decode images.
 */
const maxPixels = 120_000_000;

const marker = 0xff;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Baseline, extended, and progressive coding, which browsers and viewers support (ITU-T T.81, table B.1). */
const supportedFrames = new Set([0xc0, 0xc1, 0xc2]);
/** Lossless, hierarchical, and arithmetic coding, which they do not support. */
const unsupportedFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/** Reads the segments of a JPEG (ITU-T T.81, annex B). It skips their content, which may be a thumbnail with its own end marker. */
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
    if (unsupportedFrames.has(code)) return 'jpeg-coding';
    if (at + 2 > bytes.length) return 'jpeg-cut-off';
    const length = bytes.readUInt16BE(at);
    if (at + length > bytes.length) return 'jpeg-cut-off';
    if (supportedFrames.has(code)) {
      const detail = inspectFrame(bytes.subarray(at, at + length));
      if (detail) return detail;
      hasFrame = true;
    }
    hasScan ||= code === startOfScan;
    at += length;
  }
}

/** Finds the next marker that begins a segment or ends the image. It skips data, fill bytes, and restart markers (B.1.1.2 to B.1.1.5). */
function findMarker(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(marker, start);
  while (at !== -1) {
    const code = bytes[at + 1] ?? 0;
    if (code >= 0xc0 && code !== marker && !(code >= 0xd0 && code <= 0xd8)) return at;
    at = bytes.indexOf(marker, at + 1);
  }
  return bytes.length;
}

/** Checks precision, height, and width (B.2.2). */
function inspectFrame(segment: Buffer): InspectionDetail | undefined {
  if (segment.length < 8) return 'jpeg-structure';
  const [height, width] = [segment.readUInt16BE(3), segment.readUInt16BE(5)];
  if (segment[2] !== 8 || height === 0 || width === 0) return 'jpeg-coding';
  return inspectSize(width, height);
}

const signatureLength = 8;
/** Length, type, and checksum. */
const chunkOverhead = 12;

/** Reads the chunks of a PNG (W3C Recommendation, third edition). It verifies the checksums of critical chunks only. */
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
      const detail = inspectSize(width, height);
      if (detail) return detail;
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
