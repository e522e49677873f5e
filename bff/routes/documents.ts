// `/v1/documents`: one raw body a file, streamed into the store; and the list of what was given.

import { type Context, Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import {
  documentListSchema,
  type DocumentStatus,
  documentStatusSchema,
} from '../../shared/api/attachments.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import {
  type DocumentCategoryId,
  documentCategoryIds,
} from '../../shared/application/document-categories.ts';
import { type DocumentName, toDocumentName } from '../documents/document-name.ts';
import type { DocumentRefusal, InspectionRefusal } from '../documents/refusals.ts';
import { checkSignature, checkExtension } from '../documents/check-signature.ts';
import type { InspectionDetail } from '../documents/inspect-document.ts';
import {
  type InspectionFailure,
  InspectionUnavailableError,
  type InspectionPool,
  type Verdict,
  type StoredDocument,
} from '../documents/inspection-pool.ts';
import type { Uploader } from '../documents/upload-semaphore.ts';
import type { Log } from '../logging/log.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { Counters } from '../middleware/counters.ts';
import { AppError } from '../runtime/app-error.ts';
import type { Ids } from '../runtime/ids.ts';
import { encryptName } from '../store/encryption.ts';
import type { ApplicationRow, AttachmentRow } from '../store/store.ts';
import { listCategories } from './configuration.ts';
import {
  requireLiveApplication,
  waitForAttachment,
  type WaitOptions,
} from './current-application.ts';
import { readUploadLength, receiveAttachment, toUploader, type UploadOptions } from './upload.ts';
import { viewDocument, viewDocuments, type ViewOptions } from './views.ts';
import { componentRef, describeSchema, json } from './openapi.ts';

/** Of the percent-encoded header: a byte becomes three signs, and file systems allow 255 characters of up to four bytes. */
const maxNameLength = 4096;

export type DocumentsEvent =
  /** The BFF refused a document for its name or content. `detail` is what the inspection found. */
  | {
      readonly event: 'document-refused';
      readonly requestId: string;
      readonly code: DocumentRefusal;
      readonly detail: InspectionDetail | InspectionFailure['reason'];
    }
  /** An inspection ended without a verdict. After the first attempt there is another one. */
  | ({
      readonly event: 'inspection-failed';
      readonly requestId: string;
      readonly attempt: number;
    } & InspectionFailure)
  /** The BFF could not inspect a document because of an internal fault. The applicant's browser sends the document again. */
  | {
      readonly event: 'inspection-unavailable';
      readonly requestId: string;
      readonly reason: InspectionUnavailableError['reason'];
      readonly error: unknown;
    };

export interface DocumentsRoutesOptions extends UploadOptions, ViewOptions, WaitOptions {
  readonly ids: Ids;
  readonly inspections: Pick<InspectionPool, 'prepare' | 'inspect'>;
  readonly counters: Counters;
  readonly findRateLimitAddress: FindClientAddress;
  readonly log: Log<DocumentsEvent>;
}

export function documentsRoutes(options: DocumentsRoutesOptions): Hono<BffEnv> {
  const { config, store } = options;
  const categories = listCategories(config.settings);
  const receiveDocument = createDocumentReceiver(options);

  return new Hono<BffEnv>()
    .post('/', describeUpload, async (c) => {
      const name = readName(c);
      const category = readCategory(c, categories);
      const session = c.get('session');
      const application = await requireLiveApplication(store, session);
      const attachment = await receiveDocument({
        requestId: c.get('requestId'),
        uploader: toUploader(c, options.findRateLimitAddress),
        application,
        name,
        category,
        expectedBytes: readUploadLength(c, 'document', config.settings.documents.maxBytes),
        source: c.req.raw.body ?? new Blob([]).stream(),
      });
      const waited = await waitForAttachment(application, attachment, options);
      return answer(c, viewDocument(waited, application, options));
    })
    .get('/', describeList, async (c) => {
      const application = await store.findCurrentApplication(c.get('session').row.id);
      return c.json({
        documents: application ? await viewDocuments(application, options) : [],
      });
    });
}

describeSchema('DocumentStatus', documentStatusSchema, {
  number: 'Counts from 1 within the application.',
  name: 'File name with its extension. Absent after the BFF has erased it.',
  category: { enum: documentCategoryIds },
  status:
    '`received`: stored, not delivered yet. `delivered`: the funding service has it. `rejected`: the funding service or the virus scanner rejected it.',
  delayed: 'Whether delivery takes longer than usual.',
  problem: 'Why it was rejected, unless the funding service rejected it.',
});
describeSchema('DocumentList', documentListSchema);

