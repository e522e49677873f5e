import { expect } from '@open-wc/testing';
import { preparePhoto } from '../../../widget/documents/prepare-photo.ts';
import {
  createLocatedPhoto,
  createPlainPhoto,
  placeMark,
} from '../../support/files/browser-photos.ts';

const limits = { maxBytes: 1_000_000, extensions: ['pdf', 'jpg', 'jpeg', 'png'] };

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
    expect(await preparePhoto(broken, limits)).to.deep.equal({ file: broken, keepsLocation: true });
    const text = toFile(new TextEncoder().encode('text'), 'b.jpg');
    expect(await preparePhoto(text, limits)).to.deep.equal({ file: text, keepsLocation: false });
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
