// Screenshots of the playground: as it opens, with choices and events, at later steps, and with answers that have problems.

import type { BrowserContext, Page } from '@playwright/test';

/** @param toFileOf returns the file of a screen. */
export async function shootPlayground(
  context: BrowserContext,
  pageUrl: string,
  toFileOf: (screen: string) => string,
): Promise<void> {
  const page = await context.newPage();
  const shoot = async (screen: string) =>
    page.screenshot({
      path: toFileOf(`playground-${screen}`),
      fullPage: true,
      animations: 'disabled',
    });
  const open = async (query: string) => {
    await page.goto(`${pageUrl}/playground${query}`);
    await page.locator('funding-application h2').first().waitFor({ state: 'attached' });
    await page.getByText('funding-ready').first().waitFor();
  };
  try {
    await open('');
    await shoot('start');
    await open('?preset=meadow&format=react&answers=business&outcome=one%20offer');
    await openChoices(page);
    await page.getByRole('button', { name: 'Start application' }).click();
    await page.getByText('funding-step').first().waitFor();
    await shoot('choices');
    for (const step of ['review', 'submitted', 'documents', 'offers']) {
      await open(`?step=${step}&outcome=many%20offers`);
      await page.locator('#stage:not(.on-the-way) #step-heading').waitFor();
      await shoot(step);
    }
    await open('?scheme=dark&width=phone&accent=%23ffd0e0&on-accent=%23ffffff');
    await openChoices(page);
    await page
      .getByLabel('Answers as JSON')
      .fill('{"business": {"type": "SARL", "x": 1}, "owner": {"ssn": "123456789"}}');
    await page.getByText('owner.ssn').waitFor();
    await shoot('problems');
  } finally {
    await page.close();
  }
}

/** On a phone, they are folded. */
async function openChoices(page: Page): Promise<void> {
  await page.locator('.controls details').evaluateAll((groups) => {
    for (const group of groups) group.setAttribute('open', '');
  });
}
