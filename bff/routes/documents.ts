// `/v1/documents`: stores a document, which is the raw body of a request, lists the documents of the application, and changes or
// removes a document before its delivery.

import { type Context, Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import {
  categoryChangeSchema,
  documentListSchema,
  documentRemovalSchema,
  type DocumentStatus,
  documentStatusSchema,
} from '../../shared/api/attachments.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import {
  type DocumentCategoryId,
  documentCategoryIds,
  listApplicantCategories,
} from '../../shared/application/document-categories.ts';
import { infectedOutcome } from '../delivery/attempt.ts';
import { checkExtension, checkSignature } from '../documents/check-signature.ts';
import { type DocumentName, toDocumentName } from '../documents/document-name.ts';
import {
  type InspectionFailure,
  type InspectionPool,
  InspectionUnavailableError,
  type StoredDocument,
  type Verdict,
} from '../documents/inspection-pool.ts';
import type { DocumentRefusal, InspectionDetail } from '../documents/refusals.ts';
import type { Log } from '../logging/log.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { Counters } from '../middleware/counters.ts';
import { requireActiveHandoff } from '../middleware/session.ts';
import { AppError } from '../runtime/app-error.ts';
import { freeChunks } from '../runtime/free-memory.ts';
import { decryptName } from '../store/encryption.ts';
import type { ApplicationRow, AttachmentRow } from '../store/store.ts';
import { isDelayed, requireActiveApplication } from './application.ts';
import {
  listAttachments,
  readUploadLength,
  receiveAttachment,
  toDeliveryStatus,
  type UploadDependencies,
} from './attachments.ts';
import { componentRef, deliveryResponses, describeSchema, header, json } from './openapi.ts';
import { readJson } from './request-body.ts';
import type { RouteDependencies } from './route-dependencies.ts';

/** Enough for 255 characters of four bytes each, which file systems allow: percent-encoding makes three characters of a byte. */
const maxEncodedNameLength = 4096;

/** The category of a document for which the applicant chooses none. */
const defaultCategory = 'other' satisfies DocumentCategoryId;

/**
 * Time to choose a category, not shorter than any time for Undo. Then the document is delivered with the default, because the
 * applicant may have left.
 */
const categoryHoldMs = 10 * 60_000;

const maxChangeBytes = 1024;

/** An inspection process starts within a second, and an overloaded one has finished a few documents by then. */
const retryAfterSeconds = 10;

export type DocumentsEvent =
  /** The BFF refused a document for its name or content. `detail` is the finding of the inspection. */
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

export interface DocumentsRoutesOptions extends UploadDependencies {
  readonly inspections: Pick<InspectionPool, 'prepare' | 'inspect'>;
  readonly counters: Counters;
  /** Called after a document was erased. */
  readonly onErased: () => void;
  readonly log: Log<DocumentsEvent>;
}

