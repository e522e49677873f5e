import { expect } from '@open-wc/testing';
import { isHeicContent, preparePhoto } from '../../../widget/documents/prepare-photo.ts';
import {
  createLocatedPhoto,
  createPlainPhoto,
  placeMark,
} from '../../support/files/browser-photos.ts';

const limits = { maxBytes: 1_000_000, extensions: ['pdf', 'jpg', 'jpeg', 'png'] };

/** The `ftyp` box of a photo of an iPhone, which has no picture behind it. */
const heic = new File([toBox('heic', 'mif1', 'heic')], 'IMG_2041.HEIC');

describe('isHeicContent', () => {
  /** The brands of real files, the major brand first. */
  for (const [source, ...brands] of [
    ['an iPhone 7', 'heic', 'mif1', 'heic'],
    ['an iPhone with iOS 18', 'heic', 'mif1', 'MiHB', 'MiHA', 'heix', 'miaf', 'heic', 'tmap'],
    ['a burst of an iPhone', 'msf1', 'msf1', 'hevc', 'heic', 'mif1', 'iso8'],
    ['a Mac', 'heic', 'heic', 'mif1'],
    ['a single image', 'mif1', 'mif1', 'heic'],
    ['an image with layers', 'heis', 'mif1', 'heic', 'heis'],
    ['an image with ten bits', 'mif1', 'mif1', 'mif2', 'heix', 'miaf', 'MiHA'],
    ['a second edition', 'mif2', 'mif2', 'mif1'],
    ['a sequence', 'msf1', 'msf1', 'hevc'],
    ['a sequence with ten bits', 'msf1', 'mif1', 'msf1', 'hevx', 'heix', 'iso8'],
  ]) {
    it(`finds the brands of ${source}`, () => {
      expect(isHeicContent(toBox(...brands))).to.equal(true);
    });
  }

  for (const [source, ...brands] of [
    ['AVIF', 'avif', 'avif', 'mif1', 'miaf', 'MA1B'],
    ['AVIF with the brand of HEIF', 'mif1', 'avif', 'mif1', 'miaf'],
    ['AVIF as a sequence', 'avis', 'avis', 'msf1', 'miaf', 'MA1B'],
    ['a video of a Live Photo', 'qt  ', 'qt  '],
    ['an MP4 video', 'isom', 'isom', 'iso2', 'avc1', 'mp41'],
    ['a raw photo of Canon', 'crx ', 'crx ', 'isom'],
  ]) {
    it(`ignores the brands of ${source}`, () => {
      expect(isHeicContent(toBox(...brands))).to.equal(false);
    });
  }

  it('ignores a JPG, an empty file, and a box that is cut off', () => {
    expect(isHeicContent(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0]))).to.equal(false);
    expect(isHeicContent(new Uint8Array())).to.equal(false);
    expect(isHeicContent(toBox('qt  ', 'heic').subarray(0, 14))).to.equal(false);
  });
});

/** A major brand, and the compatible ones. */
function toBox(major = '', ...compatible: readonly string[]): Uint8Array<ArrayBuffer> {
  const size = 16 + compatible.length * 4;
  return new Uint8Array([
    0,
    0,
    0,
    size,
    ...new TextEncoder().encode(`ftyp${major}\0\0\0\0${compatible.join('')}`),
  ]);
}

