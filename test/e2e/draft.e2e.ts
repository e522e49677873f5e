// The draft keeps every answer except secrets through a reload, the browser's Back, and leaving the page.

import { expect, test, type Locator, type Page } from '@playwright/test';
import { startStack, type Stack } from '../support/stack.ts';
import { fillForm, signAndSubmit } from '../support/page-applicant.ts';

const secrets = { ssn: '471-82-9364', taxId: '82-1734655' };

let stack: Stack;

test.beforeAll(async () => {
  stack = await startStack();
});

test.afterAll(async () => {
  await stack.stop();
});

test('a draft keeps everything except secrets until the submission', async ({ page }) => {
  await page.goto(`${stack.pageUrl}/funding`);
  await fillForm(page);
  await addSecrets(page);
  expect(await readKept(page)).toContain('Rosa’s Bakery LLC');
  await expectNoSecret(page);

  await page.reload();
  await expectRestored(page);
  await page.goto('about:blank');
  await page.goBack();
  await expectRestored(page);
  await expectNoSecret(page);

  const next = () => page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel(/Employer Identification/).fill(secrets.taxId);
  await next();
  await expect(page.getByLabel('Email address')).toHaveValue('rosa@example.com');
  await next();
  await expect(page.getByText('answers on this step that we don’t save')).toBeVisible();
  await expect(page.getByLabel(/Social Security/)).toHaveValue('');
  await page.getByLabel(/Social Security/).fill(secrets.ssn);
  await next();
  await signAndSubmit(page);
  await expect(heading(page, 'Your application is with the lender')).toBeVisible();
  expect(await readKept(page)).toContain(String.raw`\"answers\":{},\"omitted\":[]`);
});

test('the record prints completely, with the reference on each page', async ({ page }) => {
  await page.goto(`${stack.pageUrl}/funding`);
  await fillForm(page);
  await signAndSubmit(page);
  await expect(heading(page, 'Your application is with the lender')).toBeVisible();
  await expect(page.getByText('rosa@example.com')).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('rosa@example.com')).toBeVisible();
  await expect(page.locator('.print-reference')).toBeVisible();
  await expect(page.locator('.print-reference')).toHaveCSS('position', 'fixed');
  for (const toDo of ['Now, if you can', 'Without bank statements or a bank connection']) {
    await expect(page.getByText(toDo)).toBeHidden();
  }
  const reference = await page.locator('.print-reference').boundingBox();
  expect(reference?.y).toBe(0);
  const answer = page.locator('.record .answers > div').first();
  await expect(answer).toHaveCSS('grid-template-columns', /px .*px/);
  await expect(page.locator('funding-application').getByRole('button')).toHaveCount(0);
});

async function addSecrets(page: Page): Promise<void> {
  const next = () => page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('button', { name: 'Change Your business' }).click();
  await page.getByLabel(/Employer Identification/).fill(secrets.taxId);
  await next();
  await page.getByRole('button', { name: 'Change Identity and credit' }).click();
  await page.getByLabel(/Social Security/).fill(secrets.ssn);
}

async function expectRestored(page: Page): Promise<void> {
  await expect(heading(page, 'Tell us about your business')).toBeVisible();
  await expect(page.getByText(/Your answers are still here/)).toBeVisible();
  await expect(page.getByLabel(/Legal name/)).toHaveValue('Rosa’s Bakery LLC');
  await expect(page.getByLabel(/Employer Identification/)).toHaveValue('');
  await expect(page.getByRole('alert')).toHaveCount(0);
}

function readKept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(sessionStorage));
}

async function expectNoSecret(page: Page): Promise<void> {
  const digits = (await readKept(page)).replaceAll(/[^\d"]/g, '');
  for (const secret of Object.values(secrets)) {
    expect(digits).not.toContain(secret.replaceAll('-', ''));
  }
}

function heading(page: Page, name: string): Locator {
  return page.locator('funding-application').getByRole('heading', { level: 2, name });
}
