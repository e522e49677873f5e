import { beforeEach, describe, expect, it } from 'vitest';
import { withAttachments } from '../../../widget/app/attachments.ts';
import {
  createDocumentQueue,
  type DocumentQueue,
} from '../../../widget/documents/document-queue.ts';
import { createDocuments, toAnnouncements } from '../../../widget/documents/documents.ts';
import {
  createAcceptedState,
  createFeature,
  createStepContext,
} from '../../support/create-feature.ts';
import { fail, ok, type FakeFundingApi } from '../../support/fake-funding-api.ts';
import type { ManualPolling } from '../../support/manual-polling.ts';

describe('announcements', () => {
  let created: ReturnType<typeof createAnnouncedQueue>;
  let api: FakeFundingApi;
  let polling: ManualPolling;
  let queue: DocumentQueue;

  beforeEach(() => {
    created = createAnnouncedQueue();
    ({ api, polling } = created);
    queue = created.feature;
  });

  it('name all added files', () => {
    queue.add([createFile('a.pdf'), createFile('b.pdf')]);
    expect(created.announced).toEqual(['a.pdf, b.pdf: added, not sent yet']);
  });

  it('name repeated files each time', () => {
    queue.add([createFile('a.pdf')]);
    queue.add([createFile('a.pdf')]);
    queue.add([createFile('a.pdf')]);
    const repeated = 'a.pdf: already in your list';
    expect(created.announced.slice(1)).toEqual([repeated, repeated]);
  });

  it('give the reason for an unusable file', () => {
    queue.add([createFile('empty.pdf', 0)]);
    expect(created.announced).toEqual(['empty.pdf: not sent. This file is empty.']);
  });

  it('report half of an upload once', async () => {
    api.handleUpload = async ({ onProgress }) => {
      for (const progress of [0.4, 0.6, 0.7, 1]) onProgress(progress);
      return { ...fail('too-busy'), retryAfterMs: 1_000 };
    };
    await send();
    await polling.tick();
    expect(api.uploads).toHaveLength(2);
    expect(created.announced).toEqual(['a.pdf: half sent']);
  });

  it('report half of an upload that is retried', async () => {
    api.handleUpload = async ({ onProgress }) => {
      onProgress(0.6);
      return fail('network');
    };
    await send();
    queue.retry(1);
    await polling.settle();
    expect(created.announced.filter((text) => text === 'a.pdf: half sent')).toHaveLength(2);
  });

  it('report a delivered document', async () => {
    await send();
    expect(created.announced).toEqual(['a.pdf: sent']);
  });

  it('report a received document', async () => {
    api.handleUpload = async () =>
      ok({ number: 1, category: 'other', bytes: 1, status: 'received', delayed: false });
    await send();
    expect(created.announced).toEqual(['a.pdf: received, being passed on']);
  });

  it('repeat the same failure after a retry', async () => {
    api.handleUpload = async () => fail('document-unsafe');
    await send();
    queue.retry(1);
    await polling.settle();
    expect(created.announced).toHaveLength(2);
    expect(created.announced[0]).toMatch(/^a\.pdf: not sent\. ./);
    expect(created.announced[1]).toBe(created.announced[0]);
  });

  it('report a canceled upload', async () => {
    api.handleUpload = ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(fail('network'))));
    await send();
    queue.cancel(1);
    await polling.settle();
    expect(created.announced).toEqual([
      'a.pdf: not sent. Cancelled. Nothing of this file was kept.',
    ]);
  });

  it('report a removed file', () => {
    queue.add([createFile('a.pdf')]);
    queue.remove(1);
    expect(created.announced[1]).toBe('a.pdf removed');
  });

  it('ignore documents that the BFF reports', () => {
    const document = { category: 'other', bytes: 1, delayed: false } as const;
    const report = (status: 'received' | 'delivered') =>
      created.store.update((state) =>
        withAttachments(state, {
          documents: [{ ...document, number: 1, status }],
          assetReport: null,
          contact: null,
        }),
      );
    report('received');
    report('delivered');
    expect(created.announced).toEqual([]);
  });

  it('ignore files that go with a closed application', () => {
    queue.add([createFile('a.pdf')]);
    created.announced.length = 0;
    created.close();
    expect(created.announced).toEqual([]);
  });

  async function send(): Promise<void> {
    queue.add([createFile('a.pdf')]);
    queue.setCategory(1, 'other');
    created.announced.length = 0;
    queue.send();
    await polling.settle();
  }
});

describe('the heading of the documents step', () => {
  const { feature } = createFeature(createDocuments);

  it('says how long the applicant can come back', () => {
    const heading = feature.steps?.documents?.toHeading(createStepContext(createAcceptedState()));
    expect(heading?.why).toContain('hours, in this browser');
  });

  it('says that the session ends with the page', () => {
    const context = createStepContext(createAcceptedState(), { endsWithPage: true });
    const heading = feature.steps?.documents?.toHeading(context);
    expect(heading?.why).toContain('while this page is open');
  });
});

function createAnnouncedQueue() {
  const announced: string[] = [];
  const created = createFeature((environment) => {
    const queue = createDocumentQueue(environment);
    return {
      ...queue,
      react: (...change: Parameters<typeof queue.react>) => {
        announced.push(...toAnnouncements(...change, createStepContext(change[1])));
        queue.react(...change);
      },
    };
  });
  return { ...created, announced };
}

function createFile(name: string, bytes = 1): File {
  return new File([new Uint8Array(bytes)], name, { lastModified: 0 });
}
