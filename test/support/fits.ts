// Checks that a page fits a narrow column, and that its targets are large enough for touch.

import { expect } from '@open-wc/testing';
import type { Mounted } from './mount-widget.ts';

/** Narrower than a page at 400% zoom (WCAG 2.2, 1.4.10: 320 px), because a host page has margins. */
const narrowPx = 280;
const leastTargetPx = 24;
const primaryTargetPx = 44;
/** Quiet buttons overlap the margin by their padding, which aligns their text. At the right edge, the page would scroll. */
const outstandingPx = 4.5;
/** Tolerance for borders between pixels. */
const tolerancePx = 1;

/** Expects no overflow except in scrollable elements, and targets of the minimum size (WCAG 2.2, 2.5.8). */
export async function expectFits({
  element,
  root,
}: Pick<Mounted, 'element' | 'root'>): Promise<void> {
  const page = element.parentElement!;
  page.style.width = `${narrowPx}px`;
  await element.updateComplete;
  const { left, right } = element.getBoundingClientRect();
  const shown = [...root.querySelectorAll<HTMLElement>('.frame *')].filter(isShown);
  const outside = shown.filter((candidate) => {
    const box = candidate.getBoundingClientRect();
    const isOutside = box.right > right + tolerancePx || box.left < left - outstandingPx;
    return isOutside && !candidate.closest('[role=region], .trap, .visually-hidden, svg');
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
    !candidate.closest('p, .trap, label.choice input')
  );
}

function describeElement(found: HTMLElement): string {
  const { width, height, left, right } = found.getBoundingClientRect();
  const text = (found.textContent ?? '').trim().slice(0, 40);
  const size = `${Math.round(width)}x${Math.round(height)}, ${Math.round(left)} to ${Math.round(right)}`;
  return `${found.localName}#${found.id}.${found.className} “${text}” (${size})`;
}
