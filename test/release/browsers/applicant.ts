// An applicant in front of a tab of any engine: finds what the element shows, and operates it.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Key, Point, Tab } from './browser.ts';

/** The kinds of things on a screen, as selectors. */
const kinds = {
  heading: '#step-heading',
  button: 'button, summary, a[href]',
  /** By its label. */
  field: 'input, select',
  option: '[role=option]',
  text: '*',
  /** Only screen readers tell about it. */
  announcement: '[role=status], [aria-live]',
} as const;
export type Kind = keyof typeof kinds;

/** Text that the name contains, or a pattern. An exact match precedes others. */
export type Name = string | RegExp;

export interface Expected {
  readonly isFocused?: boolean;
  readonly isChecked?: boolean;
  readonly isInViewport?: boolean;
  readonly value?: string;
  /** The chosen option of a select contains this text. */
  readonly option?: string;
}

export interface Seen {
  /** The middle, in the viewport. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly isFocused: boolean;
  readonly isChecked: boolean;
  readonly isInViewport: boolean;
  readonly value: string;
  readonly option: string;
}

interface Request {
  readonly selector: string;
  readonly isVisible: boolean;
  /** A regular expression. */
  readonly pattern: string;
  readonly expected: Expected;
  readonly action: 'look' | 'scroll' | 'click' | 'choose';
  /** The label of the option to choose. */
  readonly option: string;
}

/** More than any engine allows between the taps of a double tap, in CSS pixels and milliseconds. */
const doubleTap = { distance: 120, ms: 800 };
const lastTaps = new WeakMap<Tab, Point & { readonly atMs: number }>();

/** The longest way from one control to another with Tab. */
const maxPresses = 80;

/** Waits until the screen shows it. */
export function see(tab: Tab, kind: Kind, name: Name, expected: Expected = {}): Promise<Seen> {
  return operate(tab, kind, name, { expected });
}

/** Clicks by script, for journeys whose subject is not the input device. */
export async function click(tab: Tab, kind: Kind, name: Name): Promise<void> {
  await operate(tab, kind, name, { action: 'click' });
}

/** Chooses an option of a native select by script: no engine's driver operates the list that the system draws. */
export async function choose(tab: Tab, name: Name, option: string): Promise<void> {
  await operate(tab, 'field', name, { action: 'choose', option });
}

/** Presses Tab until the control has the focus. Fails when Tab does not reach it. */
export async function tabTo(tab: Tab, kind: Kind, name: Name): Promise<void> {
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if ((await see(tab, kind, name)).isFocused) return;
    await tab.press('Tab');
  }
  expect.fail(`${String(name)} cannot be reached with Tab`);
}

export async function typeInto(tab: Tab, name: Name, text: string): Promise<void> {
  await tabTo(tab, 'field', name);
  await tab.type(text);
}

export async function pressOn(tab: Tab, kind: Kind, name: Name, key: Key): Promise<void> {
  await tabTo(tab, kind, name);
  await tab.press(key);
}

/** Touches the control, which the finger has scrolled into the viewport. */
export async function tapOn(tab: Tab, kind: Kind, name: Name): Promise<void> {
  const find = () => operate(tab, kind, name, { action: 'scroll' });
  let point = await find();
  const last = lastTaps.get(tab);
  if (last && Math.hypot(last.x - point.x, last.y - point.y) < doubleTap.distance) {
    // Browsers take two taps near each other for a double tap, which selects a word. A person who means two taps waits too.
    await sleep(Math.max(0, last.atMs + doubleTap.ms - performance.now()));
    point = await find();
  }
  await tab.tap(point);
  lastTaps.set(tab, { ...point, atMs: performance.now() });
}

/** Types with the keyboard of the screen, which opens for a field that was touched. */
export async function tapAndType(tab: Tab, name: Name, text: string): Promise<void> {
  await tapOn(tab, 'field', name);
  await see(tab, 'field', name, { isFocused: true });
  await tab.type(text);
}

function operate(
  tab: Tab,
  kind: Kind,
  name: Name,
  request: Partial<Pick<Request, 'action' | 'expected' | 'option'>>,
): Promise<Seen> {
  const pattern =
    typeof name === 'string' ? name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&') : name.source;
  return tab.evaluate(operateInPage, {
    action: 'look',
    expected: {},
    option: '',
    ...request,
    pattern,
    selector: kinds[kind],
    isVisible: kind !== 'announcement',
  });
}

