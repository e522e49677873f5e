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
  for (const brands of [
    ['heic', 'mif1', 'MiHB', 'heic'],
    ['mif1', 'mif1', 'heic'],
    ['heix', 'mif1'],
    ['msf1', 'hevc'],
  ]) {
    it(`finds the brands ${brands.join(', ')}`, () => {
      expect(isHeicContent(toBox(...brands))).to.equal(true);
    });
  }

  for (const brands of [['avif', 'mif1', 'miaf'], ['mif1', 'avif'], ['isom', 'mp42'], ['qt  ']]) {
    it(`ignores the brands ${brands.join(', ')}`, () => {
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

  it('turns the photo upright', async () => {
    const photo = toFile(await createLocatedPhoto(80, 40), 'a.jpg');
    const { file, thumbnail } = await preparePhoto(photo, limits);
    const picture = await createImageBitmap(file);
    expect(picture).to.include({ width: 40, height: 80 });
    expect(toColor(picture, 20, 10), 'the color of the upper half').to.equal('red');
    expect(toColor(picture, 20, 70), 'the color of the lower half').to.equal('blue');
    expect(thumbnail).to.include({ width: 40, height: 80 });
  });

  it('reduces a large photo in proportion', async () => {
    const photo = toFile(await createPlainPhoto(3_000, 1_500, 'image/jpeg'), 'a.jpg');
    const { file } = await preparePhoto(photo, limits);
    expect(await createImageBitmap(file)).to.include({ width: 2_400, height: 1_200 });
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

function toColor(picture: ImageBitmap, x: number, y: number): string {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  const context = canvas.getContext('2d')!;
  context.drawImage(picture, 0, 0);
  const [red = 0, , blue = 0] = context.getImageData(x, y, 1, 1).data;
  return red > blue ? 'red' : 'blue';
}
