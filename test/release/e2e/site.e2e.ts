// The built documentation (run `npm run site:build` first): links and anchors, valid HTML, and each page in a browser, which may load nothing
// from other hosts.

import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { HtmlValidate } from 'html-validate';
import { root } from '../../../scripts/project.mjs';

const origin = 'https://docs.example';
const site = join(root, 'dist/site');
const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const files = globSync('**/*.html', { cwd: site }).sort();
const pages = new Map(files.map((file) => [`/${file}`, readFileSync(join(site, file), 'utf8')]));
/** The decisions have one layout, so axe checks two of them. */
const hasCheckedLayout = (path: string) =>
  /\/decisions\/\d{4}/.test(path) && !/\/000[12]-/.test(path);
const variants = [
  { name: 'phone, light', width: 390, colorScheme: 'light' },
  { name: 'desktop, dark', width: 1280, colorScheme: 'dark' },
  { name: 'phone, dark', width: 390, colorScheme: 'dark' },
  { name: 'desktop, light', width: 1280, colorScheme: 'light' },
] as const;
/** These pages have each kind of content. All others are visited in one variant. */
const inEveryVariant = new Set(['/index.html', '/security/documents.html']);

test('has all sections', () => {
  const sections = ['start', 'embed', 'deploy', 'operate', 'security', 'reference', 'decisions'];
  for (const section of sections) expect([...pages.keys()]).toContain(`/${section}/index.html`);
});

