// An applicant at a desktop sends documents from a phone: a second browser context on the BFF's page for phones.
// test/bff/routes/handoff.test.ts and test/widget/handoff show the code to type, and every end of a handoff.

import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { PNG } from 'pngjs';
import decodeQr from 'qr/decode.js';
import { getPhotoJpeg, getScanPng, type TestFile } from '../support/files/realistic-files.ts';
import { waitForReference } from '../support/page-applicant.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { applyByApi } from './apply-by-api.ts';
import { seeOnReturn } from './see-on-return.ts';

const phoneDevice = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
} as const;

let stack: Stack;
/** The BFF refuses a document that it has already. */
let photos: readonly TestFile[];
/** Contexts of phones, which the test runner does not close. */
let phones: BrowserContext[] = [];

test.beforeAll(async () => {
  stack = await startStack();
  photos = [await getPhotoJpeg(), await getScanPng()];
});

test.afterAll(async () => {
  await stack.stop();
});

test.afterEach(async () => {
  await Promise.all(phones.map((context) => context.close()));
  phones = [];
});

test('an applicant sends photos from a phone by the QR code', async ({ page, browser }) => {
  await invitePhone(page);
  await expectNoViolation(page);
  const url = await scanQrCode(page);
  expect(new URL(url).origin).toBe(stack.bffUrl);

  const phone = await openPhone(browser, url);
  await expect(phone.getByRole('heading', { name: 'Is this your application?' })).toBeVisible();
  expect(new URL(phone.url()).hash).toBe('');
  await expect(phone.getByText('Rosa’s Bakery')).toHaveCount(0);
  await expectNoViolation(phone);
  await phone.getByRole('button', { name: await readNumber(page), exact: true }).click();
  await expect(phone.getByRole('heading', { name: 'Take photos of your documents' })).toBeVisible();
  const panel = page.locator('.handoff');
  await seeOnReturn(page, panel.getByText('Your phone is connected. Photos appear here.'));
  await expectNoViolation(phone);

  await sendPhoto(phone);
  await expect(page.locator('.file')).toHaveCount(1);
  await expectNoViolation(page);
  // The camera of a phone may need the memory of the page, which then loads again.
  await phone.reload();
  await expect(phone.locator('.file')).toHaveCount(1);
  await sendPhoto(phone);
  await seeOnReturn(page, page.locator('.file').nth(1));

  await phone.getByRole('button', { name: 'I’m done on this phone' }).click();
  await expect(phone.getByRole('heading', { name: 'Go back to your computer' })).toBeVisible();
  await expect(phone.getByText('2 files added')).toBeVisible();
  await seeOnReturn(page, panel.getByText('Your phone is done'));
  await expectNoViolation(phone);

  await page.getByRole('button', { name: /^Close my application/ }).click();
  await expect(page.getByRole('heading', { name: 'Your application is closed' })).toBeVisible();
});

/** Applies at the desktop, and shows the code on the documents step. */
async function invitePhone(page: Page): Promise<void> {
  await applyByApi(page, stack);
  await waitForReference(page);
  await page.evaluate(() => {
    const element = document.querySelector('funding-application') as
      (HTMLElement & { goTo(step: string): boolean }) | null;
    element?.goTo('documents');
  });
  await page.getByRole('button', { name: 'Use my phone' }).click();
  await expect(page.locator('.qr')).toBeVisible();
}

/** Reads the code as the camera of a phone does: from the pixels on the screen. */
async function scanQrCode(page: Page): Promise<string> {
  const { width, height, data } = PNG.sync.read(await page.locator('.qr').screenshot());
  return decodeQr({ width, height, data: Uint8Array.from(data) });
}

async function openPhone(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext(phoneDevice);
  phones.push(context);
  const phone = await context.newPage();
  await phone.goto(url);
  return phone;
}

/** The number that the desktop shows. */
async function readNumber(page: Page): Promise<string> {
  return (await page.locator('.pick strong').textContent()) ?? '';
}

/** Takes a photo. In a browser without a camera, the input takes a file. */
async function sendPhoto(phone: Page): Promise<void> {
  const sent = await phone.locator('.file').count();
  await phone.locator('#document-photo').setInputFiles(photos[sent]!.path);
  await expect(phone.locator('.file')).toHaveCount(sent + 1);
  await chooseCategory(phone);
}

async function chooseCategory(page: Page): Promise<void> {
  await page
    .getByLabel(/What is this/)
    .last()
    .selectOption('drivers-license');
  await expect(page.locator('.file').last()).toContainText(/Uploaded|Received|Sent/);
}

async function expectNoViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include('funding-application').analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  expect(found).toEqual([]);
}
