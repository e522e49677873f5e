// Prepares a photo for its upload: turns it upright, reduces it to a readable size, removes its metadata, and turns HEIC into JPG.

import type { Configuration } from '../../shared/api/configuration.ts';

const maxSidePixels = 2_400;
const jpegQuality = 0.85;
/** Three times the size of the thumbnail on the screen, for dense screens. */
const thumbnailSidePixels = 120;
/** The largest difference of a color value that leaves a document readable. */
const colorTolerance = 16;

/** Names of metadata blocks that may contain the location: EXIF, XMP, IPTC, and their spellings inside a PNG. */
const metadata = /exif|adobe|photoshop|profile type/i;

/**
 * The brands of HEIC and HEIF images in the `ftyp` box (ISO/IEC 23008-12, annex B). AVIF and videos use the same box with other
 * brands. `mif1` and `msf1` are common to HEIF and AVIF.
 */
const heicBrands = new Set('heic heix heim heis hevc hevx hevm hevs mif1 msf1'.split(' '));

export interface PreparedPhoto {
  readonly file: File;
  readonly thumbnail?: HTMLCanvasElement | undefined;
  /** The file has metadata that could not be removed. */
  readonly keepsLocation: boolean;
  /** The file is a HEIC photo, and this browser cannot convert it. */
  readonly isHeic: boolean;
}

type Decode = (file: File) => Promise<ImageBitmap>;

/**
 * Redraws a photo that is too large or has metadata. Other photos are not changed, because redrawing would blur a scan. A photo
 * that this browser cannot decode or draw is not changed either: the BFF inspects it. HEIC is always redrawn, because the BFF does
 * not accept it.
 *
 * @param decode for tests: only Safari decodes HEIC.
 */
export async function preparePhoto(
  file: File,
  { maxBytes, extensions }: Pick<Configuration['documents'], 'maxBytes' | 'extensions'>,
  decode: Decode = (photo) => createImageBitmap(photo, { imageOrientation: 'from-image' }),
): Promise<PreparedPhoto> {
  const content = new Uint8Array(await file.arrayBuffer());
  const isHeic = isHeicContent(content);
  const hasMetadata = metadata.test(new TextDecoder('latin1').decode(content));
  const unchanged = { file, keepsLocation: hasMetadata, isHeic };
  let picture: ImageBitmap;
  try {
    picture = await decode(file);
  } catch {
    return unchanged;
  }
  const thumbnail = draw(picture, thumbnailSidePixels);
  // The file name is next to it.
  thumbnail?.setAttribute('aria-hidden', 'true');
  const isPng = !isHeic && /png$/i.test(file.name);
  const isLarge = file.size > maxBytes || (!isPng && toLargerSide(picture) > maxSidePixels);
  const canvas =
    (isHeic || hasMetadata || isLarge) && returnsTrueColors()
      ? draw(picture, maxSidePixels)
      : undefined;
  picture.close();
  const withThumbnail = { ...unchanged, thumbnail };
  if (!canvas) return withThumbnail;
  const takesJpg = extensions.includes('jpg') || extensions.includes('jpeg');
  const staysPng = !takesJpg;
  const type = staysPng ? 'image/png' : 'image/jpeg';
  const drawn = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, jpegQuality);
  });
  if (drawn?.type !== type) return withThumbnail;
  const name = toPhotoName(file.name, staysPng ? 'png' : 'jpg');
  const { lastModified } = file;
  return {
    thumbnail,
    file: new File([drawn], name, { type, lastModified }),
    keepsLocation: false,
    isHeic: false,
  };
}

/** Checks the content, because apps also send HEIC under the name of a JPG. */
export function isHeicContent(content: Uint8Array): boolean {
  const toText = (start: number, end: number) =>
    String.fromCharCode(...content.subarray(start, end));
  if (toText(4, 8) !== 'ftyp') return false;
  const [a = 0, b = 0, c = 0, d = 0] = content;
  const end = Math.min(content.length, 256, ((a * 256 + b) * 256 + c) * 256 + d);
  const brands = [toText(8, 12)];
  for (let start = 16; start + 4 <= end; start += 4) brands.push(toText(start, start + 4));
  return (
    !brands.includes('avif') &&
    !brands.includes('avis') &&
    brands.some((one) => heicBrands.has(one))
  );
}

/** Replaces the extension if it belongs to another type. */
function toPhotoName(name: string, extension: 'jpg' | 'png'): string {
  const isRight = extension === 'png' ? /\.png$/i : /\.jpe?g$/i;
  return isRight.test(name) ? name : `${name.replace(/\.(jpe?g|png|hei[cf])$/i, '')}.${extension}`;
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
