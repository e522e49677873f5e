// The sandbox's console on a narrow screen, with an application and a document in it.

import { expect, test } from '@playwright/test';
import { createBrowser, createHttpSender } from '../support/applicant.ts';
import { createTextPdf } from '../support/files/pdf.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { unlimited } from '../support/unlimited.ts';

let stack: Stack;

test.beforeAll(async () => {
  stack = await startStack({
    settings: {
      limits: unlimited,
      documents: { undoSeconds: 0 },
      lead: { allowedCampaignIds: ['spring-2026'] },
    },
  });
});

test.afterAll(async () => {
  await stack.stop();
});

test('the console does not scroll sideways at 320 px', async ({ page }) => {
  const { send, close } = createHttpSender([stack.bffUrl]);
  const applicant = createBrowser({ send, origin: stack.pageUrl });
  expect((await applicant.apply()).status).toBe(201);
  expect((await applicant.upload(createTextPdf('A statement'))).status).toBe(201);
  await close();

  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(stack.sandboxUrl);
  await expect(page.getByText('Harbor Bakery LLC').first()).toBeVisible();
  for (const details of await page.locator('details').all())
    await details.evaluate((element) => element.setAttribute('open', ''));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
