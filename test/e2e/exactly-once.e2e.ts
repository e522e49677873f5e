// An application exists exactly once after a killed BFF, a lost response, two tabs, or an action of the operator.

import { expect, test, type Page } from '@playwright/test';
import { openStore } from '../../bff/store/open-store.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import { getStatementPdf } from '../support/files/realistic-files.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { fillForm, sign, signAndSubmit } from '../support/page-applicant.ts';
import { applyByApi } from './apply-by-api.ts';
import { createSandboxView, type SandboxView } from './sandbox-view.ts';
import { seeOnReturn } from './see-on-return.ts';

const sent = 'Your application is with the lender';
const received = 'We received your application';

let stack: Stack;
let sandbox: SandboxView;

test.beforeAll(async () => {
  stack = await startStack({
    settings: { support: { phone: '512-555-0199' } },
    sandbox: { SANDBOX_OFFER_DELAY_MS: '0' },
  });
  sandbox = createSandboxView(stack.sandboxUrl);
});

test.beforeEach(async () => {
  await sandbox.reset();
});

test.afterAll(async () => {
  await stack.stop();
});

test('an application is filed once when the BFF is killed during delivery', async ({ page }) => {
  const keys = listenForKeys(page);
  await sandbox.plan({ kind: 'delay', operation: 'create-lead', delayMs: 3_000 });
  await openForm(page);
  await signAndSubmit(page);
  // The call has arrived, and the sandbox delays its response.
  await expect.poll(() => sandbox.plannedFaults(), { intervals: [50] }).toHaveLength(0);
  await stack.killBff();
  await expect.poll(() => sandbox.leads(), { intervals: [200] }).toHaveLength(1);
  await expect(page.getByText(/It won’t be sent twice/)).toBeVisible();
  await stack.startBff();
  await submit(page).click();
  await seeOnReturn(page, page.getByText(/confirming that the lender received it/));
  expect(new Set(keys).size).toBe(1);
  expect(keys.length).toBeGreaterThan(1);
  await expectOnlyLead(page);
});

test('the operator resolves an application whose response was lost', async ({ page }) => {
  await sandbox.plan({ kind: 'drop-after-commit', operation: 'create-lead' });
  const reference = await applyByApi(page, stack);
  await expect(heading(page, received)).toBeVisible();
  await seeOnReturn(page, page.getByText(/confirming that the lender received it/));
  await expect(page.getByText(/Questions\? 512-555-0199\. Have your reference/)).toBeVisible();

  await page.getByRole('button', { name: 'Continue to documents' }).click();
  await expect(page.getByText(/as soon as the lender has your application/)).toBeVisible();
  await sendDocument(page);
  await expect(page.getByText(/Uploaded, not sent yet/)).toBeVisible();
  expect(await sandbox.documents()).toEqual([]);

  const [lead] = await sandbox.leads();
  await stack.operate('resolve', reference, lead?.applicationId ?? '');
  await seeOnReturn(page, page.getByText('Sent to the lender', { exact: true }));
  await expect(page.getByText(/as soon as the lender has your application/)).toBeHidden();
  expect(await sandbox.documents()).toHaveLength(1);
  await page.reload();
  await expect(heading(page, sent)).toBeVisible();
  await expectOnlyLead(page);
});

test('two tabs and a double-click make one lead', async ({ page, context }) => {
  const other = await context.newPage();
  await openForm(page);
  await openForm(other);
  await Promise.all([doubleSubmit(page), doubleSubmit(other)]);
  await expect(heading(page, sent)).toBeVisible();
  await expect(heading(other, sent)).toBeVisible();
  expect(await readReference(other)).toBe(await readReference(page));
  await expectOnlyLead(page);
});

test('a held application is shown as delayed until the operator retries it', async ({ page }) => {
  await stack.stopSandbox();
  const reference = await applyByApi(page, stack);
  await stack.killBff();
  await holdApplication();
  await stack.startBff();
  await stack.startSandbox();

  await page.goto(`${stack.pageUrl}/funding`);
  await expect(heading(page, received)).toBeVisible();
  await expect(page.getByText(/the lender’s system hasn’t received it yet/)).toBeVisible();
  await expect(page.getByText(/Questions\? 512-555-0199\. Have your reference/)).toBeVisible();
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText(/Last checked/)).toBeVisible();
  await expect(heading(page, received)).toBeVisible();

  await stack.operate('retry', reference);
  await seeOnReturn(page, heading(page, sent));
  await expectOnlyLead(page);
});

async function openForm(page: Page, company?: string): Promise<void> {
  await page.goto(`${stack.pageUrl}/funding`);
  await fillForm(page, company);
}

async function doubleSubmit(page: Page): Promise<void> {
  await sign(page);
  await submit(page).dblclick();
}

async function sendDocument(page: Page): Promise<void> {
  const { path, name } = await getStatementPdf();
  await page.getByLabel('Choose files').setInputFiles(path);
  await page
    .getByLabel(`What is this document? ${name}`)
    .selectOption({ label: 'Bank statement, March' });
}

/** Expects one lead at the funding service, with the reference on the page. */
async function expectOnlyLead(page: Page): Promise<void> {
  const leads = await sandbox.leads();
  expect(leads.map(({ lead }) => lead['ID'])).toEqual([await readReference(page)]);
}

async function readReference(page: Page): Promise<string> {
  return (await page.getByTestId('reference').innerText()).trim();
}

/** Puts the application in the state after 72 hours of attempts. */
async function holdApplication(): Promise<void> {
  const anHourMs = 60 * 60_000;
  const store = await openStore(stack.databaseUrl, { clock: () => Date.now() + anHourMs });
  const claim = await store.claimDue('application', 1_000);
  if (!claim || claim.kind === 'unreadable') throw new Error('No application is due');
  await store.recordResult(claim, { state: 'held', reason: 'deadline', isUncertain: false });
  await store.close();
}

function listenForKeys(page: Page): string[] {
  const keys: string[] = [];
  page.on('request', (request) => {
    const key = request.headers()[apiHeaders.idempotencyKey];
    if (key !== undefined) keys.push(key);
  });
  return keys;
}

function submit(page: Page) {
  return page.getByRole('button', { name: 'Submit application' });
}

function heading(page: Page, name: string) {
  return page.locator('funding-application').getByRole('heading', { level: 2, name });
}
