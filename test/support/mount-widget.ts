// Mounts <funding-application> on the test page and operates it as an applicant does.

import { english } from './messages.ts';
import { aTimeout, fixture, html, nextFrame } from '@open-wc/testing';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import '../../widget/define.ts';
import { toFieldId } from '../../widget/fields/field.ts';
import type { FundingApplication } from '../../widget/funding-application.ts';
import { formSteps, type FormStepId, type LaterStepId } from '../../widget/app/navigation.ts';
import { toStepOf } from '../../widget/app/step-fields.ts';
import type { FundingSettings } from '../../widget/types.ts';
import { acceptedStatus, createSession, FakeFundingApi, ok } from './fake-funding-api.ts';
import { completeDraft } from './draft.ts';
import { waitUntil } from './wait-until.ts';

/** The mounted element, operated as an applicant does. */
export class Mounted {
  readonly element: FundingApplication;
  readonly api: FakeFundingApi;
  readonly root: ShadowRoot;

  constructor(element: FundingApplication, api: FakeFundingApi) {
    this.element = element;
    this.api = api;
    if (!element.shadowRoot) throw new Error('The element has no shadow root');
    this.root = element.shadowRoot;
  }

  get heading(): string {
    return this.root.querySelector('h2')?.textContent?.trim() ?? '';
  }

  /** The text of the live region. */
  get announcement(): string {
    return this.root.querySelector('#announcement')?.textContent ?? '';
  }

  get text(): string {
    return (this.root.querySelector('.frame')?.textContent ?? '').replaceAll(/\s+/g, ' ');
  }

  find<Found extends HTMLElement = HTMLElement>(selector: string): Found {
    const found = this.root.querySelector<Found>(selector);
    if (!found) throw new Error(`${selector} is missing`);
    return found;
  }

  findAll<Found extends HTMLElement = HTMLElement>(selector: string): Found[] {
    return [...this.root.querySelectorAll<Found>(selector)];
  }

  /** The text of each element that the selector finds. */
  textsOf(selector: string): string[] {
    return this.findAll(selector).map(({ textContent }) => textContent.trim());
  }

  /** The value of the field with this path. */
  valueAt(path: string): string | undefined {
    return this.root.querySelector<HTMLInputElement>(`[name="${path}"], #${toFieldId(path)}`)
      ?.value;
  }

  /** Types into the field with this path, or selects or checks it, then leaves it. */
  answer(path: string, value: string): void {
    const named = this.findAll<HTMLInputElement | HTMLSelectElement>('input, select');
    const candidates = named.filter(({ name, id }) => name === path || id === toFieldId(path));
    const field = candidates.find((candidate) => candidate.value === value) ?? candidates[0];
    if (!field) throw new Error(`Field ${path} is missing`);
    if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) {
      field.checked = value !== '';
    } else {
      field.value = value;
    }
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    field.dispatchEvent(new Event('blur'));
  }

  /** The button whose text or label contains the name. */
  button(name: string | RegExp): HTMLButtonElement {
    const button = this.#findButton(name);
    if (!button) throw new Error(`Button ${String(name)} is missing`);
    return button;
  }

  /** Waits for the button if it does not show yet. */
  async press(name: string | RegExp): Promise<void> {
    if (!this.#findButton(name))
      await waitUntil(() => this.#findButton(name), `The button ${String(name)}`);
    this.button(name).click();
    await this.element.updateComplete;
    await this.waitForSteps();
  }

  #findButton(name: string | RegExp): HTMLButtonElement | undefined {
    return this.findAll<HTMLButtonElement>('button').find((candidate) => {
      const label = candidate.getAttribute('aria-label') ?? candidate.textContent;
      const text = label.replaceAll(/\s+/g, ' ');
      return typeof name === 'string' ? text.includes(name) : name.test(text);
    });
  }

  /** Waits for the chunks of the later steps. */
  async waitForSteps(): Promise<void> {
    const isLoading = () =>
      this.root.querySelector('.waiting')?.textContent?.includes(english.loading);
    if (!isLoading()) return;
    await waitUntil(() => !isLoading(), 'The loading of the step');
    await this.element.updateComplete;
  }

  /** Waits until the form shows this text. */
  waitForText(text: string): Promise<void> {
    return waitUntil(() => this.text.includes(text), `“${text}”`);
  }

  async waitForHeading(part: string): Promise<void> {
    await waitUntil(() => this.heading.includes(part), `The heading “${part}”`);
    await this.element.updateComplete;
  }

  /** Waits for the record of the application. The steps after the submission are separate modules. */
  waitForRecord(): Promise<void> {
    return waitUntil(() => this.root.querySelector('[part~=reference]'), 'The reference');
  }

  /** Fills in all steps up to the review, with changes. */
  async fillForm(changes: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.fillUpTo('review', changes);
    await this.waitForHeading('Review your answers');
  }

  /** Fills in all steps before this one, with changes, and continues to it. */
  async fillUpTo(last: FormStepId, changes: Readonly<Record<string, string>> = {}): Promise<void> {
    const draft = { ...completeDraft, ...changes };
    for (const step of formSteps.slice(0, formSteps.indexOf(last))) {
      const paths = Object.keys(draft).filter((path) => toStepOf(path) === step);
      for (const path of paths) {
        this.answer(path, draft[path] ?? '');
        // This answer shows or hides other fields.
        if (path === 'owner/homeSameAsBusiness') await this.element.updateComplete;
      }
      await this.press('Continue');
    }
  }

  async signAndSubmit(): Promise<void> {
    this.answer('consents/terms', 'yes');
    this.answer('signature/name', 'Rosa Núñez');
    await this.press('Submit application');
  }

  /** Fills in and submits the form, up to the record of the application. */
  async apply(changes: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.fillForm(changes);
    await this.signAndSubmit();
    await this.waitForRecord();
  }

  /** Goes to a step after the submission. */
  async goTo(step: LaterStepId): Promise<void> {
    this.element.goTo(step);
    await this.element.updateComplete;
    await this.waitForSteps();
  }

  /** Chooses files as in the file dialog. */
  async chooseFiles(files: readonly File[], selector = 'input[type="file"]'): Promise<void> {
    const input = this.find<HTMLInputElement>(selector);
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await this.element.updateComplete;
  }

  /** The element suggests a category for a name such as `DL front.pdf`. */
  choosePdfs(...names: readonly string[]): Promise<void> {
    return this.chooseFiles(names.map((name) => createFile(name, 'application/pdf')));
  }

  async chooseCategory(fileName: string, value: string): Promise<void> {
    const label = this.findAll<HTMLLabelElement>('label').find(({ textContent }) =>
      textContent.includes(fileName),
    );
    const select = this.find<HTMLSelectElement>(`#${label?.htmlFor}`);
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await this.element.updateComplete;
  }
}

