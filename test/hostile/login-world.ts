// A funding service that counts logins and checks tokens, over simulated time; nothing of it needs a network.

import type { Transport, TransportResult } from '../../bff/funding-service/transport.ts';
import { createResponse } from '../support/scripted-transport.ts';
import { partnerOperations } from '../../shared/funding-service/operations.ts';
import { leadId, successes } from '../bff/funding-service/client-set-up.ts';

const minuteMs = 60_000;
const tokenLifeMs = 120 * minuteMs;
/** Tokens are renewed after 92 minutes, or 20 fewer where a clock was behind and then ahead by ten. */
const freshMs = 72 * minuteMs;

export interface LoginWorld {
  readonly transport: Transport;
  /** True time, in epoch milliseconds; the clocks of the processes may differ. */
  now: number;
  /** Whether the password is the right one. */
  isPasswordRight: boolean;
  /** True times of all logins that were answered with a token, and of those that were refused. */
  readonly granted: number[];
  readonly refused: number[];
  /** Logins while a token lived that was not near its end. */
  needless(): number;
  /** Calls of partnerOperations, those with a dead token included. */
  operationCalls(): number;
  revokeTokens(): void;
}

/** How platforms of this shape say that a token is not good (spec, "Errors"; the forms are the ones that are met). */
const tokenRefusals: readonly ((path: string) => TransportResult | undefined)[] = [
  () =>
    createResponse(401, [
      { errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' },
    ]),
  () =>
    createResponse(200, [
      { errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' },
    ]),
  () => createResponse(401, ''),
  () => createResponse(401, '<html>Unauthorized</html>'),
  (path) =>
    path.includes('/asset-report/')
      ? undefined
      : createResponse(200, failure(path, 'Invalid username and password')),
  (path) =>
    /creditapp$|UploadFile/.test(path)
      ? createResponse(200, failure(path, 'Invalid token'))
      : undefined,
  (path) =>
    /creditapp$|UploadFile/.test(path)
      ? createResponse(400, failure(path, 'Session expired or invalid'))
      : undefined,
];

export function createLoginWorld(start: number): LoginWorld {
  const tokens = new Map<string, number>();
  let requests = 0;
  let operationCalls = 0;
  let needless = 0;

  function logIn(): TransportResult {
    if (!world.isPasswordRight) {
      world.refused.push(world.now);
      return createResponse(400, {
        error: 'invalid_grant',
        error_description: 'authentication failure',
      });
    }
    const isFresh = (issuedAt: number) => world.now - issuedAt < freshMs;
    if ([...tokens.values()].some(isFresh)) needless += 1;
    world.granted.push(world.now);
    const token = `token-${world.granted.length}`;
    tokens.set(token, world.now);
    return createResponse(200, { access_token: token });
  }

  function perform(path: string, token: string): TransportResult {
    operationCalls += 1;
    const issuedAt = tokens.get(token);
    if (issuedAt !== undefined && world.now - issuedAt < tokenLifeMs) return succeed(path);
    const first = operationCalls % tokenRefusals.length;
    const choices = [...tokenRefusals.slice(first), ...tokenRefusals];
    return choices.map((choice) => choice(path)).find((answer) => answer !== undefined)!;
  }

  const world: LoginWorld = {
    async transport({ url, headers }) {
      const { pathname } = new URL(url);
      // Answers come in another order than they were asked for, some after a login that others needed.
      requests += 1;
      for (let turn = (requests * 7) % 61; turn > 0; turn -= 1) await Promise.resolve();
      if (pathname.endsWith('/token')) return logIn();
      return perform(pathname, headers['Authorization']?.slice('Bearer '.length) ?? '');
    },
    now: start,
    isPasswordRight: true,
    granted: [],
    refused: [],
    needless: () => needless,
    operationCalls: () => operationCalls,
    revokeTokens: () => tokens.clear(),
  };
  return world;
}

/** The most of these times that lie within any span of that length, its ends included. */
export function findMost(times: readonly number[], spanMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[first] ?? time) >= spanMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

function succeed(path: string): TransportResult {
  const operation = partnerOperations.find((name) => path.endsWith(endings[name]));
  return createResponse(200, operation ? successes[operation] : {});
}

const endings = {
  'create-lead': '/creditapp',
  'pre-approval-offer': '/getPreApprovalOffer',
  'contact-user': '/contactUser',
  'asset-report': '/asset-report/',
  'upload-file': '/UploadFileApiV1',
} as const;

function failure(path: string, text: string): object {
  const name = path.includes('UploadFile') ? 'ResponseMessage' : 'ResponseText';
  return { IsSuccessful: false, [name]: text, ReferenceID: leadId };
}
