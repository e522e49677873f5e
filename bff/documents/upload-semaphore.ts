// How many documents and asset reports may come in at once, for one session, one address and in all, and how fast they have to be then.

import { minBytesPerSecond } from './read-upload.ts';

/** The widget sends two at once. */
export const maxUploadsPerSession = 2;
/** An office has more people than hands; a few addresses must not take all. */
export const maxUploadsPerAddress = 12;
export const maxUploadsPerProcess = 50;

/** While more than half of all places are taken: those who are slow give way, or they could keep everybody else out. */
export const minBytesPerSecondUnderLoad = 16 * 1024;

export interface Uploader {
  readonly sessionId: string;
  /** As limits count it; unknown, it has no limit of its own. */
  readonly address: string | undefined;
}

export interface UploadSemaphore {
  /** Takes a place until it is given back; a refusal says which limit is reached. */
  take(uploader: Uploader): (() => void) | 'session-full' | 'address-full' | 'process-full';
  /** What a body under way has to bring on average, by now. */
  minBytesPerSecond(): number;
}

/** In the memory of this process: each of several has places of its own. */
export function createUploadSemaphore(): UploadSemaphore {
  const bySession = new Map<string, number>();
  const byAddress = new Map<string, number>();
  let takenInAll = 0;

  function change({ sessionId, address }: Uploader, by: 1 | -1): void {
    takenInAll += by;
    add(bySession, sessionId, by);
    if (address !== undefined) add(byAddress, address, by);
  }

  return {
    take(uploader) {
      const { sessionId, address = '' } = uploader;
      if ((bySession.get(sessionId) ?? 0) >= maxUploadsPerSession) return 'session-full';
      if ((byAddress.get(address) ?? 0) >= maxUploadsPerAddress) return 'address-full';
      if (takenInAll >= maxUploadsPerProcess) return 'process-full';
      change(uploader, 1);
      return () => change(uploader, -1);
    },
    minBytesPerSecond: () =>
      takenInAll > maxUploadsPerProcess / 2 ? minBytesPerSecondUnderLoad : minBytesPerSecond,
  };
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
