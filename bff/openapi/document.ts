// The OpenAPI 3.1 document of one BFF, with its address and its partner's choices. A client can be generated from it alone.

import project from '../../package.json' with { type: 'json' };
import { apiResponseHeaders, apiHeaders } from '../../shared/api/paths.ts';
import { type ProblemCode, problems } from '../../shared/api/problems.ts';
import type { Config } from '../config/config.ts';
import { guide } from './guide.ts';
import {
  commonProblems,
  jsonProblems,
  operations,
  problemsBeforeSession,
  retryAfter,
  sessionProblems,
  type Operation,
} from './operations.ts';
import { createJsonSchemas, toReference, type JsonSchema, type SchemaName } from './schemas.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<SchemaName, JsonSchema>>;
    readonly parameters: JsonSchema;
    readonly headers: JsonSchema;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes: JsonSchema;
  };
  readonly [member: string]: unknown;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  readonly [member: string]: unknown;
}

export interface OpenApiResponse {
  readonly description: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, Reference>>;
  /** By media type. */
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  readonly [member: string]: unknown;
}

interface Reference {
  readonly $ref: string;
}

export interface DocumentOptions extends Pick<Config, 'publicOrigin' | 'settings'> {
  /** The cookie's name for a client that sends `publicOrigin` as its origin. */
  readonly sessionCookieName: string;
}

export function createOpenApiDocument(options: DocumentOptions): OpenApiDocument {
  const { publicOrigin, settings } = options;
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describeOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Funding application BFF',
      version: project.version,
      license: { name: project.license, identifier: project.license },
      description: guide,
    },
    servers: [{ url: publicOrigin }],
    paths,
    components: {
      schemas: createJsonSchemas(settings),
      parameters: createParameters(publicOrigin),
      headers,
      responses: {
        NotFound: describeProblem(404, ['not-found'], {}),
        MethodNotAllowed: describeProblem(405, ['method-not-allowed'], {
          allow: toHeaderReference('Allow'),
        }),
      },
      securitySchemes: createSecuritySchemes(options),
    },
  };
}

function createSecuritySchemes({ sessionCookieName }: DocumentOptions): JsonSchema {
  return {
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName,
      description:
        'The cookie that `POST /v1/session` sets. Its name depends on the `Origin` of the session: this one is for the address of this server. Send the name that `Set-Cookie` gives.',
    },
    sessionToken: {
      type: 'http',
      scheme: 'Funding',
      description:
        '`Authorization: Funding <token>`, for clients without cookies. The token is `handle` in the answer of `POST /v1/session`, or the latest `X-Funding-Session`.',
    },
  };
}

function createParameters(publicOrigin: string): JsonSchema {
  return {
    FundingRequest: {
      in: 'header',
      name: apiHeaders.request,
      required: true,
      description: 'Always `1`. A form of another site cannot send it.',
      schema: { type: 'string', const: '1' },
    },
    Origin: {
      in: 'header',
      name: 'origin',
      required: true,
      description:
        'The origin of the page, or of a client without a page: one that the operator lists, or the address of this server. Browsers set it themselves and leave it out of a GET to their own origin only.',
      schema: { type: 'string', format: 'uri' },
      example: publicOrigin,
    },
  };
}

