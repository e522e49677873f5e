// The sandbox's own clock: the machine's time plus an offset that tests and people may change.

export interface SandboxClock {
  /** Epoch milliseconds. */
  now(): number;
  advance(ms: number): void;
  setTo(epochMs: number): void;
  reset(): void;
}

export function createClock(machineNow: () => number): SandboxClock {
  let offsetMs = 0;
  return {
    now: () => machineNow() + offsetMs,
    advance: (ms) => {
      offsetMs += ms;
    },
    setTo: (epochMs) => {
      offsetMs = epochMs - machineNow();
    },
    reset: () => {
      offsetMs = 0;
    },
  };
}
