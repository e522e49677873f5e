// Every screen of the element, checked by tools that find other errors than axe: the IBM equal access engine, and html-validate.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { parse } from 'yaml';
import { root } from '../../../scripts/project.mjs';
import { shootPages } from '../../screens/handoff-screens.ts';
import type { Shoot } from '../../screens/page-actions.ts';
import { screens } from '../../screens/screens.ts';
import { startStack, type Stack } from '../../support/stack.ts';

/** A result of the IBM engine, of which this test uses a part. */
interface EngineResult {
  readonly ruleId: string;
  /** Level of the rule, then its result. */
  readonly value: readonly [string, string];
  readonly message: string;
  readonly snippet: string;
}

/** A finding is false if its rule and a part of its HTML are here. */
const falseFindings = parse(
  readFileSync(join(root, 'test/fixtures/false-findings.yaml'), 'utf8'),
) as readonly { readonly rule: string; readonly snippet: string }[];

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:prettier'],
  rules: {
    // A phone number may wrap in a narrow column.
    'tel-non-breaking': 'off',
    'no-trailing-whitespace': 'off',
    // Browsers serialize a boolean attribute with an empty value.
    'attribute-boolean-style': 'off',
    // A label around its input names it with `for` too, because some voice control programs need that.
    'no-redundant-for': 'off',
    'form-dup-name': ['error', { shared: ['radio', 'checkbox'] }],
    // The rule reports list items, which may have a name.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    // A select element cannot search.
    'prefer-native-element': ['error', { exclude: ['listbox'] }],
  },
});

let stack: Stack;
test.beforeAll(async () => {
  stack = await startStack();
});
test.afterAll(async () => {
  await stack.stop();
});

test('no screen has a finding of the IBM engine or of html-validate', async ({ page }) => {
  await page.goto(`${stack.pageUrl}/funding`);
  const { check, list, count } = createChecks(page);
  for (const showScreens of screens) await showScreens(page, check);
  expect(list()).toEqual([]);
  expect(count()).toBeGreaterThan(45);
});

test('no screen of the pages of the BFF has a finding', async ({ page }) => {
  const { check, list, count } = createChecks(page);
  await shootPages(page, check, stack.bffUrl);
  expect(list()).toEqual([]);
  expect(count()).toBeGreaterThan(15);
});

/** Checks each screen. Most findings are on many screens, so the list has the first one only. */
function createChecks(page: Page) {
  const findings = new Map<string, string>();
  let checked = 0;
  const check: Shoot = async (screen) => {
    checked += 1;
    const found = [...(await findInaccessible(page)), ...(await findInvalidHtml(page))];
    for (const finding of found) if (!findings.has(finding)) findings.set(finding, screen);
  };
  const list = () => [...findings].map(([finding, screen]) => `${screen}: ${finding}`);
  return { check, list, count: () => checked };
}

test('the pages around the element have no finding either', async ({ page }) => {
  const { pageUrl, sandboxUrl, bffUrl } = stack;
  const pages = [pageUrl, `${pageUrl}/funding`, `${pageUrl}/themes/ledger`, sandboxUrl];
  pages.push(`${bffUrl}/apply`, `${bffUrl}/phone`);
  const findings: string[] = [];
  for (const url of pages) {
    await page.goto(url);
    // The element's content is checked above. It is not in the HTML of the page.
    const found = await findInaccessible(page, 'body');
    const html = await (await page.request.get(url)).text();
    findings.push(...[...found, ...(await validate(html))].map((finding) => `${url}: ${finding}`));
  }
  expect(findings).toEqual([]);
});

async function findInaccessible(page: Page, selector = 'funding-application'): Promise<string[]> {
  await loadEngine(page);
  // The engine cannot read the color of a button under the pointer, which is in the color space Oklab.
  await page.mouse.move(0, 0);
  const results = await page.evaluate(async (wanted) => {
    // A color halfway through its transition has no contrast yet.
    const shadow = document.querySelector('funding-application')?.shadowRoot;
    for (const animation of shadow?.getAnimations() ?? [])
      if (animation instanceof CSSTransition) animation.finish();
    const { Checker } = (globalThis as unknown as { ace: { Checker: new () => Engine } }).ace;
    interface Engine {
      check(root: Element, ruleSets: readonly string[]): Promise<{ results: EngineResult[] }>;
    }
    const root = document.querySelector(wanted)!;
    return (await new Checker().check(root, ['WCAG_2_2'])).results;
  }, selector);
  return results
    .filter(({ value: [, result] }) => result === 'FAIL')
    .filter(
      ({ ruleId, snippet }) =>
        !falseFindings.some((known) => known.rule === ruleId && snippet.includes(known.snippet)),
    )
    .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`);
}

/** The debugging protocol runs the engine, so that the page keeps its content security policy. */
async function loadEngine(page: Page): Promise<void> {
  if (await page.evaluate(() => 'ace' in globalThis)) return;
  const path = createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js');
  await page.evaluate(`{ ${readFileSync(path, 'utf8')}; globalThis.ace = ace; }`);
}

async function findInvalidHtml(page: Page): Promise<string[]> {
  const body = await page.evaluate(
    () => document.querySelector('funding-application')!.shadowRoot!.innerHTML,
  );
  return validate(
    `<!DOCTYPE html><html lang="en"><head><title>Screen</title></head><body>${body}</body></html>`,
  );
}

async function validate(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages, source }) =>
    messages.map(({ ruleId, message, offset }) => {
      const near = source?.slice(Math.max(0, offset - 30), offset + 120);
      return `${ruleId}: ${message} ${near}`;
    }),
  );
}
