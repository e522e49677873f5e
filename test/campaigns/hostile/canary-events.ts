// Classifies log events by the test that covers them, and logs the events that a faulty funding service or an error causes.

import type { TransportResponse } from '../../../bff/funding-service/transport.ts';
import { createBffLog, type LogEvent } from '../../../bff/bff-log.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Browser } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import {
  canaryAddress,
  canaryApplication,
  canarySettings,
  createCanaryError,
} from '../../support/canaries.ts';
import eventSources from './canary-events.json' with { type: 'json' };

/**
 * - `process`: a process in `runCanaryErrors` logs it.
 * - `service`: a BFF in memory in `runServiceFaults` logs it.
 * - `error`: it contains an error; `writeErrors` logs it with errors that contain applicant data.
 * - `closed`: its type allows only IDs, numbers, times, and members of enumerations, so it cannot contain applicant data. Also a
 *   location from the operator's configuration, and `shutdown-incomplete`, for which a process takes 35 s.
 */
const sources: Readonly<Record<LogEvent['event'], string>> = eventSources;

/** The events of one source. The types of the table and of the result show a missing or an unknown event. */
export function listEvents(source: 'process' | 'service' | 'error'): readonly LogEvent['event'][] {
  const events = Object.keys(eventSources) as (keyof typeof eventSources)[];
  return events.filter((event) => sources[event] === source);
}

const applicationJson = JSON.stringify(canaryApplication);
const tokenPath = '/oauth2/token';
const offersPath = '/getPreApprovalOffer';
const cacheMs = 4_000;
const breakerOpenMs = 31_000;
const failuresToOpen = 5;

interface Scenario {
  readonly bff: TestBff;
  readonly browser: Browser;
}

/** Responses to the first calls of a path, and the request that causes these calls. */
type FaultRow = readonly [path: string, results: readonly TransportResponse[], isOffers?: true];

const sameToken = answer(200, { access_token: 'same', id: applicationJson });
const expired = answer(401, [{ errorCode: 'INVALID_SESSION_ID', message: applicationJson }]);
const ssnUrl = `https://${canaryApplication.owner.ssn}.example`;

const faultRows: readonly FaultRow[] = [
  [tokenPath, [answer(400, { error: 'invalid_grant', error_description: applicationJson })]],
  [tokenPath, [answer(200, applicationJson)]],
  [tokenPath, [answer(429, applicationJson)]],
  [tokenPath, [answer(503, `<html>${applicationJson}`)]],
  [tokenPath, [answer(200, { access_token: 'x', instance_url: ssnUrl })]],
  [tokenPath, [sameToken, sameToken]],
  [offersPath, [expired, expired], true],
  [
    offersPath,
    [
      answer(200, {
        IsSuccessful: false,
        ResponseText: 'Invalid Request Header. PartnerName or PartnerId parameters are missing.',
        Given: applicationJson,
      }),
    ],
    true,
  ],
];

/** The log lines of BFFs while the funding service fails in every way that has its own event. */
export async function runServiceFaults(): Promise<readonly string[]> {
  const scenarios = [
    ...faultRows.map(([path, results, isOffers]) => async ({ bff, browser }: Scenario) => {
      if (isOffers) await browser.apply(canaryApplication);
      bff.faults.push(...results.map((result) => ({ path, result })));
      if (isOffers) await browser.send('GET', apiPaths.offers);
      else await browser.apply(canaryApplication);
    }),
    openAndCloseBreaker,
  ];
  const lines: string[] = [];
  for (const run of scenarios) {
    const bff = await startBff({ settings: canarySettings, clientAddress: canaryAddress });
    await run({ bff, browser: bff.openBrowser() });
    lines.push(...bff.logLines);
    await bff.close();
  }
  return lines;
}

async function openAndCloseBreaker({ bff, browser }: Scenario): Promise<void> {
  await browser.apply(canaryApplication);
  for (let count = 0; count < failuresToOpen; count += 1) {
    bff.faults.push({ path: offersPath, result: answer(500, `<html>${applicationJson}`) });
    await browser.send('GET', apiPaths.offers);
    bff.time.advance(cacheMs);
  }
  bff.time.advance(breakerOpenMs);
  await browser.send('GET', apiPaths.offers);
}

/** The log lines of every event with an error, where each property of the error contains applicant data. */
export function writeErrors(): readonly string[] {
  const lines: string[] = [];
  const log = createBffLog({ write: (line) => lines.push(line) });
  const reference = '0199c0de-0000-4000-8000-000000000001';
  for (const error of [
    createCanaryError(),
    applicationJson,
    { body: applicationJson },
    new AggregateError([createCanaryError()], applicationJson),
  ]) {
    log({ event: 'crashed', error });
    log({ event: 'enrichment-failed', reference, reason: 'threw', error });
    log({ event: 'request-failed', requestId: reference, error });
    log({ event: 'delivery-broken', kind: 'application', reference, error });
    log({ event: 'delivery-stalled', error });
    log({ event: 'retention-failed', error });
    const attempt = {
      type: 'application.held',
      attempts: 1,
      outcome: 'threw',
      delayMs: 1,
    } as const;
    const consumer = 'hook';
    log({ event: 'status-event-failed', consumer, reference, ...attempt, error });
    log({ event: 'status-events-stalled', consumer, error });
  }
  return lines;
}

function answer(status: number, body: unknown): TransportResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'response', status, headers: { 'x-given': canaryApplication.owner.ssn }, text };
}
