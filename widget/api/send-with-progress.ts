// Sends a file and tells how far it is; fetch cannot report upload progress, so this is XMLHttpRequest.

export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** The answer, or `undefined` when none arrived, also after an abort. */
export function sendWithProgress(
  request: SendRequest,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
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
      resolve(xhr.status === 0 ? undefined : { status: xhr.status, text: xhr.responseText });
    });
    if (request.signal.aborted) {
      resolve(undefined);
      return;
    }
    request.signal.addEventListener('abort', abort);
    xhr.send(request.body);
  });
}
