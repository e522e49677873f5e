// Uploads without progress, with a fake XMLHttpRequest and a manual clock.

import { beforeEach, describe, expect, it } from 'vitest';
import { progressTimeoutMs, responseTimeoutMs, sendFile } from '../../../widget/api/send-file.ts';

/** The members of XMLHttpRequest that an upload uses. The test fires its events. */
class FakeRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  withCredentials = false;
  status = 0;
  responseText = '';
  isAborted = false;
  sent: unknown;

  open(): void {}

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  getResponseHeader(name: string): string | null {
    return name === 'x-test' ? 'value' : null;
  }

  send(body: unknown): void {
    this.sent = body;
  }

  abort(): void {
    this.isAborted = true;
    this.dispatchEvent(new Event('loadend'));
  }

  progress(loaded: number): void {
    const event = Object.assign(new Event('progress'), {
      lengthComputable: true,
      loaded,
      total: 100,
    });
    this.upload.dispatchEvent(event);
  }

  respond(status: number, text: string): void {
    this.status = status;
    this.responseText = text;
    this.dispatchEvent(new Event('loadend'));
  }
}

describe('sendFile', () => {
  const file = new File(['content'], 'a.pdf');
  let requests: FakeRequest[];
  let shares: number[];
  let now: number;
  let timer: { readonly callback: () => void; readonly endsAt: number } | undefined;
  let abort: AbortController;

  beforeEach(() => {
    requests = [];
    shares = [];
    now = 0;
    timer = undefined;
    abort = new AbortController();
  });

  function send() {
    const upload = {
      file,
      category: 'other',
      onProgress: (share: number) => shares.push(share),
      signal: abort.signal,
    };
    return sendFile('/v1/documents', { 'x-document-name': 'a.pdf' }, upload, {
      createRequest: () => {
        const request = new FakeRequest();
        requests.push(request);
        // An upload uses no other members.
        return request as unknown as XMLHttpRequest;
      },
      setTimeout: (callback, ms) => {
        timer = { callback, endsAt: now + ms };
        return 1;
      },
      clearTimeout: () => (timer = undefined),
    });
  }

  /** Lets time pass, then lets the code after an abort run. */
  async function wait(ms: number): Promise<void> {
    now += ms;
    if (timer && now >= timer.endsAt) timer.callback();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }

  it('resolves to the response', async () => {
    const sending = send();
    requests[0]!.progress(50);
    requests[0]!.respond(201, '{}');
    const response = await sending;
    expect(response).toMatchObject({ status: 201, text: '{}' });
    expect(response?.headers.get('x-test')).toBe('value');
    expect(shares).toEqual([0.5]);
    expect(requests[0]).toMatchObject({ sent: file, withCredentials: true });
    expect(requests[0]!.headers).toEqual({ 'x-document-name': 'a.pdf' });
    expect(timer).toBeUndefined();
  });

  it('waits as long as there is progress', async () => {
    void send();
    for (let loaded = 1; loaded <= 10; loaded += 1) {
      await wait(progressTimeoutMs - 1);
      requests[0]!.progress(loaded);
    }
    expect(requests).toHaveLength(1);
    expect(requests[0]!.isAborted).toBe(false);
  });

  it('repeats an upload without progress', async () => {
    const sending = send();
    requests[0]!.progress(40);
    await wait(progressTimeoutMs);
    expect(requests[0]!.isAborted).toBe(true);
    expect(requests).toHaveLength(2);
    requests[1]!.respond(201, '{}');
    expect(await sending).toMatchObject({ status: 201 });
    expect(shares).toEqual([0.4, 0]);
  });

  it('does not count a repeated event as progress', async () => {
    void send();
    requests[0]!.progress(40);
    await wait(progressTimeoutMs - 1);
    requests[0]!.progress(40);
    await wait(1);
    expect(requests[0]!.isAborted).toBe(true);
  });

  it('waits longer for the response to the whole file', async () => {
    void send();
    requests[0]!.progress(100);
    requests[0]!.upload.dispatchEvent(new Event('load'));
    await wait(responseTimeoutMs - 1);
    expect(requests).toHaveLength(1);
    await wait(1);
    expect(requests).toHaveLength(2);
  });

  it('gives up after three attempts', async () => {
    const sending = send();
    for (let attempt = 0; attempt < 3; attempt += 1) await wait(progressTimeoutMs);
    expect(await sending).toBeUndefined();
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['whose connection failed', () => requests[0]!.respond(0, '')],
    ['that was canceled', () => abort.abort()],
  ])('does not repeat an upload %s', async (_which, end) => {
    const sending = send();
    end();
    expect(await sending).toBeUndefined();
    await wait(progressTimeoutMs);
    expect(requests).toHaveLength(1);
  });

  it('does not start a canceled upload', async () => {
    abort.abort();
    expect(await send()).toBeUndefined();
    expect(requests).toEqual([]);
  });
});
