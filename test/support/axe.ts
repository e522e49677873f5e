// Accessibility checks of a form with axe, in light and dark mode.

import { expect } from '@open-wc/testing';
import type { AxeResults, RunOptions } from 'axe-core';
import { expectFits } from './fits.ts';
import type { Mounted } from './mount-widget.ts';
import { expectParts } from './parts.ts';

declare global {
  interface Window {
    /** Defined after `accessible()` was used once. */
    readonly axe: { run(element: Element, options: RunOptions): Promise<AxeResults> };
  }
}

const darkPage = '#14120f';

/** Expects no axe violation in light mode, enough contrast in dark mode, no overflow in a narrow column, a part for each promised element, and no inline style. */
export async function expectGood({
  element,
  root,
}: Pick<Mounted, 'element' | 'root'>): Promise<void> {
  await element.updateComplete;
  await expect(element).to.be.accessible();
  const page = element.parentElement!;
  page.style.background = darkPage;
  element.theme = 'dark';
  await element.updateComplete;
  const { violations } = await window.axe.run(element, { runOnly: ['color-contrast'] });
  element.theme = undefined;
  page.style.background = '';
  await element.updateComplete;
  const nodes = violations.flatMap((violation) => violation.nodes);
  expect(nodes.map(({ html, failureSummary }) => [html, failureSummary])).to.deep.equal([]);
  await expectFits({ element, root });
  expectParts({ root });
  expect(root.querySelectorAll('[style]').length).to.equal(0);
}
