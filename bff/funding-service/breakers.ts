// One circuit breaker per operation: after repeated failures, calls end at once and a trial call tests the funding service.

import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { ClientContext, Outcome, Readiness } from './funding-service.ts';

/** Failures in a row that open the breaker. */
const failureThreshold = 5;
/** Time until the next trial call, from the opening of the breaker or the end of the last trial call. */
const openMs = 30_000;
/** Used when the funding service throttles without a Retry-After header. */
const defaultThrottleMs = 5_000;

/**
 * The breakers are independent, but a login pause applies to all of them.
 *
 * @param loginPausedUntil epoch milliseconds until which the BFF has no token and must not log in. Past or 0: no pause.
 */
export function createBreakers(
  loginPausedUntil: () => number,
  context: ClientContext,
): Readonly<Record<PartnerOperation, ReturnType<typeof createBreaker>>> {
  return {
    'create-lead': createBreaker('create-lead', loginPausedUntil, context),
    'pre-approval-offer': createBreaker('pre-approval-offer', loginPausedUntil, context),
    'contact-user': createBreaker('contact-user', loginPausedUntil, context),
    'asset-report': createBreaker('asset-report', loginPausedUntil, context),
    'upload-file': createBreaker('upload-file', loginPausedUntil, context),
  };
}

function createBreaker(
  operation: PartnerOperation,
  loginPausedUntil: () => number,
  { clock, onEvent }: ClientContext,
) {
  let isOpen = false;
  let failuresInARow = 0;
  let nextTrialAt = 0;
  let isTrialInProgress = false;
  let throttledUntil = 0;
  /** Counts openings and closings. A call that started before the last one says nothing about the present. */
  let stateChanges = 0;

  function readiness(): Readiness {
    if (isTrialInProgress) return { kind: 'unavailable', retryAfterMs: undefined };
    const until = Math.max(throttledUntil, loginPausedUntil(), isOpen ? nextTrialAt : 0);
    const retryAfterMs = until - clock();
    if (retryAfterMs > 0) return { kind: 'unavailable', retryAfterMs };
    return { kind: isOpen ? 'half-open' : 'ready' };
  }

  /** Runs `send`, or returns `not-sent` while the operation is unavailable. Throws what `send` throws. */
  async function call<Value>(send: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const { kind } = readiness();
    if (kind === 'unavailable') return { kind: 'not-sent' };
    if (kind === 'ready') return observe(send);
    isTrialInProgress = true;
    try {
      return await observe(send);
    } finally {
      isTrialInProgress = false;
      nextTrialAt = clock() + openMs;
    }
  }

  /** A call that throws failed on our side, and a throttled one shows neither success nor failure: both count as nothing. */
  async function observe<Value>(send: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const changesBefore = stateChanges;
    const outcome = await send();
    if (outcome.kind === 'throttled') {
      const throttleMs = outcome.retryAfterMs ?? defaultThrottleMs;
      throttledUntil = Math.max(throttledUntil, clock() + throttleMs);
    } else if (stateChanges === changesBefore) {
      if (failureKinds.has(outcome.kind)) recordFailure();
      else recordSuccess();
    }
    return outcome;
  }

  function recordFailure(): void {
    failuresInARow += 1;
    if (isOpen || failuresInARow < failureThreshold) return;
    isOpen = true;
    stateChanges += 1;
    nextTrialAt = clock() + openMs;
    onEvent({ event: 'breaker-opened', operation });
  }

  function recordSuccess(): void {
    failuresInARow = 0;
    if (!isOpen) return;
    isOpen = false;
    stateChanges += 1;
    onEvent({ event: 'breaker-closed', operation });
  }

  return { readiness, call };
}

/** Outcomes that show that the funding service cannot be used. A refusal is not one: the service responded. */
const failureKinds: ReadonlySet<Outcome<unknown>['kind']> = new Set([
  'unknown',
  'not-sent',
  // Every other call would end in the same way.
  'authentication',
] as const);
