// Upload File (spec, operation 6): decodes, hashes, and stores a document.

import { createHash } from 'node:crypto';
import {
  documentCategoryIds,
  toDocumentCategoryWire,
} from '../shared/application/document-categories.ts';
import type { UploadFileResponse } from '../shared/funding-service/operations.ts';
import { checkAccess } from './authentication.ts';
import {
  createErrorResult,
  isMissing,
  isObject,
  parseObject,
  type ErrorResult,
  type OperationRequest,
  type OperationResult,
} from './operation.ts';
import { findPreviewType } from './preview.ts';
import { findTaggedError } from './scenarios.ts';
import { createRecordId, type DocumentRecord, type SandboxContext } from './state.ts';

const fileFields = ['name', 'ext', 'file', 'category'] as const;

type FileFields = Readonly<Record<(typeof fileFields)[number], string>>;

export function uploadFile(request: OperationRequest, context: SandboxContext): OperationResult {
  const accessError = checkAccess('upload-file', request.headers, context);
  if (accessError) return createErrorResult(accessError);
  const body = parseObject(request.body);
  if (!body) return createErrorResult('upload-file/malformed-json');
  const { leadId } = body;
  const reference = typeof leadId === 'string' ? { referenceId: leadId } : {};

  const parsed = parseFile(body);
  if ('kind' in parsed) return { ...parsed, ...reference };
  const lead = context.state.leads.get(String(leadId));
  if (!lead) return createErrorResult('upload-file/lead-not-found', reference);
  const { applicationId } = lead;
  const details = { ...reference, applicationId };
  if (!isAllowedCategory(parsed.category, context)) {
    return createErrorResult('upload-file/category-not-allowed', details);
  }
  const content = decodeStrictBase64(parsed.file);
  if (!content) return createErrorResult('upload-file/content-not-base64', details);
  const taggedError = findTaggedError(lead.tags, 'upload-file');
  if (taggedError) return createErrorResult(taggedError, { ...details, subject: 'file' });

  const document = storeDocument(applicationId, parsed, content, context);
  const response: UploadFileResponse = {
    IsSuccessful: true,
    ResponseMessage: 'File uploaded successfully.',
    DocumentId: document.documentId,
    ReferenceID: applicationId,
  };
  return { kind: 'success', applicationId, body: { ...response } };
}

/** Checks for missing fields first, in the spec's order: leadId, file, then name, ext, file, and category inside it. */
function parseFile(body: Readonly<Record<string, unknown>>): FileFields | ErrorResult {
  const { leadId, file } = body;
  if (isMissing(leadId)) return createMissingError('leadId');
  if (isMissing(file)) return createMissingError('file');
  if (!isObject(file)) return createInvalidError('file');
  const missing = fileFields.find((field) => isMissing(file[field]));
  if (missing) return createMissingError(missing);
  const { name, ext, file: content, category } = file;
  if (typeof leadId !== 'string') return createInvalidError('leadId');
  const invalid = fileFields.find((field) => typeof file[field] !== 'string');
  if (invalid) return createInvalidError(invalid);
  return {
    name: String(name),
    ext: String(ext),
    file: String(content),
    category: String(category),
  };
}

function createMissingError(subject: string): ErrorResult {
  return createErrorResult('upload-file/missing-required-field', { subject });
}

function createInvalidError(subject: string): ErrorResult {
  return createErrorResult('upload-file/invalid-field-value', { subject });
}

function isAllowedCategory(category: string, { settings }: SandboxContext): boolean {
  return documentCategoryIds.some(
    (id) => toDocumentCategoryWire(id, settings.aggregatorName) === category,
  );
}

function storeDocument(
  applicationId: string,
  { name, ext, category }: FileFields,
  content: Uint8Array,
  { clock, randomBytes, state }: SandboxContext,
): DocumentRecord {
  const documentId = createRecordId('document', randomBytes);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const receivedAtMs = clock.now();
  const bytes = content.byteLength;
  const previewType = findPreviewType(content);
  const file = { name, ext, category, bytes, previewType, content, sha256 };
  const record = { documentId, applicationId, receivedAtMs, ...file };
  state.documents.set(documentId, record);
  return record;
}

/**
 * Decodes padded Base64 in the standard alphabet (RFC 4648 section 4). Returns undefined for line breaks (section 3.1), other
 * characters (3.3), missing padding (3.2), and nonzero pad bits (3.5).
 */
export function decodeStrictBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  // This search takes linear time on tens of megabytes. A pattern with groups would not.
  const unpadded = text.replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/]/.test(unpadded)) return undefined;
  const lastQuantum = text.slice(-4);
  if (Buffer.from(lastQuantum, 'base64').toString('base64') !== lastQuantum) return undefined;
  return Buffer.from(text, 'base64');
}
