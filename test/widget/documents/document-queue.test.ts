import { describe, expect, it } from 'vitest';
import type { DocumentStatus } from '../../../shared/api/attachments.ts';
import type { Configuration } from '../../../shared/api/configuration.ts';
import { withAttachments, withoutAttachments } from '../../../widget/app/attachments.ts';
import { countDelivering, toShownCategory } from '../../../widget/app/attachment-parts.ts';
import type { QueuedDocument } from '../../../widget/app/store.ts';
import { canRetry, createDocumentQueue, toRows } from '../../../widget/documents/document-queue.ts';
import type { preparePhoto } from '../../../widget/documents/prepare-photo.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  createAcceptedForm,
  createAcceptedState,
  createFeature,
} from '../../support/create-feature.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  heldDocument,
  ok,
} from '../../support/fake-funding-api.ts';

const delivered = { category: 'other', bytes: 1, delayed: false, status: 'delivered' } as const;
const longMs = 2_400_000;

interface QueueOptions {
  readonly limits?: Partial<Configuration['documents']>;
  readonly uploaded?: readonly DocumentStatus[];
  readonly prepare?: typeof preparePhoto;
}

function createQueue({ limits = {}, uploaded = [], prepare }: QueueOptions = {}) {
  const configuration = createConfiguration();
  const documents = { ...configuration.documents, ...limits };
  const state = createAcceptedState({
    form: createAcceptedForm({
      configuration: { ...configuration, documents },
      step: 'documents',
    }),
  });
  const created = createFeature(
    (environment) => createDocumentQueue(environment, prepare),
    withAttachments(state, { documents: [...uploaded] }),
  );
  const { store, feature: queue } = created;
  return {
    ...created,
    queue,
    readQueued: () => store.state.documents.queued,
    readUploaded: () => store.state.documents.uploaded,
    list: <Key extends keyof QueuedDocument>(key: Key) =>
      store.state.documents.queued.map((document) => document[key]),
    async send(...names: readonly string[]) {
      queue.add(names.map((name) => createFile(name)));
      await created.polling.settle();
    },
    reject() {
      store.update((current) =>
        withoutAttachments({
          ...current,
          form: createAcceptedForm({ application: undefined, step: 'review' }),
        }),
      );
    },
  };
}

function createFile(name: string, bytes = 1, lastModified = 0): File {
  return new File([new Uint8Array(bytes)], name, { lastModified });
}

