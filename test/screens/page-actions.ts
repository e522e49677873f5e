// Actions of an applicant on the page between its screens.

import type { Page } from '@playwright/test';
import type { Draft } from '../../widget/app/draft.ts';
import { fillFields } from '../support/page-applicant.ts';

/** Receives each screen, when the page shows it. */
export type Shoot = (name: string) => Promise<void>;

/** Fills in the visible fields that `answers` names. */
export async function fill(page: Page, answers: Draft): Promise<void> {
  await fillFields(page, answers);
  await settle(page);
}

export async function submit(page: Page): Promise<void> {
  await press(page, 'form [type=submit]');
}

export async function press(page: Page, selector: string): Promise<void> {
  await page.locator(`funding-application ${selector}`).first().click();
  await settle(page);
}

export async function goTo(page: Page, step: string): Promise<void> {
  await page.evaluate((wanted) => {
    const element = document.querySelector('funding-application');
    return (element as unknown as { goTo(step: string): boolean }).goTo(wanted);
  }, step);
  await settle(page);
}

export async function reload(page: Page): Promise<void> {
  await page.reload();
  await waitForHeading(page);
}

export async function waitForHeading(page: Page): Promise<void> {
  await page.locator('funding-application #step-heading').waitFor();
  await settle(page);
}

export async function waitFor(page: Page, selector: string): Promise<void> {
  await page.locator(`funding-application ${selector}`).first().waitFor();
  await settle(page);
}

/** Waits three frames, so that the element has rendered and the browser has painted. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
