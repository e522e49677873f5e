// Screenshots of the documentation site: home, Start, a procedure with its output, a reference, a decision, and the open search.

import type { BrowserContext } from '@playwright/test';
import { serveSite, siteOrigin } from '../support/built-site.ts';

const pages = {
  home: '/index.html',
  start: '/start/index.html',
  procedure: '/operate/restart.html',
  reference: '/reference/element.html',
  decision: '/decisions/0002-delivery.html',
} as const;

/** @param toFileOf returns the file of a screen. */
export async function shootSite(
  context: BrowserContext,
  toFileOf: (screen: string) => string,
): Promise<void> {
  const page = await context.newPage();
  await serveSite(page);
  // The whole reference would be an image of many screens.
  const shoot = async (screen: string) =>
    page.screenshot({ path: toFileOf(`site-${screen}`), animations: 'disabled' });
  try {
    for (const [screen, path] of Object.entries(pages)) {
      await page.goto(siteOrigin + path);
      await shoot(screen);
    }
    await page.goto(`${siteOrigin}${pages.home}`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('session');
    await page.getByRole('option').first().waitFor();
    await shoot('search');
  } finally {
    await page.close();
  }
}
