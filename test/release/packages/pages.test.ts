// A partner follows docs/embed/frameworks.md in an empty folder, and an applicant applies on the result.

import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openChromium } from '../../support/chromium.ts';
import { readTab, type CodeBlock } from '../../support/code-blocks.ts';
import { createFollower } from '../support/follow-page.ts';
import { frameworksPage } from '../../support/followed-pages.ts';
import { findFreePort, findFreePorts } from '../../support/free-port.ts';
import { fillForm, signAndSubmit, waitForReference } from '../../support/page-applicant.ts';
import { servePage } from '../../support/serve-page.ts';
import messages from '../../../widget/i18n/en.json' with { type: 'json' };
import { readPackedPackage } from './packed.ts';

if (!chromiumPath)
  process.stderr.write('Not run: the pages of docs/embed in a browser. Chromium is missing.\n');
const frameworks = ['React', 'Vue', 'Svelte'];

describe.runIf(chromiumPath)('a page built as docs/embed says', () => {
  const packed = readPackedPackage('element');

  it.each(frameworks)('sends an application: %s', async (name) => {
    const ports = (await findFreePorts(3)).map(String) as [string, string, string];
    const [pagePort, bffPort, sandboxPort] = ports;
    const follower = createFollower({
      replaced: { 5173: pagePort, 8081: bffPort },
      variables: { BFF_PORT: bffPort, SANDBOX_PORT: sandboxPort },
    });
    const browser = await openChromium();
    let server: Server | undefined;
    try {
      await follower.follow(orderBlocks(name));
      const dist = join(follower.folder, 'dist');
      server = await servePage(dist, Number(pagePort));
      const page = await browser.newPage();
      const logged: string[] = [];
      page.on('console', (message) => {
        // A browser reports responses such as 404 of /favicon.ico, and 429 of a form that a script fills in too fast.
        if (!message.text().startsWith('Failed to load resource'))
          logged.push(`${message.type()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => logged.push(`error: ${error.message}`));
      await page.goto(`http://localhost:${pagePort}`);
      await page.waitForSelector('funding-application[data-language]');
      await fillForm(page, `Bakery in ${name}`);
      await signAndSubmit(page);
      const reference = await waitForReference(page);

      expect(reference).not.toBe('');
      expect(logged.filter((text) => text.startsWith('error'))).toEqual([]);
      expect(logged).toContainEqual(expect.stringMatching(/^info: submitted [0-9a-f-]{36}$/));
      const leads = await (await fetch(`http://localhost:${sandboxPort}/_sandbox/leads`)).text();
      expect(leads).toContain(`Bakery in ${name}`);
      // Each lazy-loaded chunk of the package is a file of the page.
      const chunks = packed.files.flatMap(
        (file) => /chunks\/(.+-)[\w-]{8}\.js/.exec(file)?.[1] ?? [],
      );
      const files = globSync('**/*.js', { cwd: dist }).join(' ');
      expect(chunks.length).toBeGreaterThan(9);
      const missing = chunks.filter((chunk) => !files.includes(`/${chunk}`));
      // A bundler may join the first chunk with the script of the page.
      expect(missing.filter((chunk) => chunk !== 'funding-application-')).toEqual([]);
    } finally {
      await browser.close();
      server?.close();
      await follower.end();
    }
  });
});

describe.runIf(chromiumPath)('the package as a static copy, without a bundler', () => {
  const packed = readPackedPackage('element');
  let browser: Browser;
  let server: Server;
  let port: number;
  const folder = mkdtempSync(join(tmpdir(), 'static-copy-'));

  beforeAll(async () => {
    cpSync(packed.folder, join(folder, 'funding-application'), { recursive: true });
    const script = '<script type="module" src="/funding-application/define.js"></script>';
    writeFileSync(
      join(folder, 'index.html'),
      `<!doctype html>${script}<funding-application>Call us.</funding-application>`,
    );
    port = await findFreePort();
    server = await servePage(folder, port);
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true });
  });

  it('names the missing bff-url in the console', async () => {
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const reported = page.waitForEvent('console', (message) => message.type() === 'error');
    await page.goto(`http://localhost:${port}`);

    expect((await reported).text()).toContain('<funding-application>: bff-url is missing. Set it');
    await page.getByText(messages['load-failed.title']).first().waitFor();
    await page.getByText('Call us.').waitFor();
    expect(requests.filter((path) => path.includes('/v1/'))).toEqual([]);
  });

  it('names a second copy of the element in the console', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`http://localhost:${port}`);
    const reported = page.waitForEvent('console', (message) => message.type() === 'warning');
    await page.evaluate((path) => import(path), '/funding-application/define.js?again');

    expect((await reported).text()).toContain('The page loads the element twice. Remove one copy.');
    expect(errors).toEqual([]);
  });

  it('loads each file', async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}`);
    const scripts = packed.files.filter((file) => file.endsWith('.js'));
    const loaded = await page.evaluate(
      async (files) => {
        const results = await Promise.allSettled(files.map((file) => import(file)));
        return results.map(({ status }, index) => `${status} ${files[index]}`);
      },
      scripts.map((file) => `/funding-application/${file}`),
    );
    expect(loaded.filter((result) => !result.startsWith('fulfilled'))).toEqual([]);
  });
});

/** The order in which a reader without a project follows the page. */
function orderBlocks(framework: string): readonly CodeBlock[] {
  const blocks = readTab(frameworksPage, framework);
  const [create, ...rest] = blocks.filter(
    ({ section }) => section === 'Start from an empty folder',
  );
  return [create!, ...blocks.filter((block) => block !== create && !rest.includes(block)), ...rest];
}
