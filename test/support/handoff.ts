// The phone of a handoff as the BFF sees it: a page of the BFF's own origin that sends the header of phones.

import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import {
  type Answer,
  type Browser,
  createAppSender,
  createBrowser,
  type Send,
} from './applicant.ts';
import type { TestBff } from './bff.ts';

/** @param address IP address of the phone. Default: unknown. */
export function openPhone(bff: TestBff, address?: string): Browser {
  return createPhone(bff.config.publicOrigin, createAppSender(bff.app, address));
}

export function createPhone(bffOrigin: string, send: Send): Browser {
  return createBrowser({
    origin: bffOrigin,
    send,
    headers: { 'sec-fetch-site': 'same-origin', [apiHeaders.phone]: '1' },
  });
}

type Sender = Pick<Browser, 'send'>;

export type CreatedHandoff = Awaited<ReturnType<typeof createHandoff>>;

/** Creates a handoff in a session with an application. */
export async function createHandoff(desktop: Sender) {
  const { status, json } = await desktop.send('POST', apiPaths.handoff, '{}');
  if (status !== 201) throw new Error(`The handoff was refused: ${status} ${json?.code}`);
  const { code, number } = json as { readonly code: string; readonly number: string };
  return { token: new URL(json.url).hash.slice(1), code, number };
}

export function claim(phone: Sender, body: object): Promise<Answer> {
  return phone.send('POST', apiPaths.handoffClaim, JSON.stringify(body));
}

export function confirm(phone: Sender, number: string): Promise<Answer> {
  return phone.send('POST', apiPaths.handoffConfirm, JSON.stringify({ number }));
}

/** A number that the desktop does not show. */
export function pickWrong(choices: readonly string[], number: string): string {
  return choices.find((choice) => choice !== number)!;
}

/** Connects a phone to the application of the desktop. */
export async function connectPhone(desktop: Sender, phone: Sender) {
  const handoff = await createHandoff(desktop);
  await claim(phone, { token: handoff.token });
  const { status } = await confirm(phone, handoff.number);
  if (status !== 204) throw new Error(`The number was refused: ${status}`);
  return handoff;
}
