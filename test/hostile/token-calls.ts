// A hundred thousand calls over simulated days, with tokens that are revoked, nights without a call, and a clock that jumps.

import { createFundingService } from '../../bff/funding-service/client.ts';
import type { FundingService } from '../../bff/funding-service/funding-service.ts';
import { createTestConfig } from '../bff/bff-rig.ts';
import { testNow } from '../bff/manual-time.ts';
import { partnerOperations } from '../../shared/funding-service/operations.ts';
import { calls } from '../bff/funding-service/client-set-up.ts';
import { createRandom } from '../support/random.ts';
import { createLoginWorld, findMost, type LoginWorld } from './login-world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Accepted calls between two revocations. */
const revokedAfter = 50;
const mostTogether = 20;
const coldCallers = 1_000;

export interface TokenCalls {
  readonly calls: number;
  readonly days: number;
  readonly logins: number;
  readonly mostLoginsAnHour: number;
  readonly revocations: number;
  readonly problems: readonly string[];
}

/** Each call has to be accepted, with one retry at the most; a login needs a reason: a cold start, a revocation or an expiry. */
export async function runTokenCalls(count: number): Promise<TokenCalls> {
  const random = createRandom(9);
  const world = createLoginWorld(testNow);
  let skewMs = 0;
  const service = connect(world, () => world.now + skewMs);
  const problems: string[] = [];
  let revocations = 0;
  let sinceRevoked = 0;

  await callTogether(service, coldCallers, problems);
  if (world.granted.length !== 1) problems.push(`${world.granted.length} logins for a cold start`);

  let made = coldCallers;
  while (made < count) {
    const together = Math.min(1 + Math.floor(random() * mostTogether), count - made);
    const before = world.operationCalls();
    await callTogether(service, together, problems);
    const attempts = world.operationCalls() - before;
    if (attempts > 2 * together) problems.push(`${attempts} attempts for ${together} calls`);
    made += together;
    sinceRevoked += together;
    world.now += Math.floor(random() * 100_000);
    if (sinceRevoked >= revokedAfter) {
      world.revokeTokens();
      revocations += 1;
      sinceRevoked = 0;
    }
    if (random() < 0.01) skewMs = Math.floor(random() * 3 - 1) * 10 * minuteMs;
    // A night without a call.
    if (random() < 0.002) world.now += 8 * hourMs;
  }

  const mostLoginsAnHour = findMost(world.granted, hourMs);
  if (world.needless() > 0) problems.push(`${world.needless()} logins beside a living token`);
  if (mostLoginsAnHour > 20) problems.push(`${mostLoginsAnHour} logins within an hour`);
  return {
    calls: made,
    days: Math.round((world.now - testNow) / (24 * hourMs)),
    logins: world.granted.length,
    mostLoginsAnHour,
    revocations,
    problems: [...new Set(problems)],
  };
}

function connect(world: LoginWorld, clock: () => number): FundingService {
  return createFundingService({
    config: createTestConfig(),
    transport: world.transport,
    clock,
    onEvent: () => undefined,
  });
}

async function callTogether(
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
    const { kind } = result as { readonly kind: string };
    if (kind !== 'accepted') problems.push(`a call ended as ${kind}`);
  }
}
