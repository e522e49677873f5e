// The playground: choices show in the element, in its code, and in the URL.

import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type Listening, listenApp } from '../../support/servers.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { unlimited } from '../../support/unlimited.ts';

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

/** Errors and violations of the Content-Security-Policy. */
let errors: string[];

test.beforeEach(({ page }) => {
  errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
});

test.afterEach(() => {
  expect(errors).toEqual([]);
});

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`${stack.pageUrl}/playground${query}`);
  await expect(page.locator('funding-application h2').first()).toBeVisible();
}

const choice = (page: Page, label: string) =>
  page.locator('.controls').getByLabel(label, { exact: true });

const accent = (page: Page) =>
  page
    .locator('funding-application')
    .evaluate((element) => getComputedStyle(element).getPropertyValue('--funding-accent'));

test('a chosen color shows in the element, its code, the URL', async ({ page }) => {
  await open(page);
  await page.getByLabel('Accent', { exact: true }).fill('#a02060');
  expect(await accent(page)).toBe('#a02060');
  const code = page.locator('#code');
  await expect(code).toContainText('--funding-accent: #a02060;');
  await page.getByLabel('Vue', { exact: true }).check();
  await expect(code).toContainText('--funding-accent: #a02060;');
  await page.getByLabel('React', { exact: true }).check();
  await expect(code).toContainText("'--funding-accent': '#a02060',");
  await page.reload();
  await expect(page.getByLabel('React', { exact: true })).toBeChecked();
  await page.getByLabel('HTML', { exact: true }).check();
  expect(new URL(page.url()).searchParams.get('accent')).toBe('#a02060');
  await page.getByRole('button', { name: 'Reset choices' }).click();
  await expect(code).not.toContainText('#a02060');
  expect(new URL(page.url()).search).toBe('');
});

test('the choices show the values of a style sheet', async ({ page }) => {
  await open(page, '?scheme=light');
  await expect(page.getByLabel('Accent', { exact: true })).toHaveValue('#005d5d');
  await choice(page, 'Style sheet').selectOption('Night');
  await expect(page.getByLabel('Corner radius')).toHaveValue('4');
  // oklch(0.26 0.015 250)
  await expect(page.getByLabel('Inputs', { exact: true })).toHaveValue('#1f252b');
  await choice(page, 'Style sheet').selectOption('None');
  await expect(page.getByLabel('Accent', { exact: true })).toHaveValue('#005d5d');
  await expect(page.getByLabel('Corner radius')).toHaveValue('8');
});

// test/examples/playground.test.ts has the limits.
test('the contrast with a color of a style sheet counts', async ({ page }) => {
  await open(page, '?preset=night');
  await page.getByLabel('Accent', { exact: true }).fill('#101010');
  await expect(page.locator('#contrast')).toContainText(
    '“Accent” has a contrast of 1:1 with the page.',
  );
  await page.getByLabel('Accent', { exact: true }).fill('#fafafa');
  await expect(page.locator('#contrast')).toBeEmpty();
});

test('a URL restores the choices', async ({ page }) => {
  await open(page, '?accent=%23a02060&radius=2&locale=es&scheme=dark&width=phone&preset=nope');
  expect(await accent(page)).toBe('#a02060');
  const element = page.locator('funding-application');
  await expect(element).toHaveAttribute('locale', 'es');
  await expect(element).toHaveAttribute('theme', 'dark');
  await expect(choice(page, 'Style sheet')).toHaveValue('');
  await expect(element.getByRole('heading', { level: 2 }).first()).toHaveText(
    /negocio|financiamiento/i,
  );
  expect((await element.boundingBox())?.width).toBeLessThanOrEqual(375);
});

test('the copied link gives the form with the typed answers', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  const json = page.getByLabel('Answers as JSON');
  await json.fill('{"fundingNeed": {"amount": 31500}}');
  await expect(page.locator('#code')).toContainText('"amount": 31500');
  await expect(choice(page, 'Answers')).toHaveValue('own');
  const prefill = await page
    .locator('funding-application')
    .evaluate((element) => (element as unknown as { prefill: unknown }).prefill);
  expect(prefill).toEqual({ fundingNeed: { amount: 31500 } });
  await page.getByRole('button', { name: 'Start application' }).click();
  await expect(page.getByLabel('Amount you need')).toHaveValue('31,500');
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  const url = new URL(await page.evaluate(async () => navigator.clipboard.readText()));
  // The link gives the same form in another tab. Its answers are not sent to the server.
  expect(url.search).toBe('?answers=own');
  const other = await context.newPage();
  await other.goto(url.href);
  await expect(other.locator('#code')).toContainText('"amount": 31500');
  await expect(other.getByLabel('Answers as JSON')).toHaveValue(/"amount": 31500/);
});

