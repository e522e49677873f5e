// Asks again and again with growing pauses, and not at all while nobody looks.

/** What a poller needs from the world around it. */
export interface PollingEnvironment {
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly clearTimeout: (handle: number) => void;
  readonly isHidden: () => boolean;
  readonly onVisibilityChange: (callback: () => void) => () => void;
  /** 0 to 1; spreads the checks of many pages. */
  readonly random: () => number;
}

export interface Poller {
  /** Begins after the first pause; begins anew when running. */
  start(): void;
  stop(): void;
}

const firstPauseMs = 3_000;
const longestPauseMs = 60_000;
const growth = 1.6;

/**
 * @param check asks once; answers whether to go on asking. It must not throw.
 * Pauses grow from 3 s to 60 s with ±20 % jitter. While the page is hidden nothing is asked; coming back asks at once.
 */
export function createPoller(
  environment: PollingEnvironment,
  check: () => Promise<boolean>,
): Poller {
  let pauseMs = firstPauseMs;
  let timer: number | undefined;
  let run = 0;
  let isAsking = false;
  let stopListening: (() => void) | undefined;

  function schedule(currentRun: number): void {
    const jittered = pauseMs * (0.8 + 0.4 * environment.random());
    timer = environment.setTimeout(() => void ask(currentRun), jittered);
    pauseMs = Math.min(longestPauseMs, pauseMs * growth);
  }

  async function ask(currentRun: number): Promise<void> {
    timer = undefined;
    if (environment.isHidden() || currentRun !== run) return;
    isAsking = true;
    const goOn = await check();
    if (currentRun !== run) return;
    isAsking = false;
    if (goOn) schedule(currentRun);
    else stop();
  }

  function handleVisibility(): void {
    if (environment.isHidden()) {
      clear();
      return;
    }
    if (timer === undefined && !isAsking) {
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
    clear();
    stopListening?.();
    stopListening = undefined;
  }

  function start(): void {
    stop();
    pauseMs = firstPauseMs;
    stopListening = environment.onVisibilityChange(handleVisibility);
    if (!environment.isHidden()) schedule(run);
  }

  return { start, stop };
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
