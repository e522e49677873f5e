// The contract as an OpenAPI 3.1 document, of one BFF: with its address and its partner's choices.

import project from '../../package.json' with { type: 'json' };
import { apiAnswerHeaders, apiHeaders } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problem.ts';
import { problems } from '../../shared/api/problems.ts';
import type { Config } from '../config.ts';
import {
  commonProblems,
  jsonProblems,
  operations,
  sessionProblems,
  type Operation,
} from './operations.ts';
import { createJsonSchemas, type JsonSchema, type SchemaName } from './schemas.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<SchemaName, JsonSchema>>;
    readonly securitySchemes: JsonSchema;
  };
  readonly [member: string]: unknown;
}

export interface OpenApiOperation {
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  readonly [member: string]: unknown;
}

export interface OpenApiResponse {
  readonly description: string;
  /** By media type. */
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  readonly [member: string]: unknown;
}

const description = `What the widget speaks with its BFF. Every request comes from a page whose origin is listed, and carries the header \`${apiHeaders.request}\`.
Failures are problem details (RFC 9457) with a \`code\` of a closed list; a value that was sent is never repeated. Whatever is not written here
answers \`not-found\` (404) or \`method-not-allowed\` (405). Clients ignore members of an answer that they do not know.`;

const securitySchemes = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-Http-funding-*',
    description:
      'Set by `POST /v1/session`. Its name ends in a mark of the origin of the page; on http it begins with `funding-session`.',
  },
  handle: {
    type: 'http',
    scheme: 'Funding',
    description: 'Where the browser keeps no cookie: the handle that `POST /v1/session` gave.',
  },
};

const headers = {
  requestId: {
    description: 'Names the request in the log.',
    schema: { type: 'string' },
  },
  session: {
    description: 'A handle that takes the place of the one that was sent.',
    schema: { type: 'string' },
  },
  retryAfter: {
    description: 'Seconds, where it is known when to try again.',
    schema: { type: 'integer' },
  },
};

export function createOpenApiDocument({
  publicOrigin,
  settings,
}: Pick<Config, 'publicOrigin' | 'settings'>): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describeOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Funding application BFF', version: project.version, description },
    servers: [{ url: publicOrigin }],
    paths,
    components: { schemas: createJsonSchemas(settings), securitySchemes },
  };
}

function describeOperation(operation: Operation): OpenApiOperation {
  const { summary, isOpen, parameters = [], body } = operation;
  return {
    operationId: toOperationId(operation),
    summary,
    // Either of them; an empty one for none at all.
    security: [{ cookie: [] }, { handle: [] }, ...(isOpen ? [{}] : [])],
    parameters: [requestHeader, ...parameters],
    ...(body ? { requestBody: describeBody(body) } : {}),
    responses: { ...describeAnswers(operation), ...describeProblems(operation) },
  };
}

const requestHeader = {
  in: 'header',
  name: apiHeaders.request,
  required: true,
  description: 'No form of another site can send it.',
  schema: { const: '1' },
};

/** `POST /v1/asset-report` → `postAssetReport`. */
function toOperationId({ method, path }: Operation): string {
  const words = path.split(/[/-]/).slice(2);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function describeBody({ type, schema, isOptional }: NonNullable<Operation['body']>) {
  return {
    required: !isOptional,
    content: { [type]: schema === undefined ? {} : { schema: toReference(schema) } },
  };
}

function describeAnswers({ answers }: Operation): Record<string, OpenApiResponse> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      {
        description: schema ?? 'Done',
        headers: {
          'x-request-id': headers.requestId,
          [apiAnswerHeaders.session]: headers.session,
        },
        ...(schema === undefined
          ? {}
          : { content: { 'application/json': { schema: toReference(schema) } } }),
      },
    ]),
  );
}

/** One answer for each status: which of the codes it may hold. */
function describeProblems(operation: Operation): Record<string, OpenApiResponse> {
  const all = listProblems(operation);
  const statuses = new Set(all.map((code) => problems[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const codes = all.filter((code) => problems[code].status === status);
      const schema = { allOf: [toReference('Problem'), { properties: { code: { enum: codes } } }] };
      return [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('. '),
          headers: { 'x-request-id': headers.requestId, 'retry-after': headers.retryAfter },
          content: { 'application/problem+json': { schema } },
        },
      ];
    }),
  );
}

function listProblems({ isOpen, body, problems: own = [] }: Operation): readonly ProblemCode[] {
  return [
    ...new Set([
      ...commonProblems,
      ...(isOpen ? [] : sessionProblems),
      ...(body?.type === 'application/json' ? jsonProblems : []),
      ...own,
    ]),
  ];
}

function toReference(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