const headers = {
  RequestId: {
    description: 'Identifies the request in the log.',
    required: true,
    schema: { type: 'string' },
  },
  SetCookie: {
    description: 'The session cookie, new, renewed or removed (`Max-Age=0`).',
    schema: { type: 'string' },
    example: 'funding-session-0a1b2c3d=Fe26.2*…; Max-Age=86400; Path=/; HttpOnly; SameSite=Strict',
  },
  SessionToken: {
    description: 'A session token that replaces the one that was sent.',
    schema: { type: 'string' },
  },
  Authenticate: {
    description: 'The scheme of a session token (RFC 9110, section 11.6.1).',
    required: true,
    schema: { type: 'string', const: 'Funding' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  RetryAfterIfKnown: {
    description: 'Seconds to wait before the next attempt, if the BFF knows them.',
    schema: { type: 'integer', minimum: 0 },
  },
  Allow: {
    description: 'The methods that the path accepts, separated by commas.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, POST',
  },
} as const;

function toHeaderReference(name: keyof typeof headers): Reference {
  return { $ref: `#/components/headers/${name}` };
}

/** An answer to a request with a session may renew the session. */
const sessionHeaders = {
  'set-cookie': toHeaderReference('SetCookie'),
  [apiResponseHeaders.session]: toHeaderReference('SessionToken'),
};

function describeOperation(operation: Operation): OpenApiOperation {
  const { summary, session = 'required', parameters = [], body } = operation;
  const isOpen = session !== 'required';
  return {
    operationId: toOperationId(operation),
    summary,
    description: operation.description,
    // Any one of them; an empty one stands for a request without a session.
    security:
      session === 'none'
        ? []
        : [{ sessionCookie: [] }, { sessionToken: [] }, ...(isOpen ? [{}] : [])],
    parameters: [
      { $ref: '#/components/parameters/FundingRequest' },
      { $ref: '#/components/parameters/Origin' },
      ...parameters,
    ],
    ...(body ? { requestBody: describeBody(body) } : {}),
    responses: { ...describeAnswers(operation), ...describeProblems(operation) },
  };
}

/** `POST /v1/asset-report` → `postAssetReport`. */
function toOperationId({ method, path }: Operation): string {
  const words = path.split(/[/-]/).slice(2);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function describeBody({ type, schema, isOptional }: NonNullable<Operation['body']>) {
  return { required: isOptional !== true, content: { [type]: { schema } } };
}

function describeAnswers({ answers, session }: Operation): Record<string, OpenApiResponse> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      {
        description: answer.description,
        headers: {
          'x-request-id': toHeaderReference('RequestId'),
          ...(session === 'none' ? {} : sessionHeaders),
        },
        ...(answer.schema
          ? { content: { 'application/json': { schema: toReference(answer.schema) } } }
          : {}),
      },
    ]),
  );
}

/** One answer for each status, with the codes that it may contain. */
function describeProblems(operation: Operation): Record<string, OpenApiResponse> {
  const { session = 'required' } = operation;
  const all = listProblems(operation);
  const statuses = new Set(all.map((code) => problems[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const codes = all.filter((code) => problems[code].status === status);
      const mayRenewSession =
        session !== 'none' && codes.some((code) => !problemsBeforeSession.has(code));
      return [
        String(status),
        describeProblem(status, codes, mayRenewSession ? sessionHeaders : {}),
      ];
    }),
  );
}

function listProblems({ session = 'required', body, problems: own = [] }: Operation) {
  return [
    ...new Set([
      ...commonProblems,
      ...(session === 'required' ? sessionProblems : []),
      ...(body?.type === 'application/json' ? jsonProblems : []),
      ...own,
    ]),
  ];
}

function describeProblem(
  status: number,
  codes: readonly ProblemCode[],
  ownHeaders: Readonly<Record<string, Reference>>,
): OpenApiResponse {
  const narrowed = { properties: { status: { const: status }, code: { enum: codes } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join(' '),
    headers: {
      'x-request-id': toHeaderReference('RequestId'),
      ...(codes.includes('session-missing')
        ? { 'www-authenticate': toHeaderReference('Authenticate') }
        : {}),
      ...describeRetryAfter(codes),
      ...ownHeaders,
    },
    content: {
      'application/problem+json': { schema: { allOf: [toReference('Problem'), narrowed] } },
    },
  };
}

function describeRetryAfter(codes: readonly ProblemCode[]): Readonly<Record<string, Reference>> {
  const certainties = codes.map((code) => retryAfter[code]);
  if (certainties.every((certainty) => certainty === undefined)) return {};
  const isCertain = certainties.every((certainty) => certainty === 'always');
  return { 'retry-after': toHeaderReference(isCertain ? 'RetryAfter' : 'RetryAfterIfKnown') };
}
