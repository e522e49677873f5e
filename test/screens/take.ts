// `npm run screenshots`: takes screenshots of the element, and joins them to the images of `docs/images`: side by side with round
// corners on a transparent background, as WebP.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContextOptions, type Page } from '@playwright/test';
import { chromiumFlags, readTestTools } from '../../scripts/test-tools.mjs';
import { apiPaths } from '../../shared/api/paths.ts';
import { findBlock } from '../support/code-blocks.ts';
import { startStack } from '../support/stack.ts';
import { waitLimitMs } from '../support/time-limit.ts';
import { unlimited } from '../support/unlimited.ts';
import { screens } from './screens.ts';

interface Look {
  /** Path of the partner's page. */
  readonly path: string;
  readonly context: BrowserContextOptions;
  /** A style sheet of the page. */
  readonly css?: string;
  /** The screens of the image, from left to right. */
  readonly screens: readonly string[];
}

// Touch input, which enables the native list of states and the camera, as on every phone.
const phone = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
};
const tablet = { viewport: { width: 900, height: 900 }, deviceScaleFactor: 2 };
const brand = findBlock('docs/embed/theme.md', ({ file }) => file === 'brand.css');

/** By the names of their files. */
const images: Readonly<Record<string, { heightPx: number; looks: readonly Look[] }>> =
  Object.fromEntries(
    (['light', 'dark'] as const).flatMap((colorScheme) => {
      const context = { ...phone, colorScheme };
      const main = { path: '/funding', context, screens: ['start', 'business-filled', 'offers'] };
      const themes = ['ledger', 'meadow', 'night'].map((theme) => ({
        path: `/themes/${theme}`,
        context: { ...tablet, colorScheme },
        screens: ['business-filled'],
      }));
      const branded = { ...main, css: brand.text, screens: ['business-filled', 'need-errors'] };
      return [
        [`application-${colorScheme}`, { heightPx: 700, looks: [main] }],
        [`themes-${colorScheme}`, { heightPx: 620, looks: themes }],
        [`brand-${colorScheme}`, { heightPx: 620, looks: [branded] }],
      ];
    }),
  );

const executablePath = readTestTools().chromium?.executable;
if (!executablePath) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');
const browser = await chromium.launch({
  executablePath,
  args: chromiumFlags,
  chromiumSandbox: false,
});
const support = {
  name: 'Ruth at Millstone',
  phone: '(717) 555-0148',
  email: 'funding@millstone.example',
};
const stack = await startStack({ settings: { limits: unlimited, support } });
try {
  const page = await browser.newPage();
  for (const [name, { heightPx, looks }] of Object.entries(images)) {
    const sources = (await Promise.all(looks.map(take))).flat();
    const webp = await page.evaluate(joinPictures, { sources, heightPx, quality: 0.82 });
    const file = join(import.meta.dirname, '../../docs/images', `${name}.webp`);
    writeFileSync(file, Buffer.from(webp, 'base64'));
  }
} finally {
  await stack.stop();
  await browser.close();
}

/** Takes the screenshots of a look, as data URLs. */
async function take({ path, context, css, screens: wanted }: Look): Promise<readonly string[]> {
  const opened = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...context });
  opened.setDefaultTimeout(waitLimitMs);
  // Without the notice of the sandbox.
  await opened.route(`**${apiPaths.configuration}*`, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const json = { ...(await response.json()), environment: 'staging' };
    return route.fulfill({ response, json });
  });
  const page = await opened.newPage();
  await page.addInitScript((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, css ?? '');
  await page.goto(stack.pageUrl + path);
  const pictures = new Map<string, string>();
  for (const showScreens of screens) {
    await showScreens(page, async (screen) => {
      if (wanted.includes(screen)) pictures.set(screen, await shootElement(page));
    });
    if (pictures.size === wanted.length) break;
  }
  await opened.close();
  return wanted.map((screen) => pictures.get(screen)!);
}

/** Includes the parts outside the column: the bar of an error, and focus rings. */
async function shootElement(page: Page): Promise<string> {
  const clip = await page.evaluate((besidePx) => {
    const element = document.querySelector('funding-application')!;
    // The screenshot finishes transitions too, so the height after them counts.
    for (const animation of element.shadowRoot?.getAnimations() ?? [])
      if (animation instanceof CSSTransition) animation.finish();
    const box = element.getBoundingClientRect();
    const x = Math.max(0, box.left - besidePx);
    const y = Math.max(0, box.top + scrollY - besidePx);
    const right = Math.min(document.documentElement.clientWidth, box.right + besidePx);
    return { x, y, width: right - x, height: box.bottom + scrollY + besidePx - y };
  }, 16);
  const png = await page.screenshot({ animations: 'disabled', fullPage: true, clip });
  return `data:image/png;base64,${png.toString('base64')}`;
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
