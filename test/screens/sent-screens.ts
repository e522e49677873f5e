// The screens after the submission, from the record to the end.

import type { Page } from '@playwright/test';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import { goTo, press, reload, settle, waitFor, type Shoot } from './page-actions.ts';
import {
  accepted,
  answerEach,
  answerWith,
  confirming,
  createOffers,
  createSession,
  delayed,
  received,
} from './answers.ts';

export async function shootStatus(page: Page, shoot: Shoot): Promise<void> {
  const statuses = { received, delayed, confirming, accepted };
  for (const [name, status] of Object.entries(statuses)) {
    await beginWith(page, status);
    await shoot(name);
  }
  await shootPageOnly(page, shoot);
  await beginWith(page, accepted);
}

export async function shootDocuments(page: Page, shoot: Shoot): Promise<void> {
  await answerWith(page, 'session', createSession(accepted, { documents: [] }));
  await answerEach(page, 'documents', createReceipts());
  await reload(page);
  await goTo(page, 'documents');
  await shoot('documents-empty');
  await choose(page, ['scan 2026-11-02 at 09.14.pdf']);
  await waitFor(page, '.file .open');
  await shoot('documents-held');
  await beginWith(page, accepted);
  await goTo(page, 'documents');
  await shoot('documents-sent');
  await choose(page, [
    'estatement-2026-08.pdf',
    'IMG_2041.HEIC',
    'voided check.pdf',
    'drivers license.pdf',
  ]);
  await waitFor(page, '.file .error >> nth=1');
  await shoot('documents');
  await press(page, '.file [aria-label*="voided"]');
  await waitFor(page, '.file .wide .quiet');
  await press(page, '.dropping > div.group .button');
  await shoot('documents-unsent');
  await page.unroute('**/v1/documents*');
}

export async function shootBank(page: Page, shoot: Shoot): Promise<void> {
  await reload(page);
  await goTo(page, 'bank');
  await shoot('bank');
  await press(page, '#bank-start');
  await waitFor(page, '#bank-title');
  await shoot('bank-demonstration');
  await press(page, '.panel .button');
  await shoot('bank-errors');
  await answerWith(
    page,
    'session',
    createSession(accepted, { assetReport: { status: 'delivered', delayed: false } }),
  );
  await reload(page);
  await goTo(page, 'bank');
  await shoot('bank-connected');
}

export async function shootOffers(page: Page, shoot: Shoot): Promise<void> {
  await answerWith(page, 'offers', undefined);
  await goTo(page, 'offers');
  await shoot('offers-looking');
  await showOffers(page, 'application-pending');
  await shoot('offers-waiting');
  await showOffers(page, createOffers('pending'));
  await shoot('offers-pending');
  await showOffers(page, createOffers('qualified', 3));
  await waitFor(page, '[part~=offer]');
  await shoot('offers');
  await page.evaluate(() =>
    addEventListener('funding-offer-chosen', (event) => event.preventDefault()),
  );
  await press(page, '.choose .button');
  await shoot('offers-chosen');
  await press(page, 'button[aria-pressed]');
  await shoot('offers-table');
  await showOffers(page, createOffers('qualified', 1));
  await waitFor(page, '[part~=offer]');
  await shoot('offers-one');
  await showOffers(page, createOffers('not-qualified'));
  await shoot('not-qualified');
  await showOffers(page, 'service-unavailable');
  await shoot('offers-away');
  await showOffers(page, createOffers('pending'));
  await shootContact(page, shoot);
}

/** The finished state, and a page that failed to start. */
export async function shootFinish(page: Page, shoot: Shoot): Promise<void> {
  await answerEach(page, 'session', (method) =>
    method === 'DELETE' ? null : createSession(accepted),
  );
  await press(page, '[aria-describedby=finish-hint]');
  await waitFor(page, '.button.secondary');
  await shoot('finished');
  await answerWith(page, 'configuration', 'storage-unavailable');
  await page.reload();
  await waitFor(page, 'h2');
  await shoot('load-failed');
  await page.unroute('**/v1/configuration*');
}

async function beginWith(page: Page, status: ApplicationStatus): Promise<void> {
  await answerWith(page, 'session', createSession(status));
  await answerWith(page, 'application', status);
  await reload(page);
}

async function showOffers(page: Page, offers: Parameters<typeof answerWith>[2]): Promise<void> {
  await answerWith(page, 'offers', offers);
  await reload(page);
  const answered = page.waitForResponse(`**${apiPaths.offers}*`);
  await goTo(page, 'offers');
  await (await answered).finished();
  await settle(page);
}

/** A browser without cookies uses a session token, which is lost with the page. */
async function shootPageOnly(page: Page, shoot: Shoot): Promise<void> {
  let begun = 0;
  await answerEach(page, 'session', (method, { authorization }) => {
    if (method === 'GET') return authorization ? createSession(accepted) : 'session-missing';
    begun += 1;
    const handle = begun > 1 ? { handle: 'screen' } : {};
    return createSession(accepted, { isProven: false, ...handle });
  });
  await reload(page);
  await waitFor(page, '[part~=reference]');
  // The element shows what it has learned at its next render.
  await page.waitForFunction(
    () => {
      const element = document.querySelector('funding-application')!;
      if (element.shadowRoot?.textContent.includes('cookies')) return true;
      for (const step of ['documents', 'submitted'])
        (element as unknown as { goTo(step: string): boolean }).goTo(step);
      return false;
    },
    undefined,
    { polling: 200 },
  );
  await settle(page);
  await shoot('page-only');
}

/** The consent for a contact request, and the result. */
async function shootContact(page: Page, shoot: Shoot): Promise<void> {
  await press(page, '.contact summary');
  await answerWith(page, 'contact', { contact: 'received' });
  await press(page, '.contact .button');
  await shoot('contact-asking');
  await page.locator('#contact-consent').check();
  await press(page, '.contact .button');
  await waitFor(page, '#contact-status');
  await shoot('contact-received');
  await answerWith(page, 'session', createSession(accepted, { contact: { status: 'enabled' } }));
  await reload(page);
  await goTo(page, 'offers');
  await shoot('contact-enabled');
}

async function choose(page: Page, names: readonly string[]): Promise<void> {
  await page.locator('#document-files').setInputFiles(
    names.map((name) => ({
      name,
      mimeType: name.endsWith('pdf') ? 'application/pdf' : 'image/heic',
      buffer: Buffer.alloc(220_000),
    })),
  );
  await waitFor(page, '.file select, .file .error');
}

/** An upload arrives and is held. That of the check fails, and that of the license takes long. */
function createReceipts(): (method: string, headers: Readonly<Record<string, string>>) => unknown {
  let number = 2;
  return (_method, headers) => {
    const name = decodeURIComponent(headers['x-document-name'] ?? '');
    const category = headers['x-document-category'] ?? '';
    if (name.startsWith('voided')) return 'document-incomplete';
    if (name.startsWith('driver')) return undefined;
    number += 1;
    const changeable = { needsCategory: category === '', heldSeconds: 600 };
    const held = { status: 'received', delayed: false, changeable } as const;
    return { number, name, category: category || 'other', bytes: 220_000, ...held };
  };
}