describe('uploads', () => {
  it('run two at a time', async () => {
    const { api, polling, list, send } = createQueue();
    const finish: (() => void)[] = [];
    const { handleUpload } = api;
    api.handleUpload = (upload, number) =>
      new Promise((resolve) => finish.push(() => resolve(handleUpload(upload, number))));
    await send('a.pdf', 'b.pdf', 'c.pdf');
    expect(list('state')).toEqual(['sending', 'sending', 'queued']);
    finish[0]?.();
    await polling.settle();
    expect(list('state')).toEqual(['sending', 'sending']);
    expect(api.uploads.map(({ file }) => file.name)).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  });

  it('begin as soon as a file is chosen, also without a category', async () => {
    const { api, queue } = createQueue();
    queue.add([createFile('scan.pdf'), createFile('DL front.pdf')]);
    expect(api.uploads.map(({ category }) => category)).toEqual(['', 'drivers-license']);
  });

  it('start again with the connection', async () => {
    const { api, polling, store, send, readUploaded, list } = createQueue();
    const { handleUpload } = api;
    const lose = api.holdUploads(fail('network'));
    await send('a.pdf');
    store.update((state) => ({ ...state, isOffline: true }));
    lose();
    await polling.settle();
    expect(list('state')).toEqual(['queued']);
    api.handleUpload = handleUpload;
    store.update((state) => ({ ...state, isOffline: false }));
    await polling.settle();
    expect(readUploaded()).toHaveLength(1);
  });

  it('keep the rows in the order of the choice', async () => {
    const { api, store, send } = createQueue({
      uploaded: [{ ...delivered, number: 1, name: 'z.pdf' }],
    });
    const { handleUpload } = api;
    api.handleUpload = (upload, number) =>
      upload.file.name === 'a.pdf'
        ? new Promise(() => undefined)
        : handleUpload(upload, number + 1);
    await send('a.pdf', 'b.pdf');
    const names = toRows(store.state.documents).map((row) =>
      'file' in row ? row.file.name : row.status.name,
    );
    expect(names).toEqual(['z.pdf', 'a.pdf', 'b.pdf']);
  });

  it('keep the status of a document that a status check has reported', async () => {
    const { api, store, readUploaded, send, polling } = createQueue();
    const finish = api.holdUploads(ok({ ...delivered, number: 1, status: 'received' }));
    await send('a.pdf');
    store.update((state) =>
      withAttachments(state, {
        documents: [{ ...delivered, number: 1 }],
      }),
    );
    finish();
    await polling.settle();
    expect(readUploaded()).toMatchObject([{ id: 1, status: { number: 1, status: 'delivered' } }]);
  });

  it('ignore responses for an application that was rejected', async () => {
    const { api, polling, readUploaded, list, send, reject } = createQueue();
    const { handleUpload } = api;
    api.handleUpload = (upload, number) =>
      new Promise((resolve) =>
        upload.signal.addEventListener('abort', () => resolve(handleUpload(upload, number))),
      );
    await send('a.pdf', 'b.pdf', 'c.pdf');
    reject();
    await polling.settle();
    expect(list('state')).toEqual(['queued', 'queued', 'queued']);
    expect(readUploaded()).toEqual([]);
    expect(api.uploads).toHaveLength(2);
  });

  it('end when the application is closed', async () => {
    const { api, polling, store, send, close } = createQueue();
    api.holdUploadsUntilAborted();
    await send('a.pdf', 'b.pdf', 'c.pdf');
    close();
    await polling.settle();
    expect(api.uploads.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(store.state.documents.queued).toEqual([]);
  });
});

describe('a canceled upload', () => {
  it('is aborted, and lets the next file start', async () => {
    const { api, queue, polling, list, send } = createQueue();
    api.holdUploadsUntilAborted();
    await send('a.pdf', 'b.pdf', 'c.pdf');
    queue.remove(1);
    await polling.settle();
    expect(api.uploads[0]?.signal.aborted).toBe(true);
    expect(list('file').map(({ name }) => name)).toEqual(['b.pdf', 'c.pdf']);
    expect(list('state')).toEqual(['sending', 'sending']);
  });

  it('is removed from the BFF if the whole file was sent', async () => {
    const { api, queue, polling, store, send } = createQueue();
    const finish = api.holdUploads(ok({ ...heldDocument, number: 7 }), 1);
    await send('a.pdf');
    queue.remove(1);
    expect(store.state.documents.queued).toMatchObject([{ isRemoving: true }]);
    finish();
    await polling.settle();
    expect(api.uploads[0]?.signal.aborted).toBe(false);
    expect(api.removals).toEqual([7]);
    expect(toRows(store.state.documents)).toEqual([]);
  });

  describe('whose last bytes reached the BFF', () => {
    const arrived = { ...heldDocument, number: 3, bytes: 5 };

    async function cancel(listed: DocumentStatus = arrived) {
      const created = createQueue({ uploaded: [{ ...delivered, number: 2, bytes: 5 }] });
      const { api, polling, queue } = created;
      const { handleUpload } = api;
      api.holdUploadsUntilAborted();
      queue.add([createFile('a.pdf', 5)]);
      api.session = ok(
        createSession({
          application: acceptedStatus,
          documents: [{ ...delivered, number: 2, bytes: 5 }, listed],
        }),
      );
      queue.remove(2);
      api.handleUpload = handleUpload;
      await polling.settle();
      return created;
    }

    it('is removed from the BFF', async () => {
      const { api, polling, readUploaded } = await cancel();
      expect(api.removals).toEqual([]);
      await polling.tick();
      expect(api.removals).toEqual([3]);
      expect(readUploaded().map(({ status }) => status.number)).toEqual([2]);
    });

    it('is removed if the response to Undo is lost', async () => {
      const { api, polling, queue } = createQueue();
      const lose = api.holdUploads(fail('network'), 1);
      queue.add([createFile('a.pdf', 5)]);
      api.session = ok(createSession({ application: acceptedStatus, documents: [arrived] }));
      queue.remove(1);
      lose();
      await polling.settle();
      await polling.tick();
      expect(api.removals).toEqual([3]);
    });

    it('is not looked for in another application', async () => {
      const { api, polling } = await cancel();
      const application = { ...acceptedStatus, reference: 'other' };
      api.session = ok(createSession({ application, documents: [arrived] }));
      await polling.tick();
      expect(api.removals).toEqual([]);
    });

    it.each([
      ['another size', { bytes: 6 }],
      ['the phone', { fromPhone: true }],
    ])('is not mistaken for a document of %s', async (_whose, changes) => {
      const { api, polling } = await cancel({ ...arrived, ...changes });
      await polling.tick();
      expect(api.removals).toEqual([]);
    });

    it('is removed on the phone of a handoff too', async () => {
      const created = await cancel({ ...arrived, fromPhone: true });
      const { api, polling, store } = created;
      store.merge('phone', { screen: 'documents' });
      api.phoneDocuments = [{ ...arrived, fromPhone: true }];
      await polling.tick();
      expect(api.removals).toEqual([3]);
    });

    it('is not mistaken for an upload in progress', async () => {
      const { api, polling, queue, store } = createQueue();
      api.holdUploads();
      queue.add([createFile('a.pdf', 5), createFile('b.pdf', 5)]);
      api.session = ok(createSession({ application: acceptedStatus, documents: [arrived] }));
      queue.remove(1);
      await polling.tick();
      expect(store.state.documents.uploaded).toHaveLength(1);
      expect(api.removals).toEqual([]);
    });

    it('stays if the applicant has chosen the same file again', async () => {
      const { api, polling, queue } = await cancel();
      api.holdUploads();
      // The first two are uploaded, so the same file waits.
      queue.add([createFile('b.pdf', 6), createFile('c.pdf', 7), createFile('a.pdf', 5)]);
      await polling.tick();
      expect(api.removals).toEqual([]);
    });

    it('is looked for three times', async () => {
      const { polling } = await cancel({ ...delivered, number: 3, bytes: 6 });
      while (polling.waiting > 0) await polling.tick();
      expect(polling.delays).toEqual([1_000, 5_000, 30_000]);
    });
  });
});

it.each([
  ['network', true],
  ['document-rejected', false],
] as const)('a file that failed with %s can be retried: %s', async (code, isRetryable) => {
  const { api, readQueued, send } = createQueue();
  api.handleUpload = async () => fail(code);
  await send('a.pdf');
  expect(readQueued().map(canRetry)).toEqual([isRetryable]);
});

describe('a held document', () => {
  async function createHeld() {
    const created = createQueue();
    created.api.handleUpload = async (_upload, number) => ok({ ...heldDocument, number });
    await created.send('a.pdf', 'b.pdf');
    return created;
  }

  it('is removed by Undo', async () => {
    const { api, queue, polling, readUploaded } = await createHeld();
    let isRemoved = false;
    queue.remove(1, () => (isRemoved = true));
    expect(readUploaded()).toMatchObject([{ id: 1, isRemoving: true }, { id: 2 }]);
    await polling.settle();
    expect(isRemoved).toBe(true);
    expect(api.removals).toEqual([1]);
    expect(readUploaded().map(({ id }) => id)).toEqual([2]);
    // The end of its time is not awaited any more.
    expect(polling.waiting).toBe(1);
  });

  it('does not return with a list that is older than its removal', async () => {
    const { queue, store, polling, readUploaded } = await createHeld();
    queue.remove(1);
    await polling.settle();
    store.update((state) =>
      withAttachments(state, {
        documents: [heldDocument, { ...heldDocument, number: 2 }],
      }),
    );
    expect(readUploaded().map(({ id }) => id)).toEqual([2]);
  });

  it.each([
    ['document-sent', undefined],
    ['network', heldDocument.changeable],
  ] as const)('stays if Undo fails with %s', async (problem, changeable) => {
    const { api, queue, polling, readUploaded } = await createHeld();
    api.handleRemoval = async () => fail(problem);
    queue.remove(1);
    await polling.settle();
    expect(readUploaded()[0]).toMatchObject({ isRemoving: false, problem });
    expect(readUploaded()[0]?.status.changeable).toEqual(changeable);
  });

  it('gets the chosen category', async () => {
    const { api, queue, polling, readUploaded } = await createHeld();
    queue.setCategory(2, 'ein-letter');
    expect(toShownCategory(readUploaded()[1]!)).toBe('ein-letter');
    await polling.settle();
    expect(api.changes).toEqual([[2, 'ein-letter']]);
    expect(readUploaded()[1]?.status.category).toBe('ein-letter');
  });

  it('keeps the category chosen last if its response arrives before an earlier one', async () => {
    const { api, queue, polling, readUploaded } = await createHeld();
    const { handleChange } = api;
    const respond: (() => void)[] = [];
    api.handleChange = (number, category) =>
      new Promise((resolve) => respond.push(() => resolve(handleChange(number, category))));
    queue.setCategory(1, 'ein-letter');
    queue.setCategory(1, 'other');
    respond[1]?.();
    await polling.settle();
    respond[0]?.();
    await polling.settle();
    expect(readUploaded()[0]?.status.category).toBe('other');
  });

  it('keeps its new category if a list that was requested earlier arrives later', async () => {
    const { queue, store, polling, readUploaded } = await createHeld();
    const list = { documents: [heldDocument, { ...heldDocument, number: 2 }] };
    const before = store.state;
    queue.setCategory(1, 'ein-letter');
    const during = store.state;
    await polling.settle();
    for (const requestedAt of [before, during]) {
      store.update((state) => withAttachments(state, list, requestedAt));
      expect(readUploaded()[0]?.status.category).toBe('ein-letter');
    }
    const delivered = { ...heldDocument, category: 'ein-letter', status: 'delivered' } as const;
    store.update((state) => withAttachments(state, { documents: [delivered] }, before));
    expect(readUploaded()[0]?.status.status).toBe('delivered');
  });

  it('shows the category of the BFF again if the change fails', async () => {
    const { api, queue, polling, readUploaded } = await createHeld();
    api.handleChange = async () => fail('network');
    queue.setCategory(1, 'ein-letter');
    await polling.settle();
    expect(toShownCategory(readUploaded()[0]!)).toBe('drivers-license');
    expect(readUploaded()[0]?.problem).toBe('network');
  });

  it('gets the category that was chosen during its upload', async () => {
    const { api, queue, polling, send } = createQueue();
    const finish = api.holdUploads();
    await send('scan.pdf');
    queue.setCategory(1, 'ein-letter');
    finish();
    await polling.settle();
    expect(api.uploads[0]?.category).toBe('');
    expect(api.changes).toEqual([[1, 'ein-letter']]);
  });

  it('counts as being delivered when its time is over', async () => {
    const { polling, store } = await createHeld();
    expect(countDelivering(store.state)).toBe(0);
    expect(polling.delays).toEqual([30_000, 30_000]);
    await polling.tick();
    expect(countDelivering(store.state)).toBe(1);
  });

  it('is gone after two lists without it', async () => {
    const { store, readUploaded } = await createHeld();
    const list = () =>
      store.update((state) => withAttachments(state, { documents: [heldDocument] }));
    list();
    expect(readUploaded()).toHaveLength(2);
    list();
    expect(readUploaded().map(({ id }) => id)).toEqual([1]);
  });
});

describe('while the BFF is at capacity, a file', () => {
  async function createBusyQueue() {
    const created = createQueue();
    const { api } = created;
    const accept = api.handleUpload;
    api.handleUpload = async ({ onProgress }) => {
      onProgress(0.4);
      return { ...fail('too-many-requests'), retryAfterMs: 2_000 };
    };
    await created.send('a.pdf', 'b.pdf', 'c.pdf');
    return { ...created, accept };
  }

  it('waits for its turn, and is sent as soon as there is capacity', async () => {
    const { api, polling, accept, list, readQueued, readUploaded } = await createBusyQueue();
    expect(list('state')).toEqual(['queued', 'queued', 'queued']);
    expect(list('progress')).toEqual([0, 0, 0]);
    expect(api.uploads).toHaveLength(2);
    expect(polling.delays).toEqual([2_000, 2_000]);
    const finish = api.holdUploads();
    await polling.tick();
    expect(list('state')).toEqual(['sending', 'queued', 'queued']);
    api.handleUpload = accept;
    finish();
    await polling.tick();
    expect(readQueued()).toEqual([]);
    expect(readUploaded()).toHaveLength(3);
  });

  it('can be canceled while it waits', async () => {
    const { api, queue, polling, readQueued } = await createBusyQueue();
    queue.remove(1);
    await polling.settle();
    expect(readQueued()[0]).toMatchObject({ file: { name: 'b.pdf' } });
    expect(api.uploads.map(({ file }) => file.name)).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  });
});

describe('a rate limit', () => {
  async function createLimitedQueue(retryAfterMs = longMs) {
    const created = createQueue();
    created.api.handleUpload = async () => ({ ...fail('too-many-requests'), retryAfterMs });
    await created.send('a.pdf');
    return created;
  }

  it('of a minute or longer is shown with its length', async () => {
    const { list, readQueued } = await createLimitedQueue();
    expect(list('problem')).toEqual([
      { kind: 'failed', code: 'too-many-requests', isRetryable: true, retryAfterMs: longMs },
    ]);
    expect(readQueued().map(canRetry)).toEqual([false]);
  });

  it('ends with another upload', async () => {
    const { api, polling, readQueued } = await createLimitedQueue();
    api.holdUploads();
    await polling.tick();
    expect(polling.delays).toEqual([longMs]);
    expect(readQueued()).toMatchObject([{ state: 'sending', problem: undefined }]);
  });

  it.each<[string, (world: ReturnType<typeof createQueue>) => void]>([
    [
      'while the element is not in the document',
      ({ store }) => store.update((state) => ({ ...state, isConnected: false })),
    ],
    ['after its file was removed', ({ queue }) => queue.remove(1)],
    ['after the application was closed', ({ close }) => close()],
  ])('has no timer %s', async (_when, act) => {
    const world = await createLimitedQueue();
    act(world);
    await world.polling.settle();
    expect(world.polling.waiting).toBe(0);
    expect(world.api.uploads).toHaveLength(1);
  });
});

describe('the limits', () => {
  const limits = { maxTotalBytes: 1_500 };
  const rejected = { ...delivered, status: 'rejected', number: 2, bytes: 1_000 } as const;

  it('count sent files, except rejected ones', () => {
    const uploaded = [{ ...delivered, number: 1, bytes: 600 }, rejected];
    const { queue, list } = createQueue({ uploaded, limits });
    queue.add([createFile('a.pdf', 700), createFile('b.pdf', 201), createFile('c.pdf', 200)]);
    expect(list('problem')).toEqual([undefined, { kind: 'space' }, undefined]);
  });

  it('allow a maximum number of files', () => {
    const { queue, list } = createQueue({ uploaded: [rejected], limits: { maxFiles: 1 } });
    queue.add([createFile('a.pdf'), createFile('b.pdf')]);
    expect(list('problem')).toEqual([undefined, { kind: 'count' }]);
  });

  it('allow another file after one is removed', () => {
    const { queue, list } = createQueue({ limits });
    queue.add(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => createFile(name, 700)));
    expect(list('problem')).toEqual([undefined, undefined, { kind: 'space' }]);
    queue.remove(1);
    expect(list('problem')).toEqual([undefined, undefined]);
    expect(list('state')).toEqual(['sending', 'queued']);
  });

  it('allow another file after an uploaded one is rejected', () => {
    const uploaded = { ...delivered, number: 1, bytes: 1_000 };
    const { queue, store, list } = createQueue({ uploaded: [uploaded], limits });
    queue.add([createFile('a.pdf', 700)]);
    expect(list('problem')).toEqual([{ kind: 'space' }]);
    const documents: DocumentStatus[] = [{ ...uploaded, status: 'rejected' }];
    store.update((state) => withAttachments(state, { documents }));
    expect(list('problem')).toEqual([undefined]);
    expect(list('state')).toEqual(['sending']);
  });

  it.each([
    ['a.gif', 1, 'type'],
    ['a.pdf', 0, 'empty'],
    ['a.pdf', 1_001, 'size'],
  ])('reject %s of %i bytes: %s', (name, bytes, kind) => {
    const { queue, readQueued } = createQueue();
    queue.add([createFile(name, bytes)]);
    expect(readQueued()).toMatchObject([{ state: 'failed', problem: { kind } }]);
  });
});