export function documentsRoutes(options: DocumentsRoutesOptions): Hono<BffEnv> {
  const { config, store, inspections, delivery, onErased } = options;
  const { extensions, scripts, maxBytes, maxFiles, maxTotalBytes, showInternalCategories } =
    config.settings.documents;
  const undoMs = config.settings.documents.undoSeconds * 1000;
  const categories = listApplicantCategories(showInternalCategories);

  return new Hono<BffEnv>()
    .post('/', describeUpload, async (c) => {
      const requestId = c.get('requestId');
      const refuse = (verdict: Refusal | undefined) => {
        if (verdict) throw reportRefusal(verdict, requestId, options);
      };
      const { name, extension } = readName(c);
      const chosen = c.req.header(apiHeaders.documentCategory);
      const isCategoryChosen = chosen !== undefined;
      const category = isCategoryChosen ? toCategory(chosen, categories) : defaultCategory;
      const application = requireActiveApplication(c);
      const { id: sessionId, handoff } = c.get('session');
      const bytes = readUploadLength(c, 'document', maxBytes);
      refuse(checkExtension(extension, extensions));
      await requireSpace(application, bytes, options);
      // Starts an inspection process while the document arrives.
      inspections.prepare();

      const attachment = await receiveAttachment(c, options, {
        application,
        kind: 'document',
        category,
        isCategoryChosen,
        holdMs: isCategoryChosen ? undoMs : categoryHoldMs,
        bytes,
        limit: maxFiles,
        maxTotalBytes,
        handoffId: handoff?.id,
        checkFirstChunk: (chunk) => refuse(checkSignature(chunk, extension, extensions)),
        async inspect(content, contentTag) {
          // The desktop may have disconnected the phone during the upload.
          if (handoff) await requireActiveHandoff(sessionId, options);
          const rules = { allowedExtensions: extensions, scripts };
          const read = () => freeChunks(content.read());
          const { findFile } = content;
          const document = { extension, options: rules, bytes, content: read, findFile };
          const verdict = await inspect(document, requestId, options);
          if (verdict.kind !== 'accepted') throw reportRefusal(verdict, requestId, options);
          // The applicant canceled the upload or left, and the page never reads that the document was received.
          if (c.req.raw.signal.aborted) throw new AppError('document-incomplete');
          // The funding service gets the extension of the content, which may differ from the one in the file name.
          const storedName = { name, extension: verdict.extension };
          // The category of the upload, also after a change: a repeated upload has the one of the first.
          return { name: storedName, identity: [name, category, contentTag] };
        },
      });
      const document = viewDocument(attachment, application, options);
      if (document.status === 'rejected') {
        throw new AppError(document.problem ?? 'document-rejected');
      }
      return c.json(document, document.status === 'delivered' ? 201 : 202);
    })
    .get('/', describeList, async (c) => {
      const { application, handoff } = c.get('session');
      const documents = application ? await viewDocuments(application, options, handoff?.id) : [];
      return c.json({ documents });
    })
    .post('/category', describeCategoryChange, async (c) => {
      const body = await readJson(c, categoryChangeSchema, maxChangeBytes, options);
      const category = toCategory(body.category, categories);
      const application = requireActiveApplication(c);
      // A phone changes and removes only what it has sent.
      const handoffId = c.get('session').handoff?.id;
      const { id } = application;
      const change = await store.changeCategory(id, body.number, category, undoMs, handoffId);
      if (change.kind !== 'changed') {
        throw new AppError(change.kind === 'sent' ? 'document-sent' : 'document-missing');
      }
      // The document may be due earlier now.
      delivery.wake();
      return c.json(viewDocument(change.attachment, application, options));
    })
    .post('/removal', describeRemoval, async (c) => {
      const { number } = await readJson(c, documentRemovalSchema, maxChangeBytes, options);
      const application = requireActiveApplication(c);
      const handoffId = c.get('session').handoff?.id;
      const change = await store.withdrawDocument(application.id, number, handoffId);
      if (change.kind === 'sent') throw new AppError('document-sent');
      // A document that does not exist is removed.
      if (change.kind === 'changed') onErased();
      return c.body(null, 204);
    });
}

function readName(c: Context<BffEnv>): DocumentName {
  const header = c.req.header(apiHeaders.documentName) ?? '';
  try {
    const fileName = header.length > maxEncodedNameLength ? '' : decodeURIComponent(header);
    if (fileName.trim() !== '') return toDocumentName(fileName);
  } catch (error) {
    // The encoding is invalid.
    if (!(error instanceof URIError)) throw error;
  }
  throw new AppError('document-name-invalid');
}

function toCategory(
  given: string,
  categories: ReturnType<typeof listApplicantCategories>,
): DocumentCategoryId {
  const category = categories.find(({ id }) => id === given);
  if (!category) throw new AppError('document-category-invalid');
  return category.id;
}

/** Checks the total size before the upload. `receiveAttachment` checks it again for concurrent uploads. */
async function requireSpace(
  application: ApplicationRow,
  expectedBytes: number,
  { config, store }: DocumentsRoutesOptions,
): Promise<void> {
  const documents = await listAttachments(store, application, 'document');
  const stored = documents.filter(({ state }) => state !== 'rejected');
  const storedBytes = stored.reduce((sum, { bytes }) => sum + bytes, 0);
  if (storedBytes + expectedBytes <= config.settings.documents.maxTotalBytes) return;
  // A document of the same size may be the same document, which takes no more space.
  if (stored.some(({ bytes }) => bytes === expectedBytes)) return;
  throw new AppError('document-space-exhausted');
}

/** Throws `inspection-unavailable` after an internal fault, so that the element keeps the file and uploads it again. */
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
    // The callback above has counted the failure of the last attempt.
    if (reason !== 'interrupted') counters.countInspectionFailure(reason);
    log({ event: 'inspection-unavailable', requestId, reason, error });
    throw new AppError('inspection-unavailable', { retryAfterSeconds, cause: error });
  }
}

type Refusal = Exclude<Verdict, { readonly kind: 'accepted' }>;

