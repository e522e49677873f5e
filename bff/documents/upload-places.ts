// How many documents may come in at once, for one session and in all, and how fast they have to be when many do.

import { leastBytesPerSecond } from './incoming-chunks.ts';

/** The widget sends two at once. */
export const placesOfSession = 2;
export const placesOfProcess = 50;

/** While more than half of all places are taken: those who are slow give way, or they could keep everybody else out. */
export const leastBytesPerSecondWhenFull = 16 * 1024;

export interface UploadPlaces {
  /** Takes a place until it is given back; a refusal says which limit is reached. */
  take(sessionId: string): (() => void) | 'session-full' | 'process-full';
  /** What a body under way has to bring on average, by now. */
  leastBytesPerSecond(): number;
}

/** In the memory of this process: each of several has places of its own. */
export function createUploadPlaces(): UploadPlaces {
  const taken = new Map<string, number>();
  let takenInAll = 0;

  function change(sessionId: string, by: 1 | -1): void {
    takenInAll += by;
    const own = (taken.get(sessionId) ?? 0) + by;
    if (own > 0) taken.set(sessionId, own);
    else taken.delete(sessionId);
  }

  return {
    take(sessionId) {
      if ((taken.get(sessionId) ?? 0) >= placesOfSession) return 'session-full';
      if (takenInAll >= placesOfProcess) return 'process-full';
      change(sessionId, 1);
      return () => change(sessionId, -1);
    },
    leastBytesPerSecond: () =>
      takenInAll > placesOfProcess / 2 ? leastBytesPerSecondWhenFull : leastBytesPerSecond,
  };
}
