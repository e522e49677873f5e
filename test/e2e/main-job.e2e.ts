// The main path with the keyboard only, from the first field to the offers. Then the test checks what the funding service received.

import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page, type Request } from '@playwright/test';
import {
  getPhotoJpeg,
  getScanPng,
  getStatementPdf,
  type TestFile,
} from '../support/files/realistic-files.ts';
import { startStack, type Stack } from '../support/stack.ts';
import {
  chooseFrom,
  chooseRadio,
  pickFrom,
  pressButton,
  seesHeading,
  tabTo,
  tick,
  typeInto,
} from './keyboard.ts';
import { expectReceived } from './received.ts';
import { createSandboxView, type SandboxView } from './sandbox-view.ts';
import { seeOnReturn } from './see-on-return.ts';

/** Longer than the test needs to get there. The test then advances the sandbox's clock. */
const offerDelayMs = 10 * 60_000;

let stack: Stack;
let sandbox: SandboxView;

test.beforeAll(async () => {
  stack = await startStack({
    settings: {
      // The limits of a new installation.
      limits: {},
      documents: { undoSeconds: 10 },
      lead: { leadSource: 'Millstone', campaignId: 'C-7', outcomeId: 'O-9' },
    },
    sandbox: { SANDBOX_OFFER_DELAY_MS: String(offerDelayMs) },
  });
  sandbox = createSandboxView(stack.sandboxUrl);
});

test.afterAll(async () => {
  await stack.stop();
});

test('an applicant without a mouse completes every step up to the offers', async ({ page }) => {
  const complaints = listenForViolations(page);
  const files = [await getStatementPdf(), await getPhotoJpeg(), await getScanPng()] as const;
  const reports = listenForReports(page);

  await page.goto(`${stack.pageUrl}/funding`);
  await fillFundingNeed(page);
  await expectNoViolation(page);
  await fillBusiness(page);
  await expectNoViolation(page);
  await fillOwner(page);
  await fillIdentity(page);
  await seesHeading(page, 'Review your answers and sign');
  await expectNoViolation(page);
  await expect(page.getByText('Ending in 9999')).toBeVisible();
  await tick(page, /review of my credit/);
  await tick(page, /receive records electronically/);
  await tick(page, /my answers are true/);
  await typeInto(page, /Type your full name/, 'Rosa Núñez');
  await pressButton(page, 'Submit application');

  await seesHeading(page, 'Your application is with the lender');
  await expectNoViolation(page);
  const reference = await page.getByTestId('reference').textContent();
  await pressButton(page, 'Continue to documents');
  await addDocuments(page, files);
  await expectNoViolation(page);
  await pressButton(page, /^Continue$/);
  await connectBank(page);
  await expectNoViolation(page);
  await pressButton(page, /^Continue$/);

  await seesHeading(page, 'You prequalify, but there are no offers yet');
  await sandbox.advanceClock(offerDelayMs);
  await seeOnReturn(page, page.getByRole('heading', { name: /You have 3 offers/ }));
  await expectNoViolation(page);
  await expectOffers(page);
  const tracking = page.getByRole('link', { name: /Track your application/ });
  expect((await page.request.get((await tracking.getAttribute('href')) ?? '')).ok()).toBe(true);

  await reenableContact(page);
  await expect.poll(() => sandbox.documents()).toHaveLength(files.length);
  await expectReceived(sandbox, { reference: reference?.trim() ?? '', files, reports });

  await page.goto(stack.pageUrl);
  await page.goBack();
  await page.reload();
  await seesHeading(page, 'Your application is with the lender');
  await expect(page.getByTestId('reference')).toHaveText(reference ?? '');
  await pressButton(page, 'Add your documents');
  await expect(page.getByText('Sent to the lender', { exact: true })).toHaveCount(files.length);
  expect(await sandbox.leads()).toHaveLength(1);
  expect(complaints).toEqual([]);
});

async function fillFundingNeed(page: Page): Promise<void> {
  await pressButton(page, 'Start application');
  await seesHeading(page, 'How much funding do you need?');
  await typeInto(page, 'Amount you need', '$75,000');
  await chooseFrom(page, /What will you use it for/, 'Equipment');
  await page.keyboard.press('Tab');
  await pressButton(page, 'Continue');
}

async function fillBusiness(page: Page): Promise<void> {
  await seesHeading(page, 'Tell us about your business');
  await typeInto(page, /Legal name/, 'Rosa’s Bakery & Café LLC');
  await chooseFrom(page, 'Type of business', 'Limited liability company');
  await pickFrom(page, 'Industry', 'bakery');
  await typeInto(page, /Employer Identification/, '12-3456789');
  await typeInto(page, 'Street address', '100 Main St');
  await typeInto(page, /Apartment/, 'Suite 4');
  await typeInto(page, 'ZIP code', '787011234');
  await expect(page.getByRole('textbox', { name: 'City' })).toHaveValue('Austin');
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('Texas (TX)');
  await typeInto(page, 'Annual revenue', '480,000.00');
  await typeInto(page, 'Month', 'March');
  await typeInto(page, 'Day', '15');
  await typeInto(page, 'Year', '2017');
  await typeInto(page, /Number of employees/, '6');
  await pressButton(page, 'Continue');
}

