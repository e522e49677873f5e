// Opens the HTML and the JavaScript of docs/embed in Chromium, on a page of the sandbox stack. pages.test.ts builds the pages of
// frameworks.

import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, extname, join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readJson, root } from '../../../scripts/project.mjs';
import { chromiumPath, openChromium } from '../../support/chromium.ts';
import { findBlock, readBlocks, type CodeBlock } from '../../support/code-blocks.ts';
import { completeDraft } from '../../support/draft.ts';
import {
  fillFields,
  fillForm,
  signAndSubmit,
  waitForReference,
} from '../../support/page-applicant.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import unlimitedSettings from '../../support/unlimited-settings.json' with { type: 'json' };
import { readPackedPackage } from './packed.ts';
import { waitLimitMs } from '../../support/time-limit.ts';

const documentedUrl = 'https://apply.partner.example';
/** In the sandbox. */
const localUrl = 'http://localhost:8081';
const element = '<funding-application></funding-application>';
const elementWithUrl = `<funding-application bff-url="${documentedUrl}"></funding-application>`;
const widgetScript = `<script type="module" src="${documentedUrl}/widget/funding-application.js"></script>`;
const fallback = 'Prefer to talk?';
/** Shows where a bundler finds the package. */
const packageMap = `<script type="importmap">{"imports": {
  "funding-application": "/funding-application/index.js",
  "funding-application/define": "/funding-application/define.js"
}}</script>`;
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '': 'text/html',
};

interface Example {
  readonly title: string;
  readonly body: string;
}

/**
 * One for each block. Blocks that name a file belong to the projects that pages.test.ts builds, and log-out.js to a page without the
 * form.
 */
const examples = globSync('docs/embed/*.md', { cwd: root })
  .map((file) => basename(file, '.md'))
  .toSorted()
  .flatMap(listExamples);

if (!chromiumPath)
  process.stderr.write('Not run: the examples of docs/embed. Chromium is missing.\n');

