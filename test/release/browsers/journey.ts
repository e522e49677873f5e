// One journey: a person uses two tabs of one partner's page, visits another partner, and reloads. It records facts; `describe-engine.ts`
// checks them.

import { apiPaths } from '../../../shared/api/paths.ts';
import type { LeadView, SandboxView } from '../../e2e/sandbox-view.ts';
import { fillForm, signAndSubmit, waitForReference } from '../../support/page-applicant.ts';
import { openBrowser, type Tab } from './browser.ts';
import { type Combination, toPages } from './combinations.ts';
import { measureCookies, type ReturnedCookies } from './cookie-control.ts';
import type { SelfSigned } from '../../support/self-signed.ts';
import { askForSession, blockedAddress, readKept, violatePolicy } from './page-probes.ts';
import { type Exchange, type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';

export interface Journey {
  readonly combination: Combination;
  /** Browser name and version. */
  readonly version: string;
  /** Cookies that this browser returns from this page, measured without the element. */
  readonly cookies: ReturnedCookies;
  /** Reference of the application that the first tab submitted. */
  readonly reference: string;
  readonly secondTab: SecondTab;
  readonly otherPartner: OtherPartner;
  /** Reference of the lead that holds the first tab's document. The document is sent after the other submissions. */
  readonly documentOwner: string | undefined;
  /** Places where a script finds a secret: cookies, storage, URL, history, and document, after all submissions. */
  readonly kept: readonly string[];
  /** Content of the first tab after a reload. */
  readonly reloaded: Shown;
  /** References of all leads at the funding service at the end. */
  readonly leads: readonly (string | undefined)[];
  /** All requests to the BFF, in order. */
  readonly exchanges: readonly Exchange[];
  /** Number of requests of the first tab's first visit; index of the first request of its reload. */
  readonly marks: { readonly visited: number; readonly reloads: number };
  /** CSP reports. One of them is for an image that the policy must refuse. */
  readonly reports: readonly string[];
}

/** A tab that was opened before the first submission. */
export interface SecondTab {
  /** Submitted by this tab in its own session; `undefined` when it shares the first tab's session. */
  readonly ownReference: string | undefined;
  readonly shown: Shown;
}

export interface OtherPartner {
  /** Content before any submission on that page. */
  readonly first: Shown;
  /** Responses to a script of that page, with its own cookies and with every session token of the first partner's page. */
  readonly answers: readonly string[];
  readonly reference: string;
}

export interface JourneyOptions {
  readonly combination: Combination;
  readonly certificate: SelfSigned;
  /** URL of a BFF that allows the pages of `combinations.ts`. */
  readonly bffUrl: string;
  readonly sandbox: SandboxView;
  /** Content of a PDF. */
  readonly document: Uint8Array;
  /** Different for each journey, because rate limits count by address. */
  readonly clientAddress: string;
}

/** Returns the requests to `/v1/session`, without preflights. */
export function listSessionCalls(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ method, path }) => path === apiPaths.session && method !== 'OPTIONS');
}

export async function runJourney(options: JourneyOptions): Promise<Journey> {
  const { combination } = options;
  const proxy = await startRecordingProxy(options);
  try {
    const { proxyPort } = proxy;
    const browser = await openBrowser(combination.engine, {
      policy: combination.policy,
      proxyPort,
    });
    try {
      const openTab = (origin: string) => browser.openTab(`${origin}/`);
      return { combination, version: browser.version, ...(await visit(openTab, proxy, options)) };
    } finally {
      await browser.close();
    }
  } finally {
    await proxy.close();
  }
}

