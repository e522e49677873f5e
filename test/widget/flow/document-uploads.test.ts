// What is under way at the same time, what is said of it, and what becomes of it when it is given up.

import { describe, expect, it } from 'vitest';
import { createDocumentUploads } from '../../../widget/flow/document-uploads.ts';
import { createQueuedDocument, type QueuedDocument } from '../../../widget/flow/queued-document.ts';
import { fail, FakeFundingApi } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

function createDocument(id: number): QueuedDocument {
  const file = new File(['a'], `${id}.pdf`);
  const given = { category: 'other', isPreparing: false, problem: undefined };
  return createQueuedDocument({ ...given, id, file });
}

function createUploads(handleUpload?: FakeFundingApi['handleUpload']) {
  const api = new FakeFundingApi();
  api.handleUpload = handleUpload ?? api.handleUpload;
  return createDocumentUploads(api, createManualPolling().environment);
}

describe('uploads', () => {
  it('have two places, and one again once a file is there', async () => {
    const uploads = createUploads();
    const first = uploads.send(createDocument(1), () => undefined);
    expect([1, 2].map(uploads.canBegin)).toEqual([false, true]);
    const second = uploads.send(createDocument(2), () => undefined);
    expect(uploads.canBegin(3)).toBe(false);
    expect([(await first)?.ok, (await second)?.ok, uploads.canBegin(3)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('tell the half of a file once', async () => {
    const halves: unknown[] = [];
    const uploads = createUploads(async ({ onProgress }) => {
      for (const share of [0.4, 0.6, 0.7, 1]) onProgress(share);
      return fail('network');
    });
    await uploads.send(createDocument(1), ({ share }, isHalf) => {
      if (isHalf) halves.push(share);
    });
    expect(halves).toEqual([0.6]);
  });

  it('show a file that waits for its check, with the file kept', async () => {
    const polling = createManualPolling();
    const api = new FakeFundingApi();
    const { handleUpload: arrive } = api;
    const sent: File[] = [];
    api.handleUpload = async (upload, number) => {
      sent.push(upload.file);
      if (sent.length > 1) return arrive(upload, number);
      return { ...fail('inspection-unavailable'), retryAfterMs: 10_000 };
    };
    const shown: unknown[] = [];
    const uploads = createDocumentUploads(api, polling.environment);
    const document = createDocument(1);
    const sending = uploads.send(document, ({ state, waitsForCheck }) => {
      if (state) shown.push([state, waitsForCheck]);
    });
    await polling.settle();
    await polling.tick();
    expect(await sending).toMatchObject({ ok: true });
    expect(shown).toEqual([
      ['sending', false],
      ['queued', true],
      ['sending', false],
    ]);
    expect(sent).toEqual([document.file, document.file]);
  });

  it('have no answer for what is given up, one or all, unless it has arrived', async () => {
    const { handleUpload: arrive } = new FakeFundingApi();
    const signals: AbortSignal[] = [];
    const uploads = createUploads((upload, number) => {
      const { signal, file } = upload;
      signals.push(signal);
      return new Promise((resolve) =>
        signal.addEventListener('abort', () =>
          resolve(file.name === '2.pdf' ? arrive(upload, number) : fail('network')),
        ),
      );
    });
    const [first, second] = [1, 2].map((id) => uploads.send(createDocument(id), () => undefined));
    uploads.giveUp(1);
    expect(await first).toBe(undefined);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    uploads.giveUp();
    expect(await second).toMatchObject({ ok: true });
  });
});
