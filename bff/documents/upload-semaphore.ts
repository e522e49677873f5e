// Limits the uploads that run at once: documents and bank reports, per session, per client address, and per process.

import { minBytesPerSecond } from './read-upload.ts';

/** The widget uploads two documents at once. */
export const maxUploadsPerSession = 2;
/** Applicants in one office may share an address. A few addresses must not take all permits. */
export const maxUploadsPerAddress = 12;
export const maxUploadsPerProcess = 50;

/** Applies while more than half of the permits of the process are taken, so that slow uploads do not keep others out. */
export const minBytesPerSecondUnderLoad = 16 * 1024;

export interface Uploader {
  readonly sessionId: string;
  /** The address for rate limits. An unknown address has no limit. */
  readonly address: string | undefined;
}

export interface UploadSemaphore {
  /** Returns a function that releases the permit, or the limit that is reached. */
  acquire(uploader: Uploader): (() => void) | 'session' | 'address' | 'process';
  /** The minimum rate of all uploads at present. */
  minBytesPerSecond(): number;
}

/** Counts in memory, so the limits are per process. */
export function createUploadSemaphore(): UploadSemaphore {
  const bySession = new Map<string, number>();
  const byAddress = new Map<string, number>();
  let total = 0;

  function change({ sessionId, address }: Uploader, by: 1 | -1): void {
    total += by;
    add(bySession, sessionId, by);
    if (address !== undefined) add(byAddress, address, by);
  }

  return {
    acquire(uploader) {
      const { sessionId, address = '' } = uploader;
      if ((bySession.get(sessionId) ?? 0) >= maxUploadsPerSession) return 'session';
      if ((byAddress.get(address) ?? 0) >= maxUploadsPerAddress) return 'address';
      if (total >= maxUploadsPerProcess) return 'process';
      change(uploader, 1);
      return () => change(uploader, -1);
    },
    minBytesPerSecond: () =>
      total > maxUploadsPerProcess / 2 ? minBytesPerSecondUnderLoad : minBytesPerSecond,
  };
}

/** Deletes a key at zero, so that the map does not grow. */
function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