describe.runIf(chromiumPath)('docs/embed in a browser', () => {
  const manifest: {
    readonly version: string;
    readonly hash: string;
    readonly entry: string;
    readonly files: readonly { readonly file: string; readonly integrity: string }[];
  } = readJson(join(root, 'dist/widget/manifest.json'));
  const packed = readPackedPackage('element').folder;
  const style = findBlock('docs/embed/theme.md', ({ file }) => file === 'brand.css');
  const entry = manifest.files.find(({ file }) => file === manifest.entry)!;
  /** Chromium lets no page of `route.fulfill` request anything from localhost, because it has no address. */
  const site = createServer(({ method, url = '/' }, response) => {
    // The script of events.md sends steps to the server of the page.
    if (method === 'POST') return response.writeHead(204).end();
    if (url === '/' && shown.policy) response.setHeader('Content-Security-Policy', shown.policy);
    response.setHeader('Content-Type', `${contentTypes[extname(url)]}; charset=utf-8`);
    return response.end(readSite(url));
  });
  let shown = { html: '', policy: '' };
  let pageUrl: string;
  let stack: Stack;
  let browser: Browser;
  /** Of the current test. */
  let page: Page;

  beforeAll(async () => {
    const port = await findFreePort();
    pageUrl = `http://localhost:${port}`;
    site.listen(port, 'localhost');
    [stack, browser] = await Promise.all([
      startStack({
        bff: { ALLOWED_ORIGINS: pageUrl },
        settings: {
          ...unlimitedSettings,
          bankConnection: 'host',
          lead: { allowedCampaignIds: ['spring-2026'] },
          locales: ['en', 'es'],
        },
      }),
      openChromium(),
    ]);
  });

  afterEach(() => page?.close());

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    site.close();
  });

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(20);
  });

  it.each(examples)('$title shows the form', async ({ body }) => {
    const { problems } = await openPage(body);
    try {
      await waitForForm(page);
      expect(problems).toEqual([]);
    } finally {
    }
  });

  it('theme.md gives the form the look of the brand', async () => {
    await openPage(readExample('theme'));
    await waitForForm(page);
    const weight = await page
      .locator('funding-application')
      .evaluate((form) => getComputedStyle(form).getPropertyValue('--funding-heading-weight'));
    expect(weight).toBe('600');
  });

  it('language.md shows the form in Spanish', async () => {
    await openPage(readExample('language'));
    await waitForForm(page);
    expect(await page.locator('funding-application').getAttribute('data-language')).toBe('es');
  });

  it('events.md pushes the documented entries up to the second step', async () => {
    const isScript = ({ text }: CodeBlock) => text.includes('funding_ready');
    const script = findBlock('docs/embed/events.md', isScript);
    const { problems } = await openPage(toBody([element], script.text));
    await waitForForm(page);
    await pressContinue(page, 'funding-need');
    await fillFields(page, completeDraft);
    await pressContinue(page, 'business');
    expect(await page.evaluate(() => (window as { dataLayer?: unknown }).dataLayer)).toEqual([
      { event: 'funding_ready', locale: 'en' },
      { event: 'funding_step', step: 'start', step_index: 0 },
      { event: 'funding_step', step: 'funding-need', step_index: 1 },
      { event: 'funding_step', step: 'business', step_index: 2 },
    ]);
    expect(problems).toEqual([]);
  });

  it('events.md counts an application once, also after a reload', async () => {
    const isScript = ({ text }: CodeBlock) => text.includes('funding_ready');
    const script = findBlock('docs/embed/events.md', isScript);
    await openPage(toBody([element], script.text));
    const submit = (status: string) =>
      page.evaluate((shown) => {
        const event = new Event('funding-submitted', { bubbles: true });
        document.dispatchEvent(Object.assign(event, { reference: 'r-1', status: shown }));
        return (window as { dataLayer?: readonly { event: string }[] }).dataLayer!.filter(
          ({ event: name }) => name === 'funding_submitted',
        );
      }, status);
    await waitForForm(page);
    await submit('received');
    expect(await submit('accepted')).toEqual([{ event: 'funding_submitted', status: 'received' }]);
    await page.reload();
    await waitForForm(page);
    expect(await submit('accepted')).toEqual([]);
  });

  it('drafts.md logs out on a page without the form', async () => {
    await openPage(element + widgetScript);
    await waitForForm(page);
    await pressContinue(page, 'funding-need');
    await fillFields(page, completeDraft);
    await pressContinue(page, 'business');
    await page.evaluate(() => sessionStorage.setItem('of the page', 'stays'));
    const cookies = async () => (await page.context().cookies()).map(({ name }) => name);
    expect(await cookies()).toHaveLength(1);

    shown = { html: '<!doctype html><title>Another page</title>', policy: '' };
    await page.goto(pageUrl);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(2);
    const { text } = findBlock('docs/embed/drafts.md', ({ file }) => file === 'log-out.js');
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'DELETE') statuses.push(response.status());
    });
    await page.addScriptTag({ type: 'module', content: toLocal(text) });
    await expect.poll(() => statuses).toEqual([204, 204]);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(['of the page']);
    expect(await cookies()).toEqual([]);
  });

  it('csp.md takes an application under its policy', async () => {
    const [, policy = ''] = /^Content-Security-Policy: ([^`]+)^```$/m.exec(
      readFileSync(join(root, 'docs/security/csp.md'), 'utf8'),
    )!;
    const { problems } = await openPage(element + widgetScript, {
      head: '',
      policy: policy.replaceAll(/\s+/g, ' '),
    });
    await fillForm(page, 'Bakery under a policy');
    await signAndSubmit(page);
    expect(await waitForReference(page)).not.toBe('');
    // The icon of this test is no part of the page.
    const violations = problems.filter(
      (text) => /policy/i.test(text) && !text.includes("'data:,'"),
    );
    expect(violations).toEqual([]);
  });

  it('drafts.md stores nothing', async () => {
    await openPage(readExample('drafts'));
    await waitForForm(page);
    await pressContinue(page, 'funding-need');
    await fillFields(page, completeDraft);
    await pressContinue(page, 'business');
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0);
  });

  it('versions.md shows the fallback after a change of the hash', async () => {
    const [start = '', hash = ''] = entry.integrity.split('-');
    const wrong = `${start}-${hash.startsWith('A') ? 'B' : 'A'}${hash.slice(1)}`;
    const body = readExample('versions').replace(entry.integrity, wrong);
    const { problems } = await openPage(body);
    await expect.poll(() => problems.join()).toMatch(/integrity/);
    expect(await page.getByText(fallback).isVisible()).toBe(true);
    expect(await page.locator('funding-application[data-language]').count()).toBe(0);
  });

  describe('the import map of versions.md', () => {
    const block = findBlock('docs/embed/versions.md', ({ text }) =>
      text.includes('type="importmap"'),
    );
    const policy = /^ +Content-Security-Policy: (.+)$/m.exec(
      readFileSync(join(root, 'docs/embed/versions.md'), 'utf8'),
    )![1]!;
    const [, prefix] = /"(https:[^"]+\/)chunks\/….js"/.exec(block.text)!;
    const toMap = (files: readonly { readonly file: string; readonly integrity: string }[]) => {
      const integrity = Object.fromEntries(files.map((one) => [prefix + one.file, one.integrity]));
      return block.text.replace(/^ *\{[^]*\}$/m, JSON.stringify({ integrity }));
    };

    it('accepts all files', async () => {
      const { problems } = await openPage(readExample('versions'), {
        head: toMap(manifest.files),
        policy,
      });
      await waitForForm(page);
      expect(problems).toEqual([]);
    });

    it('refuses a file with another hash', async () => {
      const wrong = manifest.files.map(({ file, integrity }) => ({
        file,
        integrity: file.startsWith('chunks/') ? entry.integrity : integrity,
      }));
      const { problems } = await openPage(readExample('versions'), {
        head: toMap(wrong),
        policy,
      });
      await expect.poll(() => problems.join()).toMatch(/integrity/);
    });
  });

  /** Opens a page of the partner, whose origin the BFF allows. */
  async function openPage(
    body: string,
    { head = packageMap, policy = '' } = {},
  ): Promise<{ problems: string[] }> {
    page = await browser.newPage({ locale: 'en-US' });
    page.setDefaultTimeout(waitLimitMs);
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (/error|warning/.test(message.type())) problems.push(message.text());
    });
    const html = `<!doctype html><html lang="en"><head><title>Page</title>
      <link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;
    // Providers of challenges have no part in the start page.
    await page.route(/^https:/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    shown = { html: toLocal(html), policy: toLocal(policy) };
    await page.goto(pageUrl);
    return { problems };
  }

  function readSite(path: string): string {
    if (path === '/') return shown.html;
    if (path === '/brand.css') return style.text;
    return readFileSync(join(packed, path.replace('/funding-application/', '')), 'utf8');
  }

  /** The first HTML block of a page that contains the element, or its only one. */
  function readExample(page: string): string {
    return toLocal(examples.find(({ title }) => title.startsWith(`${page}.md`))!.body);
  }

  /** The documented addresses, version, and hash become those of the running BFF. */
  function toLocal(text: string): string {
    return text
      .replaceAll(documentedUrl, stack.bffUrl)
      .replaceAll(localUrl, stack.bffUrl)
      .replaceAll(/\d+\.\d+\.\d+-[\da-f]{8}\//g, `${manifest.version}-${manifest.hash}/`)
      .replaceAll('sha384-…', entry.integrity);
  }
});

function listExamples(name: string): Example[] {
  const blocks = readBlocks(`docs/embed/${name}.md`).filter(
    ({ file }) => !file || (file.endsWith('.js') && file !== 'log-out.js'),
  );
  // The import map has a test of its own.
  const html = blocks
    .filter(({ info, text }) => info === 'html' && !text.includes('importmap'))
    .map(({ text }) => text);
  const fragments = html.filter((text) => !text.includes('<funding-application'));
  const scripts = blocks.filter(({ info }) => info === 'js').map(({ text }) => text);
  const bodies = [
    ...html.map((text) => toBody(fragments.includes(text) ? [element, text] : [text])),
    ...scripts.map((text) => toBody([elementWithUrl, ...fragments], text)),
  ];
  return bodies.map((body, index) => ({ title: `${name}.md, block ${index + 1},`, body }));
}

/** Adds the script of the element, unless the example has it. */
function toBody(parts: readonly string[], script = ''): string {
  const hasElement = /(?:funding-application|define)\.js["']|'funding-application\/define'/;
  const text = [...parts, script].join('\n');
  return [
    ...parts,
    hasElement.test(text) ? '' : widgetScript,
    script && `<script type="module">${script}</script>`,
  ].join('\n');
}

/** Waits for the start page, or the first question. */
async function waitForForm(page: Page): Promise<void> {
  await page.locator('funding-application[data-language]').waitFor();
  await page.locator('funding-application #step-heading').waitFor();
}

/** Presses Start or Continue, and waits for the step. */
async function pressContinue(page: Page, step: string): Promise<void> {
  const shown = page.evaluate(
    (expected) =>
      new Promise<void>((resolve) => {
        document.addEventListener('funding-step', (event) => {
          if ('step' in event && event.step === expected) resolve();
        });
      }),
    step,
  );
  await page.locator('funding-application').locator('[data-testid=start], [type=submit]').click();
  await shown;
}