/** Runs in the page. Waits until an element fits. */
async function operateInPage(request: Request): Promise<Seen> {
  const root = document.querySelector('funding-application')?.shadowRoot;
  const pattern = new RegExp(request.pattern, 'u');
  const exactPattern = new RegExp(`^(?:${request.pattern})$`, 'u');
  const deadline = performance.now() + 20_000;
  for (;;) {
    const found = find();
    const seen = found && describe(found);
    if (found && seen && fits(seen)) {
      if (request.action === 'scroll') return await scrollTo(found);
      act(found);
      return seen;
    }
    if (performance.now() > deadline) {
      const shown = root?.querySelector('.frame')?.textContent?.replaceAll(/\s+/g, ' ');
      throw new Error(
        `${request.selector} ${request.pattern} ${found ? JSON.stringify(seen) : 'is missing'} in: ${shown}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  function find(): HTMLElement | undefined {
    const candidates = [...(root?.querySelectorAll<HTMLElement>(request.selector) ?? [])].filter(
      (element) => pattern.test(toName(element)) && (!request.isVisible || isVisible(element)),
    );
    const exact = candidates.find((element) => exactPattern.test(toName(element)));
    // The last one is the innermost one of those that contain a text.
    return exact ?? (request.selector === '*' ? candidates.at(-1) : candidates[0]);
  }

  function toName(element: HTMLElement): string {
    const { labels } = element as Partial<HTMLInputElement>;
    const text = labels?.length ? labels[0]?.textContent : element.textContent;
    return (text ?? '').replaceAll(/\s+/g, ' ').replace(' (optional)', '').trim();
  }

  /** The part that a person sees. The browser's own checkbox may be hidden behind a drawn one. */
  function toVisiblePart(element: HTMLElement): HTMLElement {
    const { type, labels } = element as Partial<HTMLInputElement>;
    return (type === 'checkbox' || type === 'radio') && labels?.[0] ? labels[0] : element;
  }

  function isVisible(element: HTMLElement): boolean {
    const part = toVisiblePart(element);
    const { width, height } = part.getBoundingClientRect();
    return width > 1 && height > 1 && part.checkVisibility({ visibilityProperty: true });
  }

  function describe(element: HTMLElement): Seen {
    const { left, top, width, height } = toVisiblePart(element).getBoundingClientRect();
    const { value = '', checked = false } = element as Partial<HTMLInputElement>;
    return {
      x: Math.round(left + width / 2),
      y: Math.round(top + height / 2),
      text: (element.textContent ?? '').trim(),
      isFocused: root?.activeElement === element,
      isChecked: checked,
      isInViewport: top >= 0 && left >= 0 && top + height <= innerHeight,
      value,
      option: element instanceof HTMLSelectElement ? (element.selectedOptions[0]?.text ?? '') : '',
    };
  }

  function fits(seen: Seen): boolean {
    const { option = '', ...others } = request.expected;
    const hasOthers = Object.entries(others).every(
      ([name, value]) => seen[name as keyof typeof others] === value,
    );
    return hasOthers && seen.option.includes(option);
  }

  /**
   * Scrolls as far as needed, and waits until the element stays in its place. Chromium keeps `:active` for 150 ms after a tap,
   * and what the form does not show during a press opens then.
   */
  async function scrollTo(element: HTMLElement): Promise<Seen> {
    for (let before = describe(element); ; before = describe(element)) {
      if (!before.isInViewport)
        toVisiblePart(element).scrollIntoView({ block: 'center', behavior: 'instant' });
      for (let frames = 0; frames < 3; frames += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      const after = describe(element);
      const isPressed = Boolean(root?.querySelector(':active'));
      const isInPlace = after.isInViewport && after.x === before.x && after.y === before.y;
      if (isInPlace && !isPressed) return after;
      if (performance.now() > deadline) throw new Error(`${request.pattern} does not stay in view`);
    }
  }

  function act(element: HTMLElement): void {
    if (request.action === 'click') element.click();
    if (request.action === 'choose' && element instanceof HTMLSelectElement) {
      const option = [...element.options].find(({ text }) => text.includes(request.option));
      if (!option) throw new Error(`${request.option} is no option of ${request.pattern}`);
      element.focus();
      element.value = option.value;
      element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }
}
