// Screenshots of the sandbox's console: empty, busy, an application (folded and open), a call, the controls with a message, and
// the reference.

import type { BrowserContext, Page } from '@playwright/test';
import { createSandboxClient, report, toFile } from '../sandbox/sandbox-client.ts';
import { createTextPdf } from '../support/files/pdf.ts';
import { listenApp } from '../support/servers.ts';

/** A time of day at which all entries are on one day. */
const nowMs = Date.parse('2026-03-02T09:00:00Z');

/** @param toFileOf returns the file of a screen. */
export async function shootSandboxConsole(
  context: BrowserContext,
  toFileOf: (screen: string) => string,
): Promise<void> {
  const client = await createSandboxClient({ now: () => nowMs });
  await client.postControl('/reset');
  client.context.state.actions.length = 0;
  const { origin, close } = await listenApp(async (request) => client.app.fetch(request));
  const page = await context.newPage();
  const shoot = async (screen: string) =>
    page.screenshot({
      path: toFileOf(`sandbox-${screen}`),
      fullPage: true,
      animations: 'disabled',
    });
  const open = async (path: string) => {
    await page.goto(`${origin}/_sandbox/${path}`);
    await page.getByText('Live', { exact: true }).waitFor();
  };
  try {
    await open('');
    await shoot('empty');
    const id = await fillSandbox(client);
    await open('');
    await page.locator('.entry summary').first().click();
    await shoot('timeline');
    await open('?failures=1');
    await shoot('failures');
    await open(`applications/${id}?reveal=TaxId`);
    await shoot('application');
    await openAll(page);
    await shoot('application-open');
    await open('controls');
    await page.getByRole('radio', { name: 'An error of the service' }).check();
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByText('Fault added').waitFor();
    await page.getByText('Delete everything …').click();
    await shoot('controls');
    await page.goto(`${origin}/_sandbox/reference`);
    await shoot('reference');
    await page.goto(`${origin}/_sandbox/timeline/7`);
    await shoot('call');
    await page.goto(`${origin}/_sandbox/applications/none`);
    await shoot('missing');
  } finally {
    await page.close();
    await close();
  }
}

/** Opens everything that is folded, and loads the previews. */
async function openAll(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const details of all) details.setAttribute('open', '');
  });
  await page.locator('[data-answer] > .note').waitFor({ state: 'detached' });
  const previews = page.locator('.preview iframe');
  for (let index = 0; index < (await previews.count()); index += 1) {
    // A preview loads when it is near the window.
    await previews.nth(index).scrollIntoViewIfNeeded();
    const frame = await (await previews.nth(index).elementHandle())?.contentFrame();
    await frame?.waitForURL('**/preview');
  }
}

type SandboxClient = Awaited<ReturnType<typeof createSandboxClient>>;

/** Returns the ID of an application with everything. */
async function fillSandbox(client: SandboxClient): Promise<string> {
  const id = await client.submitApplication({
    Company: 'Harbor Bakery LLC',
    Ssn: '219099999',
    TaxId: '123456789',
    BirthDay: '1985-04-27',
  });
  for (let count = 0; count < 4; count += 1) await client.getOffers(id);
  const file = Buffer.from(createTextPdf('A statement')).toString('base64');
  const category = 'Bank Statements - Mar';
  await client.upload({ leadId: id, file: toFile({ name: 'march-statement', file, category }) });
  await client.submitReport({ applicationId: id, assetReportJson: report });
  await client.postControl('/faults', { kind: 'status', operation: 'create-lead', times: 2 });
  for (let count = 0; count < 2; count += 1) await client.createLead();
  const other = await client.submitApplication({
    Company: `Rosa’s ${'Bakery'.repeat(12)} <script>`,
    LoanAmount: 42_000,
  });
  await client.postControl(`/leads/${other}/outcome`, { outcome: 'not-qualified' });
  await client.getOffers(other);
  await client.createLead({ Company: 'Without fields', Ssn: '219099999' });
  await client.postControl('/clock', { advanceMs: 60_000 });
  await client.getOffers(id);
  return id;
}
