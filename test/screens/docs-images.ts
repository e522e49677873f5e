// The images of the documentation: screenshots side by side with round corners on a transparent background, as WebP.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';

interface DocsImage {
  /** Name of the file in docs/images. */
  readonly name: string;
  readonly heightPx: number;
  /** Variant and screen of each screenshot. */
  readonly screens: readonly (readonly [variant: string, screen: string])[];
}

const images: readonly DocsImage[] = (['light', 'dark'] as const).flatMap((scheme) => [
  {
    name: `application-${scheme}`,
    heightPx: 700,
    screens: ['start', 'business-filled', 'offers'].map(
      (screen) => [`phone-${scheme}-en`, screen] as const,
    ),
  },
  {
    name: `themes-${scheme}`,
    heightPx: 620,
    screens: ['ledger', 'meadow', 'night'].map(
      (theme) => [scheme === 'light' ? theme : `${theme}-dark`, 'business-filled'] as const,
    ),
  },
  {
    name: `brand-${scheme}`,
    heightPx: 620,
    screens: [
      [`brand-${scheme}`, 'business-filled'],
      [`brand-${scheme}`, 'need-errors'],
    ],
  },
]);

/** Screens that the images need, by variant. */
export const docsScreens: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  images
    .flatMap(({ screens }) => screens)
    .map(([variant], _, all) => [
      variant,
      new Set(all.filter(([name]) => name === variant).map(([, screen]) => screen)),
    ]),
);

const quality = 0.82;

/** Writes the images into the folder `to`. @param from folder with a folder of screenshots for each variant. */
export async function writeDocsImages(browser: Browser, from: string, to: string): Promise<void> {
  const page = await browser.newPage();
  for (const { name, heightPx, screens } of images) {
    const sources = screens.map(([variant, screen]) => {
      const folder = join(from, variant);
      const file = readdirSync(folder).find((found) => found.endsWith(`-${screen}.png`));
      if (file === undefined) throw new Error(`${variant} has no screenshot ${screen}`);
      return `data:image/png;base64,${readFileSync(join(folder, file), 'base64')}`;
    });
    const webp = await page.evaluate(joinPictures, { sources, heightPx, quality });
    writeFileSync(join(to, `${name}.webp`), Buffer.from(webp, 'base64'));
  }
  await page.close();
}

/** Runs in the browser. Screenshots have two pixels for each CSS pixel. */
async function joinPictures({
  sources,
  heightPx,
  quality,
}: {
  readonly sources: readonly string[];
  readonly heightPx: number;
  readonly quality: number;
}): Promise<string> {
  const [gapPx, radiusPx, scale] = [24, 20, 1.5];
  const pictures = await Promise.all(
    sources.map(async (source) => {
      const picture = new Image();
      picture.src = source;
      await picture.decode();
      return picture;
    }),
  );
  const widths = pictures.map(({ naturalWidth }) => (naturalWidth / 2) * scale);
  const canvas = document.createElement('canvas');
  const sum = widths.reduce((total, width) => total + width, 0);
  canvas.width = sum + gapPx * scale * (pictures.length - 1);
  canvas.height = heightPx * scale;
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  let x = 0;
  for (const [index, picture] of pictures.entries()) {
    const width = widths[index]!;
    context.save();
    context.beginPath();
    context.roundRect(x + 1, 1, width - 2, canvas.height - 2, radiusPx * scale);
    context.clip();
    context.drawImage(picture, x, 0, width, (picture.naturalHeight / 2) * scale);
    context.restore();
    context.strokeStyle = '#8886';
    context.lineWidth = 2;
    context.stroke();
    x += width + gapPx * scale;
  }
  const [, data = ''] = canvas.toDataURL('image/webp', quality).split(',');
  return data;
}
