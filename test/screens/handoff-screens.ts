// The screens of a handoff, on the desktop and on the phone, and of the BFF's page for applications.

import type { Page } from '@playwright/test';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { HandoffState } from '../../shared/api/handoff.ts';
import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import { completeDraft } from '../support/draft.ts';
import { accepted, answerEach, answerWith, createSession } from './answers.ts';
import { fill, goTo, press, reload, settle, submit, waitFor, type Shoot } from './page-actions.ts';

const token = 'R4ND0MT0KEN0F0NEHANDOFF';
const soon = () => new Date(Date.now() + 4 * 60_000).toISOString();

const fromPhone: DocumentStatus = {
  number: 3,
  name: 'IMG_2043.jpg',
  category: 'other',
  bytes: 1_482_113,
  status: 'received',
  delayed: false,
  fromPhone: true,
  changeable: { needsCategory: true, heldSeconds: 600 },
};

/** The panel beside the documents. A phone is not offered another phone. */
export async function shootHandoff(page: Page, shoot: Shoot): Promise<void> {
  let state: HandoffState = 'none';
  await answerEach(page, 'handoff', (method) => {
    if (method === 'DELETE') return null;
    if (method === 'GET') return { state, expiresAt: soon() };
    state = 'waiting';
    const url = `https://apply.millstone.example/phone#${token}`;
    return { url, code: '7K4M-92XQ', number: '47', expiresAt: soon() };
  });
  await answerWith(page, 'session', createSession(accepted));
  await reload(page);
  await goTo(page, 'documents');
  const button = '.handoff .actions button';
  if ((await page.locator(`funding-application ${button}`).count()) === 0) return;
  await press(page, button);
  await waitFor(page, '.qr');
  await shoot('handoff-waiting');
  state = 'claimed';
  await waitFor(page, '.pick');
  await shoot('handoff-number');
  const documents = [...createSession(accepted).documents, fromPhone];
  await answerWith(page, 'session', createSession(accepted, { documents }));
  state = 'connected';
  await waitFor(page, '.handoff .done');
  await waitFor(page, '.file .open');
  await shoot('handoff-connected');
  await press(page, button);
  await waitFor(page, '.handoff > p');
  await shoot('handoff-disconnected');
  for (const end of ['expired', 'wrong-number', 'declined', 'ended'] as const) {
    await press(page, button);
    await waitFor(page, '.qr');
    state = end;
    await waitFor(page, '.handoff > p');
    await shoot(`handoff-${end}`);
  }
  await page.unroute('**/v1/handoff*');
  await answerWith(page, 'session', createSession(accepted));
}

/** `/apply` and `/phone`, with the header and the footer of the partner. */
export async function shootPages(page: Page, shoot: Shoot, bffUrl: string): Promise<void> {
  await page.goto(`${bffUrl}/apply`);
  await waitFor(page, '[data-testid=start]');
  await shoot('apply');
  await press(page, '[data-testid=start]');
  await shoot('apply-need');
  await fill(page, completeDraft);
  await submit(page);
  await shoot('apply-business');
  await shootPhone(page, shoot, `${bffUrl}/phone`);
}

async function shootPhone(page: Page, shoot: Shoot, url: string): Promise<void> {
  await answerWith(page, 'handoff', undefined);
  await page.goto(url);
  await waitFor(page, '.body');
  await shoot('phone-starting');
  await answerWith(page, 'handoff', 'session-missing');
  await page.goto(url);
  await waitFor(page, '#handoff-code');
  await shoot('phone-code');
  await press(page, 'form button');
  await shoot('phone-code-short');
  await answerWith(page, 'handoffClaim', 'handoff-not-found');
  await page.locator('#handoff-code').fill('7K4M-92XQ');
  await press(page, 'form button');
  await waitFor(page, '.error');
  await shoot('phone-code-unknown');
  await shootConnectedPhone(page, shoot, url);
  const ends: readonly (readonly [name: string, code: ProblemCode])[] = [
    ['unknown', 'handoff-not-found'],
    ['claimed', 'handoff-claimed'],
    ['expired', 'handoff-expired'],
    ['wrong-number', 'handoff-wrong-number'],
    ['revoked', 'handoff-revoked'],
    ['ended', 'handoff-ended'],
    ['away', 'service-unavailable'],
  ];
  await answerWith(page, 'handoff', 'session-missing');
  for (const [name, code] of ends) {
    await answerWith(page, 'handoffClaim', code);
    await scan(page, url);
    await waitFor(page, '.body .actions .button');
    await shoot(`phone-${name}`);
  }
}

async function shootConnectedPhone(page: Page, shoot: Shoot, url: string): Promise<void> {
  const claimed = {
    state: 'claimed',
    partnerName: 'Millstone Supply Co.',
    reference: accepted.reference,
    businessName: 'R•••’s B•••••',
    choices: ['12', '47', '83'],
    expiresAt: soon(),
  };
  let documents: readonly DocumentStatus[] = [];
  await answerWith(page, 'handoffClaim', claimed);
  await answerEach(page, 'handoff', (method) => (method === 'DELETE' ? null : claimed));
  await answerEach(page, 'handoffConfirm', () => null);
  await answerEach(page, 'documents', (method) => {
    if (method === 'GET') return { documents };
    documents = [{ ...fromPhone, number: 1, name: 'IMG_2043.png' }];
    return documents[0];
  });
  await scan(page, url);
  await waitFor(page, '.numbers button');
  await shoot('phone-number');
  await press(page, '.numbers button');
  await waitFor(page, '#document-photo');
  await shoot('phone-documents-empty');
  await page
    .locator('#document-photo')
    .setInputFiles({ name: 'IMG_2043.png', mimeType: 'image/png', buffer: Buffer.alloc(90_000) });
  await waitFor(page, '.file select');
  await shoot('phone-documents');
  await press(page, '.dropping > .group .actions button');
  await settle(page);
  await shoot('phone-documents-unsent');
  await press(page, '.dropping > .group .actions button');
  await settle(page);
  await shoot('phone-done');
  await scan(page, url);
  await waitFor(page, '.numbers button');
  await press(page, '.actions .quiet');
  await settle(page);
  await shoot('phone-declined');
}

/** Opens the page as the camera does. The same URL with a token would be no navigation. */
async function scan(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${url}#${token}`);
}
