// Uploads a file with XMLHttpRequest, because `fetch` does not report the progress of an upload.

import type { RawResponse, Upload } from './funding-api.ts';

/** Tests pass their own. */
interface UploadEnvironment {
  readonly createRequest: () => XMLHttpRequest;
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number | undefined) => void;
}

/** An upload without progress for this long has stalled, for example because a phone changed networks. */
export const progressTimeoutMs = 60_000;

/**
 * Time for the response after the whole file is sent. The BFF inspects the file twice if necessary, and closes the connection
 * after 120 s.
 */
export const responseTimeoutMs = 130_000;

const maxAttempts = 3;

const browser: UploadEnvironment = {
  createRequest: () => new XMLHttpRequest(),
  setTimeout: (callback, ms) => window.setTimeout(callback, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
};

/** Repeats a stalled upload. Resolves to `undefined` if no response arrived, for example after an abort. */
export async function sendFile(
  url: string,
  headers: Readonly<Record<string, string>>,
  { file, signal, onProgress }: Upload,
  { createRequest, setTimeout, clearTimeout } = browser,
): Promise<RawResponse | undefined> {
  /** Resolves to `stalled` if it aborted the upload for lack of progress. */
  const attempt = () =>
    new Promise<RawResponse | 'stalled' | undefined>((resolve) => {
      const xhr = createRequest();
      let sentBytes = 0;
      let isStalled = false;
      let timer: number | undefined;
      const startTimeout = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          isStalled = true;
          xhr.abort();
        }, ms);
      };
      xhr.open('POST', url);
      xhr.withCredentials = true;
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
      xhr.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
        if (loaded > sentBytes) startTimeout(progressTimeoutMs);
        sentBytes = loaded;
        if (lengthComputable && total > 0) onProgress(loaded / total);
      });
      xhr.upload.addEventListener('load', () => startTimeout(responseTimeoutMs));
      xhr.addEventListener('loadend', () => {
        clearTimeout(timer);
        const { status, responseText: text } = xhr;
        const responseHeaders = { get: (name: string) => xhr.getResponseHeader(name) };
        if (status !== 0) resolve({ status, text, headers: responseHeaders });
        else resolve(isStalled ? 'stalled' : undefined);
      });
      signal.addEventListener('abort', () => xhr.abort());
      startTimeout(progressTimeoutMs);
      xhr.send(file);
    });

  for (let attempts = 1; !signal.aborted; attempts += 1) {
    const outcome = await attempt();
    if (outcome !== 'stalled') return outcome;
    if (attempts === maxAttempts) return undefined;
    onProgress(0);
  }
  return undefined;
}
