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

export interface Mounted {
  readonly element: FundingApplication;
  readonly api: FakeFundingApi;
  readonly root: ShadowRoot;
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

/** Returns a BFF in memory with these responses. */
export function createApi(bff: Partial<FakeFundingApi> = {}): FakeFundingApi {
  return bff instanceof FakeFundingApi ? bff : Object.assign(new FakeFundingApi(), bff);
}

/** Waits until the first step of the session appears. `bff` has the responses of the BFF. */
export async function mountWidget(
  bff: Partial<FakeFundingApi> = {},
  settings: FundingSettings = { startPage: false },
): Promise<Mounted> {
  // Otherwise the draft of the previous test would remain.
  sessionStorage.clear();
  localStorage.clear();
  return mountAgain(bff, settings);
}

/** Mounts the element on a new page in the same tab, as after a reload. */
export async function mountAgain(
  bff: Partial<FakeFundingApi> = {},
  settings: FundingSettings = { startPage: false },
): Promise<Mounted> {
  const api = createApi(bff);
  const element = await fixture<FundingApplication>(
    html`<funding-application .api=${api} .settings=${settings}></funding-application>`,
  );
  const root = element.shadowRoot;
  if (!root) throw new Error('The element has no shadow root');
  // A later step appears after its chunk is loaded, which consists of many modules in a test.
  await waitUntil(() => root.querySelector('h2'), 'A heading');
  await waitForSteps({ element, root });
  return { element, api, root };
}

/** Types into the field with this path, or selects or checks it, then leaves it. */
export function answer({ root }: Mounted, path: string, value: string): void {
  const named = [...root.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')];
  const candidates = named.filter(({ name, id }) => name === path || id === toFieldId(path));
  const field = candidates.find((candidate) => candidate.value === value) ?? candidates[0];
  if (!field) throw new Error(`Field ${path} is missing`);
  if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
    field.checked = value !== '';
  } else {
    field.value = value;
  }
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  field.dispatchEvent(new Event('blur'));
}

/** Presses the button whose text or label contains the name. Waits for the button if it does not show yet. */
export async function press({ element, root }: Mounted, name: string | RegExp): Promise<void> {
  const matches = (text: string) =>
    typeof name === 'string' ? text.includes(name) : name.test(text);
  const findButton = () =>
    [...root.querySelectorAll('button')].find((candidate) =>
      matches(
        (candidate.getAttribute('aria-label') ?? candidate.textContent ?? '').replaceAll(
          /\s+/g,
          ' ',
        ),
      ),
    );
  if (!findButton()) await waitUntil(findButton, `The button ${String(name)}`);
  findButton()?.click();
  await element.updateComplete;
  await waitForSteps({ element, root });
}

/** Waits for the chunks of the later steps. */
async function waitForSteps({ element, root }: Pick<Mounted, 'element' | 'root'>): Promise<void> {
  const isLoading = () => root.querySelector('.waiting')?.textContent?.includes(english.loading);
  if (!isLoading()) return;
  await waitUntil(() => !isLoading(), 'The loading of the step');
  await element.updateComplete;
}

/** Waits for the chunk of the next steps. The element requests it after the first frame of a step. */
export async function waitForFormChunk(): Promise<void> {
  await nextFrame();
  await aTimeout(0);
  await import('../../widget/chunks/form.ts');
  await nextFrame();
}

export function headingOf({ root }: Mounted): string {
  return root.querySelector('h2')?.textContent?.trim() ?? '';
}

/** The text of the live region. */
export function announcementOf({ root }: Pick<Mounted, 'root'>): string {
  return root.querySelector('#announcement')?.textContent ?? '';
}

export function find({ root }: Mounted, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`${selector} is missing`);
  return found;
}

/** Waits until the form shows this text. */
export function waitForText(mounted: Mounted, text: string): Promise<void> {
  return waitUntil(() => textOf(mounted).includes(text), `“${text}”`);
}

export function textOf({ root }: Mounted): string {
  return (root.querySelector('.frame')?.textContent ?? '').replaceAll(/\s+/g, ' ');
}

export async function waitForHeading(mounted: Mounted, part: string): Promise<void> {
  await waitUntil(() => headingOf(mounted).includes(part), `The heading “${part}”`);
  await mounted.element.updateComplete;
}

