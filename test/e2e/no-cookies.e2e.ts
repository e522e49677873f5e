// A browser without cookies of the BFF uses a session token while the page is open.

import { expect, test, type Page, type Request } from '@playwright/test';
import { apiResponseHeaders } from '../../shared/api/paths.ts';
import { getStatementPdf } from '../support/files/realistic-files.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { fillForm, signAndSubmit } from '../support/page-applicant.ts';
import { seeOnReturn } from './see-on-return.ts';

let stack: Stack;

test.beforeAll(async () => {
  stack = await startStack();
});

test.afterAll(async () => {
  await stack.stop();
});

test('an applicant without cookies applies, sends a document, and finishes', async ({ page }) => {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/')) requests.push(request);
  });
  await refuseCookies(page);
  const statement = await getStatementPdf();

  await page.goto(`${stack.pageUrl}/funding`);
  await fillForm(page);
  await signAndSubmit(page);
  await expect(
    page.getByRole('heading', { name: 'Your application is with the lender' }),
  ).toBeVisible();
  await expect(page.getByText('can’t view it here')).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);

  await page.getByRole('button', { name: 'Continue to documents' }).click();
  await page.locator('input[type="file"]').setInputFiles(statement.path);
  await page.getByLabel(/What is this/).selectOption('bank-statements-jan');
  await seeOnReturn(page, page.getByText('1 of 1 sent to the lender'));

  const handles = await listHandles(requests);
  expect(handles.size).toBe(1);
  await page.getByRole('button', { name: 'Close my application on this device' }).click();
  await expect(page.getByRole('heading', { name: 'Your application is closed' })).toBeVisible();
  expect(await askWith([...handles][0] ?? '')).toBe(401);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).toBe('[{},{}]');
});

test('a session token from an upload response replaces the earlier token', async ({ page }) => {
  const { promise: isChosen, resolve: respond } = Promise.withResolvers<void>();
  await refuseCookies(page);
  await page.route('**/v1/documents', async (route) => {
    const response = await route.fetch();
    // The first request after this response fails, because the BFF does not know the token.
    await isChosen;
    const headers = { ...response.headers(), [apiResponseHeaders.session]: 'renewed' };
    await route.fulfill({ response, headers });
  });
  const statement = await getStatementPdf();
  await page.goto(`${stack.pageUrl}/funding`);
  await fillForm(page);
  await signAndSubmit(page);
  await page.getByRole('button', { name: 'Continue to documents' }).click();
  const next = page.waitForRequest(
    async (request) => (await request.allHeaders())['authorization'] === 'Funding renewed',
  );
  await page.locator('input[type="file"]').setInputFiles(statement.path);
  await page.getByLabel(/What is this/).selectOption('bank-statements-jan');
  respond();
  await next;
});

/** Removes Set-Cookie from the responses and changes nothing else. */
async function refuseCookies(page: Page): Promise<void> {
  await page.route('**/v1/session', async (route, request) => {
    if (request.method() !== 'POST') return route.continue();
    const answer = await fetch(request.url(), {
      method: 'POST',
      headers: await request.allHeaders(),
      body: request.postData(),
    });
    const headers = Object.fromEntries(answer.headers);
    delete headers['set-cookie'];
    return route.fulfill({ status: answer.status, headers, body: await answer.text() });
  });
}

async function listHandles(requests: readonly Request[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const request of requests) {
    const { authorization } = await request.allHeaders();
    if (authorization !== undefined) found.add(authorization);
  }
  return found;
}

/** Returns the BFF's response status to a client with this session token. */
async function askWith(authorization: string): Promise<number> {
  const headers = { authorization, origin: stack.pageUrl, 'x-funding-request': '1' };
  return (await fetch(`${stack.bffUrl}/v1/session`, { headers })).status;
}
