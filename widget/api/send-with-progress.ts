// Sends a file and tells how far it is; fetch cannot report upload progress, so this is XMLHttpRequest.

import { apiResponseHeaders } from '../../shared/api/paths.ts';

export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

export interface SendAnswer {
  readonly status: number;
  readonly text: string;
  /** The handle that takes the place of the one that was sent. */
  readonly renewedSession: string | null;
  readonly retryAfter: string | null;
}

/** The answer, or `undefined` when none arrived, also after an abort. */
export function sendWithProgress(request: SendRequest): Promise<SendAnswer | undefined> {
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    xhr.open('POST', request.url);
    xhr.withCredentials = true;
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable && event.total > 0) request.onProgress(event.loaded / event.total);
    });
    xhr.addEventListener('loadend', () => {
      request.signal.removeEventListener('abort', abort);
      const { status, responseText: text } = xhr;
      const renewedSession = xhr.getResponseHeader(apiResponseHeaders.session);
      const retryAfter = xhr.getResponseHeader('retry-after');
      resolve(status === 0 ? undefined : { status, text, renewedSession, retryAfter });
    });
    if (request.signal.aborted) {
      resolve(undefined);
      return;
    }
    request.signal.addEventListener('abort', abort);
    xhr.send(request.body);
  });
}
