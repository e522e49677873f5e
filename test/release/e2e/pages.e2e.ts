// The pages of the BFF in a real browser: under their own policy, in both appearances, without JavaScript, and on paper.

import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { startStack, type Stack } from '../../support/stack.ts';

let stack: Stack;
test.beforeAll(async () => {
  stack = await startStack({
    settings: {
      lead: { allowedCampaignIds: ['spring-2026'] },
      page: {
        name: 'Millstone Supply Co.',
        accent: '#6b4423',
        background: '#fbf7f0',
        headingFont: 'serif',
        intro: 'We sell ovens. Our funding partner looks for offers.',
        homeUrl: 'https://millstone.example/',
        privacyUrl: 'https://millstone.example/privacy',
      },
      support: { phone: '717-555-0148' },
    },
  });
});
test.afterAll(async () => {
  await stack.stop();
});

/** Returns violations of the policy and errors of the page, as the browser reports them. */
function recordProblems(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return problems;
}

test('/apply requests the preloaded configuration once', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/v1/configuration') requests.push(url.search);
  });
  await page.goto(`${stack.bffUrl}/apply`);
  await expect(page.getByRole('button', { name: 'Start application' })).toBeVisible();
  expect(requests).toEqual(['?locale=en']);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`/apply starts an application without a violation (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    const problems = recordProblems(page);
    await page.goto(`${stack.bffUrl}/apply?campaign=spring-2026`);
    await expect(page.locator('funding-application').getByRole('heading').first()).toBeVisible();
    const start = await new AxeBuilder({ page }).analyze();
    expect(start.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    await page.getByRole('button', { name: 'Start application' }).click();
    await expect(page.getByLabel('Amount you need')).toBeVisible();
    const step = await new AxeBuilder({ page }).analyze();
    expect(step.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    // The session starts with the first step: the origin gate accepts the BFF's own page.
    await expect
      .poll(async () => (await page.context().cookies()).map(({ name }) => name))
      .toContainEqual(expect.stringMatching(/^funding-session-[\da-f]{8}$/));
    expect(problems).toEqual([]);
  });
}

for (const [language, button, privacy] of [
  ['en', 'Español', 'Política de privacidad'],
  ['es', 'English', 'Privacy policy'],
] as const) {
  test(`/apply in ${language} follows the language of the form`, async ({ page }) => {
    await page.goto(`${stack.bffUrl}/apply?lang=${language}`);
    const footer = page.locator('.page-footer');
    await page.getByRole('button', { name: button }).click();
    await expect(footer.getByText(privacy)).toBeVisible();
    await expect(footer.getByRole('listitem').getByRole('link')).toHaveCount(2);
  });
}

test('/phone loads without a violation', async ({ page }) => {
  const problems = recordProblems(page);
  await page.goto(`${stack.bffUrl}/phone`);
  await expect(page.locator('funding-application').getByRole('heading').first()).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  // The page asks if this phone has claimed a code before. Scripts can't read the session's cookie.
  expect(problems).toEqual([expect.stringContaining('401')]);
});

test('/apply shows whom to contact without JavaScript', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${stack.bffUrl}/apply?lang=es`);
  await expect(page.locator('.notice')).toContainText('El formulario necesita JavaScript.');
  await expect(page.locator('noscript a')).toHaveAttribute('href', 'tel:7175550148');
  await context.close();
});

for (const width of [320, 768, 1600]) {
  test(`/apply fits ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${stack.bffUrl}/apply`);
    await expect(page.locator('funding-application').getByRole('heading').first()).toBeVisible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
}

test('/apply prints on white paper', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto(`${stack.bffUrl}/apply`);
  await expect(page.locator('funding-application').getByRole('heading').first()).toBeVisible();
  const background = await page.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  );
  expect(background).toBe('rgb(255, 255, 255)');
  await expect(page.locator('.page-footer')).toBeHidden();
});
