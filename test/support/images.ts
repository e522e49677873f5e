// Creates images like those of applicants: a large photo of a phone, and a scan.

import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { createExif } from './file-writers/image-writer.ts';
import { createRandom } from './random.ts';

/** As stored, in landscape. EXIF orientation 6 rotates it to portrait. */
const photoWidth = 3000;
const photoHeight = 2250;

const scanWidth = 1240;
const scanHeight = 560;

/** A card on a table in uneven light. The grain of a small sensor makes real photos large. */
export function createPhoto(): Uint8Array {
  const random = createRandom(20_260_318);
  const data = new Uint8Array(photoWidth * photoHeight * 4);
  for (let y = 0; y < photoHeight; y += 1) {
    for (let x = 0; x < photoWidth; x += 1) {
      const light = 0.72 + 0.28 * Math.cos(x / 1900 - 0.6) * Math.cos(y / 1500 - 0.4);
      const grain = 46 * (random() + random() - 1);
      // The painted scene is upright, so its coordinates are rotated as orientation 6 says.
      const [red, green, blue] = paintTableWithCard(photoHeight - 1 - y, x);
      setPixel(
        data,
        (y * photoWidth + x) * 4,
        red * light + grain,
        green * light + grain,
        blue * light + grain,
      );
    }
  }
  const { data: encoded } = jpeg.encode({ data, width: photoWidth, height: photoHeight }, 91);
  return withExif(encoded);
}

/** A check that is crossed out by hand, in gray on off-white paper. */
export function createScan(): Uint8Array {
  const random = createRandom(7706);
  const png = new PNG({ width: scanWidth, height: scanHeight });
  for (let y = 0; y < scanHeight; y += 1) {
    for (let x = 0; x < scanWidth; x += 1) {
      const paper = 242 - 10 * random();
      const gray = isInk(x, y) ? 60 + 30 * random() : paper;
      setPixel(png.data, (y * scanWidth + x) * 4, gray, gray, gray - 6);
    }
  }
  return PNG.sync.write(png, { deflateLevel: 6 });
}

function paintTableWithCard(x: number, y: number): [number, number, number] {
  const isOnCard = x > 190 && x < 2060 && y > 880 && y < 2060;
  return isOnCard ? paintCard(x - 190, y - 880) : paintTable(x, y);
}

function paintCard(x: number, y: number): [number, number, number] {
  if (y < 180) return [70, 104, 150];
  const isPortrait = x > 110 && x < 610 && y > 300 && y < 960;
  if (isPortrait) return [150 + 40 * Math.sin(y / 90), 120 + 30 * Math.sin(y / 90), 105];
  const isLine = x > 730 && x < 1700 && y > 300 && y % 130 < 34 && (x * 7 + y) % 61 < 44;
  return isLine ? [48, 52, 66] : [222, 228, 226];
}

function paintTable(x: number, y: number): [number, number, number] {
  const vein = 16 * Math.sin(y / 23 + 3 * Math.sin(x / 410));
  return [146 + vein, 104 + vein, 70 + vein];
}

function isInk(x: number, y: number): boolean {
  const isFrame = x < 12 || y < 12 || x > scanWidth - 13 || y > scanHeight - 13;
  const isRule = x > 90 && x < 1150 && (y === 210 || y === 211 || y === 300 || y === 301);
  const isNumber = x > 90 && x < 760 && y > 470 && y < 500 && x % 26 < 15;
  const isCrossing = x > 260 && x < 980 && Math.abs(y - 280 - 70 * Math.sin(x / 57)) < 7;
  return isFrame || isRule || isNumber || isCrossing;
}

function setPixel(
  data: Uint8Array,
  offset: number,
  red: number,
  green: number,
  blue: number,
): void {
  data[offset] = toByte(red);
  data[offset + 1] = toByte(green);
  data[offset + 2] = toByte(blue);
  data[offset + 3] = 255;
}

function toByte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}

/** Replaces the JFIF segment of jpeg-js, because cameras write EXIF as the first segment (CIPA DC-008, 4.5.4). */
function withExif(encoded: Uint8Array): Uint8Array {
  const startOfImage = 2;
  const jfifLength = 2 + ((encoded[4] ?? 0) << 8) + (encoded[5] ?? 0);
  return Buffer.concat([
    encoded.subarray(0, startOfImage),
    createExif(),
    encoded.subarray(startOfImage + jfifLength),
  ]);
}
