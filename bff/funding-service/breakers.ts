// A circuit breaker for each operation, so that an outage costs the service and us almost nothing.

import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhenResult } from 'cockatiel';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { OnFundingServiceEvent, Outcome, Readiness } from './funding-service.ts';

const failuresToOpen = 5;
/** While open: from its opening, and from the end of each probe, to the next probe. */
const probeAfterMs = 30_000;
/** For a service that asks us to wait and does not say how long. */
const throttledPauseMs = 5_000;

type OutcomeKind = Outcome<unknown>['kind'];

export interface BreakersOptions {
  /** Epoch milliseconds before which no token can be had, hence no operation called; 0 or gone by when one can. */
  readonly loginPausedUntil: () => number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
}

export interface Breaker {
  readonly readiness: () => Readiness;
  /** Makes the call; while the operation is paused it is not made and ends as `not-sent`. Throws what the call throws. */
  readonly run: <Value>(call: () => Promise<Outcome<Value>>) => Promise<Outcome<Value>>;
}

/** They know of each other only through the login, without which nothing can be called. */
export function createBreakers(
  options: BreakersOptions,
): Readonly<Record<PartnerOperation, Breaker>> {
  return {
    'create-lead': createBreaker('create-lead', options),
    'pre-approval-offer': createBreaker('pre-approval-offer', options),
    'contact-user': createBreaker('contact-user', options),
    'asset-report': createBreaker('asset-report', options),
    'upload-file': createBreaker('upload-file', options),
  };
}

/**
 * cockatiel counts and holds the state. It is told how a call ended, not given the call to make: it would let one that began
 * before the breaker opened interfere with a later probe. When a probe may go is decided here, by our own clock.
 */
function createBreaker(operation: PartnerOperation, options: BreakersOptions): Breaker {
  const { loginPausedUntil, clock, onEvent } = options;
  const circuit = circuitBreaker(
    handleWhenResult((isDown) => isDown === true),
    {
      breaker: new ConsecutiveBreaker(failuresToOpen),
      // Its own clock never makes it wait, also when that one is set back.
      halfOpenAfter: Number.NEGATIVE_INFINITY,
    },
  );
  let probeAt = 0;
  let isProbing = false;
  let throttledUntil = 0;
  /** Grows with each change of state: a call that began before the last one says nothing about the present. */
  let era = 0;

  circuit.onBreak(() => {
    era += 1;
    if (isProbing) return;
    probeAt = clock() + probeAfterMs;
    onEvent({ event: 'breaker-opened', operation });
  });
  circuit.onReset(() => {
    era += 1;
    onEvent({ event: 'breaker-closed', operation });
  });

  function readiness(): Readiness {
    if (isProbing) return { kind: 'paused', forMs: undefined };
    const isOpen = circuit.state !== CircuitState.Closed;
    const until = Math.max(throttledUntil, loginPausedUntil(), isOpen ? probeAt : 0);
    const forMs = until - clock();
    if (forMs > 0) return { kind: 'paused', forMs };
    return { kind: isOpen ? 'probe' : 'ready' };
  }

  async function run<Value>(call: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const { kind } = readiness();
    if (kind === 'paused') return { kind: 'not-sent' };
    if (kind === 'ready') return watch(call);
    isProbing = true;
    try {
      return await watch(call);
    } finally {
      isProbing = false;
      probeAt = clock() + probeAfterMs;
    }
  }

  /** A call that throws was broken by ourselves; like a throttled one it says nothing about whether the service is up. */
  async function watch<Value>(call: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const begunIn = era;
    const outcome = await call();
    if (outcome.kind === 'throttled') {
      const pauseMs = outcome.retryAfterMs ?? throttledPauseMs;
      throttledUntil = Math.max(throttledUntil, clock() + pauseMs);
    } else if (era === begunIn) {
      await circuit.execute(() => downKinds.has(outcome.kind));
    }
    return outcome;
  }

  return { readiness, run };
}

/** What says that the service, or the way to it, is down. A refusal is none: who refuses is there. */
const downKinds: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>([
  'unknown',
  'not-sent',
  // Not one row's fault: every other would end in the same way.
  'authentication',
]);
