// How many presses an application takes when the host page and the browser fill in everything that they can know.

import { expect, test, type Page } from '@playwright/test';
import application from '../fixtures/prefilled-application.json' with { type: 'json' };
import { startStack, type Stack } from '../support/stack.ts';
import { seesHeading } from './keyboard.ts';

let stack: Stack;

test.beforeAll(async () => {
  stack = await startStack();
});

test.afterAll(async () => {
  await stack.stop();
});

/** Values that a browser stores for its user, by the tokens of the HTML standard without their section. */
const stored: Readonly<Record<string, string>> = application.stored;
/** Values that no browser stores, but a host page may know. */
const { prefill } = application;

test('a prefilled application takes at most 12 presses', async ({ page }) => {
  let presses = 0;
  await page.exposeFunction('countPress', () => (presses += 1));
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'keydown'])
      addEventListener(type, () => Reflect.get(window, 'countPress')(), true);
  });
  await page.goto(`${stack.pageUrl}/funding`);
  await setPrefill(page);
  await pressButton(page, 'Start application');
  await pressButton(page, 'Continue');
  await seesHeading(page, 'Tell us about your business');
  await autofill(page);
  await pressButton(page, 'Continue');
  await seesHeading(page, 'Tell us about yourself');
  await autofill(page);
  await page.getByRole('radio', { name: 'Yes' }).click();
  await pressButton(page, 'Continue');
  await seesHeading(page, 'Confirm your identity');
  await autofill(page);
  await pressButton(page, 'Continue');
  await seesHeading(page, 'Review your answers and sign');
  for (const box of await page.locator('[id^="consents-"][type=checkbox]').all())
    if (!(await box.locator('xpath=..').textContent())?.includes('(optional)')) await box.click();
  await page.getByLabel('Type your full name to sign').click();
  // The press on the browser's suggestion, which no page can see.
  presses += 1;
  await autofill(page);
  await pressButton(page, 'Submit application');
  await expect(page.locator('.reference')).toBeVisible();
  expect(presses).toBeLessThanOrEqual(12);
});

async function setPrefill(page: Page): Promise<void> {
  await page.locator('funding-application').evaluate((element, value) => {
    Reflect.set(element, 'prefill', value);
  }, prefill);
}

/** Fills in the empty fields of the step, one after another, as browsers do. */
async function autofill(page: Page): Promise<void> {
  await page.locator('funding-application').evaluate((element, values) => {
    for (const field of element.shadowRoot?.querySelectorAll('input') ?? []) {
      const value = values[field.autocomplete.split(' ').at(-1) ?? ''];
      if (value === undefined || field.value !== '') continue;
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }, stored);
}

async function pressButton(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}
