// Files that wait for a place at the BFF.

import { beforeEach, describe, expect, it } from 'vitest';
import type { DocumentStatus } from '../../../shared/api/documents.ts';
import { canRetry, DocumentQueue } from '../../../widget/flow/document-queue.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { fail, FakeFundingApi } from '../../support/fake-funding-api.ts';
import { createManualPolling, type ManualPolling } from '../../support/manual-polling.ts';

describe('a file that has no place at the BFF', () => {
  let api: FakeFundingApi;
  let polling: ManualPolling;
  let queue: DocumentQueue;
  let arrive: FakeFundingApi['handleUpload'];

  beforeEach(async () => {
    api = new FakeFundingApi();
    polling = createManualPolling();
    queue = new DocumentQueue({
      api,
      polling: polling.environment,
      limits: createConfiguration().documents,
      sent: [],
      onChange: () => undefined,
    });
    arrive = api.handleUpload;
    api.handleUpload = async ({ onProgress }) => {
      onProgress(0.4);
      return { ...fail('too-many-requests'), retryAfterMs: 2_000 };
    };
    queue.add(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => new File(['a'], name)));
    for (const { id } of queue.queued) queue.choose(id, 'other');
    queue.send();
    await polling.settle();
  });

  it('waits for its turn, and keeps none before it', async () => {
    expect(list()).toEqual([
      ['queued', 0],
      ['queued', 0],
      ['queued', 0],
    ]);
    expect([api.uploads.length, polling.pauses]).toEqual([2, [2_000, 2_000]]);
  });

  it('is sent when it is let in', async () => {
    api.handleUpload = arrive;
    await polling.tick();
    await polling.tick();
    expect([list(), queue.sent.length]).toEqual([[], 3]);
  });

  it('says so while it is sent', async () => {
    api.handleUpload = () => new Promise(() => undefined);
    await polling.tick();
    expect(list().map(([state]) => state)).toEqual(['sending', 'queued', 'queued']);
  });

  it('is not sent any more once it is cancelled', async () => {
    queue.cancel(queue.queued[0]!.id);
    await polling.settle();
    expect(queue.queued[0]).toMatchObject({ state: 'failed', problem: { kind: 'cancelled' } });
    expect(api.uploads.map(({ file }) => file.name)).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  });

  it('is told only after a minute', async () => {
    for (let tick = 0; tick < 40; tick += 1) await polling.tick();
    expect(queue.queued.map(({ problem }) => problem)).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'failed', code: 'too-many-requests' })),
    );
    const waitedMs = polling.pauses.reduce((sum, ms) => sum + ms, 0) / 3;
    expect(waitedMs).toBe(62_000);
  });

  it('for long can be sent after that, and not sooner', async () => {
    const wait = { ...fail('too-many-requests'), retryAfterMs: 2_400_000 };
    api.handleUpload = async () => wait;
    for (let tick = 0; tick < 2; tick += 1) await polling.tick();
    expect(queue.queued.map(canRetry)).toEqual([false, false, false]);
    expect(queue.queued[0]?.problem).toEqual({
      kind: 'failed',
      code: 'too-many-requests',
      retryAfterMs: 2_400_000,
    });
    expect(queue.hasUnsent).toBe(true);
    for (let tick = 0; tick < 3; tick += 1) await polling.tick();
    expect(list().map(([state]) => state)).toEqual(['chosen', 'chosen', 'chosen']);
    expect(queue.queued[0]).toMatchObject({ category: 'other', problem: undefined });
    expect(api.uploads).toHaveLength(5);
  });

  function list(): (readonly [string, number])[] {
    return queue.queued.map(({ state, share }) => [state, share]);
  }
});

describe('the files of one application', () => {
  const sent = { category: 'other', delayed: false, status: 'delivered' } as const;
  const limits = { ...createConfiguration().documents, maxTotalBytes: 1_500 };

  function createQueue(given: readonly DocumentStatus[], documents: typeof limits = limits) {
    return new DocumentQueue({
      api: new FakeFundingApi(),
      polling: createManualPolling().environment,
      limits: documents,
      sent: given,
      onChange: () => undefined,
    });
  }

  function listProblems({ queued }: DocumentQueue): (string | undefined)[] {
    return queued.map(({ problem }) => problem?.kind);
  }

  it('are not more than it may have in all; what was sent counts, what was refused does not', () => {
    const queue = createQueue([
      { ...sent, number: 1, bytes: 600 },
      { ...sent, number: 2, bytes: 1_000, status: 'rejected' },
    ]);
    queue.add([createFile('a.pdf', 700), createFile('b.pdf', 201), createFile('c.pdf', 200)]);
    expect(listProblems(queue)).toEqual([undefined, 'space', undefined]);
  });

  it('have room again once one is removed', () => {
    const queue = createQueue([]);
    queue.add(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => createFile(name, 700)));
    expect(listProblems(queue)).toEqual([undefined, undefined, 'space']);
    queue.remove(queue.queued[0]!.id);
    expect(listProblems(queue)).toEqual([undefined, undefined]);
    expect(queue.queued[1]?.state).toBe('chosen');
  });

  it('are counted without those that were refused', () => {
    const refused = { ...sent, number: 1, bytes: 1, status: 'rejected' } as const;
    const queue = createQueue([refused], { ...limits, maxFiles: 1 });
    queue.add([createFile('a.pdf', 1), createFile('b.pdf', 1)]);
    expect(listProblems(queue)).toEqual([undefined, 'count']);
  });

  function createFile(name: string, bytes: number): File {
    return new File([new Uint8Array(bytes)], name);
  }
});
