// Formatted fields with the browser's own keyboard shortcuts, clipboard, and input method.

import { expect, test, type Page } from '@playwright/test';
import { startStack, type Stack } from '../../support/stack.ts';

let stack: Stack;

test.beforeAll(async () => {
  stack = await startStack();
});

test.afterAll(async () => {
  await stack.stop();
});

test('an amount is undone and redone with the keyboard', async ({ page }) => {
  const amount = await focusAmount(page);
  await page.keyboard.type('125000');
  await expect(amount).toHaveValue('125,000');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(amount).toHaveValue('1,250');
  await page.keyboard.press('Control+Shift+Z');
  await expect(amount).toHaveValue('12,500');
  await page.keyboard.type('9');
  await expect(amount).toHaveValue('125,009');
});

test('an amount is cut, pasted, and selected without losing digits', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const amount = await focusAmount(page);
  await page.keyboard.type('125000');
  // Selects the comma.
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft'])
    await page.keyboard.press(key);
  await page.keyboard.press('Control+x');
  await expect(amount).toHaveValue('125,000');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+x');
  await expect(amount).toHaveValue('');
  await page.keyboard.press('Control+v');
  await expect(amount).toHaveValue('125,000');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Delete');
  await page.keyboard.press('Control+z');
  await expect(amount).toHaveValue('125,000');
});

test('an amount of an input method is formatted when it is complete', async ({ page, context }) => {
  const amount = await focusAmount(page);
  const devTools = await context.newCDPSession(page);
  for (const text of ['7', '75', '750', '7500'])
    await devTools.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await expect(amount).toHaveValue('7500');
  await devTools.send('Input.insertText', { text: '75000' });
  await expect(amount).toHaveValue('75,000');
  await page.getByRole('button', { name: 'Continue', exact: true }).focus();
  await expect(amount).toHaveValue('75,000');
});

test('an amount in words of a touch keyboard is read when the field is left', async ({
  page,
  context,
}) => {
  const amount = await focusAmount(page);
  const devTools = await context.newCDPSession(page);
  // Android keyboards compose each word, and insert the space after it with the word.
  await devTools.send('Input.insertText', { text: '75' });
  for (const text of ['t', 'th', 'thousand'])
    await devTools.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await devTools.send('Input.insertText', { text: 'thousand ' });
  await expect(amount).toHaveValue('75thousand ');
  await page.getByLabel('What will you use it for?').focus();
  await expect(amount).toHaveValue('75,000');
});

async function focusAmount(page: Page) {
  await page.goto(`${stack.pageUrl}/funding`);
  await page.getByRole('button', { name: 'Start application' }).click();
  const amount = page.getByLabel('Amount you need');
  // The masks are in a chunk that loads later, and then format what was typed, except in the field that has the focus.
  await amount.fill('1000');
  await amount.blur();
  await expect(amount).toHaveValue('1,000');
  await amount.fill('');
  await amount.blur();
  await amount.focus();
  return amount;
}
