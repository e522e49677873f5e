// `npm run screenshots`: pictures of every step and state into the folder `screenshots`: phone and desktop, light and dark, English and Spanish, and the three themes.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { chromiumFlags, readBrowsers } from '../../scripts/browsers.mjs';
import { startStack } from '../support/stack.ts';
import { walkAfter, walkForm } from './screens.ts';

interface Variant {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly locale: 'en-US' | 'es-US';
  readonly forcedColors?: 'active';
}

const folder = join(import.meta.dirname, '../../screenshots');
const settings = {
  support: {
    name: 'Ruth at Millstone',
    phone: '(717) 555-0148',
    email: 'funding@millstone.example',
  },
  offers: {
    notQualifiedNotice:
      'The federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants. You may ask for the specific reasons within 60 days: Example Lending, 1 Bank Street, Austin, TX 78701.',
  },
};

const widths = { phone: 390, desktop: 1280 } as const;
const plain: readonly Variant[] = (['phone', 'desktop'] as const).flatMap((device) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['en-US', 'es-US'] as const).map((locale) => ({
      name: `${device}-${colorScheme}-${locale.slice(0, 2)}`,
      path: '/funding',
      width: widths[device],
      colorScheme,
      locale,
    })),
  ),
);
const themed: readonly Variant[] = (['ledger', 'meadow', 'night'] as const).map((theme) => ({
  name: theme,
  path: `/themes/${theme}`,
  width: 900,
  colorScheme: 'light',
  locale: 'en-US',
}));
const odd: readonly Variant[] = [
  { ...plain[0]!, name: 'narrow-320', width: 320 },
  { ...plain[0]!, name: 'forced-colors', forcedColors: 'active' },
];
const atOnce = 2;

const [...asked] = process.argv.slice(2);
const variants = [...plain, ...themed, ...odd].filter(
  ({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)),
);

rmSync(folder, { recursive: true, force: true });
const executablePath = readBrowsers()?.chromium?.executable;
if (!executablePath) throw new Error('No Chromium was found: run node scripts/setup.mjs --tests');
const browser = await chromium.launch({
  executablePath,
  args: chromiumFlags,
  chromiumSandbox: false,
});
const stack = await startStack({ settings });
let taken = 0;
try {
  const waiting = [...variants];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let variant = waiting.shift(); variant; variant = waiting.shift())
        await take(browser, variant);
    }),
  );
} finally {
  await stack.stop();
  await browser.close();
}
// oxlint-disable-next-line no-console -- what the command has to say.
console.log(`${taken} pictures of ${variants.length} variants in ${folder}`);

async function take(from: Browser, variant: Variant): Promise<void> {
  const { name, path, width, colorScheme, locale, forcedColors = 'none' } = variant;
  const into = join(folder, name);
  mkdirSync(into, { recursive: true });
  const context = await from.newContext({
    viewport: { width, height: 900 },
    deviceScaleFactor: 2,
    colorScheme,
    locale,
    forcedColors,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.addInitScript((language) => {
    addEventListener('DOMContentLoaded', () => {
      document.querySelector('funding-application')?.setAttribute('locale', language);
    });
  }, locale);
  await page.goto(stack.pageUrl + path);
  const element = page.locator('funding-application');
  let number = 0;
  const shoot = async (screen: string) => {
    number += 1;
    taken += 1;
    const file = `${String(number).padStart(2, '0')}-${screen}.png`;
    await element.screenshot({ path: join(into, file), animations: 'disabled' });
  };
  await walkForm(page, shoot);
  await walkAfter(page, shoot);
  await context.close();
}
