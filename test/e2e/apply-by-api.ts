// An applicant who has applied before a test begins, because the test is about what follows.

import type { Page } from '@playwright/test';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createKey } from '../support/applicant.ts';
import { createApplication } from '../support/applications.ts';
import type { Stack } from '../support/stack.ts';

/** Submits an application with requests of the host page, then opens the page with the element. Returns the reference. */
export async function applyByApi(page: Page, stack: Stack): Promise<string> {
  await page.goto(stack.pageUrl);
  const headers = { [apiHeaders.request]: '1', 'content-type': 'application/json' };
  const reference = await page.evaluate(
    async ([session, application]) => {
      await fetch(session.url, { ...session, method: 'POST', credentials: 'include' });
      const response = await fetch(application.url, {
        ...application,
        method: 'POST',
        credentials: 'include',
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`The application was answered with ${text}`);
      return String(JSON.parse(text).reference);
    },
    [
      { url: stack.bffUrl + apiPaths.session, headers },
      {
        url: stack.bffUrl + apiPaths.application,
        headers: { ...headers, [apiHeaders.idempotencyKey]: createKey() },
        body: JSON.stringify(createApplication({}, { campaignId: undefined })),
      },
    ] as const,
  );
  await page.goto(`${stack.pageUrl}/funding`);
  return reference;
}
