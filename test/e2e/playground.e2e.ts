// The playground: choices show in the element, in its code, and in the URL.

import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type Listening, listenApp } from '../support/servers.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { unlimited } from '../support/unlimited.ts';

let stack: Stack;
let server: Listening;
/** The content of a page of another site. */
let html = '';
let emptyPage: string;

test.beforeAll(async () => {
  server = await listenApp(() => new Response(html, { headers: { 'Content-Type': 'text/html' } }));
  emptyPage = `http://localhost:${server.port}`;
  stack = await startStack({
    settings: { limits: unlimited },
    bff: { CROSS_SITE_ORIGINS: emptyPage },
  });
});

test.afterAll(async () => {
  await stack.stop();
  await server.close();
});

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`${stack.pageUrl}/playground${query}`);
  await expect(page.locator('funding-application h2').first()).toBeVisible();
}

const accent = (page: Page) =>
  page
    .locator('funding-application')
    .evaluate((element) => getComputedStyle(element).getPropertyValue('--funding-accent'));

test('a color shows in the element, the code, and the URL', async ({ page }) => {
  await open(page);
  await page.getByLabel('Accent', { exact: true }).fill('#a02060');
  expect(await accent(page)).toBe('#a02060');
  const code = page.locator('#code');
  await expect(code).toContainText('--funding-accent: #a02060;');
  for (const format of ['React', 'Vue']) {
    await page.getByLabel(format, { exact: true }).check();
    await expect(code).toContainText('--funding-accent: #a02060;');
  }
  expect(new URL(page.url()).searchParams.get('accent')).toBe('#a02060');
  await page.getByRole('button', { name: 'Reset choices' }).click();
  await expect(code).not.toContainText('#a02060');
  expect(new URL(page.url()).search).toBe('');
});

test('a URL restores the choices', async ({ page }) => {
  await open(page, '?accent=%23a02060&radius=2&locale=es&scheme=dark&width=phone&preset=nope');
  expect(await accent(page)).toBe('#a02060');
  const element = page.locator('funding-application');
  await expect(element).toHaveAttribute('locale', 'es');
  await expect(element).toHaveAttribute('theme', 'dark');
  await expect(page.getByLabel('Style sheet')).toHaveValue('');
  await expect(element.getByRole('heading', { level: 2 }).first()).toHaveText(
    /negocio|financiamiento/i,
  );
  expect((await element.boundingBox())?.width).toBeLessThanOrEqual(375);
});

test('an outcome is a tag in the business name, and events are listed', async ({ page }) => {
  await open(page, '?answers=business');
  await page.getByLabel('Outcome in the sandbox').selectOption('not qualified');
  await expect(page.locator('#code')).toContainText('Harbor Bakery LLC [not qualified]');
  await expect(page.locator('#log')).toContainText('funding-ready');
  const prefill = await page
    .locator('funding-application')
    .evaluate((element) => (element as unknown as { prefill: unknown }).prefill);
  expect(prefill).toMatchObject({ business: { name: 'Harbor Bakery LLC [not qualified]' } });
  expect(page.url()).not.toContain('Harbor');
});

test('the code for HTML gives the same form on an empty page', async ({ page }) => {
  await open(page, '?accent=%23a02060&locale=es&answers=business');
  html = `<!doctype html><body>${await page.locator('#code').textContent()}`;
  await page.goto(emptyPage);
  const element = page.locator('funding-application');
  await expect(element.getByRole('heading', { level: 2 }).first()).toHaveText(
    /negocio|financiamiento/i,
  );
  expect((await accent(page)).trim()).toBe('#a02060');
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    test(`has no axe violations in ${colorScheme} at ${width} px`, async ({ page }) => {
      const errors: string[] = [];
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await open(page, '?accent=%23a02060&scheme=light');
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations).toEqual([]);
      expect(errors).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });
  }
}
