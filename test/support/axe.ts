// Checks of a form in a browser: accessibility with axe in light and dark mode, no overflow in a narrow column, targets that are
// large enough for touch, a part for each documented element, and aligned blocks.

import { expect } from '@open-wc/testing';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Mounted } from './mount-widget.ts';

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

/** Narrower than a page at 400% zoom (WCAG 2.2, 1.4.10: 320 px), because a host page has margins. */
const narrowPx = 280;
const leastTargetPx = 24;
const primaryTargetPx = 44;
/** Quiet buttons overlap the margin by their padding, which aligns their text. At the right edge, the page would scroll. */
const outstandingPx = 4.5;
/** Tolerance for borders between pixels. */
const tolerancePx = 1;

/** Expects no overflow except in scrollable elements, and targets of the minimum size (WCAG 2.2, 2.5.8). */
async function expectFits({ element, root }: Pick<Mounted, 'element' | 'root'>): Promise<void> {
  const page = element.parentElement!;
  page.style.width = `${narrowPx}px`;
  await element.updateComplete;
  const { left, right } = element.getBoundingClientRect();
  const shown = [...root.querySelectorAll<HTMLElement>('.frame *')].filter(isShown);
  const outside = shown.filter((candidate) => {
    const box = candidate.getBoundingClientRect();
    const isOutside = box.right > right + tolerancePx || box.left < left - outstandingPx;
    return isOutside && !candidate.closest('.scroller, .honeypot, .visually-hidden, svg');
  });
  const small = shown.filter(isTarget).filter((target) => {
    const { width, height } = target.getBoundingClientRect();
    const least = target.matches('.button') ? primaryTargetPx : leastTargetPx;
    return height < least - tolerancePx || width < leastTargetPx - tolerancePx;
  });
  page.style.width = '';
  await element.updateComplete;
  expect(outside.map(describeElement), 'outside of the column').to.deep.equal([]);
  expect(small.map(describeElement), 'too small to press').to.deep.equal([]);
}

function isShown(candidate: HTMLElement): boolean {
  const { width, height } = candidate.getBoundingClientRect();
  return width > 1 && height > 1 && candidate.checkVisibility({ visibilityProperty: true });
}

/** Excludes links within a sentence, and boxes whose label is the target. */
function isTarget(candidate: HTMLElement): boolean {
  return (
    candidate.matches('button, select, summary, a, label.choice, input:not([type=file])') &&
    !candidate.closest('p, .honeypot, label.choice input')
  );
}

function describeElement(found: HTMLElement): string {
  const { width, height, left, right } = found.getBoundingClientRect();
  const text = (found.textContent ?? '').trim().slice(0, 40);
  const size = `${Math.round(width)}x${Math.round(height)}, ${Math.round(left)} to ${Math.round(right)}`;
  return `${found.localName}#${found.id}.${found.className} “${text}” (${size})`;
}

const kinds = {
  heading: 'h2',
  progress: '.progress',
  field: 'fieldset.field, .field:has(> :is(label, .question > label))',
  label: 'label:not(.choice, .button), legend.label, p.label',
  hint: '.hint',
  error: '.error',
  input: '.control',
  choice: '.choice',
  listbox: '.listbox',
  button: '.button',
  secondary: '.button.secondary',
  link: '.quiet',
  'error-summary': '.summary',
  notice: '.notice',
  answers: 'dl',
  reference: '.reference',
  'drop-zone': '.drop',
  file: '.file',
  offers: '.offers, .comparison',
  offer: '.offer',
} as const;

/** Ignores elements that are only for assistive technology or scripts, because they are not visible. */
function expectParts({ root }: Pick<Mounted, 'root'>): void {
  const without = Object.entries(kinds).flatMap(([part, selector]) =>
    [...root.querySelectorAll(selector)]
      .filter((candidate) => !candidate.part.contains(part) && !candidate.closest('.honeypot'))
      .map((candidate) => `${part}: ${candidate.outerHTML.slice(0, 80)}`),
  );
  expect(without, 'without its part').to.deep.equal([]);
}

const widths = [320, 400, 768, 896, 1_280, 1_600];

/** Columns whose blocks stand below each other. Blocks in a row, in a card, or in a notice end earlier. */
const columns = '.main, .rail, .body, .group, form, section.field, .body ul, .body ol';

/** Expects that every block of the screen ends at one of two edges, in columns of all widths. */
export async function expectAligned({
  element,
  root,
}: Pick<Mounted, 'element' | 'root'>): Promise<void> {
  const page = element.parentElement!;
  for (const width of widths) {
    page.style.width = `${width}px`;
    await element.updateComplete;
    const { left } = element.getBoundingClientRect();
    const blocks = [...root.querySelectorAll<HTMLElement>(columns)]
      .flatMap((column) => [...column.children])
      .filter((block) => block instanceof HTMLElement && isBlock(block));
    const edges = new Map<number, string>();
    for (const block of blocks) {
      const edge = Math.round(block.getBoundingClientRect().right - left);
      const known = [...edges.keys()].some((other) => Math.abs(other - edge) <= 1);
      if (!known)
        edges.set(
          edge,
          `${block.localName}.${block.className} ${block.textContent?.trim().slice(0, 30)}`,
        );
    }
    const shown = [...edges].map(([edge, block]) => `${width}: ${edge} ${block}`);
    expect(shown.length, shown.join('\n')).to.be.at.most(2);
  }
  page.style.width = '';
}

function isBlock(block: HTMLElement): boolean {
  const { display, position, float } = getComputedStyle(block);
  const isInFlow = position !== 'absolute' && float === 'none';
  const isControl = block.matches('button, a, span, legend');
  return (
    isInFlow &&
    !isControl &&
    !display.startsWith('inline') &&
    display !== 'none' &&
    block.checkVisibility()
  );
}
