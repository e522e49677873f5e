// Chromium for the tests of packages and pages, with an applicant in it.

import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumFlags, readTestTools } from '../../scripts/test-tools.mjs';
import { fillForm, signAndSubmit, waitForReference } from './page-applicant.ts';

/** Undefined if Chromium is missing. */
export const chromiumPath = readTestTools().chromium?.executable;

export function openChromium(): Promise<Browser> {
  if (chromiumPath === undefined)
    throw new Error('Chromium is missing. Skip this test without it.');
  return chromium.launch({
    executablePath: chromiumPath,
    chromiumSandbox: false,
    args: chromiumFlags,
  });
}

interface AppliedPage {
  readonly tab: Page;
  /** Of the application. */
  readonly reference: string;
  /** Messages of the console, and errors of the page as `error: …`. */
  readonly logged: readonly string[];
}

/** Opens the page, and submits an application of this business. */
export async function applyInTab(
  browser: Browser,
  url: string,
  businessName: string,
): Promise<AppliedPage> {
  const tab = await browser.newPage();
  const logged: string[] = [];
  tab.on('console', (message) => logged.push(message.text()));
  tab.on('pageerror', (error) => logged.push(`error: ${error.message}`));
  await tab.goto(url);
  await tab.waitForSelector('funding-application[data-language]');
  await fillForm(tab, businessName);
  await signAndSubmit(tab);
  return { tab, reference: await waitForReference(tab), logged };
}
