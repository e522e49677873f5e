// Repeats requests with growing delays, and pauses while the page is hidden.

import type { Result } from '../api/funding-api.ts';

/** Timers and visibility of the page. Tests pass their own. */
export interface PollingEnvironment {
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly clearTimeout: (handle: number) => void;
  readonly isHidden: () => boolean;
  readonly onVisibilityChange: (callback: () => void) => () => void;
  /** 0 to 1. Jitter, so that many pages do not send requests at the same time. */
  readonly random: () => number;
}

/** Reports when the browser goes offline or online. An "online" browser may still have no connection. */
export interface ConnectionEnvironment {
  readonly isOffline: () => boolean;
  /** Calls back for `online` and `offline`. Returns a function that stops listening. */
  readonly onChange: (callback: () => void) => () => void;
}

/** If true, the next request is sent. A number is the minimum delay in milliseconds. */
export type PollResult = boolean | number;

export interface Poller {
  /** Sends the first request after the first delay, or after `minDelayMs` if that is longer. Restarts if running. */
  start(minDelayMs?: number): void;
  stop(): void;
}

const firstDelayMs = 3_000;
const maxDelayMs = 60_000;
const maxRetryAfterMs = 5 * 60_000;
const growth = 1.6;

/** Continues polling after a response. After a failure, it respects the delay of `Retry-After`. */
export function toPollResult(result: Result<unknown>): PollResult {
  return (!result.ok && result.retryAfterMs) || true;
}

/**
 * Creates a poller. Delays grow from 3 s to 60 s with 20 % jitter. While the page is hidden, the poller sends no request. When the
 * page is visible again, it sends one at once, unless the BFF has set a longer delay (at most 5 minutes).
 *
 * @param check sends one request. It must not throw.
 * @param slowestMs where the delay stops to grow. With 3 s, it never grows.
 */
export function createPoller(
  environment: PollingEnvironment,
  check: () => Promise<PollResult>,
  slowestMs = maxDelayMs,
): Poller {
  let delayMs = firstDelayMs;
  let timer: number | undefined;
  let run = 0;
  let isAsking = false;
  let isHeld = false;
  let stopListening: (() => void) | undefined;

  function schedule(currentRun: number, minDelayMs: number): void {
    const jittered = delayMs * (0.8 + 0.4 * environment.random());
    isHeld = minDelayMs > jittered;
    const ms = Math.max(jittered, Math.min(maxRetryAfterMs, minDelayMs));
    timer = environment.setTimeout(() => void ask(currentRun), ms);
    delayMs = Math.min(slowestMs, delayMs * growth);
  }

  async function ask(currentRun: number): Promise<void> {
    timer = undefined;
    isHeld = false;
    if (environment.isHidden() || currentRun !== run) return;
    isAsking = true;
    const pollResult = await check();
    if (currentRun !== run) return;
    isAsking = false;
    if (pollResult === false) stop();
    else schedule(currentRun, pollResult === true ? 0 : pollResult);
  }

  function handleVisibility(): void {
    if (isHeld) return;
    if (environment.isHidden()) {
      clear();
      return;
    }
    if (!isAsking) {
      clear();
      delayMs = firstDelayMs;
      void ask(run);
    }
  }

  function clear(): void {
    if (timer !== undefined) environment.clearTimeout(timer);
    timer = undefined;
  }

  function stop(): void {
    run += 1;
    isAsking = false;
    isHeld = false;
    clear();
    stopListening?.();
    stopListening = undefined;
  }

  function start(minDelayMs = 0): void {
    stop();
    delayMs = firstDelayMs;
    stopListening = environment.onVisibilityChange(handleVisibility);
    if (minDelayMs > 0 || !environment.isHidden()) schedule(run, minDelayMs);
  }

  return { start, stop };
}

/** Adds the `online` event: it counts as a return to the page, so that pollers send a request at once. */
export function createOnlinePolling(
  polling: PollingEnvironment,
  { isOffline, onChange }: ConnectionEnvironment,
): PollingEnvironment {
  return {
    ...polling,
    onVisibilityChange: (callback) => {
      const stops = [
        polling.onVisibilityChange(callback),
        onChange(() => {
          if (!isOffline()) callback();
        }),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

/** The browser's timers and page. */
export function createBrowserPolling(): PollingEnvironment {
  return {
    setTimeout: (callback, ms) => window.setTimeout(callback, ms),
    clearTimeout: (handle) => window.clearTimeout(handle),
    isHidden: () => document.hidden,
    onVisibilityChange: (callback) => {
      document.addEventListener('visibilitychange', callback);
      return () => document.removeEventListener('visibilitychange', callback);
    },
    random: () => Math.random(),
  };
}

/** Reads `navigator.onLine`. */
export function createBrowserConnection(): ConnectionEnvironment {
  return {
    isOffline: () => !navigator.onLine,
    onChange: (callback) => {
      const stop = new AbortController();
      addEventListener('online', callback, stop);
      addEventListener('offline', callback, stop);
      return () => stop.abort();
    },
  };
}
