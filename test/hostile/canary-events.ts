// Where each event of the log comes from, and the ones that only a service gone wrong brings about, in words that repeat what an applicant typed.

import type { TransportResponse } from '../../bff/funding-service/transport.ts';
import { createBffLog, type LogEvent } from '../../bff/server.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import { createRig, type Browser, type Rig } from '../bff/bff-rig.ts';
import { canaryAddress, canaryApplication, canarySettings } from '../support/canary-applicant.ts';

/**
 * - `process`: `runCanaryErrors` sees it written by a process.
 * - `service`: `runServiceFaults` sees it written by a BFF in memory.
 * - `error`: it holds an error of ours; `writeErrors` writes it with the worst one.
 * - `closed`: it holds ids, numbers, times and words of closed lists, by its type; here nothing could get in.
 */
export const eventSources: Readonly<
  Record<LogEvent['event'], 'process' | 'service' | 'error' | 'closed'>
> = {
  'shutdown-started': 'process',
  // Takes 35 seconds of a process.
  'shutdown-incomplete': 'closed',
  crashed: 'process',
  'store-created': 'process',
  // The place comes from the operator's configuration.
  'store-opened': 'closed',
  'store-log-missing': 'closed',
  request: 'process',
  'origin-gate-refused': 'process',
  'session-refused': 'process',
  'rate-limited': 'process',
  'client-address-unverified': 'process',
  'document-refused': 'process',
  'inspection-failed': 'process',
  'inspection-unavailable': 'process',
  'challenge-refused': 'process',
  'challenge-failed': 'process',
  'enrichment-failed': 'error',
  'request-failed': 'process',
  'reference-mismatch': 'process',
  'tracking-url-refused': 'process',
  'delivery-recorded': 'process',
  'delivery-rejected': 'process',
  'delivery-refused': 'process',
  'delivery-held': 'closed',
  'document-infected': 'process',
  'document-unscanned': 'process',
  'possible-duplicate': 'closed',
  'row-unreadable': 'closed',
  'application-unconfirmed': 'process',
  'delivery-broken': 'error',
  'delivery-stalled': 'error',
  purged: 'closed',
  'undelivered-erased': 'closed',
  'retention-failed': 'error',
  'token-renewed': 'process',
  'token-unchanged': 'service',
  'login-refused': 'service',
  'login-answer-unreadable': 'service',
  'login-throttled': 'service',
  'login-unreachable': 'service',
  'login-paused': 'service',
  'renewed-token-refused': 'service',
  'instance-url-ignored': 'service',
  'partner-headers-refused': 'service',
  'breaker-opened': 'service',
  'breaker-closed': 'service',
  'call-ended': 'process',
};

const typed = JSON.stringify(canaryApplication);
const tokenPath = '/oauth2/token';
const offersPath = '/getPreApprovalOffer';
const cacheMs = 4_000;
const probeMs = 31_000;
const failuresToOpen = 5;

interface Trial {
  readonly rig: Rig;
  readonly browser: Browser;
}

const logins: readonly TransportResponse[] = [
  answer(400, { error: 'invalid_grant', error_description: typed }),
  answer(200, typed),
  answer(429, typed),
  answer(503, `<html>${typed}`),
  answer(200, {
    access_token: 'x',
    instance_url: `https://${canaryApplication.owner.ssn}.example`,
  }),
];

/** All lines that BFFs write while the service fails in every way they know of. */
export async function runServiceFaults(): Promise<readonly string[]> {
  const trials: ((trial: Trial) => Promise<unknown>)[] = [
    ...logins.map((result) => ({ rig, browser }: Trial) => {
      rig.faults.push({ path: tokenPath, result });
      return browser.apply(canaryApplication);
    }),
    ({ rig, browser }) => {
      const result = answer(200, { access_token: 'same', id: typed });
      rig.faults.push({ path: tokenPath, result }, { path: tokenPath, result });
      return browser.apply(canaryApplication);
    },
    async ({ rig, browser }) => {
      await browser.apply(canaryApplication);
      const result = answer(401, [{ errorCode: 'INVALID_SESSION_ID', message: typed }]);
      rig.faults.push({ path: offersPath, result }, { path: offersPath, result });
      return browser.send('GET', apiPaths.offers);
    },
    async ({ rig, browser }) => {
      await browser.apply(canaryApplication);
      const text = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';
      const result = answer(200, { IsSuccessful: false, ResponseText: text, Given: typed });
      rig.faults.push({ path: offersPath, result });
      return browser.send('GET', apiPaths.offers);
    },
    openAndCloseBreaker,
  ];
  const lines: string[] = [];
  for (const run of trials) {
    const rig = await createRig({ settings: canarySettings, clientAddress: canaryAddress });
    await run({ rig, browser: rig.openBrowser() });
    lines.push(...rig.logLines);
    await rig.close();
  }
  return lines;
}

async function openAndCloseBreaker({ rig, browser }: Trial): Promise<void> {
  await browser.apply(canaryApplication);
  for (let count = 0; count < failuresToOpen; count += 1) {
    rig.faults.push({ path: offersPath, result: answer(500, `<html>${typed}`) });
    await browser.send('GET', apiPaths.offers);
    rig.time.advance(cacheMs);
  }
  rig.time.advance(probeMs);
  await browser.send('GET', apiPaths.offers);
}

/** The lines of every event that holds an error, with one that says all it knows wherever an error can. */
export function writeErrors(): readonly string[] {
  const lines: string[] = [];
  const log = createBffLog({ write: (line) => lines.push(line) });
  const reference = '0199c0de-0000-4000-8000-000000000001';
  for (const error of [
    createError(),
    typed,
    { body: typed },
    new AggregateError([createError()], typed),
  ]) {
    log({ event: 'crashed', error });
    log({ event: 'enrichment-failed', reference, reason: 'threw', error });
    log({ event: 'request-failed', requestId: reference, error });
    log({ event: 'delivery-broken', kind: 'application', reference, error });
    log({ event: 'delivery-stalled', error });
    log({ event: 'retention-failed', error });
  }
  return lines;
}

function createError(): Error {
  const cause = Object.assign(new Error(typed), { detail: typed, query: typed });
  return Object.assign(new TypeError(`Cannot use ${typed}`, { cause }), {
    body: canaryApplication,
    input: typed,
  });
}

function answer(status: number, body: unknown): TransportResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'response', status, headers: { 'x-given': canaryApplication.owner.ssn }, text };
}