/**
 * The browser completes `history.back()` in a later task. In the next test, it would lead the new form to a step of the previous
 * one, because both forms have the same key in the entries.
 */
let isGoingBack = false;
const goBack = history.back.bind(history);
history.back = () => {
  isGoingBack = true;
  goBack();
};
addEventListener('popstate', () => (isGoingBack = false));
// Runs after the fixtures are removed. A removed form does not go back any further.
afterEach(() => waitUntil(() => !isGoingBack, 'Back'));

/** A response that never arrives. */
export const forever = (): Promise<never> => new Promise(() => undefined);

/** Returns a BFF in memory with these responses. */
export function createApi(bff: Partial<FakeFundingApi> = {}): FakeFundingApi {
  return bff instanceof FakeFundingApi ? bff : Object.assign(new FakeFundingApi(), bff);
}

/**
 * Each test has storage keys of its own, which contain the id: on a busy machine, Chromium may read a draft of the previous test
 * after `clear()`.
 */
let pages = 0;

/** Waits until the first step of the session appears. `bff` has the responses of the BFF. */
export async function mountWidget(
  bff: Partial<FakeFundingApi> = {},
  settings: FundingSettings = { startPage: false },
): Promise<Mounted> {
  sessionStorage.clear();
  localStorage.clear();
  pages += 1;
  return mountAgain(bff, settings);
}

/** Mounts the element on a new page in the same tab, as after a reload. */
export async function mountAgain(
  bff: Partial<FakeFundingApi> = {},
  settings: FundingSettings = { startPage: false },
  attributes: Readonly<Record<string, string>> = {},
): Promise<Mounted> {
  const api = createApi(bff);
  const element = document.createElement('funding-application');
  const id = `page-${pages}`;
  Object.assign(element, { api, settings, id: document.getElementById(id) ? `${id}-second` : id });
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  await fixture(html`${element}`);
  const mounted = new Mounted(element, api);
  // A later step appears after its chunk is loaded, which consists of many modules in a test.
  await waitUntil(() => mounted.root.querySelector('h2'), 'A heading');
  await mounted.waitForSteps();
  return mounted;
}

/** Waits for the chunk of the next steps. The element requests it after the first frame of a step. */
export async function waitForFormChunk(): Promise<void> {
  await nextFrame();
  await aTimeout(0);
  await import('../../widget/chunks/form.ts');
  await nextFrame();
}

export function createFile(name: string, type: string, bytes = 10): File {
  return new File([new Uint8Array(bytes)], name, { type });
}

/** Mounts the element in a browser with an accepted application. */
export async function mountAfter(
  bff: Partial<FakeFundingApi> = {},
  documents: readonly DocumentStatus[] = [],
): Promise<Mounted> {
  const api = createApi(bff);
  api.session = ok(createSession({ application: acceptedStatus, documents: [...documents] }));
  const mounted = await mountWidget(api);
  await mounted.waitForRecord();
  return mounted;
}

/** Mounts the element on a step of an accepted application. */
export async function mountAt(
  step: LaterStepId,
  bff?: Partial<FakeFundingApi>,
  documents?: readonly DocumentStatus[],
): Promise<Mounted> {
  const mounted = await mountAfter(bff, documents);
  await mounted.goTo(step);
  return mounted;
}

/** Mounts the element on the documents step of an accepted application. */
export const mountDocuments = (
  bff?: Partial<FakeFundingApi>,
  documents?: readonly DocumentStatus[],
): Promise<Mounted> => mountAt('documents', bff, documents);

/** Mounts the element on the offers step, and waits for its heading. */
export async function mountOffers(
  offers: FakeFundingApi['offers'],
  heading: string,
  bff: Partial<FakeFundingApi> = {},
): Promise<Mounted> {
  const mounted = await mountAt('offers', { ...bff, offers });
  await mounted.waitForHeading(heading);
  return mounted;
}

/** Lets all pollers send a request now, as they do when the applicant returns to the page. */
export function returnToPage(): void {
  document.dispatchEvent(new Event('visibilitychange'));
}

const { matchMedia } = window;

/** The browser reports a touch screen, or its own pointer. */
export function setTouch(isTouch: boolean): void {
  window.matchMedia = (query) => {
    const list = matchMedia.call(window, query);
    return isTouch && query === '(pointer: coarse)'
      ? new Proxy(list, { get: (_list, name) => name === 'matches' || Reflect.get(list, name) })
      : list;
  };
}

/** Connects or disconnects the browser. */
export function setOnline(isOnline: boolean): void {
  if (isOnline) Reflect.deleteProperty(navigator, 'onLine');
  else Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}