async function visit(
  openTab: (origin: string) => Promise<Tab>,
  proxy: RecordingProxy,
  { combination, sandbox, document }: JourneyOptions,
): Promise<Omit<Journey, 'combination' | 'version'>> {
  const { exchanges } = proxy;
  const pages = toPages(combination.mode);
  const { tab } = await loadPage(() => openTab(pages.own));
  const visited = exchanges.length;
  const { tab: second } = await loadPage(() => openTab(pages.own));
  const cookies = await measureCookies(tab);

  const reference = await submitApplication(tab, 'First Tab LLC');
  const secondTab = await finishSecondTab();
  const otherPartner = await visitOtherPartner();
  await sendDocument(tab, 'statement.pdf', document);
  const kept = await readKept(tab, [reference, ...listTokens()]);

  const reloads = exchanges.length;
  const { shown: reloaded } = await loadPage(() => reload(tab));
  await violatePolicy(tab);
  await proxy.until('a CSP report', () =>
    proxy.reports.some((report) => report.includes(blockedAddress)),
  );

  // The BFF sends the document after its inspection.
  await waitUntil(async () => (await sandbox.documents()).length, 'The delivery of the document');
  const applicationId = (await sandbox.documents())[0]?.applicationId;
  const leads = await sandbox.leads();
  return {
    cookies,
    reference,
    secondTab,
    otherPartner,
    documentOwner: toReference(leads.find((lead) => lead.applicationId === applicationId)),
    kept,
    reloaded,
    leads: leads.map(toReference),
    exchanges,
    marks: { visited, reloads },
    reports: proxy.reports,
  };

  /** Opens or reloads a page. Waits until the element has drawn and knows how it transports its session. */
  async function loadPage(act: () => Promise<Tab>): Promise<{ tab: Tab; shown: Shown }> {
    const from = exchanges.length;
    const tab = await act();
    const shown = await readShown(tab);
    await proxy.until('a settled session', () => isSettled(exchanges.slice(from)));
    if (!hasApplication(exchanges.slice(from))) return { tab, shown };
    // The record may replace the first step when the session arrives.
    await waitForReference(tab);
    return { tab, shown: await readShown(tab) };
  }

  async function finishSecondTab(): Promise<SecondTab> {
    if (listTokens().length > 0) {
      const ownReference = await submitApplication(second, 'Second Tab LLC');
      return { ownReference, shown: await readShown(second) };
    }
    const { shown } = await loadPage(() => reload(second));
    return { ownReference: undefined, shown };
  }

  async function visitOtherPartner(): Promise<OtherPartner> {
    const { tab: other, shown: first } = await loadPage(() => openTab(pages.others));
    const answers = [await askForSession(other)];
    for (const token of listTokens()) answers.push(await askForSession(other, token));
    return { first, answers, reference: await submitApplication(other, 'Other Partner LLC') };
  }

  function listTokens(): readonly string[] {
    return exchanges.filter(({ page }) => page === pages.own).flatMap(({ tokens }) => tokens);
  }
}

function toReference(lead: LeadView | undefined): string | undefined {
  return lead && String(lead.lead['ID']);
}

async function reload(tab: Tab): Promise<Tab> {
  await tab.reload();
  return tab;
}

/** True when the BFF received the cookie or issued a session token. */
function isSettled(exchanges: readonly Exchange[]): boolean {
  return listSessionCalls(exchanges).some(
    ({ text, tokens }) => text.includes('"isProven":true') || tokens.length > 0,
  );
}

function hasApplication(exchanges: readonly Exchange[]): boolean {
  return listSessionCalls(exchanges).some(({ text }) => text.includes('"application":{'));
}

export interface Shown {
  readonly heading: string;
  /** Reference of the displayed application, if any. */
  readonly reference: string | undefined;
}

/** Waits for the first step, or for the record of a submitted application. */
export async function readShown(tab: Tab): Promise<Shown> {
  const { heading, reference } = await tab.evaluate(readWhenDrawn, undefined);
  return { heading, reference: reference === '' ? undefined : reference };
}

/** Fills in and submits the form from the first step. Returns the reference of the application. */
export async function submitApplication(tab: Tab, company: string): Promise<string> {
  await fillForm(tab, company);
  await signAndSubmit(tab);
  return waitForReference(tab);
}

/** Sends a PDF from the record of the application, and waits until the BFF has accepted it. */
export async function sendDocument(tab: Tab, name: string, content: Uint8Array): Promise<void> {
  const base64 = Buffer.from(content).toString('base64');
  await tab.evaluate(chooseAndSend, { name, base64, category: 'bank-statements-jan' });
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