async function fillOwner(page: Page): Promise<void> {
  await seesHeading(page, 'Tell us about yourself');
  await typeInto(page, 'First name', 'Rosa');
  await typeInto(page, 'Last name', 'Núñez');
  await typeInto(page, 'Email address', 'rosa@bakery.example');
  await typeInto(page, 'Phone number', '+1 (512) 555-0134');
  await chooseRadio(page, 'No');
  await typeInto(page, 'Street address', '7 Elm St');
  await typeInto(page, 'ZIP code', '00901');
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('Puerto Rico (PR)');
  await typeInto(page, 'City', 'San Juan');
  await pressButton(page, 'Continue');
}

async function fillIdentity(page: Page): Promise<void> {
  await seesHeading(page, 'Confirm your identity');
  await typeInto(page, 'Month', '4');
  await typeInto(page, 'Day', '27');
  await typeInto(page, 'Year', '1985');
  await typeInto(page, /Social Security/, '219-09-9999');
  await chooseFrom(page, /credit score/, '680');
  await typeInto(page, /Your ownership percentage/, '60');
  await tabTo(page, page.getByRole('radio', { name: 'Yes' }));
  await page.keyboard.press('Space');
  await pressButton(page, 'Continue');
}

async function addDocuments(page: Page, files: readonly TestFile[]): Promise<void> {
  await seesHeading(page, 'Add your documents');
  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, page.getByLabel('Choose files'));
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(files.map(({ path }) => path));
  const labels = ['Bank statement, March', 'Driver’s license', 'Voided check'];
  for (const [index, { name }] of files.entries()) {
    await chooseFrom(page, `What is this document? ${name}`, labels[index] ?? '');
  }
  // The BFF sends the documents while the applicant goes on.
  const uploaded = /Uploaded, not sent yet|Received, sending to the lender|Sent to the lender/;
  await expect(page.locator('.file').filter({ hasText: uploaded })).toHaveCount(files.length);
}

async function connectBank(page: Page): Promise<void> {
  await seesHeading(page, 'Connect your bank account');
  await pressButton(page, 'Connect a bank');
  await tabTo(page, page.getByRole('radio', { name: /Example National/ }));
  await page.keyboard.press('Space');
  await tick(page, /Business checking/);
  await tick(page, /Business savings/);
  await pressButton(page, 'Share with the lender');
  await expect(page.getByText('We sent your bank report to the lender.')).toBeVisible();
}

async function expectOffers(page: Page): Promise<void> {
  const offers = page.locator('.offer');
  await expect(offers).toHaveCount(3);
  for (const offer of await offers.all()) {
    await expect(offer.locator('.headline')).toContainText('APR');
    await expect(offer.getByTestId('disclosures')).not.toBeEmpty();
  }
  await pressButton(page, 'Compare in a table');
  await expect(offers.first()).toBeHidden();
  // The columns would be too narrow on paper.
  await page.emulateMedia({ media: 'print' });
  await expect(offers.first()).toBeVisible();
  await expect(page.getByRole('table')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await pressButton(page, 'Compare in a table');
}

async function reenableContact(page: Page): Promise<void> {
  const [lead] = await sandbox.leads();
  if (!lead) throw new Error('The funding service has no lead');
  await sandbox.markDoNotContact(lead);
  // The request shows once contact by the lender is the next step.
  const opened = page.waitForEvent('popup');
  await tabTo(page, page.getByRole('link', { name: /Continue on the lender’s site/ }).first());
  await page.keyboard.press('Enter');
  await (await opened).close();
  await tabTo(page, page.locator('summary', { hasText: 'Want the lender to contact you again' }));
  await page.keyboard.press('Enter');
  await tick(page, /may call or text me/);
  await pressButton(page, 'Allow contact again');
  await expect(page.getByText('The lender may contact you again')).toBeVisible();
}

async function expectNoViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include('funding-application').analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
  ).toEqual([]);
}

/** Records CSP and Trusted Types violations, errors, and warnings. */
function listenForViolations(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return complaints;
}

/** Records the asset reports that the browser sends. */
function listenForReports(page: Page): string[] {
  const reports: string[] = [];
  page.on('request', (request: Request) => {
    if (request.url().endsWith('/v1/asset-report') && request.method() === 'POST') {
      reports.push(request.postData() ?? '');
    }
  });
  return reports;
}
