// An applicant without a mouse, who reaches every control with Tab and operates it with keys.

import { expect, type Locator, type Page } from '@playwright/test';

const longestWay = 80;

/** Presses Tab until the control has the focus. Fails when Tab does not reach it. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < longestWay; presses += 1) {
    if (await hasFocus(control)) return;
    await page.keyboard.press('Tab');
  }
  expect(await hasFocus(control), `${String(control)} cannot be reached with Tab`).toBe(true);
}

export async function typeInto(page: Page, label: string | RegExp, text: string): Promise<void> {
  await tabTo(page, page.getByRole('textbox', { name: label }));
  await page.keyboard.type(text);
}

/** Native selects choose the option that starts with the typed letters. */
export async function chooseFrom(page: Page, label: string | RegExp, text: string): Promise<void> {
  const select = page.getByRole('combobox', { name: label });
  await tabTo(page, select);
  await page.keyboard.type(text);
  await expect(select.locator('option:checked')).toContainText(text);
}

/** Types into a picker and chooses the first option, which is selected. */
export async function pickFrom(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole('combobox', { name: label }));
  await page.keyboard.type(text);
  await page.locator('li[role=option]').first().waitFor();
  await page.keyboard.press('Enter');
}

export async function tick(page: Page, label: string | RegExp): Promise<void> {
  const box = page.getByRole('checkbox', { name: label });
  await tabTo(page, box);
  await page.keyboard.press('Space');
  await expect(box).toBeChecked();
}

/** Moves to the button with the arrow keys, from the first button of its group. */
export async function chooseRadio(page: Page, label: string): Promise<void> {
  await tabTo(page, page.getByRole('radio').first());
  await page.keyboard.press('Space');
  const radio = page.getByRole('radio', { name: label, exact: true });
  while (!(await radio.isChecked())) await page.keyboard.press('ArrowDown');
}

export async function pressButton(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, page.getByRole('button', { name }));
  await page.keyboard.press('Enter');
}

export async function seesHeading(page: Page, name: string | RegExp): Promise<void> {
  const heading = page.locator('funding-application').getByRole('heading', { level: 2, name });
  await expect(heading).toBeVisible();
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const root = element.getRootNode();
    return (
      (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element
    );
  });
}
