// The operations of the contract as data: what each takes, what it answers, and what can go wrong with it.

import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problem.ts';
import { documentRefusals } from '../documents/document-refusals.ts';
import type { SchemaName } from './schemas.ts';

export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly summary: string;
  /** True where no session is asked for. */
  readonly isOpen?: true;
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  /** By HTTP status; `undefined` for one without a body. */
  readonly answers: Readonly<Record<number, SchemaName | undefined>>;
  /** Besides those of `commonProblems`, of sessions and of bodies. */
  readonly problems?: readonly ProblemCode[];
}

export interface Parameter {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Body {
  readonly type: 'application/json' | 'application/octet-stream';
  /** Without one it is bytes. */
  readonly schema?: SchemaName;
  readonly isOptional?: true;
}

/** Of the gate, the limits, and what can happen to any request. */
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

const uploadProblems: readonly ProblemCode[] = [
  'application-missing',
  'application-rejected',
  'document-length-required',
  'document-limit-reached',
];

const text = { type: 'string' };

export const operations: readonly Operation[] = [
  {
    method: 'get',
    path: apiPaths.configuration,
    summary: 'What the form needs and may show, in one language',
    isOpen: true,
    parameters: [
      {
        in: 'query',
        name: 'locale',
        description: 'A language, as in `es` or `es-MX`; one that is not offered gets the first.',
        schema: text,
      },
    ],
    answers: { 200: 'Configuration' },
  },
  {
    method: 'post',
    path: apiPaths.session,
    summary: 'Begin a session, or find the one that lives',
    isOpen: true,
    body: { type: 'application/json', schema: 'SessionRequest', isOptional: true },
    answers: { 200: 'Session' },
    // A cookie and a handle of two sessions.
    problems: sessionProblems,
  },
  {
    method: 'get',
    path: apiPaths.session,
    summary: 'The session, and all that was given in it',
    answers: { 200: 'Session' },
  },
  {
    method: 'delete',
    path: apiPaths.session,
    summary: 'End the session',
    answers: { 204: undefined },
  },
  {
    method: 'post',
    path: apiPaths.application,
    summary: 'File an application: 201 once the service has it, 202 while it is kept safe here',
    parameters: [
      {
        in: 'header',
        name: apiHeaders.idempotencyKey,
        description: 'Made once for one set of answers; with it the same may be sent again.',
        required: true,
        schema: { ...text, format: 'uuid' },
      },
      {
        in: 'header',
        name: apiHeaders.challenge,
        description: 'Where the configuration names a challenge: the token that solving it gave.',
        schema: { ...text, maxLength: 8192 },
      },
      {
        in: 'header',
        name: apiHeaders.honeypot,
        description: 'Sent by programs that fill in what people cannot see. Leave it out.',
        schema: text,
      },
    ],
    body: { type: 'application/json', schema: 'Application' },
    answers: { 201: 'ApplicationStatus', 202: 'ApplicationStatus' },
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
    summary: 'Where the application stands',
    answers: { 200: 'ApplicationStatus' },
    problems: ['application-missing'],
  },
  {
    method: 'get',
    path: apiPaths.offers,
    summary: 'The pre-approval decision and its offers',
    answers: { 200: 'Offers' },
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
    summary: 'Lift a "Do Not Contact" mark, with a consent given for it now',
    body: { type: 'application/json', schema: 'ContactRequest' },
    answers: { 200: 'ContactAnswer', 202: 'ContactAnswer' },
    problems: [
      'application-missing',
      'application-rejected',
      'consent-required',
      'contact-refused',
    ],
  },
  {
    method: 'post',
    path: apiPaths.documents,
    summary: 'Give one file',
    parameters: [
      {
        in: 'header',
        name: apiHeaders.documentName,
        description: 'The name with its extension, percent-encoded (`encodeURIComponent`).',
        required: true,
        schema: { ...text, maxLength: 4096 },
      },
      {
        in: 'header',
        name: apiHeaders.documentCategory,
        description: 'Id of a category, as the configuration lists them.',
        required: true,
        schema: text,
      },
    ],
    body: { type: 'application/octet-stream' },
    answers: { 201: 'DocumentStatus', 202: 'DocumentStatus' },
    problems: [
      ...uploadProblems,
      'document-name-invalid',
      'document-category-invalid',
      'document-too-large',
      'document-incomplete',
      ...documentRefusals,
      'document-space-exhausted',
      'document-rejected',
    ],
  },
  {
    method: 'get',
    path: apiPaths.documents,
    summary: 'The files that were given',
    answers: { 200: 'DocumentList' },
  },
  {
    method: 'post',
    path: apiPaths.assetReport,
    summary: 'Give a complete asset report, as the aggregation provider returns it',
    body: { type: 'application/json', schema: 'AssetReport' },
    answers: { 201: 'AssetReportStatus', 202: 'AssetReportStatus' },
    problems: [...uploadProblems, 'asset-report-invalid', 'asset-report-rejected'],
  },
];