const describeUpload = describeRoute({
  summary: 'Upload a document',
  description:
    'One document as the raw body. The same name, category, and content again are the same document. Limits: see `documents` in the configuration.',
  parameters: [
    componentRef('parameters/ContentLength'),
    {
      in: 'header',
      name: apiHeaders.documentName,
      required: true,
      description:
        'File name with its extension, as UTF-8, percent-encoded (`encodeURIComponent` in JavaScript).',
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: maxNameLength,
        pattern: '^([!-$&-~]|%[0-9A-Fa-f]{2})+$',
      },
      example: 'Statement%20%E2%80%93%20May.pdf',
    },
    {
      in: 'header',
      name: apiHeaders.documentCategory,
      required: true,
      description: 'The `id` of a category in the configuration.',
      schema: componentRef('schemas/DocumentCategory'),
    },
  ],
  requestBody: {
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: {
    201: { description: 'The funding service has it.', ...json(documentStatusSchema) },
    202: { description: 'The BFF stored it and will deliver it.', ...json(documentStatusSchema) },
  },
});

const describeList = describeRoute({
  summary: 'List the documents',
  description: 'The documents of the application in the order of their upload.',
  responses: { 200: { description: 'The documents.', ...json(documentListSchema) } },
});

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

export function createDocumentReceiver(options: DocumentsRoutesOptions): ReceiveDocument {
  return async function receiveDocument(given) {
    const { requestId, application, name, expectedBytes } = given;
    const { extensions } = options.config.settings.documents;
    const refusal = checkExtension(name.extension, extensions);
    if (refusal) throw reportRefusal(refusal, requestId, options);
    await requireSpace(application, expectedBytes, options);
    // While the document arrives, a child starts.
    options.inspections.prepare();
    return receive(given, options);
  };
}

async function receive(
  { requestId, uploader, application, name, category, expectedBytes, source }: GivenDocument,
  options: DocumentsRoutesOptions,
): Promise<AttachmentRow> {
  const { config, encryption, ids, clock } = options;
  const { maxBytes, maxFiles, maxTotalBytes, extensions, scripts } = config.settings.documents;
  const { extension } = name;
  const cipher = encryption.unwrapKey(application.id, application.key);
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
      checkSignature(first) {
        const refusal = checkSignature(first, extension, extensions);
        if (refusal) throw reportRefusal(refusal, requestId, options);
      },
      async inspect({ content, bytes, sha256 }) {
        const inspection = { allowedExtensions: extensions, scripts };
        const document = { extension, options: inspection, bytes, content };
        const verdict = await inspect(document, requestId, options);
        if (verdict.kind !== 'accepted') throw reportRefusal(verdict, requestId, options);
        // The extension that is sent on is the content's own, not what the file's name says.
        return {
          encryptedName: encryptName(cipher, id, { name: name.name, extension: verdict.extension }),
          sameness: [name.name, category, sha256],
        };
      },
    },
    options,
  );
}

/** A fault of ours is a refusal for now: the browser keeps the file and sends it again. */
async function inspect(
  document: StoredDocument,
  requestId: string,
  { inspections, counters, log }: DocumentsRoutesOptions,
): Promise<Verdict> {
  let attempt = 0;
  try {
    return await inspections.inspect(document, (failure) => {
      attempt += 1;
      counters.countInspectionFailure(failure.reason);
      log({ event: 'inspection-failed', requestId, attempt, ...failure });
    });
  } catch (error) {
    if (!(error instanceof InspectionUnavailableError)) throw error;
    const { reason } = error;
    // The failure of the last attempt was counted above.
    if (reason !== 'interrupted') counters.countInspectionFailure(reason);
    log({ event: 'inspection-unavailable', requestId, reason, error });
    throw new AppError('inspection-unavailable', { retryAfterSeconds, cause: error });
  }
}

/** The name stays out of it. */
function reportRefusal(
  verdict: InspectionRefusal | Extract<Verdict, { kind: 'not-checked' }>,
  requestId: string,
  { counters, log }: DocumentsRoutesOptions,
): AppError {
  const { code, detail } =
    verdict.kind === 'refused'
      ? verdict
      : ({ code: 'document-not-checked', detail: verdict.reason } as const);
  counters.countDocumentRefusal(code);
  log({ event: 'document-refused', requestId, code, detail });
  return new AppError(code);
}

/** Early, before anything is received; what comes in at the same time is measured when it is whole. */
async function requireSpace(
  { id }: ApplicationRow,
  expectedBytes: number,
  { config, store }: DocumentsRoutesOptions,
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