/** Counts and logs a refusal, without the name of the file. */
function reportRefusal(
  verdict: Refusal,
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

/** @param handoffId lists only the documents that the phone of this handoff sent. */
export async function viewDocuments(
  application: ApplicationRow,
  options: RouteDependencies,
  handoffId?: string,
): Promise<DocumentStatus[]> {
  const documents = await listAttachments(options.store, application, 'document');
  const visible =
    handoffId === undefined
      ? documents
      : documents.filter((document) => document.handoffId === handoffId);
  return visible.map((document) => viewDocument(document, application, options));
}

function viewDocument(
  attachment: AttachmentRow,
  { id, key }: ApplicationRow,
  { encryption, fundingService, clock }: RouteDependencies,
): DocumentStatus {
  // The name is erased before the record of the delivery.
  const name = attachment.encryptedName && decryptName(encryption.unwrapKey(id, key), attachment);
  const isUnsent = attachment.state === 'received';
  // The clock of the store may differ from the one of this process.
  const heldMs = isUnsent ? Math.max(0, (attachment.releaseAt ?? 0) - clock()) : 0;
  const isInfected = attachment.state === 'rejected' && attachment.lastOutcome === infectedOutcome;
  return {
    number: attachment.number,
    ...(name ? { name: `${name.name}.${name.extension}` } : {}),
    category: attachment.category,
    bytes: attachment.bytes,
    status: toDeliveryStatus(attachment),
    ...(isInfected ? { problem: 'document-infected' as const } : {}),
    ...(attachment.handoffId === undefined ? {} : { fromPhone: true }),
    ...(isUnsent && {
      changeable: {
        needsCategory: !attachment.isCategoryChosen,
        heldSeconds: Math.ceil(heldMs / 1000),
      },
    }),
    delayed: heldMs === 0 && isDelayed(attachment, 'upload-file', fundingService),
  };
}

describeSchema('DocumentStatus', documentStatusSchema, {
  number: 'Counts from 1 within the application.',
  name: 'File name with its extension. Absent after the BFF has erased it.',
  category: { enum: documentCategoryIds },
  status:
    '`received`: stored, not delivered yet. `delivered`: the funding service has it. `rejected`: the funding service or the virus scanner rejected it.',
  changeable:
    'Present while its category can be changed and it can be removed, because it was never sent.',
  'changeable.needsCategory': 'Whether `category` is a default, because nobody has chosen one.',
  'changeable.heldSeconds':
    'Seconds until the BFF sends it, if the funding service has the application by then.',
  delayed: 'Whether delivery takes longer than usual.',
  fromPhone: 'True if the applicant sent it from a phone in a handoff.',
  problem: 'Why it was rejected, unless the funding service rejected it.',
});
describeSchema('DocumentList', documentListSchema);
describeSchema('CategoryChange', categoryChangeSchema, {
  number: 'The `number` of a document of this application.',
  category: componentRef('schemas/DocumentCategory'),
});
describeSchema('DocumentRemoval', documentRemovalSchema, {
  number: 'The `number` of a document of this application.',
});

const describeUpload = describeRoute({
  summary: 'Upload a document',
  description:
    'One document as the raw body. The BFF holds it for a short time, in which it can be changed or removed. The same name, category, and content again are the same document. Limits: see `documents` in the configuration.',
  parameters: [
    componentRef('parameters/ContentLength'),
    header(
      apiHeaders.documentName,
      'File name with its extension, as UTF-8, percent-encoded (`encodeURIComponent` in JavaScript).',
      {
        type: 'string',
        minLength: 1,
        maxLength: maxEncodedNameLength,
        pattern: '^([!-$&-~]|%[0-9A-Fa-f]{2})+$',
      },
      { required: true, example: 'Statement%20%E2%80%93%20May.pdf' },
    ),
    header(
      apiHeaders.documentCategory,
      'The `id` of a category in the configuration. Without this header, the BFF waits ten minutes for a category, then sends the document as `other`.',
      componentRef('schemas/DocumentCategory'),
    ),
  ],
  requestBody: {
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: deliveryResponses(documentStatusSchema),
});

const describeList = describeRoute({
  summary: 'List the documents',
  description:
    'The documents of the application in the order of their upload. A phone session lists its own only.',
  responses: { 200: { description: 'The documents.', ...json(documentListSchema) } },
});

const describeCategoryChange = describeRoute({
  summary: 'Change the category of a document',
  description: 'Possible until the BFF sends the document. Starts the time for changes again.',
  requestBody: { required: true, ...json(categoryChangeSchema) },
  responses: { 200: { description: 'The changed document.', ...json(documentStatusSchema) } },
});

const describeRemoval = describeRoute({
  summary: 'Remove a document',
  description:
    'Erases the document. Possible until the BFF sends it. Repeating the request is safe.',
  requestBody: { required: true, ...json(documentRemovalSchema) },
  responses: { 204: { description: 'The document is erased, or does not exist.' } },
});
