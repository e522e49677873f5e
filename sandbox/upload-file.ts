// Upload File (spec, operation 6): the bytes are decoded, kept and hashed.

import { createHash } from 'node:crypto';
import {
  documentCategoryIds,
  toDocumentCategoryWire,
} from '../shared/application/document-categories.ts';
import type { UploadFileResponse } from '../shared/funding-service/operations.ts';
import { checkAccess } from './access.ts';
import { decodeStrictBase64 } from './base64.ts';
import type { SandboxContext } from './context.ts';
import { createRecordId } from './ids.ts';
import {
  isMissing,
  isObject,
  parseObject,
  refuse,
  type Answer,
  type Received,
  type Refused,
} from './operation.ts';
import { toPlannedRow } from './scenarios.ts';
import type { DocumentRecord } from './state.ts';

const fileFields = ['name', 'ext', 'file', 'category'] as const;

type FileFields = Readonly<Record<(typeof fileFields)[number], string>>;

export function uploadFile(received: Received, context: SandboxContext): Answer {
  const denied = checkAccess('upload-file', received.headers, context);
  if (denied) return refuse(denied);
  const body = parseObject(received.text);
  if (!body) return refuse('upload-file/malformed-json');
  const { leadId } = body;
  const echo = typeof leadId === 'string' ? { referenceId: leadId } : {};

  const reading = readFile(body);
  if ('kind' in reading) return { ...reading, ...echo };
  const record = context.state.leads.get(String(leadId));
  if (!record) return refuse('upload-file/lead-not-found', echo);
  const { applicationId } = record;
  const details = { ...echo, applicationId };
  if (!isAllowedCategory(reading.category, context)) {
    return refuse('upload-file/category-not-allowed', details);
  }
  const content = decodeStrictBase64(reading.file);
  if (!content) return refuse('upload-file/content-not-base64', details);
  const planned = toPlannedRow(record.tags, 'upload-file');
  if (planned) return refuse(planned, { ...details, subject: 'file' });

  const document = commitDocument(applicationId, reading, content, context);
  const answer: UploadFileResponse = {
    IsSuccessful: true,
    ResponseMessage: 'File uploaded successfully.',
    DocumentId: document.documentId,
    ReferenceID: applicationId,
  };
  return { kind: 'done', applicationId, body: { ...answer } };
}

/** Missing fields come first, in the spec's order: leadId, file, then name, ext, file and category inside it. */
function readFile(body: Readonly<Record<string, unknown>>): FileFields | Refused {
  const { leadId, file } = body;
  if (isMissing(leadId)) return refuseMissing('leadId');
  if (isMissing(file)) return refuseMissing('file');
  if (!isObject(file)) return refuse('upload-file/invalid-field-value', { subject: 'file' });
  const missing = fileFields.find((field) => isMissing(file[field]));
  if (missing) return refuseMissing(missing);
  const { name, ext, file: content, category } = file;
  if (typeof leadId !== 'string') {
    return refuse('upload-file/invalid-field-value', { subject: 'leadId' });
  }
  const wrong = fileFields.find((field) => typeof file[field] !== 'string');
  if (wrong) return refuse('upload-file/invalid-field-value', { subject: wrong });
  return {
    name: String(name),
    ext: String(ext),
    file: String(content),
    category: String(category),
  };
}

function refuseMissing(field: string): Refused {
  return refuse('upload-file/missing-required-field', { subject: field });
}

function isAllowedCategory(category: string, { settings }: SandboxContext): boolean {
  return documentCategoryIds.some(
    (id) => toDocumentCategoryWire(id, settings.aggregatorName) === category,
  );
}

function commitDocument(
  applicationId: string,
  { name, ext, category }: FileFields,
  content: Uint8Array,
  { clock, randomBytes, state }: SandboxContext,
): DocumentRecord {
  const documentId = createRecordId('document', randomBytes);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const receivedAtMs = clock.now();
  const record = { documentId, applicationId, receivedAtMs, name, ext, category, content, sha256 };
  state.documents.set(documentId, record);
  return record;
}