describe('preparePhoto', () => {
  it('removes the location', async () => {
    const photo = toFile(await createLocatedPhoto(80, 40), 'IMG_2041.JPG');
    expect(await readText(photo)).to.include(placeMark);
    const { file, keepsLocation } = await preparePhoto(photo, limits);
    expect(await readText(file)).to.not.include(placeMark);
    expect(await readText(file)).to.not.match(/exif/i);
    expect(file).to.include({ name: 'IMG_2041.JPG', type: 'image/jpeg' });
    expect(keepsLocation).to.equal(false);
  });

  it('does not change a small photo without metadata', async () => {
    const photo = toFile(await createPlainPhoto(80, 40, 'image/jpeg'), 'scan.jpg');
    const { file, keepsLocation, thumbnail } = await preparePhoto(photo, limits);
    expect(file).to.equal(photo);
    expect(keepsLocation).to.equal(false);
    expect(thumbnail).to.include({ width: 80, height: 40 });
  });

  it('converts a PNG only if it is over the limit', async () => {
    const photo = toFile(await createPlainPhoto(3_000, 40, 'image/png'), 'scan.PNG');
    expect((await preparePhoto(photo, limits)).file).to.equal(photo);
    const tight = { ...limits, maxBytes: photo.size - 1 };
    const { file } = await preparePhoto(photo, tight);
    expect(file).to.include({ name: 'scan.jpg', type: 'image/jpeg' });
    const { file: only } = await preparePhoto(photo, { ...tight, extensions: ['png'] });
    expect(only).to.include({ name: 'scan.PNG', type: 'image/png' });
  });

  it('reports the metadata of a photo that it cannot decode', async () => {
    const broken = toFile((await createLocatedPhoto(80, 40)).subarray(0, 110), 'a.jpg');
    expect(await preparePhoto(broken, limits)).to.deep.equal({
      file: broken,
      keepsLocation: true,
      isHeic: false,
    });
    const text = toFile(new TextEncoder().encode('text'), 'b.jpg');
    expect(await preparePhoto(text, limits)).to.deep.equal({
      file: text,
      keepsLocation: false,
      isHeic: false,
    });
  });

  it('turns HEIC into a JPG without metadata', async () => {
    const decoded = toFile(await createLocatedPhoto(80, 40), 'a.jpg');
    const decode = () => createImageBitmap(decoded, { imageOrientation: 'from-image' });
    const { file, isHeic, keepsLocation, thumbnail } = await preparePhoto(heic, limits, decode);
    expect(file).to.include({ name: 'IMG_2041.jpg', type: 'image/jpeg' });
    expect(await createImageBitmap(file)).to.include({ width: 40, height: 80 });
    expect(await readText(file)).to.not.match(/exif/i);
    expect([isHeic, keepsLocation]).to.deep.equal([false, false]);
    expect(thumbnail).to.include({ width: 40, height: 80 });
  });

  it('scales a HEIC of 48 megapixels down while it is decoded', async () => {
    const options = await readDecodeOptions(8_064, 6_048);
    expect(options).to.deep.equal({
      imageOrientation: 'from-image',
      resizeWidth: 2_400,
      resizeQuality: 'high',
    });
  });

  for (const [what, width, height] of [
    ['HEIC of 12 megapixels', 4_032, 3_024],
    ['panorama', 16_000, 2_000],
  ] as const) {
    it(`decodes a ${what} at its size`, async () => {
      expect(await readDecodeOptions(width, height)).to.not.have.property('resizeWidth');
    });
  }

  /** A HEIC has the size of each tile, of its thumbnail, and of the whole picture. */
  async function readDecodeOptions(width: number, height: number) {
    const toSize = (...sides: readonly number[]) =>
      new Uint8Array([
        ...new TextEncoder().encode('ispe\0\0\0\0'),
        ...sides.flatMap((side) => [0, 0, side >> 8, side & 255]),
      ]);
    const parts = [toBox('heic', 'mif1', 'heic'), toSize(512, 512), toSize(width, height)];
    let options: ImageBitmapOptions | undefined;
    await preparePhoto(new File(parts, 'IMG_2041.HEIC'), limits, async (_file, given) => {
      options = given;
      return createImageBitmap(new ImageData(4, 3));
    });
    return options;
  }

  it('keeps the proportions of a huge photo that is turned', async () => {
    const photo = toFile(await createLocatedPhoto(6_000, 3_000), 'a.jpg');
    const { file, thumbnail } = await preparePhoto(photo, limits);
    const picture = await createImageBitmap(file);
    expect(picture).to.include({ width: 1_200, height: 2_400 });
    expectUpright(picture, { x: 600, upperY: 100, lowerY: 2_300 });
    expect(thumbnail).to.include({ width: 60, height: 120 });
  });

  it('does not change a huge scan that is within the limit', async () => {
    const photo = toFile(await createPlainPhoto(5_100, 6_600, 'image/png'), 'scan.png');
    const { file, thumbnail } = await preparePhoto(photo, limits);
    expect(file).to.equal(photo);
    expect(thumbnail).to.include({ width: 93, height: 120 });
  });

  for (const [type, name, expected] of [
    ['image/jpeg', 'IMG_2041.HEIC', 'IMG_2041.jpg'],
    ['image/png', 'photo.jpg', 'photo.jpg'],
    ['image/jpeg', 'photo.PNG', 'photo.jpg'],
  ] as const) {
    it(`redraws a picture of the type ${type} with the name ${name}`, async () => {
      const photo = new File([new Uint8Array(await createPlainPhoto(80, 40, type))], name);
      const { file, isHeic } = await preparePhoto(photo, limits);
      expect(file).to.include({ name: expected, type: 'image/jpeg' });
      expect(isHeic).to.equal(false);
    });
  }

  it('reports HEIC that the browser cannot decode', async () => {
    const { file, isHeic } = await preparePhoto(heic, limits);
    expect(file).to.equal(heic);
    expect(isHeic).to.equal(true);
  });

  it('does not change a photo in a browser that returns noise', async () => {
    const { getImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.getImageData = (_x, _y, width, height) =>
      new ImageData(width, height);
    try {
      const photo = toFile(await createLocatedPhoto(80, 40), 'a.jpg');
      const { file, keepsLocation } = await preparePhoto(photo, limits);
      expect(file).to.equal(photo);
      expect(keepsLocation).to.equal(true);
    } finally {
      CanvasRenderingContext2D.prototype.getImageData = getImageData;
    }
  });
});

function toFile(bytes: Uint8Array, name: string): File {
  const type = /png$/i.test(name) ? 'image/png' : 'image/jpeg';
  return new File([new Uint8Array(bytes)], name, { type });
}

async function readText(file: File): Promise<string> {
  return new TextDecoder('latin1').decode(await file.arrayBuffer());
}

/** The upper half of the photo is red, the lower half is blue. */
function expectUpright(
  picture: ImageBitmap,
  { x, upperY, lowerY }: Readonly<Record<'x' | 'upperY' | 'lowerY', number>>,
): void {
  expect(toColor(picture, x, upperY), 'the color of the upper half').to.equal('red');
  expect(toColor(picture, x, lowerY), 'the color of the lower half').to.equal('blue');
}

function toColor(picture: ImageBitmap, x: number, y: number): string {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  const context = canvas.getContext('2d')!;
  context.drawImage(picture, 0, 0);
  const [red = 0, , blue = 0] = context.getImageData(x, y, 1, 1).data;
  return red > blue ? 'red' : 'blue';
}
