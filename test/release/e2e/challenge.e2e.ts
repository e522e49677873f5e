// The example of a challenge: a wrong token submits nothing and keeps the answers; a solved challenge submits once.

import type { AddressInfo } from 'node:net';
import { serve, type ServerType } from '@hono/node-server';
import { expect, test } from '@playwright/test';
import type { Hono } from 'hono';
import { createChallengePage } from '../../../examples/challenge/challenge-page.ts';
import { createMockProvider } from '../../../examples/challenge/mock-provider.ts';
import type { FundingApplication } from '../../../widget/funding-application.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { fillForm, signAndSubmit } from '../../support/page-applicant.ts';
import { createSandboxView, type SandboxView } from '../../e2e/sandbox-view.ts';

const servers: ServerType[] = [];
let stack: Stack;
let sandbox: SandboxView;
let pageUrl: string;

async function open(app: Hono, port: number): Promise<string> {
  const address = await new Promise<AddressInfo>((resolve) => {
    servers.push(serve({ fetch: app.fetch, port }, resolve));
  });
  return `http://localhost:${address.port}`;
}

test.beforeAll(async () => {
  const provider = createMockProvider({ siteKey: 'mock-site-key', secret: 'mock-secret' });
  const providerUrl = await open(provider, 0);
  const pagePort = await findFreePort();
  stack = await startStack({
    bff: {
      ALLOWED_ORIGINS: `http://localhost:${pagePort}`,
      CHALLENGE_PROVIDER: 'turnstile',
      CHALLENGE_SITE_KEY: 'mock-site-key',
      CHALLENGE_SECRET: 'mock-secret',
      CHALLENGE_VERIFY_URL: `${providerUrl}/siteverify`,
    },
  });
  sandbox = createSandboxView(stack.sandboxUrl);
  pageUrl = await open(createChallengePage({ bffUrl: stack.bffUrl, providerUrl }), pagePort);
});

test.afterAll(async () => {
  await stack.stop();
  for (const server of servers) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
});

test('an applicant solves the challenge after an invalid token', async ({ page }) => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(pageUrl);
  await fillForm(page);
  await page.evaluate(() => {
    const form = document.querySelector<FundingApplication>('funding-application')!;
    const { challenge } = form;
    form.challenge = async () => {
      form.challenge = challenge;
      return 'a-token-that-nobody-gave';
    };
  });
  await signAndSubmit(page);
  await expect(page.getByText('Complete the check')).toBeVisible();
  expect(await sandbox.leads()).toEqual([]);

  const submit = page.getByRole('button', { name: 'Submit application' });
  await submit.click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('Complete the check')).toBeVisible();
  expect(await sandbox.leads()).toEqual([]);

  await submit.click();
  await page.frameLocator('iframe').getByRole('button', { name: 'I’m not a robot' }).click();
  await expect(page.getByRole('heading', { name: /application/ }).first()).toContainText(
    'is with the lender',
  );
  expect(await sandbox.leads()).toHaveLength(1);
  expect(stack.bffOutput()).not.toContain('a-token-that-nobody-gave');
  expect(complaints).toEqual([]);
});

// Other failures: test/widget/form/submission.test.ts, test/bff/middleware/bot-checks.test.ts.
test('an error of the provider closes the dialog, and keeps the answers', async ({ page }) => {
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await page.goto(pageUrl);
  await fillForm(page);
  await page.evaluate(() => {
    Object.assign(window, {
      turnstile: {
        render: (_box: Element, options: Readonly<Record<string, () => void>>) =>
          setTimeout(options['error-callback']!),
      },
    });
  });
  const before = await sandbox.leads();
  await signAndSubmit(page);
  await expect(page.getByText('Complete the check and submit again.')).toBeVisible();
  await expect(page.locator('#challenge')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Submit application' })).toBeEnabled();
  await expect(page.getByLabel('Type your full name')).toHaveValue('Rosa Núñez');
  expect([await sandbox.leads(), warnings]).toEqual([before, []]);
});
