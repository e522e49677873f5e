// One cell, walked through: a person with two tabs on one partner's page, who also visits another partner, and who reloads. Gathers facts and judges nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import { apiPaths } from '../../shared/api/paths.ts';
import type { DocumentView, LeadView, SandboxView } from '../e2e/sandbox-view.ts';
import { fileApplication, readShown, sendDocument, type Shown } from './applicant.ts';
import { openBrowser, type Tab } from './browser.ts';
import type { Cell } from './cells.ts';
import type { Certificate } from './certificate.ts';
import { measureCookies, type ReturnedCookies } from './cookie-control.ts';
import { startFront, type Exchange, type Front } from './front.ts';
import { toPages } from './hosts.ts';
import { askForSession, blockedAddress, readKept, violatePolicy } from './page-probes.ts';

const patienceMs = 20_000;

export interface Journey {
  readonly cell: Cell;
  /** Engine and version. */
  readonly version: string;
  /** What this browser gives back from this page, found out without the widget. */
  readonly cookies: ReturnedCookies;
  /** The application that the first tab filed. */
  readonly reference: string;
  readonly secondTab: SecondTab;
  readonly otherPartner: OtherPartner;
  /** The lead that the service holds the first tab's document under; it is sent after the other tab and the other partner have filed. */
  readonly documentOwner: string | undefined;
  /** What page script finds in cookies, storage, address, history and document once all is filed. */
  readonly kept: readonly string[];
  /** What the first tab shows once it is reloaded. */
  readonly reloaded: Shown;
  /** References of the leads that the service has in the end. */
  readonly leads: readonly (string | undefined)[];
  /** Everything that the BFF was asked, in order. */
  readonly exchanges: readonly Exchange[];
  /** How many of them were the first tab's first visit, and which was the first of its reload. */
  readonly marks: { readonly visited: number; readonly reloads: number };
  /** What the pages' policy refused; one of them is a picture that it has to refuse. */
  readonly reports: readonly string[];
}

/** Opened before anything was filed. */
export interface SecondTab {
  /** Filed by it, in a session of its own; `undefined` where it is to share the first one's. */
  readonly ownReference: string | undefined;
  readonly shown: Shown;
}

export interface OtherPartner {
  /** Before anything is filed there. */
  readonly first: Shown;
  /** What a script of that page is then answered with its own cookies, and with every handle of the first partner's page. */
  readonly answers: readonly string[];
  readonly reference: string;
}

export interface JourneyOptions {
  readonly cell: Cell;
  readonly certificate: Certificate;
  /** Of a BFF that knows the pages of `hosts.ts`. */
  readonly bffUrl: string;
  readonly sandbox: SandboxView;
  /** A PDF. */
  readonly document: Uint8Array;
  /** An address of its own, or journeys would share their limits. */
  readonly clientAddress: string;
}

/** Requests to `/v1/session`, without preflights. */
export function listSessionCalls(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ method, path }) => path === apiPaths.session && method !== 'OPTIONS');
}

export async function walkThrough(options: JourneyOptions): Promise<Journey> {
  const { cell } = options;
  const front = await startFront(options);
  try {
    const { proxyPort } = front;
    const browser = await openBrowser(cell.engine, { policy: cell.policy, proxyPort });
    try {
      const openTab = (origin: string) => browser.openTab(`${origin}/`);
      return { cell, version: browser.version, ...(await visit(openTab, front, options)) };
    } finally {
      await browser.close();
    }
  } finally {
    await front.close();
  }
}

async function visit(
  openTab: (origin: string) => Promise<Tab>,
  front: Front,
  { cell, sandbox, document }: JourneyOptions,
): Promise<Omit<Journey, 'cell' | 'version'>> {
  const { exchanges } = front;
  const pages = toPages(cell.mode);
  const { tab } = await arrive(() => openTab(pages.own));
  const visited = exchanges.length;
  const { tab: second } = await arrive(() => openTab(pages.own));
  const cookies = await measureCookies(tab);

  const reference = await fileApplication(tab, 'First Tab LLC');
  const secondTab = await finishSecondTab();
  const otherPartner = await visitOtherPartner();
  await sendDocument(tab, 'statement.pdf', document);
  const kept = await readKept(tab, [reference, ...listHandles()]);

  const reloads = exchanges.length;
  const { shown: reloaded } = await arrive(() => reload(tab));
  await violatePolicy(tab);
  await front.until('a report', () =>
    front.reports.some((report) => report.includes(blockedAddress)),
  );

  const { applicationId } = await waitForDocument(sandbox);
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
    reports: front.reports,
  };

  /** Opens or reloads a page, until the widget shows something and knows how its session travels. */
  async function arrive(act: () => Promise<Tab>): Promise<{ tab: Tab; shown: Shown }> {
    const from = exchanges.length;
    const tab = await act();
    const shown = await readShown(tab);
    await front.until('a settled session', () => isSettled(exchanges.slice(from)));
    return { tab, shown };
  }

  async function finishSecondTab(): Promise<SecondTab> {
    if (listHandles().length > 0) {
      const ownReference = await fileApplication(second, 'Second Tab LLC');
      return { ownReference, shown: await readShown(second) };
    }
    const { shown } = await arrive(() => reload(second));
    return { ownReference: undefined, shown };
  }

  async function visitOtherPartner(): Promise<OtherPartner> {
    const { tab: other, shown: first } = await arrive(() => openTab(pages.others));
    const answers = [await askForSession(other)];
    for (const handle of listHandles()) answers.push(await askForSession(other, handle));
    return { first, answers, reference: await fileApplication(other, 'Other Partner LLC') };
  }

  function listHandles(): readonly string[] {
    return exchanges.filter(({ page }) => page === pages.own).flatMap(({ handles }) => handles);
  }
}

/** The BFF passes it on by itself once it has looked at it. */
async function waitForDocument(sandbox: SandboxView): Promise<DocumentView> {
  const givesUpAt = Date.now() + patienceMs;
  while (Date.now() < givesUpAt) {
    const [document] = await sandbox.documents();
    if (document) return document;
    await sleep(50);
  }
  throw new Error('The document has not arrived at the service');
}

function toReference(lead: LeadView | undefined): string | undefined {
  return lead && String(lead.lead['ID']);
}

async function reload(tab: Tab): Promise<Tab> {
  await tab.reload();
  return tab;
}

/** The BFF has seen the cookie come back, or has given a handle. */
function isSettled(exchanges: readonly Exchange[]): boolean {
  return listSessionCalls(exchanges).some(
    ({ text, handles }) => text.includes('"isProven":true') || handles.length > 0,
  );
}
