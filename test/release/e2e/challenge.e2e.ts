// The example of a challenge: a wrong token submits nothing and keeps the answers; a solved challenge submits once. Each failure shows
// its message.

import type { AddressInfo } from 'node:net';
import { serve, type ServerType } from '@hono/node-server';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { Hono } from 'hono';
import { createChallengePage } from '../../../examples/challenge/challenge-page.ts';
import { createMockProvider } from '../../../examples/challenge/mock-provider.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { fillForm, signAndSubmit } from '../../support/page-applicant.ts';
import { createSandboxView, type SandboxView } from '../../e2e/sandbox-view.ts';

const servers: ServerType[] = [];
let stack: Stack;
let sandbox: SandboxView;
let pageUrl: string;
/** The provider answers 503 instead of verifying tokens. */
let isProviderDown = false;

async function open(app: Hono, port: number): Promise<string> {
  const address = await new Promise<AddressInfo>((resolve) => {
    servers.push(serve({ fetch: app.fetch, port }, resolve));
  });
  return `http://localhost:${address.port}`;
}

test.beforeAll(async () => {
  const provider = createMockProvider({ siteKey: 'mock-site-key', secret: 'mock-secret' });
  const outage: Hono = new Hono();
  outage.all('*', ({ req }) =>
    isProviderDown ? new Response(null, { status: 503 }) : provider.fetch(req.raw),
  );
  const providerUrl = await open(outage, 0);
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
    const form = document.querySelector('funding-application')!;
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

const solveAgain =
  'We couldn’t confirm that you’re not a robot. Complete the check and submit again.';

test.describe('a challenge that fails shows its message, and keeps the answers:', () => {
  test.afterEach(() => {
    isProviderDown = false;
  });

  test('it is not solved', async ({ page }) => {
    await fillOn(page);
    await page.evaluate(() => {
      document.querySelector('funding-application')!.challenge = () =>
        Promise.reject(new Error('The challenge failed'));
    });
    await expectMessage(page, solveAgain);
  });

  test('its provider reports an error', async ({ page }) => {
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await fillOn(page);
    await page.evaluate(() => {
      Object.assign(window, {
        turnstile: {
          render: (_box: Element, options: Readonly<Record<string, () => void>>) =>
            setTimeout(options['error-callback']!),
        },
      });
    });
    await expectMessage(page, solveAgain);
    await expect(page.locator('#challenge')).toBeHidden();
    expect(warnings).toEqual([]);
  });

  test('its token has expired', async ({ page }) => {
    await fillOn(page);
    // The provider answers `timeout-or-duplicate`, as for a token that is too old.
    await page.evaluate(() => {
      document.querySelector('funding-application')!.challenge = async () => 'an-old-token';
    });
    await expectMessage(page, solveAgain);
  });

  test('the page cannot show it', async ({ page }) => {
    await fillOn(page);
    await page.evaluate(() => {
      document.querySelector('funding-application')!.challenge = undefined;
    });
    await expectMessage(
      page,
      'This website couldn’t check that you’re not a robot, so nothing was sent. Let the website’s owner know.',
    );
  });

  test('its provider is unavailable', async ({ page }) => {
    await fillOn(page);
    isProviderDown = true;
    await page.evaluate(() => {
      document.querySelector('funding-application')!.challenge = async () => 'a-token';
    });
    await expectMessage(
      page,
      'We can’t check that you’re not a robot right now, so nothing was sent. Your answers are still here. Try again in a few minutes.',
    );
  });
});

async function fillOn(page: Page): Promise<void> {
  await page.goto(pageUrl);
  await fillForm(page);
}

async function expectMessage(page: Page, message: string): Promise<void> {
  const before = await sandbox.leads();
  await signAndSubmit(page);
  await expect(page.getByText(message)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit application' })).toBeEnabled();
  await expect(page.getByLabel('Type your full name')).toHaveValue('Rosa Núñez');
  expect(await sandbox.leads()).toEqual(before);
  const { violations } = await new AxeBuilder({ page }).include('funding-application').analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
