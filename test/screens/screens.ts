// Every step and state that is looked at, in the order of a journey; each leaves the page as it is to be taken.

import type { Page } from '@playwright/test';
import { completeDraft } from '../support/draft.ts';
import { accepted, answerWith, createOffers, createSession, delayed } from './answers.ts';

/** Takes the picture of what is shown. */
export type Shoot = (name: string) => Promise<void>;

/** From the start page to the review; nothing is sent. */
export async function walkForm(page: Page, shoot: Shoot): Promise<void> {
  await waitForHeading(page);
  await shoot('start');
  await press(page, '[data-testid=start]');
  await shoot('need-empty');
  await submit(page);
  await shoot('need-errors');
  await fill(page);
  await shoot('need-filled');
  await submit(page);
  await shoot('business-empty');
  await page.locator('#business-industry').fill('bak');
  await page.locator('[role=listbox] li').first().waitFor();
  await shoot('business-picker');
  await page.keyboard.press('Escape');
  await fill(page);
  await shoot('business-filled');
  await submit(page);
  await fill(page);
  await shoot('owner');
  await submit(page);
  await submit(page);
  await shoot('identity-errors');
  await fill(page);
  await page.locator('#owner-ssn').blur();
  await shoot('identity-filled');
  await submit(page);
  await shoot('review');
  await submit(page);
  await shoot('review-errors');
  await page.context().setOffline(true);
  await shoot('offline');
  await page.context().setOffline(false);
}

/** What follows a sent application, from its record to the way out. */
export async function walkAfter(page: Page, shoot: Shoot): Promise<void> {
  await answerWith(page, 'session', createSession(delayed));
  await answerWith(page, 'application', delayed);
  await reload(page);
  await shoot('received');
  await answerWith(page, 'session', createSession(accepted));
  await answerWith(page, 'application', accepted);
  await reload(page);
  await shoot('accepted');

  await goTo(page, 'documents');
  await shoot('documents');
  await page
    .locator('funding-application input[type=file]')
    .first()
    .setInputFiles([
      {
        name: 'estatement-2026-08.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.alloc(220_000),
      },
      { name: 'IMG_2041.heic', mimeType: 'image/heic', buffer: Buffer.alloc(2_000_000) },
      { name: 'voided check.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(60_000) },
    ]);
  await shoot('documents-chosen');

  await goTo(page, 'bank');
  await shoot('bank');
  await press(page, '#bank-start');
  await page.locator('#bank-title').waitFor();
  await shoot('bank-demonstration');

  await answerWith(page, 'offers', createOffers('pending'));
  await goTo(page, 'offers');
  await shoot('offers-pending');
  await answerWith(page, 'offers', createOffers('qualified', 3));
  await reload(page);
  await goTo(page, 'offers');
  await page.locator('[part~=offer]').first().waitFor();
  await shoot('offers');
  await press(page, 'button[aria-pressed]');
  await shoot('offers-table');
  await answerWith(page, 'offers', createOffers('qualified', 1));
  await reload(page);
  await goTo(page, 'offers');
  await page.locator('[part~=offer]').first().waitFor();
  await shoot('offers-one');
  await answerWith(page, 'offers', createOffers('not-qualified'));
  await reload(page);
  await goTo(page, 'offers');
  await shoot('not-qualified');
  await answerWith(page, 'offers', 'service-unavailable');
  await reload(page);
  await goTo(page, 'offers');
  await shoot('offers-away');
  await answerWith(page, 'configuration', 'storage-unavailable');
  await page.reload();
  await page.locator('funding-application h2').waitFor();
  await shoot('load-failed');
  await page.unroute('**/v1/configuration*');
}

/** Writes the answers of a whole draft into whatever fields are shown. */
async function fill(page: Page): Promise<void> {
  await page.evaluate((draft) => {
    const root = document.querySelector('funding-application')?.shadowRoot;
    for (const [path, value] of Object.entries(draft)) {
      const fields = [...(root?.querySelectorAll<HTMLInputElement>('input, select') ?? [])].filter(
        ({ name, id }) => name === path || id === path.replaceAll('/', '-'),
      );
      const field = fields.find((candidate) => candidate.value === value) ?? fields[0];
      if (!field) continue;
      if (field.type === 'checkbox' || field.type === 'radio') field.checked = value !== '';
      else field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
      field.dispatchEvent(new Event('blur'));
    }
  }, completeDraft);
}

async function submit(page: Page): Promise<void> {
  await press(page, 'form [type=submit]');
}

async function press(page: Page, selector: string): Promise<void> {
  await page.locator(`funding-application ${selector}`).click();
  await settle(page);
}

async function goTo(page: Page, step: string): Promise<void> {
  await page.evaluate((wanted) => {
    const element = document.querySelector('funding-application');
    return (element as unknown as { goTo(step: string): boolean }).goTo(wanted);
  }, step);
  await settle(page);
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await waitForHeading(page);
}

async function waitForHeading(page: Page): Promise<void> {
  await page.locator('funding-application #step-heading').waitFor();
  await settle(page);
}

/** Two frames: the element has drawn, and the browser has painted. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
