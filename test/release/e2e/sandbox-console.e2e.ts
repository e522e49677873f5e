// The sandbox's console beside the real form: its timeline, its controls, and the keyboard.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createBrowser, createHttpSender, type Browser } from '../../support/applicant.ts';
import { fillForm, signAndSubmit } from '../../support/page-applicant.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { unlimited } from '../../support/unlimited.ts';
import { createSandboxView } from '../../e2e/sandbox-view.ts';

let stack: Stack;
let dataFolder: string;
let applicant: Browser;
let closeSender: () => Promise<void>;

test.beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'funding-application-sandbox-'));
  stack = await startStack({
    sandbox: { SANDBOX_DATA: join(dataFolder, 'sandbox.db') },
    settings: {
      limits: unlimited,
      documents: { undoSeconds: 0 },
      lead: { allowedCampaignIds: ['spring-2026'] },
    },
  });
});

test.afterAll(async () => {
  await stack.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

test.beforeEach(async () => {
  await createSandboxView(stack.sandboxUrl).reset();
  const { send, close } = createHttpSender([stack.bffUrl]);
  applicant = createBrowser({ send, origin: stack.pageUrl });
  closeSender = close;
});

test.afterEach(async () => {
  await closeSender();
});

async function apply(): Promise<void> {
  // The same key again would be the same application.
  const application = await applicant.apply(undefined, crypto.randomUUID());
  expect(application.status).toBe(201);
}

/** The answer with eight offers is so long that the console loads it on request. */
async function applyForManyOffers(): Promise<void> {
  await apply();
  const [lead] = await createSandboxView(stack.sandboxUrl).leads();
  const outcome = new URLSearchParams({ outcome: 'many-offers' });
  const url = `${stack.sandboxUrl}/_sandbox/leads/${lead?.applicationId}/outcome`;
  await fetch(url, { method: 'POST', body: outcome });
  expect((await applicant.send('GET', apiPaths.offers)).status).toBe(200);
}

/** Returns when the sandbox has the document. */
async function upload(): Promise<void> {
  expect((await applicant.upload(createTextPdf('A statement'))).status).toBeLessThan(300);
  const { documents } = createSandboxView(stack.sandboxUrl);
  await expect.poll(async () => (await documents()).length).toBe(1);
}

async function openConsole(page: Page, path = ''): Promise<void> {
  await page.goto(`${stack.sandboxUrl}/_sandbox/${path}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

async function openApplication(page: Page): Promise<void> {
  const [lead] = await createSandboxView(stack.sandboxUrl).leads();
  await openConsole(page, `applications/${lead?.applicationId}`);
}

test('the timeline shows an application when it arrives', async ({ page }) => {
  await openConsole(page);
  await expect(page.getByRole('heading', { name: 'No application yet' })).toBeVisible();
  await apply();
  await expect(page.getByRole('link', { name: 'Harbor Bakery LLC' }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No application yet' })).toBeHidden();
  await upload();
  await expect(page.getByText('Bank Statements').first()).toBeVisible();
});

test('the real form shows the outcome that was set after a fault', async ({ page, context }) => {
  const form = await context.newPage();
  await form.goto(`${stack.pageUrl}/funding`);
  await fillForm(form);
  await openConsole(page, 'controls');
  await expect(page.getByLabel('Retry-After in seconds')).toBeHidden();
  await page.getByRole('radio', { name: 'Too many requests' }).check();
  await page.getByLabel('Retry-After in seconds').fill('1');
  await page.getByLabel('Operation').selectOption('Create Lead');
  await page.getByRole('button', { name: 'Add fault' }).click();
  await expect(page.locator('#pending-faults')).toContainText('Too many requests');

  await signAndSubmit(form);
  await openConsole(page);
  await expect(page.getByText('Fault: Too many requests')).toBeVisible();
  await page.getByRole('link', { name: 'Rosa’s Bakery LLC' }).first().click();
  await page.getByRole('radio', { name: 'Not qualified' }).check();
  await page.getByRole('button', { name: 'Set outcome' }).click();
  await expect(page.getByText('is now “Not qualified”').first()).toBeVisible();

  await form.bringToFront();
  await form.getByRole('button', { name: 'Continue to documents' }).click();
  await form.getByRole('button', { name: 'Continue without documents' }).click();
  await form.getByRole('button', { name: 'Continue without connecting' }).click();
  await expect(form.getByRole('heading', { name: 'No offers right now' })).toBeVisible();
});

test('new entries do not move the entry that is being read', async ({ page }) => {
  await apply();
  const view = createSandboxView(stack.sandboxUrl);
  for (let count = 0; count < 20; count += 1) await view.advanceClock(1_000);
  await openConsole(page);
  const read = page.locator('[data-key]').nth(12);
  await read.evaluate((entry) => entry.scrollIntoView({ block: 'start' }));
  const key = await read.getAttribute('data-key');
  const before = await page.locator(`[data-key="${key}"]`).boundingBox();
  await view.advanceClock(1_000);
  await view.advanceClock(1_000);
  const news = page.getByRole('button', { name: '2 new entries' });
  await expect(news).toBeVisible();
  const after = await page.locator(`[data-key="${key}"]`).boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  await news.click();
  await expect(news).toBeHidden();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('a long answer stays in place while entries arrive', async ({ page }) => {
  await applyForManyOffers();
  await openConsole(page, '?operation=pre-approval-offer');
  await page.locator('.entry summary').first().click();
  const answer = page.locator('[data-answer]');
  await answer.locator('summary').press('Enter');
  await expect(answer.locator('pre')).toContainText('"PreApproval_Status": "Qualified"');
  await applicant.send('GET', apiPaths.offers);
  await createSandboxView(stack.sandboxUrl).advanceClock(60_000);
  await expect(page.locator('#summary')).toContainText('1 minute ahead');
  await expect(answer.locator('pre')).toBeVisible();
  await expect(answer.locator('summary')).toBeFocused();
});

test('a newer answer stays when an older one arrives late', async ({ page }) => {
  await applyForManyOffers();
  const older = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let count = 0;
  await page.route('**/_sandbox/calls/*', async (route) => {
    count += 1;
    const answer = `"answer ${count}"`;
    if (count === 1) await older.promise;
    await route.fulfill({ json: { answer } });
    if (count > 1) answered.resolve();
  });
  await openConsole(page, '?operation=pre-approval-offer');
  await page.locator('.entry summary').first().click();
  const answer = page.locator('[data-answer]');
  await answer.locator('summary').click();
  // The same entry shows the answer to its latest call.
  await stack.advanceBff(60_000);
  expect((await applicant.send('GET', apiPaths.offers)).status).toBe(200);
  await answered.promise;
  await expect(answer.locator('pre')).toHaveText('"answer 2"');
  const late = page.waitForResponse('**/_sandbox/calls/*');
  older.resolve();
  await (await late).finished();
  // The script has handled the response by the next frame.
  await page.evaluate(async () => new Promise((resolve) => requestAnimationFrame(resolve)));
  await expect(answer.locator('pre')).toHaveText('"answer 2"');
});

test('an update removes an attribute that an element no longer has', async ({ page }) => {
  await openConsole(page);
  const summary = page.locator('#summary');
  await summary.evaluate((element) => element.setAttribute('title', 'Earlier'));
  await createSandboxView(stack.sandboxUrl).advanceClock(60_000);
  await expect(summary).toContainText('1 minute ahead');
  await expect(summary).not.toHaveAttribute('title');
});

test('a double click counts once, except for the clock', async ({ page }) => {
  const view = createSandboxView(stack.sandboxUrl);
  for (let count = 0; count < 3; count += 1) {
    await view.plan({ kind: 'empty', operation: 'contact-user' });
  }
  await openConsole(page, 'controls');
  await page.getByRole('button', { name: 'Remove fault 1' }).dblclick({ delay: 150 });
  await page.getByRole('button', { name: 'Add fault' }).dblclick({ delay: 150 });
  // The clock may be moved in quick clicks.
  await page.getByRole('button', { name: '1 hour' }).dblclick();
  await expect(page.locator('#clock-state')).toContainText('2 hours ahead');
  const faults = (await view.plannedFaults()) as { readonly kind: string }[];
  expect(faults.map(({ kind }) => kind)).toEqual(['empty', 'empty', 'status']);
});

test('the console says when the sandbox does not answer', async ({ page }) => {
  await openConsole(page);
  await page.route('**/_sandbox/**', (route) => route.abort());
  await expect(page.getByText('The sandbox does not answer. Trying again …')).toBeVisible();
  await page.unroute('**/_sandbox/**');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('a sandbox that accepts connections but never answers is reported after 10 s', async ({
  page,
}) => {
  // The fake clock of Playwright has no AbortSignal.timeout.
  await page.addInitScript(() => {
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), ms);
      return controller.signal;
    };
  });
  const startMs = Date.parse('2026-03-02T09:00:00Z');
  await page.clock.install({ time: startMs });
  await page.clock.pauseAt(startMs + 1);
  // The page asks at once, then a second after each answer.
  await openConsole(page);
  await page.route('**/_sandbox/**', () => {});
  const request = page.waitForRequest('**/_sandbox/**');
  await page.clock.runFor(1_000);
  await request;
  await page.clock.runFor(9_900);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.clock.runFor(100);
  await expect(page.getByText('The sandbox does not answer. Trying again …')).toBeVisible();
});

test('an open page recovers after a restart, with everything that was kept', async ({ page }) => {
  await apply();
  await upload();
  await createSandboxView(stack.sandboxUrl).plan({ kind: 'empty', operation: 'contact-user' });
  await openApplication(page);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.getByRole('radio', { name: 'One offer' }).check();
  await stack.stopSandbox();
  await expect(page.getByText('The sandbox does not answer. Trying again …')).toBeVisible();
  await page.getByRole('button', { name: 'Set outcome' }).click();
  await expect(page.getByText('Check that it runs, then try again.')).toBeVisible();
  await stack.startSandbox();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // The choice is still there.
  await page.getByRole('button', { name: 'Set outcome' }).click();
  await expect(page.getByText('is now “One offer”').first()).toBeVisible();
  await expect(page.locator('#documents .count')).toHaveText('1');
  await expect(page.locator('#summary')).toContainText('1 application · 1 pending fault');
  expect(errors).toEqual([]);
});

test('every control of the console works with the keyboard', async ({ page }) => {
  await apply();
  await openConsole(page, 'controls');
  await page.getByLabel('Seed').fill('7');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The seed of the offers is now 7.')).toBeVisible();
  await page.getByRole('button', { name: 'Revoke all tokens' }).press('Enter');
  await expect(page.locator('#token-count')).toHaveText('0 tokens issued and not revoked.');
  await openApplication(page);
  await page.getByRole('button', { name: 'Mark Do Not Contact' }).press('Enter');
  await expect(page.locator('#contact-state')).toContainText('Do Not Contact.');
  await page.getByText('Offers of your own').press('Enter');
  await page.getByLabel('Number of offers').fill('2');
  await page.getByLabel('Amounts in dollars').fill('25,000 rubbish');
  await page.keyboard.press('Enter');
  await expect(page.locator('#outcome .bad')).toContainText('amounts');
  await page.getByLabel('Amounts in dollars').fill('25,000 40,000');
  await page.keyboard.press('Enter');
  await expect(page.locator('#now')).toContainText('Qualified with 2 offers.');
  await expect(page.locator('#now')).toContainText('$25,000');
});

test('the preview of a PDF is loaded when it is opened', async ({ page }) => {
  await apply();
  await upload();
  await openConsole(page);
  const violations: string[] = [];
  let loaded = 0;
  page.on('request', (request) => (loaded += Number(request.url().endsWith('/preview'))));
  page.on('console', (message) => violations.push(message.text()));
  expect(loaded).toBe(0);
  const [preview] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/preview')),
    page.getByText('Preview', { exact: true }).click(),
  ]);
  expect(preview.headers()['content-type']).toBe('application/pdf');
  expect(violations).toEqual([]);
});

// The layout depends on the width alone, and the contrasts on the colors alone.
for (const [width, colorScheme] of [
  [320, 'light'],
  [1280, 'dark'],
] as const) {
  test(`every page is accessible at ${width} px in the ${colorScheme}`, async ({ page }) => {
    await apply();
    await upload();
    const [lead] = await createSandboxView(stack.sandboxUrl).leads();
    await createSandboxView(stack.sandboxUrl).plan({ kind: 'empty', operation: 'contact-user' });
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const application = `applications/${lead?.applicationId}?reveal=Ssn`;
    for (const path of ['', application, 'controls', 'reference', 'timeline/1']) {
      await page.goto(`${stack.sandboxUrl}/_sandbox/${path}`);
      for (const details of await page.locator('details').all())
        await details.evaluate((element) => element.setAttribute('open', ''));
      const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
      const found = violations.map(({ id, nodes }) => [path, id, nodes[0]?.html]);
      expect(found).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}