describe('a file that is chosen twice', () => {
  it('is ignored while it is queued, and after it was sent', async () => {
    const { queue, store, polling, readQueued } = createQueue();
    queue.add([createFile('a.pdf'), createFile('a.pdf')]);
    expect(readQueued()).toHaveLength(1);
    expect(store.state.documents.repeated).toEqual(['a.pdf']);
    await polling.settle();
    queue.add([createFile('a.pdf')]);
    expect(readQueued()).toEqual([]);
  });

  it('is added if it has changed since', () => {
    const { queue, readQueued } = createQueue();
    queue.add([createFile('a.pdf'), createFile('a.pdf', 1, 7)]);
    expect(readQueued()).toHaveLength(2);
  });
});

describe('leaving the step', () => {
  it('warns once of files without a category', async () => {
    const { api, queue, send } = createQueue();
    api.handleUpload = async () =>
      ok({ ...heldDocument, changeable: { needsCategory: true, heldSeconds: 600 } });
    await send('scan.pdf');
    expect([queue.warnOfUnsent(), queue.warnOfUnsent()]).toEqual([true, false]);
    queue.setCategory(1, 'other');
    expect(queue.warnOfUnsent()).toBe(false);
  });

  it('warns once of unsent files, until another step shows', () => {
    const { api, queue, showStep, store } = createQueue();
    api.holdUploads();
    queue.add([createFile('a.pdf')]);
    expect(queue.warnOfUnsent()).toBe(true);
    expect(store.state.documents.warnsOfUnsent).toBe(true);
    showStep('offers');
    expect(store.state.documents.warnsOfUnsent).toBe(false);
    showStep('documents');
    expect([queue.warnOfUnsent(), queue.warnOfUnsent()]).toEqual([true, false]);
  });
});

