// Limits the uploads that run at once: documents and bank reports, per session, per client address, and per process.

/** The widget uploads two documents at once. */
export const maxUploadsPerSession = 2;
/** Applicants in one office may share an address. A few addresses must not take all permits. */
export const maxUploadsPerAddress = 12;
export const maxUploadsPerProcess = 50;

/** Slower than any usable connection: 10 MiB may take about 85 minutes. */
export const minBytesPerSecond = 2 * 1024;
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
  const uploads = new Set<Uploader>();
  const count = (isSame: (other: Uploader) => boolean) => [...uploads].filter(isSame).length;

  return {
    acquire({ sessionId, address }) {
      const ofSession = count((other) => other.sessionId === sessionId);
      if (ofSession >= maxUploadsPerSession) return 'session';
      const ofAddress = count((other) => other.address === address);
      if (address !== undefined && ofAddress >= maxUploadsPerAddress) return 'address';
      if (uploads.size >= maxUploadsPerProcess) return 'process';
      const upload = { sessionId, address };
      uploads.add(upload);
      return () => uploads.delete(upload);
    },
    minBytesPerSecond: () =>
      uploads.size > maxUploadsPerProcess / 2 ? minBytesPerSecondUnderLoad : minBytesPerSecond,
  };
}