/** Waits for the record of the application. The steps after the submission are separate modules. */
export function waitForRecord({ root }: Mounted): Promise<void> {
  return waitUntil(() => root.querySelector('[part~=reference]'), 'The reference');
}

/** Fills in all steps up to the review, with changes. */
export async function fillForm(
  mounted: Mounted,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> {
  await fillUpTo(mounted, 'review', changes);
  await waitForHeading(mounted, 'Review your answers');
}

/** Fills in all steps before this one, with changes, and continues to it. */
export async function fillUpTo(
  mounted: Mounted,
  last: FormStepId,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const draft = { ...completeDraft, ...changes };
  for (const step of formSteps.slice(0, formSteps.indexOf(last))) {
    const paths = Object.keys(draft).filter((path) => toStepOf(path) === step);
    for (const path of paths) {
      answer(mounted, path, draft[path] ?? '');
      // This answer shows or hides other fields.
      if (path === 'owner/homeSameAsBusiness') await mounted.element.updateComplete;
    }
    await press(mounted, 'Continue');
  }
}

export async function signAndSubmit(mounted: Mounted): Promise<void> {
  answer(mounted, 'consents/terms', 'yes');
  answer(mounted, 'signature/name', 'Rosa Núñez');
  await press(mounted, 'Submit application');
}

/** Fills in and submits the form, up to the record of the application. */
export async function apply(
  mounted: Mounted,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> {
  await fillForm(mounted, changes);
  await signAndSubmit(mounted);
  await waitForRecord(mounted);
}

export function createFile(name: string, type: string, bytes = 10): File {
  return new File([new Uint8Array(bytes)], name, { type });
}

/** Chooses files as in the file dialog. */
export async function chooseFiles(
  { element, root }: Mounted,
  files: readonly File[],
  selector = 'input[type="file"]',
): Promise<void> {
  const input = root.querySelector<HTMLInputElement>(selector);
  if (!input) throw new Error('The file input is missing');
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await element.updateComplete;
}

/** Mounts the element in a browser with an accepted application. */
export async function mountAfter(
  bff: Partial<FakeFundingApi> = {},
  documents: readonly DocumentStatus[] = [],
): Promise<Mounted> {
  const api = createApi(bff);
  api.session = ok(createSession({ application: acceptedStatus, documents: [...documents] }));
  const mounted = await mountWidget(api);
  await waitForRecord(mounted);
  return mounted;
}

/** Goes to a step after the submission. */
export async function goTo(mounted: Mounted, step: LaterStepId): Promise<void> {
  mounted.element.goTo(step);
  await mounted.element.updateComplete;
  await waitForSteps(mounted);
}

/** Mounts the element on a step of an accepted application. */
export async function mountAt(
  step: LaterStepId,
  bff?: Partial<FakeFundingApi>,
  documents?: readonly DocumentStatus[],
): Promise<Mounted> {
  const mounted = await mountAfter(bff, documents);
  await goTo(mounted, step);
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
  await waitForHeading(mounted, heading);
  return mounted;
}

/** The element suggests a category for a name such as `DL front.pdf`. */
export function choosePdfs(mounted: Mounted, ...names: readonly string[]): Promise<void> {
  return chooseFiles(
    mounted,
    names.map((name) => createFile(name, 'application/pdf')),
  );
}

/** Sends one PDF with this category. */
export async function sendPdf(mounted: Mounted, name: string, category: string): Promise<void> {
  await choosePdfs(mounted, name);
  await chooseCategory(mounted, name, category);
}

export async function chooseCategory(
  { element, root }: Mounted,
  fileName: string,
  value: string,
): Promise<void> {
  const label = [...root.querySelectorAll('label')].find((candidate) =>
    candidate.textContent?.includes(fileName),
  );
  const select = root.querySelector<HTMLSelectElement>(`#${label?.htmlFor}`);
  if (!select) throw new Error(`The category of ${fileName} is missing`);
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  await element.updateComplete;
}

/** Lets all pollers send a request now, as they do when the applicant returns to the page. */
export function returnToPage(): void {
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Connects or disconnects the browser. */
export function setOnline(isOnline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: isOnline });
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}
