// The screens of the form, from the loading page to the submitted application.

import type { Page } from '@playwright/test';
import { completeDraft } from '../support/draft.ts';
import { fill, press, reload, settle, submit, waitFor, type Shoot } from './page-actions.ts';
import { accepted, answerEach, answerWith, createSession } from './answers.ts';

const warnedMs = 5 * 60_000;
const momentMs = 3000;

/** Answers that the review requires in addition to the draft. */
const agreement = {
  'consents/credit-authorization': 'yes',
  'consents/electronic-records': 'yes',
  'consents/terms': 'yes',
  'signature/name': 'Rosa Núñez',
};

/** All screens before the submission. */
export async function shootForm(page: Page, shoot: Shoot): Promise<void> {
  await answerWith(page, 'configuration', undefined);
  await page.reload();
  await waitFor(page, '.skeleton');
  await shoot('skeleton');
  await page.unroute('**/v1/configuration*');
  await reload(page);
  await shoot('start');
  await press(page, '[data-testid=start]');
  await shoot('need-empty');
  await submit(page);
  await shoot('need-errors');
  await fill(page, { 'fundingNeed/amount': '$75,000' });
  await shoot('need-partly-corrected');
  await fill(page, completeDraft);
  await shoot('need-corrected');
  await submit(page);
  await shoot('business-empty');
  await shootPicker(page, shoot);
  await submit(page);
  await shoot('business-errors');
  await fill(page, completeDraft);
  await submit(page);
  await press(page, '.back');
  await shoot('business-filled');
  await reload(page);
  await shoot('business-restored');
  await press(page, '.notice[data-kind=information] .quiet');
  await shoot('business-clear-asking');
  await press(page, '.notice[data-kind=information] .quiet');
  await fill(page, completeDraft);
  await submit(page);
  await shoot('owner-empty');
  await fill(page, completeDraft);
  await shoot('owner-filled');
  await submit(page);
  await submit(page);
  await shoot('identity-errors');
  await fill(page, completeDraft);
  await page.locator('#owner-ssn').blur();
  await shoot('identity-filled');
  await shootConnection(page, shoot);
  await submit(page);
  await shoot('review');
  await press(page, '.consent summary');
  await submit(page);
  await shoot('review-errors');
}

/** A submission, a refusal, a second submission, and the record. */
export async function shootSubmission(page: Page, shoot: Shoot): Promise<void> {
  await fill(page, agreement);
  let goOn: (answer: string) => void = () => undefined;
  const late = new Promise<string>((resolve) => {
    goOn = resolve;
  });
  await answerEach(page, 'application', () => late);
  await submit(page);
  await shoot('review-sending');
  goOn('service-unavailable');
  await waitFor(page, '.body [part~=notice]');
  await shoot('review-failed');
  await answerWith(page, 'application', {
    code: 'application-rejected',
    errors: [{ pointer: '/business/taxId', code: 'rejected' }],
  });
  await submit(page);
  await waitFor(page, '#business-taxId[aria-invalid]');
  await shoot('refused');
  await fill(page, { 'business/taxId': '12-3456788' });
  await answerWith(page, 'session', createSession(accepted, { documents: [] }));
  await answerWith(page, 'application', accepted);
  await submit(page);
  await submit(page);
  await waitFor(page, '[part~=reference]');
  await shoot('sent');
  await press(page, '.record .quiet');
  await shoot('sent-record');
}

/** Continues through the form after a reload that restored only a part of the draft. */
async function continueTo(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 6; steps += 1) {
    await fill(page, completeDraft);
    if (await page.locator(`funding-application ${selector}`).count()) return;
    await submit(page);
  }
  throw new Error(`The form does not reach ${selector}`);
}

async function shootPicker(page: Page, shoot: Shoot): Promise<void> {
  const picker = page.locator('#business-industry[role=combobox]');
  await picker.fill('bak');
  await page.locator('[role=listbox] li').first().waitFor();
  await shoot('business-picker');
  await page.keyboard.press('Escape');
  await picker.blur();
  await shoot('business-unchosen');
  await picker.fill('');
}

/** Messages at the lower edge: offline, the session's end, and the expired session. */
async function shootConnection(page: Page, shoot: Shoot): Promise<void> {
  await page.context().setOffline(true);
  await settle(page);
  await shoot('offline');
  await page.context().setOffline(false);
  const expiresAt = new Date(Date.now() + warnedMs + momentMs).toISOString();
  await answerEach(page, 'session', (method) =>
    method === 'POST' ? { ...createSession(null), expiresAt } : 'session-missing',
  );
  await reload(page);
  await waitFor(page, '.status .button');
  await shoot('session-warning');
  await press(page, '.status .button');
  await shoot('session-ended');
  await page.unroute('**/v1/session*');
  await reload(page);
  await continueTo(page, '#owner-ssn');
  await page.locator('#owner-ssn').blur();
}
