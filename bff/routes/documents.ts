// `/v1/documents`: one raw body a file, streamed into the store; and the list of what was given.

import { type Context, Hono } from 'hono';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import type { DocumentCategoryId } from '../../shared/application/document-categories.ts';
import { type DocumentName, toDocumentName } from '../documents/document-name.ts';
import type { InspectionRefusal } from '../documents/document-types.ts';
import { lookAtBeginning, lookAtName } from '../documents/inspect-beginning.ts';
import { InspectionFault, type Verdict, type WholeDocument } from '../documents/inspection-pool.ts';
import type { Uploader } from '../documents/upload-semaphore.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import { encryptName } from '../store/encryption.ts';
import type { ApplicationRow, AttachmentRow } from '../store/store.ts';
import { listCategories } from './configuration.ts';
import { requireLiveApplication, waitForAttachment } from './current-application.ts';
import type { RouteDependencies } from './dependencies.ts';
import { readUploadLength, receiveAttachment, toUploader } from './upload.ts';
import { viewDocument, viewDocuments } from './views.ts';

/** Of the percent-encoded header: a byte becomes three signs, and file systems allow 255 characters of up to four bytes. */
const maxNameLength = 4096;

export function documentsRoutes(dependencies: RouteDependencies): Hono<BffEnv> {
  const { config, store } = dependencies;
  const categories = listCategories(config.settings);
  const receiveDocument = createDocumentReceiver(dependencies);

  return new Hono<BffEnv>()
    .post('/', async (c) => {
      const name = readName(c);
      const category = readCategory(c, categories);
      const session = c.get('session');
      const application = await requireLiveApplication(store, session);
      const attachment = await receiveDocument({
        requestId: c.get('requestId'),
        uploader: toUploader(c, dependencies),
        application,
        name,
        category,
        expectedBytes: readUploadLength(c, 'document', config.settings.documents.maxBytes),
        source: c.req.raw.body ?? new Blob([]).stream(),
      });
      const waited = await waitForAttachment(application, attachment, dependencies);
      return answer(c, viewDocument(waited, application, dependencies));
    })
    .get('/', async (c) => {
      const application = await store.findCurrentApplication(c.get('session').row.id);
      return c.json({
        documents: application ? await viewDocuments(application, dependencies) : [],
      });
    });
}

function answer(c: Context<BffEnv>, document: DocumentStatus): Response {
  if (document.status === 'rejected') throw new AppError(document.problem ?? 'document-rejected');
  return c.json(document, document.status === 'delivered' ? 201 : 202);
}

