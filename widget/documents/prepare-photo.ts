// Prepares a photo for its upload: turns it upright, reduces it to a readable size, and removes its metadata.

import type { Configuration } from '../../shared/api/configuration.ts';

const maxSidePixels = 2_400;
const jpegQuality = 0.85;
/** Three times the size of the thumbnail on the screen, for dense screens. */
const thumbnailSidePixels = 120;
/** The largest difference of a color value that leaves a document readable. */
const colorTolerance = 16;

/** Names of metadata blocks that may contain the location: EXIF, XMP, IPTC, and their spellings inside a PNG. */
const metadata = /exif|adobe|photoshop|profile type/i;

export interface PreparedPhoto {
  readonly file: File;
  readonly thumbnail?: HTMLCanvasElement | undefined;
  /** The file has metadata that could not be removed. */
  readonly keepsLocation: boolean;
}

/**
 * Redraws a photo that is too large or has metadata. Other photos are not changed, because redrawing would blur a scan. A photo
 * that this browser cannot decode or draw is not changed either: the BFF inspects it.
 */
export async function preparePhoto(
  file: File,
  { maxBytes, extensions }: Pick<Configuration['documents'], 'maxBytes' | 'extensions'>,
): Promise<PreparedPhoto> {
  const hasMetadata = metadata.test(new TextDecoder('latin1').decode(await file.arrayBuffer()));
  const unchanged = { file, keepsLocation: hasMetadata };
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return unchanged;
  }
  const thumbnail = draw(picture, thumbnailSidePixels);
  // The file name is next to it.
  thumbnail?.setAttribute('aria-hidden', 'true');
  const isPng = /png$/i.test(file.name);
  const isLarge = file.size > maxBytes || (!isPng && toLargerSide(picture) > maxSidePixels);
  const canvas =
    (hasMetadata || isLarge) && returnsTrueColors() ? draw(picture, maxSidePixels) : undefined;
  picture.close();
  const withThumbnail = { ...unchanged, thumbnail };
  if (!canvas) return withThumbnail;
  const staysPng = isPng && !extensions.includes('jpg');
  const type = staysPng ? 'image/png' : 'image/jpeg';
  const drawn = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, jpegQuality);
  });
  if (drawn?.type !== type) return withThumbnail;
  const name = staysPng ? file.name : file.name.replace(/png$/i, 'jpg');
  const { lastModified } = file;
  return { thumbnail, file: new File([drawn], name, { type, lastModified }), keepsLocation: false };
}

function toLargerSide({ width, height }: ImageBitmap): number {
  return Math.max(width, height);
}

function draw(picture: ImageBitmap, side: number): HTMLCanvasElement | undefined {
  const scale = Math.min(1, side / toLargerSide(picture));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  // A JPEG has no transparency: transparent pixels of a PNG would turn black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Browsers that block fingerprinting may return noise or white instead of the drawing. */
function returnsTrueColors(): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return false;
  context.fillStyle = 'rgb(60 120 180)';
  context.fillRect(0, 0, 4, 4);
  const { data } = context.getImageData(0, 0, 4, 4);
  return data.every((value, index) => {
    const drawn = [60, 120, 180, 255][index % 4] ?? 0;
    return Math.abs(value - drawn) <= colorTolerance;
  });
}
