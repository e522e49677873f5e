// An applicant who returns to the page sees the newest state at once. Otherwise the page asks for it after up to a minute.

import { expect, type Locator, type Page } from '@playwright/test';

/** Returns to the page until it shows this. test/widget/app/polling.test.ts has the page's own times. */
export async function seeOnReturn(page: Page, what: Locator): Promise<void> {
  const returnAndLook = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    return what.first().isVisible();
  };
  await expect.poll(returnAndLook, { intervals: [200] }).toBe(true);
}
