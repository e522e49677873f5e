// Prepares a photo for its upload: turns it upright, reduces it to a readable size, removes its metadata, and turns HEIC into JPG.

import type { Configuration } from '../../shared/api/configuration.ts';

/** A letter page that fills the photo then has about 220 pixels per inch, more than a fax of the highest quality. */
const maxSidePixels = 2_400;
/**
 * A decoded picture needs 4 bytes per pixel, so a photo of 48 megapixels needs 190 MB. Larger pictures are scaled down while they
 * are decoded. This is also the largest canvas of Safari on iPhones.
 */
const maxDecodedPixels = 4_096 * 4_096;
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

const jpegName = /\.jpe?g$/i;
const pngName = /\.png$/i;

/** Names of HEIC and HEIF photos. Canon, Fujifilm, and Sony use `.HIF`. */
export const heicName = /\.(hei[cf]|hif)$/i;

/** The beginning of the fields with the size of a picture, in HEIC (ISO/IEC 23008-12, 6.5.3), PNG, and JPEG. */
const sizeField = /(?<wide>ispe\0{4}|IHDR)|\xff[\xc0-\xc2]\0/g;
/** The length of the frame header of a JPEG with three colors, and its bits per color (ITU-T T.81, B.2.2). */
const frameBytes = 17;
const bitsPerColor = 8;

export interface PreparedPhoto {
  readonly file: File;
  readonly thumbnail?: HTMLCanvasElement | undefined;
  /** The file has metadata that could not be removed. */
  readonly keepsLocation: boolean;
  /** The file is a HEIC photo, and this browser cannot convert it. */
  readonly isHeic: boolean;
}

/** Returns true if `preparePhoto` handles files with this name. */
export function isPhotoName(name: string): boolean {
  return [jpegName, pngName, heicName].some((pattern) => pattern.test(name));
}

/** Returns true if the BFF accepts JPG, into which photos are converted. */
export function takesJpg(extensions: readonly string[]): boolean {
  return extensions.includes('jpg') || extensions.includes('jpeg');
}

type Decode = (file: File, options: ImageBitmapOptions) => Promise<ImageBitmap>;

/**
 * Redraws a photo that is too large or has metadata. Other photos are not changed, because redrawing would blur a scan. A photo
 * that this browser cannot decode or draw is not changed either: the BFF inspects it. HEIC, and a picture whose name belongs to
 * another type, are always redrawn, because the BFF does not accept them.
 *
 * @param decode for tests: only Safari decodes HEIC.
 */
export async function preparePhoto(
  file: File,
  { maxBytes, extensions }: Pick<Configuration['documents'], 'maxBytes' | 'extensions'>,
  decode: Decode = (photo, options) => createImageBitmap(photo, options),
): Promise<PreparedPhoto> {
  const content = new Uint8Array(await file.arrayBuffer());
  const isHeic = isHeicContent(content) || heicName.test(file.name);
  const text = new TextDecoder('latin1').decode(content);
  const hasMetadata = metadata.test(text);
  const isHuge = isHugePicture(text, content);
  const unchanged = { file, keepsLocation: hasMetadata, isHeic };
  let picture: ImageBitmap;
  try {
    picture = await decode(file, {
      imageOrientation: 'from-image',
      // Only one side is given. The browser computes the other one and keeps the proportions.
      ...(isHuge && { resizeWidth: maxSidePixels, resizeQuality: 'high' }),
    });
  } catch {
    return unchanged;
  }
  const thumbnail = draw(picture, thumbnailSidePixels);
  // The file name is next to it.
  thumbnail?.setAttribute('aria-hidden', 'true');
  const isPng = content[0] === 0x89;
  const isLarge =
    file.size > maxBytes || (!isPng && (isHuge || toLargerSide(picture) > maxSidePixels));
  const isOtherType = isPng ? !pngName.test(file.name) : !isJpeg(content, file.name);
  const canvas =
    (isOtherType || hasMetadata || isLarge) && returnsTrueColors()
      ? draw(picture, maxSidePixels)
      : undefined;
  picture.close();
  const withThumbnail = { ...unchanged, thumbnail };
  if (!canvas) return withThumbnail;
  const extension = takesJpg(extensions) ? 'jpg' : 'png';
  const type = extension === 'jpg' ? 'image/jpeg' : 'image/png';
  const drawn = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, jpegQuality);
  });
  if (drawn?.type !== type) return withThumbnail;
  const name = toPhotoName(file.name, extension);
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

/** Decoding at a smaller size needs the size of the picture, which is in the file. A thumbnail in the file is smaller. */
function isHugePicture(text: string, content: Uint8Array): boolean {
  const view = new DataView(content.buffer);
  return [...text.matchAll(sizeField)].some(({ 0: found, index, groups }) => {
    const start = index + found.length;
    if (start + 8 > content.length) return false;
    const isWide = groups?.['wide'] !== undefined;
    if (!isWide && (content[start] !== frameBytes || content[start + 1] !== bitsPerColor))
      return false;
    const [one, other] = isWide
      ? [view.getUint32(start), view.getUint32(start + 4)]
      : [view.getUint16(start + 2), view.getUint16(start + 4)];
    // A panorama is no document. Scaling its width would enlarge it or make it illegible.
    return one * other > maxDecodedPixels && Math.min(one, other) > maxSidePixels;
  });
}

function isJpeg(content: Uint8Array, name: string): boolean {
  return content[0] === 0xff && content[1] === 0xd8 && jpegName.test(name);
}

/** Replaces the extension if it belongs to another type. */
function toPhotoName(name: string, extension: 'jpg' | 'png'): string {
  const isRight = (extension === 'png' ? pngName : jpegName).test(name);
  return isRight ? name : `${name.replace(/\.\w{3,4}$/, '')}.${extension}`;
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
