// When a server is down, the applicant reads a message, keeps every answer, and can try again.

import { expect, test, type Page } from '@playwright/test';
import type { FundingApplication } from '../../widget/funding-application.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { fillForm, signAndSubmit } from '../support/page-applicant.ts';
import { applyByApi } from './apply-by-api.ts';
import { createSandboxView } from './sandbox-view.ts';
import { seeOnReturn } from './see-on-return.ts';

let stack: Stack;
test.beforeAll(async () => {
  stack = await startStack({ sandbox: { SANDBOX_OFFER_DELAY_MS: '0' } });
});
test.afterAll(async () => {
  await stack.stop();
});

test.describe('with the funding service stopped', () => {
  test('an application is accepted after the outage, even when the tab is closed', async ({
    page: first,
    context,
  }) => {
    let page = first;
    await page.goto(`${stack.pageUrl}/funding`);
    await fillForm(page);
    await stack.stopSandbox();
    await signAndSubmit(page);
    await expect(heading(page, 'We received your application')).toBeVisible();
    await expect(page.getByText(/the lender’s system hasn’t received it yet/)).toBeVisible();
    const reference = await page.getByTestId('reference').textContent();

    await page.getByRole('button', { name: 'Continue to documents' }).click();
    await page.getByRole('button', { name: 'Continue without documents' }).click();
    await page.getByRole('button', { name: 'Continue without connecting' }).click();
    await expect(heading(page, 'Your application is on its way to the lender')).toBeVisible();

    await page.close();
    await stack.startSandbox();
    page = await context.newPage();
    await page.goto(`${stack.pageUrl}/funding`);
    await expect(page.getByTestId('reference')).toHaveText(reference ?? '');
    await seeOnReturn(page, heading(page, 'Your application is with the lender'));

    const leads = await createSandboxView(stack.sandboxUrl).leads();
    expect(leads.map(({ lead }) => lead['ID'])).toEqual([reference?.trim()]);
  });
});

test.describe('with a missing chunk of the page', () => {
  test('finishing completes, then the next applicant can start', async ({ page }) => {
    await page.route('**/widget/chunks/after-submission*', (route) => route.abort());
    await page.goto(`${stack.pageUrl}/funding`);
    await expect(heading(page, 'Apply for business funding')).toBeVisible();
    await page.locator('funding-application').evaluate((element: FundingApplication) => {
      return element.finish();
    });
    await expect(heading(page, 'We can’t load the application right now')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page, 'Apply for business funding')).toBeVisible();
  });

  test('the chunk is requested once per step while the application is safe', async ({ page }) => {
    let requests = 0;
    const part = '**/widget/chunks/after-submission*';
    await page.route(part, async (route) => {
      requests += 1;
      await route.abort();
    });
    await page.goto(`${stack.pageUrl}/funding`);
    await fillForm(page);
    await signAndSubmit(page);
    await expect(page.getByRole('button', { name: 'Reload this page' })).toBeVisible();
    expect(requests).toBeLessThanOrEqual(5);
    // While the page is loaded the chunk stays missing: the element requests it again by itself, and then has no button.
    page.once('framenavigated', () => void page.unroute(part));
    await page.getByRole('button', { name: 'Reload this page' }).click();
    await expect(heading(page, 'Your application is with the lender')).toBeVisible();
  });
});

test.describe('with a wrong secret', () => {
  test('the operator sees the wrong setting, the applicant does not', async ({ page }) => {
    const misconfigured = await startStack({ bff: { FUNDING_CLIENT_SECRET: 'not-the-secret' } });
    await applyByApi(page, misconfigured);
    await expect(heading(page, 'We received your application')).toBeVisible();
    // The BFF writes its log in blocks.
    await expect.poll(() => misconfigured.bffOutput()).toContain('FUNDING_CLIENT_SECRET');
    expect(misconfigured.bffOutput()).not.toContain('not-the-secret');
    // The element draws in its shadow root and has no text of its own.
    const shown = await page.locator('funding-application .frame').innerText();
    expect(shown).toContain('We received your application');
    expect(shown).not.toMatch(/secret|client|credential|password|token|authenti/i);
    await misconfigured.stop();
  });
});

function heading(page: Page, name: string) {
  return page.locator('funding-application').getByRole('heading', { level: 2, name });
}