test('links only to targets that exist', () => {
  const ids = new Map(
    [...pages].map(([path, html]) => [
      path,
      new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const dead = [...pages].flatMap(([path, html]) =>
    listLinks(html)
      .filter((link) => !/^(?:[a-z]+:|data:)/.test(link))
      .filter((link) => {
        const { pathname, hash } = new URL(link, origin + path);
        const target = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
        if (target.endsWith('.json')) return !existsSync(join(site, target));
        const known = ids.get(target) ?? ids.get(`${target}.html`);
        return !known || (hash !== '' && !known.has(decodeURIComponent(hash.slice(1))));
      })
      .map((link) => `${path}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test('links to other hosts with https only', () => {
  const external = new Set(
    [...pages.values()].flatMap(listLinks).filter((link) => /^[a-z]+:/.test(link)),
  );
  // No test requests them. The list is for a person who wants to.
  mkdirSync(join(root, 'test-output'), { recursive: true });
  writeFileSync(join(root, 'test-output/external-links.txt'), [...external].sort().join('\n'));
  const isLocalExample = (link: string) => link.startsWith('http://localhost:');
  expect(
    [...external].filter((link) => !/^https:|^mailto:/.test(link) && !isLocalExample(link)),
  ).toEqual([]);
});

test('has valid HTML in each page', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended', 'html-validate:prettier'],
    rules: {
      // A heading may begin with the number of its step.
      'valid-id': ['error', { relaxed: true }],
      // VitePress writes these.
      'no-inline-style': 'off',
      'no-trailing-whitespace': 'off',
      'no-implicit-button-type': 'off',
      'tel-non-breaking': 'off',
      // The name of the copy button is its title.
      'text-content': 'off',
    },
  });
  const findings = new Map<string, string>();
  for (const [path, html] of pages) {
    // The navigation around it is the same on each page, and the work of VitePress. axe checks it below.
    const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
    const { results } = await validator.validateString(
      `<!DOCTYPE html><html lang="en"><head><title>Page</title></head><body>${main}</body></html>`,
    );
    for (const { messages, source } of results) {
      for (const { ruleId, message, offset } of messages) {
        const finding = `${ruleId}: ${message}`;
        const near = source?.slice(offset - 60, offset + 60) ?? '';
        if (!findings.has(finding)) findings.set(finding, `${path}: ${near}`);
      }
    }
  }
  expect([...findings]).toEqual([]);
});

test('highlights code in each language', () => {
  const plainLanguages = new Set(['', 'text', 'txt']);
  const colorsOf = new Map<string, Set<string>>();
  for (const html of pages.values()) {
    for (const [, language = '', code = ''] of html.matchAll(
      /<div class="language-(\w*)[^"]*">([\s\S]*?)<\/pre>/g,
    )) {
      const colors = colorsOf.get(language) ?? new Set();
      for (const [color] of code.matchAll(/--shiki-light:#\w+/g)) colors.add(color);
      colorsOf.set(language, colors);
    }
  }
  const plain = [...colorsOf].filter(([, colors]) => colors.size < 2).map(([language]) => language);
  expect(plain.filter((language) => !plainLanguages.has(language))).toEqual([]);
});

for (const [index, variant] of variants.entries()) {
  const chosen = [...pages.keys()].filter(
    (path, position) => position % variants.length === index || inEveryVariant.has(path),
  );
  test(`has accessible pages that fit the screen (${variant.name})`, async ({ browser }) => {
    const { width, colorScheme } = variant;
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    // Once for each page, without the frames that AxeBuilder opens: eight times as fast, with the same rules.
    await context.addInitScript({ path: axeScript });
    const page = await context.newPage();
    const problems = await serveSite(page);
    for (const path of chosen) {
      await page.goto(origin + path);
      await expect(page.locator('html')).toHaveClass(
        colorScheme === 'dark' ? /dark/ : /^(?!.*dark)/,
      );
      // Vue names the switch of the color scheme after it has taken over the page.
      await expect(page.locator('.VPSwitchAppearance').first()).toHaveAttribute('title', /./);
      const violations = hasCheckedLayout(path) ? [] : await page.evaluate(findViolations);
      for (const { id, nodes } of violations)
        problems.push(`${path}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) problems.push(`${path}: is ${overflow} px too wide`);
      const tables = await page
        .locator('.vp-doc table')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
      if (tables > 0) problems.push(`${path}: ${tables} tables are too wide`);
    }
    expect(problems).toEqual([]);
    await context.close();
  });
}

test('shows the tab of a heading, or the one that the reader chose before', async ({ page }) => {
  const problems = await serveSite(page);
  await page.goto(`${origin}/embed/frameworks.html#angular`);
  await expect(page.locator('#angular')).toBeInViewport();
  await page.getByRole('tab', { name: 'Svelte' }).last().click();
  await expect(page.getByRole('tab', { name: 'Svelte', selected: true })).toHaveCount(2);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Vue', selected: true })).toHaveCount(2);
  await expect(page.getByRole('tab', { name: 'Vue', selected: true }).last()).toBeFocused();
  await expect(page.locator('#angular')).toBeHidden();
  expect(problems).toEqual([]);
});

test('finds an alarm by its name', async ({ page }) => {
  const problems = await serveSite(page);
  await page.goto(`${origin}/index.html`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('application-unconfirmed');
  await page.getByRole('option').filter({ hasText: 'alarms' }).first().click();
  await expect(page).toHaveURL(/\/operate\/alarms/);
  expect(problems).toEqual([]);
});

for (const [words, expected] of [
  ['CSP', /\/security\/csp/],
  ['Content-Security-Policy', /\/security\/csp/],
  ['SSN', /\/security\/data/],
] as const) {
  test(`finds ${words} first where it is explained`, async ({ page }) => {
    await serveSite(page);
    await page.goto(`${origin}/index.html`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill(words);
    const results = page.getByRole('option').getByRole('link');
    await expect(results.first()).toHaveAttribute('href', expected);
    const links = await results.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links.filter((link) => /\/decisions\/\d/.test(link ?? ''))).toEqual([]);
  });
}

/** Answers requests of the page from the built site. Lists errors, warnings, violations of the policy, and requests to other hosts. */
async function serveSite(page: Page): Promise<string[]> {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  await page.route('**', async (route) => {
    const { origin: requested, pathname } = new URL(route.request().url());
    if (requested !== origin) {
      problems.push(`${page.url()} requested ${route.request().url()}`);
      return route.abort();
    }
    const path = join(site, posix.normalize(pathname), pathname.endsWith('/') ? 'index.html' : '');
    return route.fulfill({ path });
  });
  return problems;
}

/** Runs in the page. */
async function findViolations() {
  const { axe } = window as unknown as {
    axe: { run(root: Document, options: RunOptions): Promise<AxeResults> };
  };
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
}

function listLinks(html: string): string[] {
  return [...html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(([, link]) =>
    link!.replaceAll('&amp;', '&'),
  );
}
