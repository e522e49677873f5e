// The operations of the API as data: what each one accepts, what it answers, and which problems it may report.

import { maxBankReportBytes } from '../../shared/api/bank-report.ts';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problems.ts';
import { documentRefusals } from '../documents/document-types.ts';
import { toReference, type JsonSchema, type SchemaName } from './schemas.ts';

export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** `required` by default. `begins`: the operation needs none and may begin one. */
  readonly session?: 'none' | 'begins' | 'required';
  /** Besides those of every operation. */
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  /** By HTTP status. */
  readonly answers: Readonly<Record<number, Success>>;
  /** Besides `commonProblems`, `sessionProblems` and `jsonProblems`. */
  readonly problems?: readonly ProblemCode[];
}

export interface Parameter {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonSchema;
  readonly example?: string | number;
}

interface Body {
  readonly type: 'application/json' | 'application/octet-stream';
  readonly schema: JsonSchema;
  readonly isOptional?: true;
}

interface Success {
  readonly description: string;
  /** Default: the answer has no body. */
  readonly schema?: SchemaName;
}

/** Any operation may report these: the origin gate, the rate limits, the store, a fault of the BFF. */
export const commonProblems: readonly ProblemCode[] = [
  'origin-refused',
  'header-missing',
  'unsupported-media-type',
  'too-many-requests',
  'too-busy',
  'storage-unavailable',
  'internal',
];
export const sessionProblems: readonly ProblemCode[] = ['session-missing'];
export const jsonProblems: readonly ProblemCode[] = ['invalid-request', 'too-large'];

/** Reported before the BFF reads the session, so that these answers never renew it. */
export const problemsBeforeSession: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'origin-refused',
  'header-missing',
  'unsupported-media-type',
  'session-missing',
]);

/** Problems whose answer carries `Retry-After`: each time, or only if the funding service says how long to wait. */
export const retryAfter: Readonly<Partial<Record<ProblemCode, 'always' | 'sometimes'>>> = {
  'too-many-requests': 'always',
  'too-busy': 'always',
  'too-soon': 'always',
  'challenge-unavailable': 'always',
  'storage-unavailable': 'always',
  'service-unavailable': 'sometimes',
};

const uploadProblems: readonly ProblemCode[] = [
  'application-missing',
  'application-rejected',
  'document-length-required',
  'document-limit-reached',
];

const text = { type: 'string' };

