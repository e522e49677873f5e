// Sends a file with XMLHttpRequest, because `fetch` does not report the progress of an upload.

/** A response, as `fetch` or `XMLHttpRequest` received it. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
  readonly getHeader: (name: string) => string | null;
}

export interface SendFileRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  /** @param share from 0 to 1. It starts again from 0 if the upload is repeated. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Resolves to `undefined` if no response arrived, for example after an abort. */
export type SendFile = (request: SendFileRequest) => Promise<RawResponse | undefined>;

interface SendFileEnvironment {
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

export function createSendFile(environment: SendFileEnvironment): SendFile {
  const { createRequest, setTimeout, clearTimeout } = environment;

  /** Resolves to `stalled` if it aborted the upload for lack of progress. */
  function attempt(request: SendFileRequest): Promise<RawResponse | 'stalled' | undefined> {
    const { url, headers, body, onProgress, signal } = request;
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve(undefined);
        return;
      }
      const xhr = createRequest();
      let sentBytes = 0;
      let isStalled = false;
      let timer: number | undefined;
      const abort = () => xhr.abort();
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
        signal.removeEventListener('abort', abort);
        const { status, responseText: text } = xhr;
        const getHeader = (name: string) => xhr.getResponseHeader(name);
        if (status !== 0) resolve({ status, text, getHeader });
        else resolve(isStalled ? 'stalled' : undefined);
      });
      signal.addEventListener('abort', abort);
      startTimeout(progressTimeoutMs);
      xhr.send(body);
    });
  }

  return async function sendFile(request) {
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await attempt(request);
      if (outcome !== 'stalled') return outcome;
      if (attempts === maxAttempts) return undefined;
      request.onProgress(0);
    }
  };
}

export const sendFile: SendFile = createSendFile({
  createRequest: () => new XMLHttpRequest(),
  setTimeout: (callback, ms) => window.setTimeout(callback, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
});
