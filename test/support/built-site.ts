// The built documentation (`npm run site:build`) in a browser, without a server.

import { join, posix } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../../scripts/project.mjs';

export const siteOrigin = 'https://docs.example';
export const builtSite = join(root, 'dist/site');

/** Answers requests of the page from the built site. Lists errors, warnings, violations of the policy, and requests to other hosts. */
export async function serveSite(page: Page): Promise<string[]> {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  await page.route('**', async (route) => {
    const { origin: requested, pathname } = new URL(route.request().url());
    if (requested !== siteOrigin) {
      problems.push(`${page.url()} requested ${route.request().url()}`);
      return route.abort();
    }
    const path = join(
      builtSite,
      posix.normalize(pathname),
      pathname.endsWith('/') ? 'index.html' : '',
    );
    return route.fulfill({ path });
  });
  return problems;
}
