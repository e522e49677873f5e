// Files that a limit keeps from being sent for long, until it is over.

import type { Failure } from '../api/funding-api.ts';
import type { PollingEnvironment } from '../app/polling.ts';
import type { DocumentProblem } from './queued-document.ts';
import { maxRetryDelayMs } from '../app/retry.ts';

type Timers = Pick<PollingEnvironment, 'setTimeout' | 'clearTimeout'>;

export class HeldFiles {
  readonly #timers: Timers;
  readonly #release: (id: number) => void;
  readonly #held = new Map<number, number>();

  constructor(timers: Timers, release: (id: number) => void) {
    this.#timers = timers;
    this.#release = release;
  }

  /** Why a file was not sent; one that may not be sent for a long while is let go after it. */
  toProblem(id: number, { code, retryAfterMs = 0 }: Failure): DocumentProblem {
    if (retryAfterMs < maxRetryDelayMs) return { kind: 'failed', code };
    const timer = this.#timers.setTimeout(() => this.#end(id), retryAfterMs);
    this.#held.set(id, timer);
    return { kind: 'failed', code, retryAfterMs };
  }

  /** Nothing is waited for any more. */
  releaseAll(): void {
    for (const [id, timer] of this.#held) {
      this.#timers.clearTimeout(timer);
      this.#end(id);
    }
  }

  #end(id: number): void {
    this.#held.delete(id);
    this.#release(id);
  }
}
