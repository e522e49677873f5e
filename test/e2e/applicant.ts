// An applicant with a mouse and autofill, for tests that start after the form.

import { expect, type Page } from '@playwright/test';

/** Fills in the form up to the review. `company` may contain a magic tag of the sandbox. */
export async function fillForm(page: Page, company = 'Rosa’s Bakery LLC'): Promise<void> {
  const widget = page.locator('funding-application');
  const next = () => widget.getByRole('button', { name: 'Continue', exact: true }).click();
  await widget.getByRole('button', { name: 'Start application' }).click();
  await widget.getByLabel('Amount you need').fill('75,000');
  await widget.getByLabel(/What will you use it for/).selectOption('Equipment');
  await next();
  await widget.getByLabel(/Legal name/).fill(company);
  await widget.getByLabel('Type of business').selectOption('LLC');
  await widget.getByRole('combobox', { name: 'Industry' }).fill('Food & Beverage');
  await widget.getByLabel('Street address').fill('100 Main St');
  await widget.getByLabel('City').fill('Austin');
  await widget.getByRole('combobox', { name: 'State' }).fill('TX');
  await widget.getByLabel('ZIP code').fill('78701');
  await widget.getByLabel('Annual revenue').fill('480,000');
  await widget.getByLabel('Month').fill('3');
  await widget.getByLabel('Year').fill('2017');
  await next();
  await widget.getByLabel('First name').fill('Rosa');
  await widget.getByLabel('Last name').fill('Núñez');
  await widget.getByLabel('Email address').fill('rosa@bakery.example');
  await widget.getByLabel('Phone number').fill('512-555-0134');
  await widget.getByLabel(/home address is the same/).check();
  await next();
  await widget.getByLabel(/credit score/).selectOption('720+');
  await next();
  await expect(widget.getByRole('heading', { name: /Check your answers/ })).toBeVisible();
}

/** Checks the required consents, signs, and submits. */
export async function signAndSubmit(page: Page): Promise<void> {
  await sign(page);
  await page.getByRole('button', { name: 'Submit application' }).click();
}

export async function sign(page: Page): Promise<void> {
  const widget = page.locator('funding-application');
  for (const consent of [/review of my credit/, /records electronically/, /answers are true/]) {
    await widget.getByRole('checkbox', { name: consent }).check();
  }
  await widget.getByLabel(/Type your full name/).fill('Rosa Núñez');
}
