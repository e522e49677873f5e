// One journey: a person uses two tabs of one partner's page, visits another partner, and reloads. It records facts; `describe-engine.ts`
// checks them.

import { apiPaths } from '../../../shared/api/paths.ts';
import type { LeadView, SandboxView } from '../../e2e/sandbox-view.ts';
import { fillForm, signAndSubmit, waitForReference } from '../../support/page-applicant.ts';
import { choose, click, see } from './applicant.ts';
import { openBrowser, type Tab } from './browser.ts';
import { type Combination, toPages } from './combinations.ts';
import { measureCookies } from './cookie-control.ts';
import type { SelfSigned } from '../../support/self-signed.ts';
import { askForSession, blockedAddress, readKept, violatePolicy } from './page-probes.ts';
import { type Exchange, type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';

export interface JourneyOptions {
  readonly combination: Combination;
  readonly certificate: SelfSigned;
  /** URL of a BFF that allows the pages of `combinations.ts`. */
  readonly bffUrl: string;
  readonly sandbox: SandboxView;
  /** Path of a PDF. */
  readonly document: string;
  /** Different for each journey, because rate limits count by address. */
  readonly clientAddress: string;
}

/** Returns the requests to `/v1/session`, without preflights. */
export function listSessionCalls(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ method, path }) => path === apiPaths.session && method !== 'OPTIONS');
}

export type Journey = Awaited<ReturnType<typeof runJourney>>;

export async function runJourney(options: JourneyOptions) {
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
      // Browser name and version.
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
) {
  const { exchanges } = proxy;
  const pages = toPages(combination.mode);
  const { tab } = await loadPage(() => openTab(pages.own));
  const visited = exchanges.length;
  const { tab: second } = await loadPage(() => openTab(pages.own));
  const cookies = await measureCookies(tab);

  const reference = await submitApplication(tab, 'First Tab LLC');
  const secondTab = await finishSecondTab();
  const otherPartner = await visitOtherPartner();
  await sendDocument(tab, document);
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
    /** Cookies that this browser returns from this page, measured without the element. */
    cookies,
    /** Of the application that the first tab submitted. */
    reference,
    secondTab,
    otherPartner,
    /** Reference of the lead that holds the first tab's document. The document is sent after the other submissions. */
    documentOwner: toReference(leads.find((lead) => lead.applicationId === applicationId)),
    /** Places where a script finds a secret: cookies, storage, URL, history, and document, after all submissions. */
    kept,
    /** Content of the first tab after a reload. */
    reloaded,
    /** References of all leads at the funding service at the end. */
    leads: leads.map(toReference),
    /** All requests to the BFF, in order. */
    exchanges,
    /** Number of requests of the first tab's first visit; index of the first request of its reload. */
    marks: { visited, reloads },
    /** CSP reports. One of them is for an image that the policy must refuse. */
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

  /** Submits in its own session, or shows the application of the first tab if both share a session. */
  async function finishSecondTab(): Promise<{ ownReference: string | undefined; shown: Shown }> {
    if (listTokens().length > 0) {
      const ownReference = await submitApplication(second, 'Second Tab LLC');
      return { ownReference, shown: await readShown(second) };
    }
    const { shown } = await loadPage(() => reload(second));
    return { ownReference: undefined, shown };
  }

  /** The content before any submission on that page, and the responses to a script with every session token of the first page. */
  async function visitOtherPartner() {
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
async function readShown(tab: Tab): Promise<Shown> {
  const { heading, reference } = await tab.evaluate(readWhenDrawn, undefined);
  return { heading, reference: reference === '' ? undefined : reference };
}

/** Fills in and submits the form from the first step. Returns the reference of the application. */
async function submitApplication(tab: Tab, company: string): Promise<string> {
  await fillForm(tab, company);
  await signAndSubmit(tab);
  return waitForReference(tab);
}

/** Sends a PDF from the record of the application, and waits until the BFF has accepted it. */
async function sendDocument(tab: Tab, path: string): Promise<void> {
  await click(tab, 'button', 'Continue to documents');
  await tab.chooseFiles('#document-files', [path]);
  await choose(tab, /What is this/, 'Driver’s license');
  await see(tab, 'text', /^(Received|Sent)/);
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
