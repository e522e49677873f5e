// Files that wait for a place at the BFF.

import { beforeEach, describe, expect, it } from 'vitest';
import type { DocumentStatus } from '../../../shared/api/attachments.ts';
import {
  DocumentQueue,
  type DocumentNews,
  type DocumentQueueOptions,
} from '../../../widget/flow/document-queue.ts';
import { canRetry } from '../../../widget/flow/queued-document.ts';
import type { Reception } from '../../../widget/flow/reception.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { fail, FakeFundingApi } from '../../support/fake-funding-api.ts';
import { createManualPolling, type ManualPolling } from '../../support/manual-polling.ts';

function createQueue(options: Partial<DocumentQueueOptions> = {}): DocumentQueue {
  return new DocumentQueue({
    api: new FakeFundingApi(),
    polling: createManualPolling().environment,
    limits: createConfiguration().documents,
    sent: [],
    onChange: () => undefined,
    onStatus: () => undefined,
    ...options,
  });
}

function createFile(name: string, bytes = 1, lastModified = 0): File {
  return new File([new Uint8Array(bytes)], name, { lastModified });
}

describe('a file that has no place at the BFF', () => {
  let api: FakeFundingApi;
  let polling: ManualPolling;
  let queue: DocumentQueue;
  let arrive: FakeFundingApi['handleUpload'];

  beforeEach(async () => {
    api = new FakeFundingApi();
    polling = createManualPolling();
    queue = createQueue({ api, polling: polling.environment });
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
    expect([api.uploads.length, polling.delays]).toEqual([2, [2_000, 2_000]]);
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
    expect(queue.queued[0]).toMatchObject({ state: 'failed', problem: { kind: 'canceled' } });
    expect(api.uploads.map(({ file }) => file.name)).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  });

  it('is told only after a minute', async () => {
    for (let tick = 0; tick < 40; tick += 1) await polling.tick();
    expect(queue.queued.map(({ problem }) => problem)).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'failed', code: 'too-many-requests' })),
    );
    const waitedMs = polling.delays.reduce((sum, ms) => sum + ms, 0) / 3;
    expect(waitedMs).toBe(62_000);
  });

  it('for long can be sent after that, and not sooner', async () => {
    api.handleUpload = async () => ({ ...fail('too-many-requests'), retryAfterMs: 2_400_000 });
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

  it('is not waited for once everything is given up', async () => {
    api.handleUpload = async () => ({ ...fail('too-many-requests'), retryAfterMs: 2_400_000 });
    for (let tick = 0; tick < 2; tick += 1) await polling.tick();
    expect(polling.waiting).toBe(3);
    queue.cancelAll();
    expect([polling.waiting, list()]).toEqual([0, []]);
  });

  function list(): (readonly [string, number])[] {
    return queue.queued.map(({ state, share }) => [state, share]);
  }
});

describe('the files of one application', () => {
  const sent = { category: 'other', delayed: false, status: 'delivered' } as const;
  const limits = { ...createConfiguration().documents, maxTotalBytes: 1_500 };

  function listProblems({ queued }: DocumentQueue): (string | undefined)[] {
    return queued.map(({ problem }) => problem?.kind);
  }

  it('are not more than it may have in all; what was sent counts, what was refused does not', () => {
    const given: readonly DocumentStatus[] = [
      { ...sent, number: 1, bytes: 600 },
      { ...sent, number: 2, bytes: 1_000, status: 'rejected' },
    ];
    const queue = createQueue({ sent: given, limits });
    queue.add([createFile('a.pdf', 700), createFile('b.pdf', 201), createFile('c.pdf', 200)]);
    expect(listProblems(queue)).toEqual([undefined, 'space', undefined]);
  });

  it('have room again once one is removed', () => {
    const queue = createQueue({ limits });
    queue.add(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => createFile(name, 700)));
    expect(listProblems(queue)).toEqual([undefined, undefined, 'space']);
    queue.remove(queue.queued[0]!.id);
    expect(listProblems(queue)).toEqual([undefined, undefined]);
    expect(queue.queued[1]?.state).toBe('chosen');
  });

  it('are counted without those that were refused', () => {
    const refused = { ...sent, number: 1, bytes: 1, status: 'rejected' } as const;
    const queue = createQueue({ sent: [refused], limits: { ...limits, maxFiles: 1 } });
    queue.add([createFile('a.pdf', 1), createFile('b.pdf', 1)]);
    expect(listProblems(queue)).toEqual([undefined, 'count']);
  });

  it('are not taken twice, whether they are in hand or sent; another one of that name is', async () => {
    const news: DocumentNews[] = [];
    const polling = createManualPolling();
    const queue = createQueue({
      polling: polling.environment,
      onChange: (one) => news.push(...(one ? [one] : [])),
    });
    queue.add([createFile('a.pdf'), createFile('a.pdf')]);
    expect([queue.queued.length, queue.repeated]).toEqual([1, 'a.pdf']);
    expect(news.map(({ kind }) => kind)).toEqual(['added', 'repeated']);
    sendAll(queue);
    await polling.settle();
    queue.add([createFile('a.pdf'), createFile('a.pdf', 1, 7)]);
    expect([queue.queued.length, queue.sent.length, queue.repeated]).toEqual([1, 1, 'a.pdf']);
  });

  it('keep their order, whichever arrives first', async () => {
    const api = new FakeFundingApi();
    const polling = createManualPolling();
    const kept = { ...sent, number: 1, name: 'z.pdf', bytes: 1 };
    const queue = createQueue({ api, polling: polling.environment, sent: [kept] });
    const arrive = api.handleUpload;
    api.handleUpload = (upload, number) =>
      upload.file.name === 'a.pdf'
        ? new Promise(() => undefined)
        : arrive(upload, number + queue.sent.length);
    queue.add(['a.pdf', 'b.pdf'].map((name) => createFile(name)));
    const before = listRows(queue);
    sendAll(queue);
    await polling.settle();
    expect(queue.sent.map(({ name }) => name)).toEqual(['z.pdf', 'b.pdf']);
    expect(listRows(queue)).toEqual(before);
  });

  it('are told once when they are there, and once when it is known what became of them', async () => {
    const told: (readonly [number, string])[] = [];
    const polling = createManualPolling();
    const queue = createQueue({
      polling: polling.environment,
      sent: [{ ...sent, number: 1, bytes: 1, status: 'received' }],
      onStatus: ({ number, status }) => told.push([number, status]),
    });
    const list = [1, 2].map((number) => ({ ...sent, number, bytes: 1 }));
    queue.takeSent(list.map((one) => ({ ...one, status: 'received' })));
    expect(told).toEqual([[2, 'received']]);
    queue.takeSent(list);
    queue.takeSent(list);
    expect(told.slice(1)).toEqual([
      [1, 'delivered'],
      [2, 'delivered'],
    ]);
  });

  function sendAll(queue: DocumentQueue): void {
    for (const { id } of queue.queued) queue.choose(id, 'other');
    queue.send();
  }

  function listRows({ rows }: DocumentQueue) {
    return rows.map((row) => [row.id, row.sent?.name ?? row.queued?.file.name]);
  }
});

