import { beforeEach, describe, expect, it } from 'vitest';
import { sessionMaxHours } from '../../../shared/api/session-lifetime.ts';
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
import {
  deliveredDocument,
  fail,
  heldDocument,
  ok,
  type FakeFundingApi,
} from '../../support/fake-funding-api.ts';
import type { ManualPolling } from '../../support/manual-polling.ts';

const { t } = createStepContext(createAcceptedState());

function announce(key: 'added' | 'repeated' | 'received' | 'done' | 'removed', name = 'a.pdf') {
  return t(`documents.announce.${key}`, { name });
}

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

  it('name all added files, and repeated ones each time', () => {
    queue.add([createFile('a.pdf'), createFile('b.pdf')]);
    queue.add([createFile('a.pdf')]);
    queue.add([createFile('a.pdf')]);
    const repeated = announce('repeated');
    expect(created.announced).toEqual([announce('added', 'a.pdf, b.pdf'), repeated, repeated]);
  });

  it('give the reason for an unusable file', () => {
    queue.add([createFile('empty.pdf', 0)]);
    const reason = t('documents.problem.empty');
    expect(created.announced).toEqual([
      t('documents.announce.failed', { name: 'empty.pdf', reason }),
    ]);
  });

  it.each([
    ['delivered', 'done'],
    ['received', 'received'],
  ] as const)('report a %s document', async (status, key) => {
    api.handleUpload = async () => ok({ ...deliveredDocument, status });
    await send();
    expect(created.announced).toEqual([announce(key)]);
  });

  it('repeat the same failure after a retry', async () => {
    api.handleUpload = async () => fail('document-unsafe');
    await send();
    queue.retry(1);
    await polling.settle();
    const reason = t('problem.document-unsafe');
    const failed = t('documents.announce.failed', { name: 'a.pdf', reason });
    expect(created.announced).toEqual([failed, failed]);
  });

  it.each([
    ['when the document is erased', ok(undefined), announce('removed')],
    [
      'when it came too late',
      fail('document-sent'),
      t('documents.announce.unchanged', {
        name: 'a.pdf',
        reason: t('problem.document-sent'),
      }),
    ],
  ])('report Undo %s', async (_when, removal, text) => {
    api.handleUpload = async () => ok(heldDocument);
    api.handleRemoval = async () => removal;
    await send();
    queue.remove(1);
    await polling.settle();
    expect(created.announced).toEqual([announce('received'), text]);
  });

  it('name all documents that the lender got', async () => {
    api.handleUpload = async ({ file: { name } }, number) => ok({ ...heldDocument, number, name });
    queue.add([createFile('a.pdf'), createFile('b.pdf')]);
    await polling.settle();
    created.announced.length = 0;
    const sent = { ...heldDocument, status: 'delivered', changeable: undefined } as const;
    created.store.update((state) =>
      withAttachments(state, {
        documents: [sent, { ...sent, number: 2, name: 'b.pdf' }],
      }),
    );
    expect(created.announced).toEqual([announce('done', 'a.pdf, b.pdf')]);
  });

  it('report a removed file', () => {
    queue.add([createFile('a.pdf')]);
    queue.remove(1);
    expect(created.announced[1]).toBe(announce('removed'));
  });

  it('ignore documents of an earlier page', () => {
    created.store.update((state) => withAttachments(state, { documents: [heldDocument] }));
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
    created.announced.length = 0;
    await polling.settle();
  }
});

describe('the heading of the documents step', () => {
  const { feature } = createFeature(createDocuments);

  it.each([
    ['how long the applicant can come back', false, 'step.documents.why'],
    ['that the session ends with the page', true, 'documents.why.page-only'],
  ] as const)('says %s', (_what, endsWithPage, key) => {
    const context = createStepContext(createAcceptedState(), { endsWithPage });
    const heading = feature.steps?.documents?.toHeading(context);
    expect(heading?.why).toBe(t(key, { hours: sessionMaxHours }));
  });
});

function createAnnouncedQueue() {
  return createFeature((environment) => ({
    ...createDocumentQueue(environment),
    toAnnouncements,
  }));
}

function createFile(name: string, bytes = 1): File {
  return new File([new Uint8Array(bytes)], name, { lastModified: 0 });
}