function readName(c: Context<BffEnv>): DocumentName {
  const header = c.req.header(apiHeaders.documentName) ?? '';
  const fileName = header.length > maxNameLength ? undefined : decodePercent(header);
  if (!fileName || fileName.trim() === '') throw new AppError('document-name-invalid');
  return toDocumentName(fileName);
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function readCategory(
  c: Context<BffEnv>,
  categories: readonly { readonly id: DocumentCategoryId }[],
): DocumentCategoryId {
  const given = c.req.header(apiHeaders.documentCategory);
  const category = categories.find(({ id }) => id === given);
  if (!category) throw new AppError('document-category-invalid');
  return category.id;
}

/** A child starts within a second, and what is overloaded has finished a few documents by then. */
const retryAfterSeconds = 10;

export interface GivenDocument {
  readonly requestId: string;
  readonly uploader: Uploader;
  readonly application: ApplicationRow;
  readonly name: DocumentName;
  readonly category: DocumentCategoryId;
  readonly expectedBytes: number;
  readonly source: AsyncIterable<Uint8Array>;
}

/** The document as it is kept from now on. Throws an `AppError` that says why it is not. */
export type ReceiveDocument = (given: GivenDocument) => Promise<AttachmentRow>;

export function createDocumentReceiver(dependencies: RouteDependencies): ReceiveDocument {
  return async function receiveDocument(given) {
    const { requestId, application, name, expectedBytes } = given;
    const { extensions } = dependencies.config.settings.documents;
    const refusal = lookAtName(name.extension, extensions);
    if (refusal) throw noteRefusal(refusal, requestId, dependencies);
    await requireSpace(application, expectedBytes, dependencies);
    // While the document arrives, a child starts.
    dependencies.inspections.prepare();
    return receive(given, dependencies);
  };
}

async function receive(
  { requestId, uploader, application, name, category, expectedBytes, source }: GivenDocument,
  dependencies: RouteDependencies,
): Promise<AttachmentRow> {
  const { config, encryption, ids, clock } = dependencies;
  const { maxBytes, maxFiles, maxTotalBytes, extensions, scripts } = config.settings.documents;
  const { extension } = name;
  const cipher = encryption.openCipher(application.id, application.key);
  const id = ids.createId();
  return receiveAttachment(
    {
      requestId,
      uploader,
      application,
      cipher,
      source,
      maxBytes,
      expectedBytes,
      maxTotalBytes,
      limit: maxFiles,
      attachment: {
        id,
        applicationId: application.id,
        kind: 'document',
        category,
        createdAt: clock(),
      },
      lookAtBeginning(first) {
        const refusal = lookAtBeginning(first, extension, extensions);
        if (refusal) throw noteRefusal(refusal, requestId, dependencies);
      },
      async inspect({ content, bytes, sha256 }) {
        const options = { allowedExtensions: extensions, scripts };
        const document = { extension, options, bytes, content };
        const verdict = await inspect(document, requestId, dependencies);
        if (verdict.kind !== 'accepted') throw noteRefusal(verdict, requestId, dependencies);
        // The extension that is sent on is the content's own, not what the file's name says.
        return {
          encryptedName: encryptName(cipher, id, { name: name.name, extension: verdict.extension }),
          sameness: [name.name, category, sha256],
        };
      },
    },
    dependencies,
  );
}

/** A fault of ours is a refusal for now: the browser keeps the file and sends it again. */
async function inspect(
  document: WholeDocument,
  requestId: string,
  { inspections, refusals, log }: RouteDependencies,
): Promise<Verdict> {
  let attempt = 0;
  try {
    return await inspections.inspect(document, (failure) => {
      attempt += 1;
      refusals.countInspectionFailure(failure.reason);
      log({ event: 'inspection-failed', requestId, attempt, ...failure });
    });
  } catch (error) {
    if (!(error instanceof InspectionFault)) throw error;
    const { reason } = error;
    // The failure of the last attempt was counted above.
    if (reason !== 'interrupted') refusals.countInspectionFailure(reason);
    log({ event: 'inspection-unavailable', requestId, reason, error });
    throw new AppError('inspection-unavailable', { retryAfterSeconds, cause: error });
  }
}

/** The name stays out of it. */
function noteRefusal(
  verdict: InspectionRefusal | Extract<Verdict, { kind: 'not-checked' }>,
  requestId: string,
  { refusals, log }: RouteDependencies,
): AppError {
  const { code, detail } =
    verdict.kind === 'refused'
      ? verdict
      : ({ code: 'document-not-checked', detail: verdict.reason } as const);
  refusals.countDocumentRefusal(code);
  log({ event: 'document-refused', requestId, code, detail });
  return new AppError(code);
}

/** Early, before anything is received; what comes in at the same time is measured when it is whole. */
async function requireSpace(
  { id }: ApplicationRow,
  expectedBytes: number,
  { config, store }: RouteDependencies,
): Promise<void> {
  const { maxTotalBytes } = config.settings.documents;
  const attachments = await store.listAttachments(id, 'document');
  const kept = attachments.filter(({ state }) => state !== 'rejected' && state !== 'erased');
  const bytes = kept.reduce((sum, attachment) => sum + attachment.bytes, 0);
  // One that is as long may be the same again, which takes no space.
  const mayBeThere = kept.some((attachment) => attachment.bytes === expectedBytes);
  if (bytes + expectedBytes > maxTotalBytes && !mayBeThere) {
    throw new AppError('document-space-exhausted');
  }
}
