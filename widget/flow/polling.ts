// Asks again and again with growing pauses, and not at all while nobody looks.

import type { Result } from '../api/api.ts';
import type { ConnectionEnvironment } from './connection.ts';

/** What a poller needs from the world around it. */
export interface PollingEnvironment {
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly clearTimeout: (handle: number) => void;
  readonly isHidden: () => boolean;
  readonly onVisibilityChange: (callback: () => void) => () => void;
  /** 0 to 1; spreads the checks of many pages. */
  readonly random: () => number;
}

/** Whether to ask again; a number: yes, but not for so many milliseconds. */
export type GoOn = boolean | number;

export interface Poller {
  /** Begins after the first pause, or after `leastPauseMs` when that is longer; begins anew when running. */
  start(leastPauseMs?: number): void;
  stop(): void;
}

const firstPauseMs = 3_000;
const longestPauseMs = 60_000;
const longestHoldMs = 5 * 60_000;
const growth = 1.6;

/** Goes on after an answer, and after a failure when the BFF says so. */
export function goOnAfter(result: Result<unknown>): GoOn {
  return (!result.ok && result.retryAfterMs) || true;
}

/**
 * @param check asks once; answers whether to go on asking. It must not throw.
 * Pauses grow from 3 s to 60 s with ±20 % jitter. While the page is hidden nothing is asked; coming back asks at once, unless
 * the BFF has said that it wants a longer pause: that one is kept to, up to five minutes.
 */
export function createPoller(environment: PollingEnvironment, check: () => Promise<GoOn>): Poller {
  let pauseMs = firstPauseMs;
  let timer: number | undefined;
  let run = 0;
  let isAsking = false;
  let isHeld = false;
  let stopListening: (() => void) | undefined;

  function schedule(currentRun: number, leastPauseMs: number): void {
    const jittered = pauseMs * (0.8 + 0.4 * environment.random());
    isHeld = leastPauseMs > jittered;
    const ms = Math.max(jittered, Math.min(longestHoldMs, leastPauseMs));
    timer = environment.setTimeout(() => void ask(currentRun), ms);
    pauseMs = Math.min(longestPauseMs, pauseMs * growth);
  }

  async function ask(currentRun: number): Promise<void> {
    timer = undefined;
    isHeld = false;
    if (environment.isHidden() || currentRun !== run) return;
    isAsking = true;
    const goOn = await check();
    if (currentRun !== run) return;
    isAsking = false;
    if (goOn === false) stop();
    else schedule(currentRun, goOn === true ? 0 : goOn);
  }

  function handleVisibility(): void {
    if (isHeld) return;
    if (environment.isHidden()) {
      clear();
      return;
    }
    if (!isAsking) {
      clear();
      pauseMs = firstPauseMs;
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

  function start(leastPauseMs = 0): void {
    stop();
    pauseMs = firstPauseMs;
    stopListening = environment.onVisibilityChange(handleVisibility);
    if (leastPauseMs > 0 || !environment.isHidden()) schedule(run, leastPauseMs);
  }

  return { start, stop };
}

/** The same, where coming back online counts as coming back to the page: what waits is asked at once. */
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

/** The browser's own clock and page. */
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