const contentLength: Parameter = {
  in: 'header',
  name: 'content-length',
  description:
    'Size of the body in bytes. Most HTTP libraries set it for a body whose size they know; a chunked body is refused.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

export const operations: readonly Operation[] = [
  {
    method: 'get',
    path: apiPaths.configuration,
    summary: 'Read the configuration',
    description: 'The choices, limits, consents and texts that a form needs, in one language.',
    session: 'none',
    parameters: [
      {
        in: 'query',
        name: 'locale',
        description:
          'The preferred language, for example `es` or `es-MX`. A language that the form does not offer selects its default.',
        schema: text,
        example: 'es-MX',
      },
    ],
    answers: { 200: { description: 'The configuration.', schema: 'Configuration' } },
  },
  {
    method: 'post',
    path: apiPaths.session,
    summary: 'Begin or resume a session',
    description:
      'Resumes the session that the request carries, and begins one otherwise. Send no body, or `{}`, for a session in a cookie.',
    session: 'begins',
    body: {
      type: 'application/json',
      schema: toReference('SessionRequest'),
      isOptional: true,
    },
    answers: { 200: { description: 'The session.', schema: 'Session' } },
    // The request carries a cookie and a session token of two sessions.
    problems: sessionProblems,
  },
  {
    method: 'get',
    path: apiPaths.session,
    summary: 'Read the session',
    description: 'The session with its application, documents, latest report and contact request.',
    answers: { 200: { description: 'The session.', schema: 'Session' } },
  },
  {
    method: 'delete',
    path: apiPaths.session,
    summary: 'End the session',
    description:
      'The session carries no request from then on. What the applicant submitted is still delivered.',
    answers: { 204: { description: 'The session has ended.' } },
  },
  {
    method: 'post',
    path: apiPaths.application,
    summary: 'Submit an application',
    description:
      'A session has one application. After a lost answer, send the same body with the same key: the BFF answers for the application it has. An application that follows the begin of its session faster than a person fills in a form is answered with 429 (`too-soon`).',
    parameters: [
      {
        in: 'header',
        name: apiHeaders.idempotencyKey,
        description: 'A UUID that the client creates for one set of answers, and repeats with it.',
        required: true,
        schema: { ...text, format: 'uuid' },
      },
      {
        in: 'header',
        name: apiHeaders.challenge,
        description:
          'The token of the solved bot check. Required if `challenge` of the configuration is not `null`.',
        schema: { ...text, maxLength: 8192 },
      },
      {
        in: 'header',
        name: apiHeaders.honeypot,
        description: 'Do not send it: it marks a form whose hidden field was filled in.',
        schema: text,
      },
    ],
    body: { type: 'application/json', schema: toReference('Application') },
    answers: {
      201: { description: 'The funding service accepted it.', schema: 'ApplicationStatus' },
      202: { description: 'It is stored and will be delivered.', schema: 'ApplicationStatus' },
    },
    problems: [
      'idempotency-key-missing',
      'idempotency-key-reused',
      'application-exists',
      'application-rejected',
      'consent-required',
      'too-soon',
      'automation-suspected',
      'challenge-required',
      'challenge-unavailable',
    ],
  },
  {
    method: 'get',
    path: apiPaths.application,
    summary: 'Read the status of the application',
    description: 'Answers at once, without asking the funding service.',
    answers: { 200: { description: 'The status.', schema: 'ApplicationStatus' } },
    problems: ['application-missing'],
  },
  {
    method: 'get',
    path: apiPaths.offers,
    summary: 'Read the pre-approval decision and its offers',
    description:
      'Asks the funding service, at most once in three seconds for an application. Needs an application that is `accepted`.',
    answers: { 200: { description: 'The decision and its offers.', schema: 'Offers' } },
    problems: [
      'application-missing',
      'application-pending',
      'application-rejected',
      'service-refused',
      'service-unavailable',
    ],
  },
  {
    method: 'post',
    path: apiPaths.contact,
    summary: 'Allow contact again',
    description:
      'Lifts a "Do Not Contact" mark. Needs the current contact consent, given for this request. Repeating the request is safe.',
    body: { type: 'application/json', schema: toReference('ContactRequest') },
    answers: {
      200: { description: 'The funding service allows contact.', schema: 'ContactAnswer' },
      202: { description: 'It is stored and will be delivered.', schema: 'ContactAnswer' },
    },
    problems: ['application-missing', 'application-rejected', 'consent-required'],
  },
  {
    method: 'post',
    path: apiPaths.documents,
    summary: 'Upload a document',
    description:
      'One document as the raw body. The same name, category and content again is the same document. Limits: see `documents` of the configuration.',
    parameters: [
      contentLength,
      {
        in: 'header',
        name: apiHeaders.documentName,
        description:
          'File name with its extension, as UTF-8, percent-encoded (`encodeURIComponent` in JavaScript).',
        required: true,
        schema: {
          ...text,
          minLength: 1,
          maxLength: 4096,
          pattern: '^([!-$&-~]|%[0-9A-Fa-f]{2})+$',
        },
        example: 'Statement%20%E2%80%93%20May.pdf',
      },
      {
        in: 'header',
        name: apiHeaders.documentCategory,
        description: 'The `id` of a category of the configuration.',
        required: true,
        schema: toReference('DocumentCategory'),
      },
    ],
    body: { type: 'application/octet-stream', schema: { ...text, format: 'binary' } },
    answers: {
      201: { description: 'The funding service has it.', schema: 'DocumentStatus' },
      202: { description: 'It is stored and will be delivered.', schema: 'DocumentStatus' },
    },
    problems: [
      ...uploadProblems,
      'document-name-invalid',
      'document-category-invalid',
      'document-too-large',
      'document-incomplete',
      ...documentRefusals,
      'document-space-exhausted',
      'inspection-unavailable',
      'document-rejected',
    ],
  },
  {
    method: 'get',
    path: apiPaths.documents,
    summary: 'List the documents',
    description: 'The documents of the application in the order of their upload.',
    answers: { 200: { description: 'The documents.', schema: 'DocumentList' } },
  },
  {
    method: 'post',
    path: apiPaths.assetReport,
    summary: 'Submit an asset report',
    description:
      'Each report becomes a record of its own at the funding service. The same bytes again are the same report.',
    parameters: [
      { ...contentLength, schema: { ...contentLength.schema, maximum: maxBankReportBytes } },
    ],
    body: { type: 'application/json', schema: toReference('AssetReport') },
    answers: {
      201: { description: 'The funding service has it.', schema: 'AssetReportStatus' },
      202: { description: 'It is stored and will be delivered.', schema: 'AssetReportStatus' },
    },
    problems: [...uploadProblems, 'asset-report-invalid', 'asset-report-rejected'],
  },
];
