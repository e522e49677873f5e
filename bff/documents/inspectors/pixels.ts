// How large a picture may be once it is unpacked.

import type { InspectionDetail } from './verdict.ts';

/**
 * Cameras and telephones write 48 to 108 million by default or at a touch. Nothing here unpacks a picture, and a file's own size is limited; this is for
 * whoever opens it, at 4 bytes a pixel.
 */
const maxPixels = 120_000_000;

export function inspectSize(width: number, height: number): InspectionDetail | undefined {
  return width * height > maxPixels ? 'too-many-pixels' : undefined;
}
