// `npm run screenshots [-- words]`: takes screenshots of every step and state into the folder `screenshots`. Words select the
// variants whose name contains one of them. `npm run screenshots -- --docs` takes those of the images in `docs/images`, and writes
// these images.

import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { chromiumFlags, readTestTools } from '../../scripts/test-tools.mjs';
import { apiPaths } from '../../shared/api/paths.ts';
import { startStack } from '../support/stack.ts';
import { unlimited } from '../support/unlimited.ts';
import { docsScreens, writeDocsImages } from './docs-images.ts';
import { shootHandoff, shootPages } from './handoff-screens.ts';
import { settle, type Shoot } from './page-actions.ts';
import { shootForm, shootSubmission } from './form-screens.ts';
import {
  shootBank,
  shootDocuments,
  shootOffers,
  shootFinish,
  shootStatus,
} from './sent-screens.ts';
import { brandVariants, variants, type Variant } from './variants.ts';
import { waitLimitMs } from '../support/time-limit.ts';

const folder = join(import.meta.dirname, '../../screenshots');
const docsFolder = join(import.meta.dirname, '../../docs/images');
const settings = {
  limits: unlimited,
  support: {
    name: 'Ruth at Millstone',
    phone: '(717) 555-0148',
    email: 'funding@millstone.example',
  },
  page: {
    name: 'Millstone Supply Co.',
    accent: '#6b4423',
    background: '#fbf7f0',
    headingFont: 'serif',
    homeUrl: 'https://millstone.example/',
    privacyUrl: 'https://millstone.example/privacy',
  },
  offers: {
    notQualifiedNotice: {
      en: 'The federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants. You may ask for the specific reasons within 60 days: Example Lending, 1 Bank Street, Austin, TX 78701.',
      es: 'La ley federal de igualdad de oportunidades de crédito (Equal Credit Opportunity Act) prohíbe a los acreedores discriminar a quienes solicitan crédito. Puede pedir los motivos concretos dentro de 60 días: Example Lending, 1 Bank Street, Austin, TX 78701.',
    },
  },
};
/** A page waits for the BFF about as long as it computes. */
const atOnce = 2 * availableParallelism();
/** Letter paper at 96 pixels per inch, without the margins that printers add. */
const paper = { width: 720, height: 960 };
const margin = { top: '0.6in', right: '0.6in', bottom: '0.6in', left: '0.6in' };

const [...asked] = process.argv.slice(2);
const isForDocs = asked.includes('--docs');
const wanted = [...variants, ...brandVariants].filter(({ name, css }) => {
  if (isForDocs) return docsScreens.has(name);
  if (css) return false;
  return asked.length === 0 || asked.some((part) => name.includes(part));
});
const executablePath = readTestTools().chromium?.executable;
if (!executablePath) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');
const browser = await chromium.launch({
  executablePath,
  args: chromiumFlags,
  chromiumSandbox: false,
});
const stack = await startStack({ settings });
let taken = 0;
try {
  const waiting = [...wanted];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let variant = waiting.shift(); variant; variant = waiting.shift())
        await take(browser, variant);
    }),
  );
  if (isForDocs) await writeDocsImages(browser, folder, docsFolder);
} finally {
  await stack.stop();
  await browser.close();
}
// oxlint-disable-next-line no-console -- the output of the command.
console.log(`${taken} screenshots of ${wanted.length} variants in ${folder}`);

async function take(from: Browser, { name, path, locale, context, elementWidth, css }: Variant) {
  const into = join(folder, name);
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const opened = await from.newContext({
    reducedMotion: 'reduce',
    locale,
    ...context,
  });
  if (isForDocs) await hideSandboxNotice(opened);
  let page = await opened.newPage();
  page.setDefaultTimeout(waitLimitMs);
  await page.addInitScript(
    ([language, width]: readonly [string, number | null]) => {
      addEventListener('DOMContentLoaded', () => {
        const element = document.querySelector('funding-application');
        element?.setAttribute('locale', language);
        if (!element || width === null) return;
        document.body.replaceChildren(element);
        document.body.style.margin = '20px';
        document.body.style.maxInlineSize = 'none';
        (element as HTMLElement).style.inlineSize = `${width}px`;
      });
    },
    [locale, elementWidth ?? null] as const,
  );
  if (css) {
    await page.addInitScript((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets.push(sheet);
    }, css);
  }
  await page.goto(stack.pageUrl + path);
  let number = 0;
  const shot = new Set<string>();
  const toFile = (screen: string) => {
    number += 1;
    taken += 1;
    shot.add(screen);
    return join(into, `${String(number).padStart(2, '0')}-${screen}.png`);
  };
  const shoot: Shoot = async (screen, what = 'element') => {
    const file = toFile(screen);
    if (what === 'page') await page.screenshot({ path: file, animations: 'disabled' });
    else if (what === 'paper') await shootPaper(page, file, context.colorScheme ?? 'light');
    else await shootElement(page, file);
  };
  try {
    for (const shootScreens of [
      shootForm,
      shootSubmission,
      shootStatus,
      shootDocuments,
      shootHandoff,
      shootBank,
      shootOffers,
      shootFinish,
    ]) {
      await shootScreens(page, shoot);
      const missing = [...(docsScreens.get(name) ?? [])].filter((screen) => !shot.has(screen));
      if (isForDocs && missing.length === 0) return;
    }
    page = await opened.newPage();
    page.setDefaultTimeout(waitLimitMs);
    const shootPage: Shoot = async (screen) => {
      await page.screenshot({ path: toFile(screen), animations: 'disabled', fullPage: true });
    };
    await shootPages(page, shootPage, { bffUrl: stack.bffUrl, language: locale.slice(0, 2) });
  } catch (error) {
    await page.screenshot({ path: join(into, 'broken-off.png') });
    throw error;
  } finally {
    await opened.close();
  }
}

async function hideSandboxNotice(context: BrowserContext): Promise<void> {
  await context.route(`**${apiPaths.configuration}*`, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const json = { ...(await response.json()), environment: 'staging' };
    return route.fulfill({ response, json });
  });
}

/** Includes the parts outside the column: the bar of an error, and focus rings. */
async function shootElement(page: Page, file: string): Promise<void> {
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
  await page.screenshot({ path: file, animations: 'disabled', fullPage: true, clip });
}

/** Saves an image of all sheets, and the PDF. Browsers print in light mode, independent of the color scheme. */
async function shootPaper(
  page: Page,
  file: string,
  colorScheme: 'light' | 'dark' | 'no-preference',
) {
  const before = page.viewportSize();
  const element = page.locator('funding-application');
  const width = await element.evaluate((node: HTMLElement) => node.style.inlineSize);
  const setWidth = async (inlineSize: string) =>
    element.evaluate((node: HTMLElement, size) => (node.style.inlineSize = size), inlineSize);
  await setWidth('auto');
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await page.setViewportSize(paper);
  await settle(page);
  await page.screenshot({ path: file, fullPage: true });
  await page.pdf({ path: file.replace(/png$/, 'pdf'), format: 'Letter', margin });
  await page.emulateMedia({ media: null, colorScheme });
  await setWidth(width);
  if (before) await page.setViewportSize(before);
  await settle(page);
}