describe('a photo', () => {
  let api: FakeFundingApi;
  let polling: ManualPolling;
  let queue: DocumentQueue;
  let finish: (photo: File) => void;
  const reception: Reception = {
    suggest: (name) => (name.includes('license') ? 'drivers-license' : ''),
    prepare: () =>
      new Promise((resolve) => {
        finish = (file) => resolve({ file, keepsLocation: false });
      }),
  };

  beforeEach(() => {
    api = new FakeFundingApi();
    polling = createManualPolling();
    queue = createQueue({ api, polling: polling.environment });
  });

  it('over the limit is made smaller before it is judged, and then sent as it became', async () => {
    queue.add([createFile('license.png', 5_000)], reception);
    expect(queue.queued).toMatchObject([{ state: 'chosen', isSuggested: true, isPreparing: true }]);
    queue.send();
    await polling.settle();
    expect(api.uploads).toEqual([]);
    finish(createFile('license.jpg', 900));
    await polling.settle();
    expect(api.uploads.map(({ file, category }) => [file.name, file.size, category])).toEqual([
      ['license.jpg', 900, 'drivers-license'],
    ]);
  });

  it('that stays over the limit is refused then, and keeps the room it had meanwhile', async () => {
    queue.add([createFile('license.png', 5_000)], reception);
    await polling.settle();
    finish(createFile('license.png', 5_000));
    await polling.settle();
    const refused = { state: 'failed', problem: { kind: 'size' }, isUseless: false };
    expect(queue.queued).toMatchObject([refused]);
  });

  it('waits until the one before it is ready, and not at all once it is removed', async () => {
    queue.add(
      ['1.jpg', '2.jpg', '3.jpg'].map((name) => createFile(name)),
      reception,
    );
    await polling.settle();
    queue.remove(2);
    finish(createFile('1.jpg'));
    await polling.settle();
    expect(queue.queued.map(({ isPreparing }) => isPreparing)).toEqual([false, true]);
    finish(createFile('3.jpg'));
    await polling.settle();
    expect(queue.queued.map(({ file, isPreparing }) => [file.name, isPreparing])).toEqual([
      ['1.jpg', false],
      ['3.jpg', false],
    ]);
  });

  it('keeps its picture in its row, and no longer than the row stands', async () => {
    const thumbnail = { width: 40 } as HTMLCanvasElement;
    const prepare = async (file: File) => ({ file, thumbnail, keepsLocation: false });
    queue.add([createFile('license.jpg'), createFile('b.jpg')], { ...reception, prepare });
    queue.choose(2, 'other');
    await polling.settle();
    expect(queue.queued.map((document) => document.thumbnail)).toEqual([thumbnail, thumbnail]);
    queue.send();
    await polling.settle();
    expect(queue.rows).toMatchObject([
      { thumbnail, sent: { number: 1 } },
      { thumbnail, sent: { number: 2 } },
    ]);
    queue.forgetSent();
    const other = { category: 'other', bytes: 1, delayed: false } as const;
    queue.takeSent([{ ...other, number: 1, status: 'received' }]);
    expect(queue.rows.map((row) => [row.sent?.number, row.thumbnail])).toEqual([[1, undefined]]);
  });

  it('that an iPhone made has a reason of its own', () => {
    queue.add([createFile('IMG_2041.HEIC'), createFile('a.gif')], reception);
    expect(queue.queued.map(({ problem }) => problem?.kind)).toEqual(['heic', 'type']);
  });
});
