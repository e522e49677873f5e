// When a delivery that could not be made is tried again: doubling pauses with full jitter, or what the service asked for.

const shortestMs = 2_000;
const longestMs = 15 * 60 * 1000;
const longestRetryAfterMs = 60 * 60 * 1000;
/** Jitter may come out near zero; this keeps a struggling service from being asked in a tight loop. */
const leastMs = 1_000;

export interface BackoffInput {
  /** How often it was tried already, from 1. */
  readonly attempts: number;
  readonly retryAfterMs?: number | undefined;
  /** 0 to 1, below 1. */
  readonly random: () => number;
}

/** Milliseconds until the next attempt: at most 4 s after the first, 15 minutes from the ninth on; `Retry-After` counts up to an hour. */
export function toBackoffMs({ attempts, retryAfterMs = 0, random }: BackoffInput): number {
  const ceiling = Math.min(longestMs, shortestMs * 2 ** Math.min(attempts, 20));
  const jittered = Math.max(leastMs, Math.round(random() * ceiling));
  return Math.max(jittered, Math.min(retryAfterMs, longestRetryAfterMs));
}

/** Long enough for a gateway to come back, since only a few such sends are allowed. */
const uncertainPausesMs = [60_000, 5 * 60_000] as const;

/** Milliseconds until a document or report is sent again that may have arrived: about 1 minute, then about 5. */
export function toUncertainBackoffMs(uncertainAttempts: number, random: () => number): number {
  const pauseMs = uncertainPausesMs[uncertainAttempts] ?? uncertainPausesMs[1];
  return Math.round(pauseMs * (0.75 + random() / 2));
}