// test/examples/playground.test.ts has the problem of each text.
test('rubbish in the answers changes nothing but the list of problems', async ({ page }) => {
  await open(page, '?answers=business');
  const json = page.getByLabel('Answers as JSON');
  await expect(json).toHaveValue(/Harbor Bakery LLC/);
  const code = await page.locator('#code').textContent();
  const problems = page.locator('#json-problems');
  await json.fill('<img src=x onerror=alert(1)>');
  await expect(problems).toContainText('This is not JSON.');
  await expect(json).toHaveAttribute('aria-invalid', 'true');
  expect(await page.locator('#code').textContent()).toBe(code);
  await page.goto(`${stack.pageUrl}/playground?answers=own#prefill={%22a`);
  await expect(problems).toContainText('This is not JSON.');
  await page.getByRole('button', { name: 'Reset choices' }).click();
  await expect(problems).toBeEmpty();
  await expect(json).toHaveValue('');
});

test('Copy says what it copied, with the keyboard too', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  const button = page.getByRole('button', { name: 'Copy code' });
  await button.press('Enter');
  const status = page.getByRole('status').filter({ hasText: 'Code copied.' });
  await expect(status).toBeVisible();
  await expect(button).toBeFocused();
  const copied = await page.evaluate(async () => navigator.clipboard.readText());
  expect(copied).toBe(await page.locator('#code').textContent());
});

test('a refused clipboard leaves the code selected', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = async () => {
      throw new DOMException('Write permission denied.', 'NotAllowedError');
    };
  });
  await open(page);
  await page.getByRole('button', { name: 'Copy code' }).click();
  await expect(page.getByText('The code is selected: press Ctrl+C')).toBeVisible();
  const selected = await page.evaluate(() => getSelection()?.toString());
  expect(selected?.trim()).toBe((await page.locator('#code').textContent())?.trim());
});

test('events are listed with their fields', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('status').filter({ hasText: /2 events, latest/ })).toBeVisible();
  await page.getByRole('button', { name: 'Start application' }).click();
  await expect(page.locator('#log li').first()).toContainText('step: funding-need');
  await expect(page.locator('#latest')).toHaveText('3 events, latest: funding-step');
  await page.getByRole('button', { name: 'Clear' }).press('Enter');
  await expect(page.locator('#latest')).toHaveText('None yet.');
});

test('on a phone, the form comes before its choices, which open by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await expect(page.getByRole('heading', { name: 'Apply for business' })).toBeInViewport();
  await expect(choice(page, 'Style sheet')).toBeHidden();
  await page.getByText('Theme', { exact: true }).press('Enter');
  await choice(page, 'Style sheet').selectOption('Night');
  await expect(page.locator('#stage')).toHaveAttribute('data-scheme', 'dark');
});

