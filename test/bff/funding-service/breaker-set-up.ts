// A breaker on a manual clock, with calls that end as a test says.

import { createBreakers } from '../../../bff/funding-service/breakers.ts';
import type { FundingServiceEvent, Outcome } from '../../../bff/funding-service/funding-service.ts';
import { createManualTime } from '../manual-time.ts';

export const accepted: Outcome<number> = { kind: 'accepted', value: 1 };
export const unknown: Outcome<number> = { kind: 'unknown' };
export const probeAfterMs = 30_000;
export const opened = { event: 'breaker-opened', operation: 'create-lead' };

export function setUpBreaker(startedAt?: number) {
  const time = createManualTime(startedAt);
  const events: FundingServiceEvent[] = [];
  const login = { pausedUntil: 0 };
  const breakers = createBreakers({
    loginPausedUntil: () => login.pausedUntil,
    clock: time.clock,
    onEvent: (event) => void events.push(event),
  });
  const breaker = breakers['create-lead'];

  /** A call that ends at once. */
  function end(outcome: Outcome<number>): Promise<Outcome<number>> {
    return breaker.run(() => Promise.resolve(outcome));
  }

  /** A call that ends when the test says how. */
  function begin(): (outcome: Outcome<number>) => Promise<Outcome<number>> {
    let finish = (_outcome: Outcome<number>): void => undefined;
    const outcome = new Promise<Outcome<number>>((resolve) => {
      finish = resolve;
    });
    const running = breaker.run(() => outcome);
    return (ending) => {
      finish(ending);
      return running;
    };
  }

  async function open(): Promise<void> {
    for (let call = 0; call < 5; call += 1) await end(unknown);
  }

  return { breakers, breaker, events, login, time, end, begin, open };
}
