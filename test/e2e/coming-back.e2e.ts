// An applicant closes the tab at step 4, and comes back the next day. test/widget/app/device-draft.test.ts has the other days.

import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { completeDraft } from '../support/draft.ts';
import { fillFields, fillForm, signAndSubmit } from '../support/page-applicant.ts';
import { startStack, type Stack } from '../support/stack.ts';

const keep = /Keep my answers on this device for 7 days/;
const tomorrow = 24 * 60 * 60 * 1000;
/** Without the EIN, which is optional here. It is never stored, so its step would come first. */
const answers = { ...completeDraft, 'business/taxId': '' };

let stack: Stack;

test.beforeAll(async () => {
  stack = await startStack();
});

test.afterAll(async () => {
  await stack.stop();
});

test('an applicant closes the tab at step 4 and continues the next day', async ({ context }) => {
  await stopAtStep4(context);
  const page = await open(context, tomorrow);
  await expect(heading(page, 'Confirm your identity')).toBeVisible();
  await expect(page.getByText('Welcome back')).toBeVisible();
  await expect(page.getByText(/You’re on step 4 of 5, Identity and credit/)).toBeVisible();
  await page.getByRole('button', { name: 'Continue my application' }).click();
  await expect(page.getByText('Welcome back')).toBeHidden();
  await expect(page.getByRole('checkbox', { name: keep })).toBeChecked();
  await fillForm(page);
  await expect(page.getByText('rosa@example.com', { exact: true })).toBeVisible();
  await signAndSubmit(page);
  await expect(heading(page, 'Your application is with the lender')).toBeVisible();
  expect(await readDevice(page)).toEqual([]);
  // The response of the request that ends the key removes the cookie.
  await expect.poll(() => listDraftCookies(context)).toEqual([]);
});

test('an applicant comes back and clears the answers', async ({ context }) => {
  await stopAtStep4(context);
  const page = await open(context, tomorrow);
  await expect(page.getByText('Welcome back')).toBeVisible();
  await page.getByRole('button', { name: 'Clear my answers' }).click();
  await page.getByRole('button', { name: 'Clear everything' }).click();
  await expect(page.getByTestId('start')).toBeVisible();
  expect(await readDevice(page)).toEqual([]);
  await expect.poll(() => listDraftCookies(context)).toEqual([]);
  const again = await open(context, tomorrow);
  await expect(again.getByTestId('start')).toBeVisible();
});

/** Opens the form in a new tab. @param laterMs how far the clock of the device is moved. */
async function open(context: BrowserContext, laterMs = 0): Promise<Page> {
  const page = await context.newPage();
  if (laterMs !== 0) await page.clock.setSystemTime(Date.now() + laterMs);
  await page.goto(`${stack.pageUrl}/funding`);
  return page;
}

/** Keeps the answers on the device, and closes the tab. */
async function stopAtStep4(context: BrowserContext): Promise<void> {
  const page = await open(context);
  await page.getByTestId('start').click();
  await page.getByRole('checkbox', { name: keep }).check();
  await expect(page.getByText(/Your answers stay on this device until/)).toBeVisible();
  for (const next of [
    'Tell us about your business',
    'Tell us about yourself',
    'Confirm your identity',
  ]) {
    await fillFields(page, answers);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(heading(page, next)).toBeVisible();
  }
  await expect.poll(async () => (await readDevice(page)).length).toBe(1);
  await page.close();
}

function readDevice(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.values(localStorage).map(String));
}

async function listDraftCookies(context: BrowserContext): Promise<string[]> {
  const cookies = await context.cookies(stack.bffUrl);
  return cookies.map(({ name }) => name).filter((name) => name.includes('draft'));
}

function heading(page: Page, name: string): Locator {
  return page.locator('funding-application').getByRole('heading', { level: 2, name });
}
