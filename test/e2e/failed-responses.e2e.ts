// When a response fails, the page keeps the applicant's answers in the form only, and stores, logs, or sends them nowhere else.

import { expect, test, type Page, type Route } from '@playwright/test';
import { apiPaths, apiResponseHeaders, contractVersion } from '../../shared/api/paths.ts';
import { createCanarySearch } from '../support/canaries.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { createTextPdf } from '../support/files/pdf.ts';
import { fillForm, sign } from '../support/page-applicant.ts';

const company = 'Quokka Bakery 8c1f LLC';
const fileName = 'tax return of Ottoline 77e1';
const secrets = {
  taxId: '82-1734655',
  ssn: '471-82-9364',
  year: '1971',
  month: '8',
  day: '23',
};

/** Must not be anywhere, not even in the draft. */
const neverKept = {
  'file name': fileName,
  EIN: secrets.taxId,
  SSN: secrets.ssn,
  'birth date': '1971-08-23',
  'birth date, as written': '8/23/1971',
};
const searchNeverKept = createSearch(neverKept);
const search = createSearch({
  ...neverKept,
  company,
  email: 'rosa@bakery.example',
  phone: '512-555-0134',
  name: 'Rosa Núñez',
  street: '100 Main St',
  revenue: '480,000',
});

/** One for each way in which a response can fail. */
const failures: readonly ((route: Route, origin: string) => Promise<void>)[] = [
  (route) => route.abort('connectionreset'),
  (route, origin) => fulfil(route, origin, 500, 'internal'),
  (route, origin) => fulfil(route, origin, 503, 'storage-unavailable'),
  (route, origin) => fulfil(route, origin, 429, 'too-many-requests'),
  (route, origin) => fulfil(route, origin, 422, 'application-rejected'),
  (route, origin) => fulfil(route, origin, 422, 'nothing-we-know'),
  (route, origin) => answer(route, origin, 502, `<html>${route.request().postData()}</html>`),
  (route, origin) => answer(route, origin, 201, String(route.request().postData()), {}),
  (route) => route.fulfill({ status: 403, body: 'No' }),
];

let stack: Stack;

test.beforeAll(async () => {
  stack = await startStack();
});

test.afterAll(async () => {
  await stack.stop();
});

test('failed responses leak no answers', async ({ page, context }) => {
  const told = listen(page);
  await page.goto(`${stack.pageUrl}/funding`);
  await fillForm(page, company);
  await addSecrets(page);
  await sign(page);
  expect(await page.evaluate(() => JSON.stringify(history.state))).toContain('"step":"review"');

  const widget = page.locator('funding-application');
  const submit = widget.getByRole('button', { name: 'Submit application' });
  for (const fail of failures) {
    await failNext(page, apiPaths.application, fail);
    await submit.click();
    await expect(widget.getByRole('alert').first()).toBeVisible();
    await expect(submit).toBeEnabled();
    expect(await findIn(page)).toEqual([]);
  }
  await submit.click();
  const sent = widget.getByRole('heading', { name: 'Your application is with the lender' });
  await expect(sent).toBeVisible();

  await widget.getByRole('button', { name: 'Continue to documents' }).click();
  for (const code of ['document-active-content', 'document-rejected', 'internal']) {
    await failNext(page, apiPaths.documents, (route, origin) => fulfil(route, origin, 422, code));
    const content = Buffer.from(createTextPdf(code));
    const file = { name: `${fileName} ${code}.pdf`, mimeType: 'application/pdf', buffer: content };
    await widget.locator('input[type=file]').setInputFiles(file);
    await expect(widget.locator('#announcement')).toContainText(`${file.name}: not sent`);
    expect(await findIn(page)).toEqual([]);
    await widget.getByRole('button', { name: `Remove ${file.name}` }).click();
  }
  await page.reload();
  await expect(sent).toBeVisible();

  expect(await findIn(page)).toEqual([]);
  expect(await readKept(page)).toContain(String.raw`\"answers\":{},\"omitted\":[]`);
  expect(search.find(JSON.stringify(await context.cookies()))).toEqual([]);
  expect(search.find(...told.texts)).toEqual([]);
  expect([...told.origins].toSorted()).toEqual([stack.bffUrl, stack.pageUrl].toSorted());
});

/** Fills in the fields that the page shows only on request. */
async function addSecrets(page: Page): Promise<void> {
  const widget = page.locator('funding-application');
  const next = () => widget.getByRole('button', { name: 'Continue', exact: true }).click();
  await widget.getByRole('button', { name: 'Change Your business' }).click();
  await widget.getByLabel(/Employer Identification/).fill(secrets.taxId);
  await next();
  await widget.getByRole('button', { name: 'Change Identity and credit' }).click();
  await widget.getByLabel(/Social Security/).fill(secrets.ssn);
  await widget.getByLabel('Month', { exact: true }).fill(secrets.month);
  await widget.getByLabel('Day', { exact: true }).fill(secrets.day);
  await widget.getByLabel('Year', { exact: true }).fill(secrets.year);
  await next();
}

async function failNext(
  page: Page,
  path: string,
  fail: (route: Route, origin: string) => Promise<void>,
): Promise<void> {
  await page.route(
    `**${path}`,
    (route) =>
      route.request().method() === 'POST' ? fail(route, stack.pageUrl) : route.continue(),
    { times: 1 },
  );
}

function fulfil(route: Route, origin: string, status: number, code: string): Promise<void> {
  const problem = { type: code, title: code, status, code, requestId: 'r' };
  return answer(route, origin, status, JSON.stringify(problem));
}

/** @param version the header by which the widget recognizes the BFF. A proxy does not send it. */
function answer(
  route: Route,
  origin: string,
  status: number,
  body: string,
  version: Readonly<Record<string, string>> = {
    [apiResponseHeaders.contractVersion]: contractVersion,
  },
): Promise<void> {
  return route.fulfill({
    status,
    body,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': `retry-after, ${apiResponseHeaders.contractVersion}`,
      ...version,
      'content-type': 'application/problem+json',
      'retry-after': '3600',
    },
  });
}

/** Searches every place where a page or another program on the machine could find a value. */
async function findIn(page: Page): Promise<readonly string[]> {
  const places = await page.evaluate(async () => [
    document.documentElement.outerHTML,
    document.cookie,
    document.title,
    location.href,
    window.name,
    JSON.stringify([history.state, { ...localStorage }]),
    JSON.stringify(await indexedDB.databases()),
    JSON.stringify(await caches.keys()),
    JSON.stringify(performance.getEntries()),
    JSON.stringify((await navigator.serviceWorker.getRegistrations()).length),
  ]);
  return [...search.find(...places), ...searchNeverKept.find(await readKept(page))];
}

function readKept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(sessionStorage));
}

/** Also searches for the digits of a value without separators. */
function createSearch(values: Readonly<Record<string, string>>) {
  return createCanarySearch(
    Object.entries(values).flatMap(([name, value]) => {
      const digits = value.replaceAll(/[-,]/g, '');
      return [{ name, value }, ...(/^\d+$/.test(digits) ? [{ name, value: digits }] : [])];
    }),
  );
}

/** Records console messages, uncaught errors, and the URL and headers of every request. */
function listen(page: Page): { readonly texts: string[]; readonly origins: Set<string> } {
  const texts: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => texts.push(message.text()));
  page.on('pageerror', (error) => texts.push(`${error.message} ${error.stack}`));
  page.on('request', (request) => {
    const { 'x-document-name': _ours, ...headers } = request.headers();
    texts.push(request.url(), JSON.stringify(headers));
    origins.add(new URL(request.url()).origin);
  });
  return { texts, origins };
}
