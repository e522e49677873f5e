// Makes a photo ready to be sent: upright, no larger than a reader needs, and without where it was taken.

import type { Configuration } from '../../shared/api/configuration.ts';

const longestSide = 2_400;
const quality = 0.85;
/** For a row of the list, sharp on dense screens. */
const thumbnailSide = 120;
/** How far a colour may be off that is read back; guards that change a little of it leave a document readable. */
const tolerance = 16;

/** Where cameras and programs write beside a picture: EXIF, XMP, IPTC, and their spellings inside a PNG. */
const notes = /exif|adobe|photoshop|profile type/i;

export interface PreparedPhoto {
  readonly file: File;
  readonly thumbnail?: HTMLCanvasElement;
  /** What was written beside the picture could not be taken out of it. */
  readonly keepsLocation: boolean;
}

/**
 * A picture without notes that is small enough goes as it is, since drawing it anew would blur a scan; any other one is drawn
 * anew, with nothing beside it. Also as it is goes what this browser cannot decode or draw: the BFF examines it.
 */
export async function preparePhoto(
  file: File,
  { maxBytes, extensions }: Pick<Configuration['documents'], 'maxBytes' | 'extensions'>,
): Promise<PreparedPhoto> {
  const hasNotes = notes.test(new TextDecoder('latin1').decode(await file.arrayBuffer()));
  const untouched = { file, keepsLocation: hasNotes };
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return untouched;
  }
  const thumbnail = draw(picture, thumbnailSide);
  // The name of the file stands beside it.
  thumbnail?.setAttribute('aria-hidden', 'true');
  const isPng = /png$/i.test(file.name);
  const isLarge = file.size > maxBytes || (!isPng && toLongestSide(picture) > longestSide);
  const canvas = (hasNotes || isLarge) && readsTruly() ? draw(picture, longestSide) : undefined;
  picture.close();
  const shown = thumbnail ? { ...untouched, thumbnail } : untouched;
  if (!canvas) return shown;
  const staysPng = isPng && !extensions.includes('jpg');
  const type = staysPng ? 'image/png' : 'image/jpeg';
  const drawn = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });
  if (drawn?.type !== type) return shown;
  const name = staysPng ? file.name : file.name.replace(/png$/i, 'jpg');
  const { lastModified } = file;
  return { ...shown, file: new File([drawn], name, { type, lastModified }), keepsLocation: false };
}

function toLongestSide({ width, height }: ImageBitmap): number {
  return Math.max(width, height);
}

function draw(picture: ImageBitmap, side: number): HTMLCanvasElement | undefined {
  const scale = Math.min(1, side / toLongestSide(picture));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  // A JPEG has no transparency: what shows through a PNG would turn black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Browsers that guard against being recognised may hand out noise or white instead of what was drawn. */
function readsTruly(): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return false;
  context.fillStyle = 'rgb(60 120 180)';
  context.fillRect(0, 0, 4, 4);
  const { data } = context.getImageData(0, 0, 4, 4);
  return data.every((value, index) => {
    const drawn = [60, 120, 180, 255][index % 4] ?? 0;
    return Math.abs(value - drawn) <= tolerance;
  });
}
