// 100,000 calls over simulated days: tokens are revoked, nights have no calls, and the clock jumps.

import { createFundingService } from '../../../bff/funding-service/client.ts';
import type { FundingService } from '../../../bff/funding-service/funding-service.ts';
import type { TransportRequest, TransportResult } from '../../../bff/funding-service/transport.ts';
import { partnerOperations } from '../../../shared/funding-service/operations.ts';
import { createTestConfig } from '../../support/bff.ts';
import { calls, leadId, successes } from '../../bff/funding-service/client-set-up.ts';
import { testNow } from '../../support/manual-time.ts';
import { findOperation } from '../faults/operation-paths.ts';
import { above, type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { createRandom } from '../../support/random.ts';
import { createResponse } from '../../support/scripted-transport.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const tokenLifeMs = 120 * minuteMs;
/**
 * The BFF renews tokens after 92 minutes. If its clock jumps from 10 minutes behind to 10 minutes ahead, it renews them after
 * 72 minutes.
 */
const minRenewalAgeMs = 72 * minuteMs;
/** Calls between two revocations. */
const callsPerRevocation = 50;
const maxConcurrentCalls = 20;
const coldStartCalls = 1_000;

/** Every call must succeed with at most one retry. Logins are allowed only after a cold start, a revocation, or an expiry. */
export async function runTokenCalls({ share }: CampaignContext): Promise<CampaignRow> {
  const count = scale(100_000, share);
  const random = createRandom(9);
  const simulated = createSimulatedService(testNow);
  let skewMs = 0;
  const service = connect(simulated, () => simulated.now + skewMs);
  const problems: string[] = [];
  let revocations = 0;
  let callsSinceRevocation = 0;

  await callConcurrently(service, coldStartCalls, problems);
  if (simulated.logins.length !== 1)
    problems.push(`${simulated.logins.length} logins at the cold start`);

  let callCount = coldStartCalls;
  while (callCount < count) {
    const concurrent = Math.min(1 + Math.floor(random() * maxConcurrentCalls), count - callCount);
    const before = simulated.operationCalls();
    await callConcurrently(service, concurrent, problems);
    const attempts = simulated.operationCalls() - before;
    if (attempts > 2 * concurrent) problems.push(`${attempts} attempts for ${concurrent} calls`);
    callCount += concurrent;
    callsSinceRevocation += concurrent;
    simulated.now += Math.floor(random() * 100_000);
    if (callsSinceRevocation >= callsPerRevocation) {
      simulated.revokeTokens();
      revocations += 1;
      callsSinceRevocation = 0;
    }
    if (random() < 0.01) skewMs = Math.floor(random() * 3 - 1) * 10 * minuteMs;
    // A night without calls.
    if (random() < 0.002) simulated.now += 8 * hourMs;
  }

  const maxPerHour = countMaxWithin(simulated.logins, hourMs);
  const days = Math.round((simulated.now - testNow) / (24 * hourMs));
  return {
    runs: callCount,
    unit: 'calls',
    notes: `${days} days, ${revocations} revocations, ${simulated.logins.length} logins, at most ${maxPerHour} per hour`,
    problems: [
      ...new Set(problems),
      ...above(simulated.unneededLogins(), 0, 'logins with a valid token'),
      ...above(maxPerHour, 20, 'logins per hour'),
      ...(revocations < count / 60 ? [`only ${revocations} revocations`] : []),
    ],
  };
}

function connect(simulated: SimulatedService, clock: () => number): FundingService {
  return createFundingService({
    config: createTestConfig(),
    transport: simulated.transport,
    clock,
    onEvent: () => undefined,
  });
}

async function callConcurrently(
  service: FundingService,
  count: number,
  problems: string[],
): Promise<void> {
  const results = await Promise.all(
    Array.from({ length: count }, (_none, index) =>
      calls[partnerOperations[index % partnerOperations.length]!](service),
    ),
  );
  for (const result of results) {
    const { kind } = result;
    if (kind !== 'accepted') problems.push(`a call ended as ${kind}`);
  }
}

type SimulatedService = ReturnType<typeof createSimulatedService>;

const invalidSession = [{ errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' }];

/** The responses to an invalid token (spec, "Errors"), with the operations that give them. */
const tokenRefusals: readonly (readonly [RegExp, number, object | string])[] = [
  [/./, 401, invalidSession],
  [/./, 200, invalidSession],
  [/./, 401, ''],
  [/./, 401, '<html>Unauthorized</html>'],
  [/^(?!.*asset-report)/, 200, { failure: 'Invalid username and password' }],
  [/creditapp$|UploadFile/, 200, { failure: 'Invalid token' }],
  [/creditapp$|UploadFile/, 400, { failure: 'Session expired or invalid' }],
];

function createSimulatedService(start: number) {
  const tokens = new Map<string, number>();
  const logins: number[] = [];
  let requests = 0;
  let operationCalls = 0;
  let unneededLogins = 0;

  function logIn(): TransportResult {
    const isFresh = (issuedAt: number) => simulated.now - issuedAt < minRenewalAgeMs;
    if ([...tokens.values()].some(isFresh)) unneededLogins += 1;
    logins.push(simulated.now);
    const token = `token-${logins.length}`;
    tokens.set(token, simulated.now);
    return createResponse(200, { access_token: token });
  }

  function perform(path: string, token: string): TransportResult {
    operationCalls += 1;
    const issuedAt = tokens.get(token);
    if (issuedAt !== undefined && simulated.now - issuedAt < tokenLifeMs)
      return createSuccess(path);
    const possible = tokenRefusals.filter(([paths]) => paths.test(path));
    const [, status, body] = possible[operationCalls % possible.length]!;
    const failure = typeof body === 'object' && 'failure' in body ? body.failure : undefined;
    return createResponse(status, failure ? createFailure(path, String(failure)) : body);
  }

  const simulated = {
    async transport({ url, headers }: TransportRequest): Promise<TransportResult> {
      const { pathname } = new URL(url);
      // Responses arrive out of order, some of them after the login of a concurrent call.
      requests += 1;
      for (let turn = (requests * 7) % 61; turn > 0; turn -= 1) await Promise.resolve();
      if (pathname.endsWith('/token')) return logIn();
      return perform(pathname, headers['Authorization']?.slice('Bearer '.length) ?? '');
    },
    /** Time of the funding service, in epoch milliseconds. The clock of the BFF may differ. */
    now: start,
    /** Times of all logins. */
    logins,
    /** Number of logins while a token was valid and not due for renewal. */
    unneededLogins: () => unneededLogins,
    /** Number of calls, including those with an invalid token. */
    operationCalls: () => operationCalls,
    revokeTokens: () => tokens.clear(),
  };
  return simulated;
}

/** Counts the times in the densest half-open interval of length `spanMs`. */
export function countMaxWithin(times: readonly number[], spanMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[first] ?? time) >= spanMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

function createSuccess(path: string): TransportResult {
  const operation = findOperation(path);
  return createResponse(200, operation && operation !== 'token' ? successes[operation] : {});
}

function createFailure(path: string, text: string): object {
  const name = path.includes('UploadFile') ? 'ResponseMessage' : 'ResponseText';
  return { IsSuccessful: false, [name]: text, ReferenceID: leadId };
}
