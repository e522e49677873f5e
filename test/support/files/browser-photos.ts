// Creates a photo like that of a phone, in a browser: EXIF rotates it and contains the place where it was taken.

/** Text in the GPS directory that a test can search for. */
export const placeMark = 'CANARYPLACE';

/** EXIF orientation 6: a viewer rotates the photo by 90 degrees clockwise (CIPA DC-008, 4.6.4). */
const orientation = 6;

/** As stored, the left half is red and the right half is blue. In a viewer, red is above blue. */
export async function createLocatedPhoto(width: number, height: number): Promise<Uint8Array> {
  const plain = await createPlainPhoto(width, height, 'image/jpeg');
  const exif = createExifSegment();
  const photo = new Uint8Array(plain.length + exif.length);
  photo.set(plain.subarray(0, 2));
  photo.set(exif, 2);
  photo.set(plain.subarray(2), 2 + exif.length);
  return photo;
}

/** The same image without metadata. */
export async function createPlainPhoto(
  width: number,
  height: number,
  type: 'image/jpeg' | 'image/png',
): Promise<Uint8Array> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  context.fillStyle = 'red';
  context.fillRect(0, 0, width / 2, height);
  context.fillStyle = 'blue';
  context.fillRect(width / 2, 0, width / 2, height);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, 0.9);
  });
  return new Uint8Array(await blob!.arrayBuffer());
}

/** The first directory contains the orientation and a pointer to the GPS directory, which contains `placeMark`. */
function createExifSegment(): Uint8Array {
  const bytes = new Uint8Array(100);
  const view = new DataView(bytes.buffer);
  const write = (offset: number, text: string) =>
    bytes.set(
      Array.from(text, (sign) => sign.charCodeAt(0)),
      offset,
    );
  view.setUint16(0, 0xffe1);
  view.setUint16(2, bytes.length - 2);
  write(4, 'Exif\0\0MM\0*');
  const tiff = 10;
  const writeEntry = (offset: number, tag: number, type: number, count: number, value: number) => {
    view.setUint16(tiff + offset, tag);
    view.setUint16(tiff + offset + 2, type);
    view.setUint32(tiff + offset + 4, count);
    if (type === 3) view.setUint16(tiff + offset + 8, value);
    else view.setUint32(tiff + offset + 8, value);
  };
  view.setUint32(tiff + 4, 8);
  view.setUint16(tiff + 8, 2);
  writeEntry(10, 0x0112, 3, 1, orientation);
  writeEntry(22, 0x8825, 4, 1, 38);
  view.setUint16(tiff + 38, 1);
  writeEntry(40, 0x001b, 7, placeMark.length, 60);
  write(tiff + 60, placeMark);
  return bytes;
}
