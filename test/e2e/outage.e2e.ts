// When a server is down, the applicant reads a message, keeps every answer, and can try again.

import { expect, test, type Page } from '@playwright/test';
import type { FundingApplication } from '../../widget/public-types/element.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { fillForm, signAndSubmit } from './applicant.ts';
import { createSandboxView } from './sandbox-view.ts';

test.describe('with the funding service stopped', () => {
  let stack: Stack;
  test.beforeAll(async () => {
    stack = await startStack({ sandbox: { SANDBOX_OFFER_DELAY_MS: '0' } });
  });
  test.afterAll(async () => {
    await stack.stop();
  });

  test('an application is accepted after the outage, even when the tab is closed', async ({
    page: first,
    context,
  }) => {
    test.setTimeout(90_000);
    let page = first;
    await page.goto(`${stack.pageUrl}/funding`);
    await fillForm(page);
    await stack.stopSandbox();
    await signAndSubmit(page);
    await expect(heading(page, 'We have your application')).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText(/the lender’s system has not taken it yet/)).toBeVisible();
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
    await expect(heading(page, 'Your application has been sent')).toBeVisible({ timeout: 60_000 });

    const leads = await createSandboxView(stack.sandboxUrl).leads();
    expect(leads.map(({ lead }) => lead['ID'])).toEqual([reference?.trim()]);
  });

  test('the offers page reports the outage and has a retry button', async ({ page }) => {
    test.setTimeout(90_000);
    await page.goto(`${stack.pageUrl}/funding`);
    await fillForm(page);
    await signAndSubmit(page);
    await expect(heading(page, 'Your application has been sent')).toBeVisible({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Continue to documents' }).click();
    await page.getByRole('button', { name: 'Continue without documents' }).click();
    await stack.stopSandbox();
    await page.getByRole('button', { name: 'Continue without connecting' }).click();
    await expect(heading(page, 'We cannot see your offers right now')).toBeVisible();
    await expect(page.getByText('Your application is safe.')).toBeVisible();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(heading(page, 'We cannot see your offers right now')).toBeVisible();
  });
});

test.describe('with the BFF stopped', () => {
  test('every answer stays on the page for another try', async ({ page }) => {
    const stack = await startStack();
    await page.goto(`${stack.pageUrl}/funding`);
    await fillForm(page);
    await page.context().setOffline(true);
    await signAndSubmit(page);
    await expect(page.getByText(/Your answers are still here/)).toBeVisible();
    await page.getByRole('button', { name: 'Change Your business' }).click();
    await expect(page.getByLabel(/Legal name/)).toHaveValue('Rosa’s Bakery LLC');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Submit application' }).click();
    await expect(heading(page, 'Your application has been sent')).toBeVisible({ timeout: 20_000 });
    expect(await createSandboxView(stack.sandboxUrl).leads()).toHaveLength(1);
    await stack.stop();
  });
});

test.describe('with a missing chunk of the page', () => {
  test('finishing completes, then the next applicant can start', async ({ page }) => {
    const stack = await startStack();
    await page.route('**/widget/chunks/after-submission*', (route) => route.abort());
    await page.goto(`${stack.pageUrl}/funding`);
    await expect(heading(page, 'Apply for business funding')).toBeVisible();
    await page.locator('funding-application').evaluate((element: FundingApplication) => {
      return element.finish();
    });
    await expect(heading(page, 'The application cannot be shown right now')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page, 'Apply for business funding')).toBeVisible();
    await stack.stop();
  });

  test('the chunk is requested once per step while the application is safe', async ({ page }) => {
    const stack = await startStack();
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
    await page.unroute(part);
    await page.getByRole('button', { name: 'Reload this page' }).click();
    await expect(heading(page, 'Your application has been sent')).toBeVisible();
    await stack.stop();
  });
});

test.describe('with a wrong secret', () => {
  test('the operator sees the wrong setting, the applicant does not', async ({ page }) => {
    const stack = await startStack({ bff: { FUNDING_CLIENT_SECRET: 'not-the-secret' } });
    await page.goto(`${stack.pageUrl}/funding`);
    await fillForm(page);
    await signAndSubmit(page);
    await expect(heading(page, 'We have your application')).toBeVisible({ timeout: 20_000 });
    expect(stack.bffOutput()).toContain('FUNDING_CLIENT_SECRET');
    expect(stack.bffOutput()).not.toContain('not-the-secret');
    // The element draws in its shadow root and has no text of its own.
    const shown = await page.locator('funding-application .frame').innerText();
    expect(shown).toContain('We have your application');
    expect(shown).not.toMatch(/secret|client|credential|password|token|authenti/i);
    await stack.stop();
  });
});

function heading(page: Page, name: string) {
  return page.locator('funding-application').getByRole('heading', { level: 2, name });
}