describe('a photo', () => {
  function createPhotoQueue() {
    const finish: ((file: File, thumbnail?: HTMLCanvasElement) => void)[] = [];
    const prepare: typeof preparePhoto = () =>
      new Promise((resolve) => {
        finish.push((file, thumbnail) =>
          resolve({ file, keepsLocation: false, isHeic: false, ...(thumbnail && { thumbnail }) }),
        );
      });
    const created = createQueue({ prepare });
    const settleWith = async (...prepared: Parameters<(typeof finish)[number]>) => {
      await created.polling.settle();
      finish.shift()?.(...prepared);
      await created.polling.settle();
    };
    return { ...created, settleWith };
  }

  it('over the limit is prepared before its upload', async () => {
    const { api, queue, readQueued, settleWith } = createPhotoQueue();
    queue.add([createFile('license.png', 5_000)]);
    expect(readQueued()).toMatchObject([
      { state: 'queued', category: 'drivers-license', isPreparing: true },
    ]);
    expect(api.uploads).toEqual([]);
    const prepared = createFile('license.jpg', 900);
    await settleWith(prepared);
    expect(api.uploads).toMatchObject([{ file: prepared, category: 'drivers-license' }]);
  });

  it('that stays over the limit fails', async () => {
    const { queue, readQueued, settleWith } = createPhotoQueue();
    queue.add([createFile('license.png', 5_000)]);
    await settleWith(createFile('license.png', 5_000));
    expect(readQueued()).toMatchObject([{ state: 'failed', problem: { kind: 'size' } }]);
  });

  it('waits for the photo before it', async () => {
    const { queue, list, settleWith } = createPhotoQueue();
    queue.add([createFile('1.jpg'), createFile('2.jpg')]);
    await settleWith(createFile('1.jpg'));
    expect(list('isPreparing')).toEqual([true]);
  });

  it('is not prepared after it was removed', async () => {
    const { api, queue, list, settleWith } = createPhotoQueue();
    queue.add([createFile('1.jpg'), createFile('2.jpg'), createFile('3.jpg')]);
    queue.remove(2);
    await settleWith(createFile('1.jpg'));
    await settleWith(createFile('3.jpg'));
    expect(api.uploads.map(({ file }) => file.name)).toEqual(['1.jpg', '3.jpg']);
    expect(list('isPreparing')).toEqual([]);
  });

  it('keeps its thumbnail after it was sent', async () => {
    const { queue, readUploaded, settleWith } = createPhotoQueue();
    const thumbnail = { width: 40 } as HTMLCanvasElement;
    queue.add([createFile('license.jpg')]);
    await settleWith(createFile('license.jpg'), thumbnail);
    await settleWith(createFile('unused.jpg'));
    expect(readUploaded()).toMatchObject([{ thumbnail, status: { number: 1 } }]);
  });

  it('of a rejected application leaves no thumbnail', async () => {
    const { queue, store, readUploaded, settleWith, reject } = createPhotoQueue();
    queue.add([createFile('license.jpg')]);
    await settleWith(createFile('license.jpg'), { width: 40 } as HTMLCanvasElement);
    await settleWith(createFile('unused.jpg'));
    reject();
    store.update((state) =>
      withAttachments(
        { ...state, form: createAcceptedForm({ application: acceptedStatus }) },
        { documents: [{ ...delivered, number: 1 }] },
      ),
    );
    expect(readUploaded()).toMatchObject([{ status: { number: 1 } }]);
    expect(readUploaded()[0]?.thumbnail).toBe(undefined);
  });
});