test('the partner’s page links to the playground', async ({ page }) => {
  await page.goto(`${stack.pageUrl}/funding`);
  await page.getByRole('link', { name: 'change this form in the playground' }).click();
  await expect(page.getByRole('heading', { name: 'Playground' })).toBeVisible();
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

const heading = (page: Page) => page.locator('funding-application #step-heading');
const stepHeadings = {
  'Funding need': 'How much funding do you need?',
  'Your business': 'Tell us about your business',
  'About you': 'Tell us about yourself',
  'Identity and credit': 'Confirm your identity',
  'Review and sign': 'Review your answers and sign',
  'Application sent': 'Your application is with the lender',
  Documents: 'Add your documents',
  'Bank connection': 'Connect your bank account',
  Offers: 'You have 3 offers',
  'Start page': 'Apply for business funding',
};

test('each step shows when it is chosen', async ({ page }) => {
  await open(page);
  const step = choice(page, 'Step');
  const labels = await step.locator('option').allTextContents();
  expect(labels.toSorted()).toEqual(Object.keys(stepHeadings).toSorted());
  for (const [label, text] of Object.entries(stepHeadings)) {
    await step.selectOption(label);
    await expect(heading(page)).toHaveText(text);
    await expect(heading(page)).toBeVisible();
  }
});

test('a chosen step leaves the focus in the choices', async ({ page }) => {
  await open(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const step = choice(page, 'Step');
  await step.focus();
  const top = await step.evaluate((node) => node.getBoundingClientRect().top);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(heading(page)).toHaveText('Tell us about your business');
  await expect(page.locator('.on-the-way')).toHaveCount(0);
  await expect(step).toBeFocused();
  expect(await step.evaluate((node) => node.getBoundingClientRect().top)).toBe(top);
});

test('a step outlives other choices', async ({ page }) => {
  await open(page);
  await choice(page, 'Style sheet').selectOption('Meadow');
  await choice(page, 'Step').selectOption('Offers');
  await choice(page, 'Outcome').selectOption('Many offers');
  await expect(heading(page)).toHaveText('You have 8 offers');
  await choice(page, 'Language').selectOption('Español');
  await expect(heading(page)).toHaveText('Usted tiene 8 ofertas');
  await choice(page, 'Color scheme').selectOption('Dark');
  await choice(page, 'Style sheet').selectOption('Night');
  await expect(heading(page)).toHaveText('Usted tiene 8 ofertas');
  await page.reload();
  await expect(heading(page)).toHaveText('Usted tiene 8 ofertas');
  await page.goto(`${stack.pageUrl}/funding`);
  await page.goBack();
  await expect(heading(page)).toHaveText('Usted tiene 8 ofertas');
  await choice(page, 'Step').selectOption('Review and sign');
  await expect(heading(page)).toHaveText(/Revise/);
  expect(new URL(page.url()).search).toContain('step=review');
});

test('made-up answers stay out of the code', async ({ page }) => {
  await open(page, '?step=review&answers=business');
  await expect(heading(page)).toHaveText('Review your answers and sign');
  await expect(page.getByText('Dana Example')).toBeVisible();
  await expect(page.getByText('Made-up answers fill in')).toBeVisible();
  const code = await page.locator('#code').textContent();
  expect(code).toContain('Harbor Bakery LLC');
  expect(code).not.toContain('Dana');
  expect(page.url()).not.toContain('Dana');
});

test('known answers with errors end the way at their step', async ({ page }) => {
  await open(
    page,
    `?answers=own&step=review#prefill=${encodeURIComponent('{"owner":{"phone":"1112223333"}}')}`,
  );
  await expect(heading(page)).toHaveText('Tell us about yourself');
  await expect(page.getByRole('link', { name: /phone/i })).toBeVisible();
});

test('made-up steps send no applicant data to the BFF', async ({ page }) => {
  const requested = new Set<string>();
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === stack.bffUrl && pathname.startsWith('/v1/')) requested.add(pathname);
  });
  await open(page, '?step=documents');
  await page.locator('#document-files').setInputFiles({
    name: 'check.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  });
  await expect(page.getByText('check.pdf').first()).toBeVisible();
  await expect(page.locator('#log')).toContainText('number: 3');
  expect([...requested]).toEqual(['/v1/configuration']);
});

test('an offer leads to the stand-in of the lender’s page', async ({ page }) => {
  await open(page, '?step=offers&outcome=one+offer');
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Continue on the lender’s site' }).click();
  await expect((await opened).getByRole('heading', { name: 'The lender’s page' })).toBeVisible();
  await expect(page.locator('#log')).toContainText('funding-offer-chosen');
});

test('a choice closes the application that this browser has sent', async ({ page }) => {
  await open(page, '?step=review');
  const element = page.locator('funding-application');
  for (const consent of await element.getByRole('checkbox').all()) await consent.check();
  await element.getByLabel(/full name/i).fill('Dana Example');
  await element.getByRole('button', { name: 'Submit application' }).click();
  await expect(heading(page)).toHaveText(/Your application is/);
  await page.reload();
  await expect(page.getByText('This browser has an application in the sandbox.')).toBeVisible();
  await expect(heading(page)).toHaveText(/Your application is/);
  await choice(page, 'Step').selectOption('Your business');
  await expect(heading(page)).toHaveText('Tell us about your business');
});

test('a style sheet gets its URL once', async ({ page }) => {
  await open(page);
  const sheet = page.locator('#theme');
  await sheet.evaluate((link) => {
    // By the HTML standard, the same URL loads again, also where Chromium skips it.
    new MutationObserver((changes) => {
      link.dataset['changes'] = String(Number(link.dataset['changes'] ?? 0) + changes.length);
    }).observe(link, { attributeFilter: ['href'] });
  });
  await choice(page, 'Style sheet').selectOption('Night');
  await expect(page.getByLabel('Corner radius')).toHaveValue('4');
  await page.getByLabel('Corner radius').fill('6');
  await choice(page, 'Width').selectOption('Phone, 375 px');
  await expect(page.locator('#code')).toContainText('--funding-radius: 6px');
  await expect(sheet).toHaveAttribute('data-changes', '1');
});

test('a choice replaces what was typed just before', async ({ page }) => {
  await page.clock.install();
  await open(page);
  await page.getByLabel('Answers as JSON').fill('{"fundingNeed": {"amount": 31500}}');
  await choice(page, 'Answers').selectOption('The business');
  await page.clock.runFor(2_000);
  await expect(choice(page, 'Answers')).toHaveValue('business');
  await expect(page.locator('#code')).toContainText('Harbor Bakery LLC');
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    test(`has no axe violations in ${colorScheme} at ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await open(page, '?accent=%23a02060&scheme=light');
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });
  }
}
