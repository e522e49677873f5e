// The images of the documentation: screenshots side by side, at half their resolution, as PNGs with a palette.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { toChunk, toHeader, writePng } from '../support/files/images.ts';

interface DocsImage {
  readonly name: string;
  readonly heightPx: number;
  /** Variant and screen of each screenshot. */
  readonly screens: readonly (readonly [variant: string, screen: string])[];
}

/** Red, green, and blue as one number. */
type Color = number;

type Row = readonly Color[];

const images: readonly DocsImage[] = [
  {
    name: 'application',
    // The height of the phone.
    heightPx: 844,
    screens: [
      ['phone-light-en', 'start'],
      ['phone-light-en', 'business-filled'],
      ['phone-dark-es', 'owner-filled'],
      ['phone-light-en', 'documents'],
      ['phone-dark-es', 'offers'],
    ],
  },
  {
    name: 'themes',
    heightPx: 620,
    screens: [
      ['ledger', 'business-filled'],
      ['meadow', 'business-filled'],
      ['night', 'business-filled'],
    ],
  },
];

/** Variants that the images need. */
export const docsVariants: ReadonlySet<string> = new Set(
  images.flatMap(({ screens }) => screens.map(([variant]) => variant)),
);

const gapPx = 16;
const gapColor = 0xe2e0dc;
/** More than the space inside a field, so that the lower edge cuts no field. */
const spacePx = 18;
/** Maximum number of colors, because a pixel has one byte. */
const maxColors = 256;
/** The most frequent colors, such as the backgrounds, stay exact. */
const exactColors = 32;

/** Writes the images into the folder `to`. @param from folder with a folder of screenshots for each variant. */
export function writeDocsImages(from: string, to: string): void {
  for (const { name, heightPx, screens } of images) {
    const pictures = screens.map(([variant, screen]) => {
      const folder = join(from, variant);
      const file = readdirSync(folder).find((found) => found.endsWith(`-${screen}.png`));
      if (file === undefined) throw new Error(`${variant} has no screenshot ${screen}`);
      const picture = halve(PNG.sync.read(readFileSync(join(folder, file))));
      return trimRight(cutBelowSpace(picture, heightPx));
    });
    writeFileSync(join(to, `${name}.png`), encode(joinPictures(pictures)));
  }
}

/** The average of each four pixels. */
function halve({ width, height, data }: PNG): readonly Row[] {
  return createList(height >> 1, (row) =>
    createList(width >> 1, (column) => {
      const first = (row * width + column) * 2 * 4;
      const corners = [first, first + 4, first + width * 4, first + width * 4 + 4];
      return [0, 1, 2].reduce((color, channel) => {
        const sum = corners.reduce((total, corner) => total + (data[corner + channel] ?? 0), 0);
        return color * 256 + Math.round(sum / corners.length);
      }, 0);
    }),
  );
}

/** The last space between two lines continues to the lower edge, so that the edge cuts no text. */
function cutBelowSpace(rows: readonly Row[], heightPx: number): readonly Row[] {
  const texts = rows.map((row) => row.join());
  let end = Math.min(rows.length, heightPx);
  while (end > spacePx && texts.slice(end - spacePx, end).some((text) => text !== texts[end - 1]))
    end -= 1;
  return createList(heightPx, (row) => rows[Math.min(row, end - 1)] ?? []);
}

/** The form may be narrower than the element: the space right of it becomes as wide as the space left of it. */
function trimRight(rows: readonly Row[]): readonly Row[] {
  const [first = []] = rows;
  const used = [...first.keys()].filter((column) => rows.some((row) => row[column] !== first[0]));
  return rows.map((row) => row.slice(0, (used[0] ?? 0) + (used.at(-1) ?? first.length) + 1));
}

/** @param pictures of the same height. */
function joinPictures(pictures: readonly (readonly Row[])[]): readonly Row[] {
  const gap = createList(gapPx, () => gapColor);
  const rows = (pictures[0] ?? []).map((_, row) => [
    ...gap,
    ...pictures.flatMap((picture) => [...(picture[row] ?? []), ...gap]),
  ]);
  const edge = gap.map(() => createList(rows[0]?.length ?? 0, () => gapColor));
  return [...edge, ...rows, ...edge];
}

/** Encodes a PNG with a palette, which is a third of the size. */
function encode(rows: readonly Row[]): Buffer {
  const palette = choosePalette(rows.flat());
  const indexes = new Map(
    [...new Set(rows.flat())].map((color) => [color, findNearest(palette, color)]),
  );
  // Each row starts with its filter: none.
  const bytes = rows.flatMap((row) => [0, ...row.map((color) => indexes.get(color) ?? 0)]);
  return writePng(
    toHeader({ width: rows[0]?.length ?? 0, height: rows.length, color: 3 }),
    toChunk('PLTE', Buffer.from(palette.flatMap(toChannels))),
    toChunk('IDAT', deflateSync(Buffer.from(bytes), { level: 9 })),
  );
}

/** The most frequent colors, and others at the smallest distance from each other that leaves at most 256. */
function choosePalette(colors: Row): Row {
  const counts = new Map<Color, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  for (let distance = 0; ; distance += 2) {
    const palette: Color[] = [];
    for (const color of byCount) {
      if (palette.length > maxColors) break;
      const isDistant = palette.every((chosen) => measureDistance(chosen, color) > distance);
      if (palette.length < exactColors || isDistant) palette.push(color);
    }
    if (palette.length <= maxColors) return palette;
  }
}

function findNearest(palette: Row, color: Color): number {
  let nearest = 0;
  for (const [index, chosen] of palette.entries())
    if (measureDistance(chosen, color) < measureDistance(palette[nearest] ?? 0, color))
      nearest = index;
  return nearest;
}

function measureDistance(a: Color, b: Color): number {
  const other = toChannels(b);
  return Math.hypot(...toChannels(a).map((value, channel) => value - (other[channel] ?? 0)));
}

function toChannels(color: Color): readonly number[] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

function createList<Item>(length: number, create: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => create(index));
}
