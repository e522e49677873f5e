// A PNG (W3C Recommendation, third edition): chunk by chunk from the first to the last, each with its checksum.

import { crc32 } from 'node:zlib';
import { isFilling } from './filling.ts';
import { inspectSize } from './pixels.ts';
import type { InspectionDetail } from './verdict.ts';

const signatureLength = 8;
/** Length, type and checksum. */
const chunkOverhead = 12;

/** Bit depths of each colour type (11.2.1). */
const depths: Readonly<Record<number, readonly number[] | undefined>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Without understanding them a picture cannot be shown (5.4); Apple's `CgBI` is for its own programs. */
const criticalChunks = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

/**
 * Does not inflate the picture nor the texts: a decoder inflates of the picture what its size needs, and nothing of the
 * texts to show it.
 */
export function inspectPng(bytes: Buffer): InspectionDetail | undefined {
  let at = signatureLength;
  let hasData = false;
  let isAfterData = false;
  while (at + chunkOverhead <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const dataStart = at + 8;
    const dataEnd = dataStart + length;
    if (dataEnd + 4 > bytes.length) return 'png-end-missing';
    const type = bytes.toString('latin1', at + 4, dataStart);
    if (!/^[A-Za-z]{4}$/.test(type)) return 'png-structure';
    if (crc32(bytes.subarray(at + 4, dataEnd)) !== bytes.readUInt32BE(dataEnd)) {
      return 'png-checksum';
    }
    if ((type === 'IHDR') !== (at === signatureLength)) return 'png-structure';
    if (/^[A-Z]/.test(type) && !criticalChunks.has(type)) return 'png-structure';
    if (type === 'IHDR') {
      const wrong = inspectHeader(bytes.subarray(dataStart, dataEnd));
      if (wrong) return wrong;
    }
    // All of the data stand together (5.6).
    if (type === 'IDAT' && isAfterData) return 'png-structure';
    isAfterData ||= hasData && type !== 'IDAT';
    hasData ||= type === 'IDAT';
    at = dataEnd + 4;
    if (type === 'IEND') {
      if (length !== 0 || !hasData) return 'png-structure';
      return bytes.subarray(at).every(isFilling) ? undefined : 'trailing-bytes';
    }
  }
  return 'png-end-missing';
}

function inspectHeader(header: Buffer): InspectionDetail | undefined {
  if (header.length !== 13) return 'png-structure';
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colour = -1, compression, filter, interlace = -1] = header.subarray(8);
  const isKnown =
    depths[colour]?.includes(depth) && compression === 0 && filter === 0 && interlace < 2;
  if (!isKnown || width === 0 || height === 0) return 'png-structure';
  return inspectSize(width, height);
}
