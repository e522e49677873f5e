// Fills in the form of the element in a real browser by script, and reads the displayed step.

import type { Tab } from './browser.ts';
import { completeDraft } from '../support/draft.ts';

export interface Shown {
  readonly heading: string;
  /** Reference of the displayed application, if any. */
  readonly reference: string | undefined;
}

/** Waits for the first step, or for the record of a submitted application. */
export async function readShown(tab: Tab): Promise<Shown> {
  const { heading, reference } = await tab.run(readWhenDrawn);
  return { heading, reference: reference === '' ? undefined : reference };
}

/** Fills in and submits the form from the first step. Returns the reference of the application. */
export function fileApplication(tab: Tab, company: string): Promise<string> {
  return tab.run(fillAndSubmit, { ...completeDraft, 'business/name': company });
}

/** Sends a PDF from the record of the application, and waits until the BFF has accepted it. */
export async function sendDocument(tab: Tab, name: string, content: Uint8Array): Promise<void> {
  const base64 = Buffer.from(content).toString('base64');
  await tab.run(chooseAndSend, { name, base64, category: 'bank-statements-jan' });
}

/** Runs in the page. */
async function readWhenDrawn(): Promise<{ heading: string; reference: string }> {
  const root = document.querySelector('funding-application')?.shadowRoot;
  const deadline = Date.now() + 20_000;
  for (;;) {
    const read = (selector: string) => root?.querySelector(selector)?.textContent?.trim() ?? '';
    const [heading, reference] = [read('#step-heading'), read('[data-testid=reference]')];
    root?.querySelector<HTMLButtonElement>('[data-testid=start]')?.click();
    const isDrawn = reference !== '' || Boolean(root?.querySelector('form input'));
    if (heading !== '' && isDrawn) return { heading, reference };
    if (Date.now() > deadline) throw new Error(`The element shows only “${heading}”`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs in the page. */
async function fillAndSubmit(draft: Readonly<Record<string, string>>): Promise<string> {
  const root = document.querySelector('funding-application')?.shadowRoot;
  if (!root) throw new Error('The page has no element');

  let reference = '';
  while (reference === '') {
    const heading = readHeading();
    for (const [path, value] of Object.entries(draft)) answer(path, value);
    for (const box of root.querySelectorAll<HTMLInputElement>('[name^="consents/"]')) {
      if (!box.checked) box.click();
    }
    root.querySelector('form')?.requestSubmit();
    reference = await next(heading);
  }
  return reference;

  function readHeading(): string {
    return root?.querySelector('#step-heading')?.textContent?.trim() ?? '';
  }

  function answer(path: string, value: string): void {
    const fields = [...root!.querySelectorAll<HTMLInputElement>('input, select')].filter(
      ({ name, id }) => name === path || id === path.replaceAll('/', '-'),
    );
    const field = fields.find((candidate) => candidate.value === value) ?? fields[0];
    if (!field) return;
    if (field.type === 'checkbox' || field.type === 'radio') field.checked = value !== '';
    else field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** Waits until the step changes. Returns the reference when the page shows one. */
  async function next(heading: string): Promise<string> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      const reference = root?.querySelector('[data-testid=reference]')?.textContent?.trim();
      if (reference) return reference;
      if (readHeading() !== heading && root?.querySelector('form')) return '';
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const notices = [...root!.querySelectorAll('#error-summary, .notice')];
    const said = notices.map(({ textContent }) => textContent?.trim());
    throw new Error(`The element stays at “${heading}”: ${said.join(' ')}`);
  }
}

/** Runs in the page. */
async function chooseAndSend(given: {
  readonly name: string;
  readonly base64: string;
  readonly category: string;
}): Promise<void> {
  const root = document.querySelector('funding-application')?.shadowRoot;
  const content = Uint8Array.from(atob(given.base64), (letter) => letter.charCodeAt(0));
  await press(/Continue to documents/);
  const input = await find<HTMLInputElement>('input[type=file]');
  const transfer = new DataTransfer();
  transfer.items.add(new File([content], given.name, { type: 'application/pdf' }));
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  const category = await find<HTMLSelectElement>('.files select');
  category.value = given.category;
  category.dispatchEvent(new Event('change', { bubbles: true }));
  await press(/Send 1 file/);
  await find('.files .state', /Sent|Received/);

  async function press(name: RegExp): Promise<void> {
    (await find<HTMLButtonElement>('button', name)).click();
  }

  async function find<Found extends Element>(selector: string, text = /(?:)/): Promise<Found> {
    const deadline = Date.now() + 20_000;
    while (Date.now() < deadline) {
      const candidates = [...(root?.querySelectorAll<Found>(selector) ?? [])];
      const found = candidates.find(({ textContent }) => text.test(textContent ?? ''));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const said = root?.querySelector('.frame')?.textContent?.replaceAll(/\s+/g, ' ');
    throw new Error(`${selector} ${String(text)} is missing in: ${said}`);
  }
}
