// Probes of Upload File: fields, categories, Base64, extensions, and the size limit.

import { readId } from '../../bff/funding-service/responses.ts';
import { toDocumentCategoryWire } from '../../shared/application/document-categories.ts';
import { type Answer, describeAnswer, isAccepted } from '../answer.ts';
import { type Finding, NotTestable, type Probe } from '../probe.ts';
import type { Session } from '../session.ts';
import { createPdf, createSample, toUnknownId } from '../test-data.ts';
import { refusal } from './refusals.ts';

const section = 'Endpoints, 6. Upload File';
const wrong = 'conformance-test-wrong';
const name = 'TEST do not process (conformance)';

type Fields = Readonly<Record<string, unknown>>;

function createFile(changes: Fields = {}): Fields {
  const file = createPdf().toString('base64');
  return { name, ext: 'pdf', category: 'Other', file, ...changes };
}

async function upload(
  session: Session,
  changes: { readonly body?: Fields; readonly file?: Fields } = {},
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer> {
  const { applicationId } = session.requireLead();
  const file = createFile(changes.file);
  const body = { leadId: applicationId, file, ...changes.body };
  const answer = await session.send('upload-file', { body, headers });
  recordDocument(answer, session);
  return answer;
}

function recordDocument(answer: Answer, session: Session): void {
  const documentId = readId(answer.body['DocumentId']);
  const { applicationId } = session.requireLead();
  if (documentId !== undefined && answer.flag !== false) {
    session.facts.documents.push({ documentId, applicationId });
  }
}

/** Uploads with the BFF's own client, which streams the content. */
async function uploadWithClient(
  session: Session,
  content: Buffer,
  extension: string,
  category: string,
): Promise<Answer> {
  const { applicationId } = session.requireLead();
  const answer = await session.callWithClient('upload-file', { leadId: applicationId }, (client) =>
    client.uploadFile(applicationId, {
      name,
      extension,
      category,
      bytes: content.byteLength,
      content: async function* read() {
        yield content;
      },
    }),
  );
  recordDocument(answer, session);
  return answer;
}

function toAcceptance(answer: Answer, session: Session): Finding {
  const did = describeAnswer(answer, session.mask.secrets);
  return answer.outcome.kind === 'accepted'
    ? { verdict: 'as-specified', did, bff: 'handled' }
    : { verdict: 'differs', did, bff: 'not-handled' };
}

export const uploadFileProbes: readonly Probe[] = [
  {
    id: 'upload-file/accepted',
    title: 'A small PDF',
    section,
    says: 'IsSuccessful true, a DocumentId, and ReferenceID with the leadId.',
    run: async (session) =>
      toAcceptance(await uploadWithClient(session, createPdf(), 'pdf', 'Other'), session),
  },
  {
    id: 'upload-file/repeated',
    title: 'The same document twice',
    section,
    says: 'Not shown.',
    async run(session) {
      const first = await upload(session);
      const second = await upload(session);
      if (!isAccepted(second)) {
        return { verdict: 'known-now', did: describeAnswer(second, session.mask.secrets) };
      }
      const isSame = readId(first.body['DocumentId']) === readId(second.body['DocumentId']);
      return { verdict: 'known-now', did: isSame ? 'One document' : 'Two documents' };
    },
  },
  ...['leadId', 'file'].map((field) =>
    refusal({
      id: `upload-file/missing-${field}`,
      title: `Upload File without ${field}`,
      section: 'Errors',
      text: `Error: Missing required field: ${field}`,
      send: async (session) => upload(session, { body: { [field]: undefined } }),
    }),
  ),
  ...['name', 'ext', 'file', 'category'].map((field) =>
    refusal({
      id: `upload-file/missing-file.${field}`,
      title: `Upload File without ${field} inside file`,
      section: 'Errors',
      text: `Error: Missing required field: ${field}`,
      send: async (session) => upload(session, { file: { [field]: undefined } }),
    }),
  ),
  refusal({
    id: 'upload-file/lead-not-found',
    title: 'A document for a lead that does not exist',
    section: 'Errors',
    isRefusalSpecified: true,
    need: {
      kind: 'refused',
      reasons: ['application-not-found', 'application-id-invalid'],
      list: 'leadNotFound',
    },
    send: async (session) =>
      upload(session, { body: { leadId: toUnknownId(session.requireLead().applicationId) } }),
  }),
  refusal({
    id: 'upload-file/category-not-allowed',
    title: 'A document of a category that is not in the list',
    section: 'Errors',
    isRefusalSpecified: true,
    need: { kind: 'refused', reasons: ['category-not-allowed'], list: 'categoryNotAllowed' },
    send: async (session) => upload(session, { file: { category: wrong } }),
  }),
  refusal({
    id: 'upload-file/content-not-base64',
    title: 'A document whose content is not Base64',
    section: 'Errors',
    isRefusalSpecified: true,
    need: { kind: 'refused', reasons: ['content-not-base64'], list: 'contentNotBase64' },
    send: async (session) => upload(session, { file: { file: '%%% not Base64 %%%' } }),
  }),
  refusal({
    id: 'upload-file/invalid-field-value',
    title: 'Upload File with a text instead of the file object',
    section,
    send: async (session) => upload(session, { body: { file: wrong } }),
  }),
  refusal({
    id: 'upload-file/authentication-invalid',
    title: 'A document with an invalid token',
    section: 'Errors',
    isRefusalSpecified: true,
    need: { kind: 'authentication', list: 'invalidToken' },
    send: async (session) => upload(session, {}, { Authorization: `Bearer ${wrong}` }),
  }),
  refusal({
    id: 'upload-file/content-type-invalid',
    title: 'A document as text/plain',
    section: 'Common headers',
    send: async (session) => upload(session, {}, { 'Content-Type': 'text/plain' }),
  }),
  refusal({
    id: 'upload-file/malformed-json',
    title: 'Half of the JSON of Upload File',
    section: 'Errors',
    async send(session) {
      const { applicationId } = session.requireLead();
      const text = JSON.stringify({ leadId: applicationId, file: createFile() });
      return session.send('upload-file', { body: text.slice(0, text.length / 2) });
    },
  }),
  ...(['tax-return-extension', 'aging-report'] as const).map(misspelledCategory),
  {
    id: 'upload-file/aggregator-category',
    title: 'The category Bank Verification with the setting aggregatorName',
    section: 'Resources, Document',
    says: 'Allowed. The aggregation provider’s name in it is not shown.',
    async run(session) {
      const { aggregatorName } = session.settings;
      if (session.environment !== 'sandbox' && aggregatorName === 'Aggregator') {
        throw new NotTestable(
          'The setting aggregatorName is not set. Ask the funding service for the name of its aggregation provider.',
        );
      }
      const category = toDocumentCategoryWire('bank-verification', aggregatorName);
      const answer = await upload(session, { file: { category } });
      return isAccepted(answer)
        ? toAcceptance(answer, session)
        : {
            ...toAcceptance(answer, session),
            advice: `Ask the funding service for the exact category: we sent ${category}.`,
          };
    },
  },
  {
    id: 'upload-file/extensions',
    title: 'A document of each type in the setting documents.extensions',
    section: 'Resources, Document',
    says: 'File extension, e.g. txt, pdf, jpg. Whether others are refused is not shown.',
    run: tryExtensions,
  },
  {
    id: 'upload-file/size-limit',
    title:
      'A PDF with the size of the setting documents.maxBytes, and smaller ones if it is refused',
    section: 'Limits',
    says: 'Request size limits and file size limits: not shown.',
    run: findSizeLimit,
  },
];

function misspelledCategory(id: 'tax-return-extension' | 'aging-report'): Probe {
  const category = toDocumentCategoryWire(id, '');
  return {
    id: `upload-file/category-${id}`,
    title: `The category “${category}”`,
    section: 'Resources, Document',
    says: 'Allowed in this spelling.',
    run: async (session) => toAcceptance(await upload(session, { file: { category } }), session),
  };
}

async function tryExtensions(session: Session): Promise<Finding> {
  const accepted: string[] = [];
  const refused: string[] = [];
  const untested: string[] = [];
  let refusalText = '';
  for (const extension of session.settings.documents.extensions) {
    const content = createSample(extension);
    if (!content) {
      untested.push(extension);
      continue;
    }
    const answer = await uploadWithClient(session, content, extension, 'Other');
    if (isAccepted(answer)) accepted.push(extension);
    else {
      refused.push(extension);
      refusalText = describeAnswer(answer, session.mask.secrets);
    }
  }
  const did = [
    accepted.length > 0 && `Accepted: ${accepted.join(', ')}`,
    refused.length > 0 && `Refused: ${refused.join(', ')} (${refusalText})`,
    untested.length > 0 && `Not tested: ${untested.join(', ')}`,
  ].filter((part) => part !== false);
  const isUsable = accepted.length > 0 && refused.length > 0;
  return {
    verdict: 'known-now',
    did: did.join('. '),
    ...(isUsable
      ? { settings: [{ path: 'documents.extensions', value: [...accepted, ...untested] }] }
      : {}),
  };
}

const step = 64 * 1024;
const maxSizeCalls = 7;

/** A search for the largest accepted size, between nothing and the setting. */
async function findSizeLimit(session: Session): Promise<Finding> {
  const { maxBytes } = session.settings.documents;
  const send = async (bytes: number) => uploadWithClient(session, createPdf(bytes), 'pdf', 'Other');
  const largest = await send(maxBytes);
  if (isAccepted(largest)) {
    return { verdict: 'known-now', did: `Accepts ${toSize(maxBytes)}, the setting` };
  }
  const refusalText = describeAnswer(largest, session.mask.secrets);
  let low = 0;
  let high = Math.floor(maxBytes / step);
  for (let call = 1; call < maxSizeCalls && high - low > Math.max(1, low / 16); call += 1) {
    const middle = Math.floor((low + high) / 2);
    if (isAccepted(await send(middle * step))) low = middle;
    else high = middle;
  }
  const did = `Refuses ${toSize(high * step)}: ${refusalText}. `;
  if (low === 0) {
    return {
      verdict: 'known-now',
      did: `${did}No size between was accepted`,
      advice: 'Ask the funding service for its size limit.',
    };
  }
  return {
    verdict: 'known-now',
    did: `${did}Accepts ${toSize(low * step)}`,
    settings: [{ path: 'documents.maxBytes', value: low * step }],
  };
}

function toSize(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2).replace(/\.?0+$/, '')} MiB`;
}
