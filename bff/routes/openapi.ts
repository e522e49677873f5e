// `GET /openapi.json`: the contract for authors of other clients, generated from the descriptions beside the routes.

import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { generateSpecs, resolver } from 'hono-openapi';
import * as z from 'zod/mini';
import project from '../../package.json' with { type: 'json' };
import { apiHeaders, apiResponseHeaders, contractVersion } from '../../shared/api/paths.ts';
import { type ProblemCode, problemCodes } from '../../shared/api/problem-codes.ts';
import { type ProblemDefinition, problems, problemSchema } from '../../shared/api/problems.ts';
import { webhookEventSchema } from '../../shared/api/webhook-event.ts';
import { sessionLifetime } from '../../shared/api/session-lifetime.ts';
import { listApplicantCategories } from '../../shared/application/document-categories.ts';
import { fieldErrorSchema } from '../../shared/application/field-errors.ts';
import { industries } from '../../shared/application/industries.ts';
import { stateCodes } from '../../shared/application/states.ts';
import type { Config } from '../config/config.ts';
import type { ChoiceSetting, Settings } from '../config/settings.ts';
import type { BffEnv } from '../middleware/context.ts';
import { preloadedRoutes } from '../middleware/origin-gate.ts';
import { toSessionCookieName } from '../middleware/session.ts';

/** The build copies the guide, so it is beside the bundle too. */
const guideUrl = new URL('openapi-guide.md', import.meta.url);

type OpenApiDocument = Awaited<ReturnType<typeof generateSpecs>>;
type OpenApiOperation = NonNullable<OpenApiDocument['paths'][string]['get']>;
type Parameter = Exclude<
  NonNullable<OpenApiOperation['parameters']>[number],
  { readonly $ref: string }
>;
type Responses = NonNullable<OpenApiOperation['responses']>;
type ResponseComponents = NonNullable<NonNullable<OpenApiDocument['components']>['responses']>;

/** A problem response of an operation. Those with the same name are equal. */
interface ProblemResponse {
  readonly name: string;
  readonly response: ResponseComponents[string];
  /** The responses of the operation. */
  readonly responses: Responses;
  readonly status: number;
}

/** The part of a JSON Schema that notes can refer to. */
interface JsonSchema {
  description?: string;
  required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  notes?: SchemaNotes;
}

/** Additions by path, for example `documents.maxBytes` or `locales[]`. A string is a description. */
type SchemaNotes = Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;

/** hono-openapi turns each schema with a `ref` into a component of that name. */
const schemaNames = z.registry<{ readonly ref: string; readonly notes: SchemaNotes }>();

/** Names a schema in the document. The notes describe its properties, and add rules that zod does not express as JSON Schema. */
export function describeSchema<Described extends z.ZodMiniType>(
  name: string,
  schema: Described,
  notes: SchemaNotes = {},
): Described {
  schemaNames.add(schema, { ref: name, notes });
  return schema;
}

/** A JSON body for the `requestBody` or a response in the description of a route. */
export function json(schema: z.ZodMiniType) {
  return { content: { [jsonType]: { schema: toJsonSchema(schema) } } };
}

/** Refers to a component by its path in `components`, for example `schemas/State`. */
export function componentRef(path: string): { readonly $ref: string } {
  return { $ref: `#/components/${path}` };
}

/** The responses of a request whose result the BFF delivers to the funding service. */
export function deliveryResponses(schema: z.ZodMiniType) {
  return {
    201: { description: 'The funding service has it.', ...json(schema) },
    202: { description: 'The BFF stored it and will deliver it.', ...json(schema) },
  };
}

/** A header in the `parameters` of a request. */
export function header(
  name: string,
  description: string,
  schema: Parameter['schema'],
  more: Pick<Parameter, 'required' | 'example'> = {},
): Parameter {
  return { in: 'header', name, ...more, description, schema };
}

const jsonType = 'application/json';

interface SchemaOverride {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

function toJsonSchema(schema: z.ZodMiniType) {
  function override({ zodSchema, jsonSchema }: SchemaOverride): void {
    // `wholeNumber` has this refinement instead of `z.int`.
    const isInteger = zodSchema._zod.def.checks?.some(
      ({ _zod: { def } }) => 'fn' in def && def.fn === Number.isSafeInteger,
    );
    if (isInteger) jsonSchema.type = 'integer';
    // zod adds the range of safe integers to every integer.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  }
  return resolver(schema, { options: { metadata: schemaNames, override } });
}

describeSchema('FieldError', fieldErrorSchema, {
  pointer: {
    format: 'json-pointer',
    description: 'JSON Pointer (RFC 6901) into the request body.',
  },
});
describeSchema('Problem', problemSchema, {
  type: { format: 'uri', description: '`urn:funding-application:problem:` and the code.' },
  title: 'For developers. Show applicants a text of your own.',
  requestId: 'The same as the header `X-Request-Id`.',
  errors: 'The fields that the problem is about.',
});

describeSchema('WebhookEvent', webhookEventSchema, {
  type: 'Ignore types that you do not know. Later versions may add some.',
  timestamp: 'When the change happened.',
  'data.reference': 'The reference of the application, a UUID.',
  'data.shortReference': 'The short form that the applicant sees.',
  'data.sequence': 'Counts the events of the application, from 1.',
  'data.status': 'The state of the application, or of the attachment.',
  'data.applicationId': 'ApplicationID of the funding service.',
  'data.campaignId': 'The campaign, if the settings list it.',
  'data.reason': 'A code: why the row is held or rejected.',
  'data.fields': 'The refused fields, without their values.',
  'data.attachment': 'Present in events of a document, bank report, or contact request.',
  'data.attachment.number': 'Counts the attachments of the same kind, from 1.',
  'data.attachment.category': 'The id of a document category.',
  'data.attachment.serviceId': 'DocumentId or assetReportId of the funding service.',
});

type DocumentConfig = Pick<Config, 'publicUrl' | 'publicOrigin' | 'basePath' | 'settings'>;

/** @param app must have all its routes when the first request arrives. */
export function openApiRoutes(app: Hono<BffEnv>, config: DocumentConfig): Hono<BffEnv> {
  let document: Promise<OpenApiDocument> | undefined;

  return new Hono<BffEnv>().get('/openapi.json', async (c) => {
    // Created on the first request, because most processes never receive one. After a failure, the next request tries again.
    document ??= createDocument(app, config).catch((error: unknown) => {
      document = undefined;
      throw error;
    });
    return c.json(await document);
  });
}

async function createDocument(app: Hono<BffEnv>, config: DocumentConfig): Promise<OpenApiDocument> {
  const problem = await toJsonSchema(problemSchema).toOpenAPISchema();
  const event = await toJsonSchema(webhookEventSchema).toOpenAPISchema();
  const document = await generateSpecs(app, {
    documentation: {
      info: {
        title: 'Funding application BFF',
        version: project.version,
        license: { name: project.license, identifier: project.license },
        description: await readFile(guideUrl, 'utf8'),
      },
      servers: [{ url: config.publicUrl }],
      components: {
        ...createComponents(config),
        schemas: {
          ...createLists(config.settings),
          ...problem.components?.schemas,
          ...event.components?.schemas,
        },
      },
    },
  });
  const problemResponses: ProblemResponse[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'delete'] as const) {
      const operation = item[method];
      if (!operation) continue;
      const request = `${method.toUpperCase()} ${path}`;
      item[method] = completeOperation(operation, request, problemResponses);
    }
  }
  document.components.responses = shareResponses(problemResponses);
  for (const schema of Object.values(document.components.schemas ?? {})) addNotes(schema);
  return { ...document, webhooks: { event: { post: describeWebhook() } } };
}

/** The request that the BFF sends to WEBHOOK_URL. */
function describeWebhook(): OpenApiOperation {
  const ofSpecification = (name: string, description: string) =>
    header(name, description, { type: 'string' }, { required: true });
  return {
    operationId: 'receiveEvent',
    summary: 'A change of an application',
    description:
      'The BFF sends it to `WEBHOOK_URL`, as in the Standard Webhooks specification. The events of an application arrive in their order, and can arrive again. They contain no personal data.',
    security: [],
    parameters: [
      ofSpecification('webhook-id', 'The same for each attempt. Ignore an event that you have.'),
      ofSpecification('webhook-timestamp', 'The time of the attempt, in seconds since 1970.'),
      ofSpecification(
        'webhook-signature',
        '`v1,` and the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>` in Base64, once for each secret, separated by spaces.',
      ),
    ],
    requestBody: {
      required: true,
      content: { [jsonType]: { schema: componentRef('schemas/WebhookEvent') } },
    },
    responses: {
      '2XX': { description: 'You have stored the event.' },
      410: { description: 'You want no more events.' },
      default: { description: 'The BFF sends the event again.' },
    },
  };
}

/**
 * Adds what the description of a route leaves out: parameters, security, response headers, and problems.
 *
 * @param problemResponses receives the problem responses.
 */
function completeOperation(
  operation: OpenApiOperation,
  request: string,
  problemResponses: ProblemResponse[],
): OpenApiOperation {
  const { security = [{ sessionCookie: [] }, { sessionToken: [] }], requestBody } = operation;
  const hasSession = security.length > 0;
  const hasJson =
    requestBody !== undefined && 'content' in requestBody && jsonType in requestBody.content;
  const responses: Responses = {};
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    responses[status] = { ...response, headers: listHeaders(Number(status), hasSession) };
  }
  const codes = problemCodes.filter((code) => {
    const { requests }: ProblemDefinition = problems[code];
    if (requests === 'session') return hasSession;
    if (requests === 'json') return hasJson;
    return requests === 'all' || requests.some((known) => known === request);
  });
  for (const status of new Set(codes.map((code) => problems[code].status))) {
    const ofStatus = codes.filter((code) => problems[code].status === status);
    const response = {
      ...describeProblem(status, ofStatus),
      headers: listHeaders(status, hasSession),
    };
    responses[status] = response;
    const name = `${toPascalCase(ofStatus)}${hasSession ? '' : 'WithoutSession'}`;
    problemResponses.push({ name, response, responses, status });
  }
  return {
    ...operation,
    // hono-openapi derives the id from the method and the path.
    operationId: operation.operationId?.replace('V1', ''),
    security,
    parameters: [
      ...(preloadedRoutes.has(request) ? [] : [componentRef('parameters/FundingRequest')]),
      componentRef('parameters/Origin'),
      ...(operation.parameters ?? []),
    ],
    responses,
  };
}

/** Replaces responses that several operations have by references to components, and returns the components. */
function shareResponses(all: readonly ProblemResponse[]): ResponseComponents {
  const components: ResponseComponents = {};
  for (const { name, response, responses, status } of all) {
    if (all.filter((other) => other.name === name).length === 1) continue;
    components[name] = response;
    responses[status] = componentRef(`responses/${name}`);
  }
  return components;
}

/** For example `TooBusyStorageUnavailable`. */
function toPascalCase(codes: readonly ProblemCode[]): string {
  return codes.join('-').replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describeProblem(status: number, codes: readonly ProblemCode[]) {
  const narrowed = { properties: { status: { const: status }, code: { enum: [...codes] } } };
  const schema = { allOf: [componentRef('schemas/Problem'), narrowed] };
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join(' '),
    content: { 'application/problem+json': { schema } },
  };
}

/** A response to a request with a session may renew the session. */
function listHeaders(status: number, hasSession: boolean) {
  const session = {
    'set-cookie': componentRef('headers/SetCookie'),
    [apiResponseHeaders.session]: componentRef('headers/SessionToken'),
  };
  const mayRetry = status === 429 || status === 503;
  return {
    'x-request-id': componentRef('headers/RequestId'),
    [apiResponseHeaders.contractVersion]: componentRef('headers/ContractVersion'),
    ...(hasSession && session),
    ...(status === 401 && { 'www-authenticate': componentRef('headers/Authenticate') }),
    ...(mayRetry && { 'retry-after': componentRef('headers/RetryAfter') }),
  };
}

function addNotes(schema: JsonSchema): void {
  for (const [path, note] of Object.entries(schema.notes ?? {})) {
    const steps = path.match(/\[\]|[^.[]+/g) ?? [];
    const target = steps.reduce<JsonSchema | undefined>(
      (found, step) => (step === '[]' ? found?.items : found?.properties?.[step]),
      schema,
    );
    if (!target) throw new RangeError(`No schema at ${path}`);
    const addition: JsonSchema = typeof note === 'string' ? { description: note } : note;
    const required = [...(target.required ?? []), ...(addition.required ?? [])];
    Object.assign(target, addition, required.length > 0 ? { required } : {});
  }
  delete schema.notes;
}

/** Lists of values that a request may contain. The configuration offers the same values, so both refer to one schema. */
function createLists({ locales, documents, consents, ...choices }: Settings) {
  const categories = listApplicantCategories(documents.showInternalCategories);
  const toValues = (list: readonly ChoiceSetting[]) => list.map(({ value }) => value);
  const toIds = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  return {
    Locale: toEnum('A language of the form.', locales),
    FundingReason: toEnum('A funding reason of this partner.', toValues(choices.fundingReasons)),
    BusinessType: toEnum('A legal form of this partner.', toValues(choices.businessTypes)),
    CreditScore: toEnum('A credit score range of this partner.', toValues(choices.creditScores)),
    Industry: toEnum('An industry that the funding service accepts.', industries),
    State: toEnum('A US state or territory.', stateCodes),
    ConsentId: toEnum('A consent that this partner asks for.', toIds(consents)),
    DocumentCategory: toEnum('A category that an applicant may choose.', toIds(categories)),
    DocumentExtension: toEnum(
      'A file extension that this partner accepts, lowercase and without a dot.',
      documents.extensions,
    ),
  };
}

/** JSON Schema does not allow an `enum` without values. */
function toEnum(description: string, values: readonly string[]) {
  return { type: 'string' as const, description, ...(values.length > 0 && { enum: [...values] }) };
}

function createComponents({
  publicOrigin,
  basePath,
}: DocumentConfig): OpenApiDocument['components'] {
  return {
    securitySchemes: {
      sessionCookie: {
        type: 'apiKey',
        in: 'cookie',
        name: toSessionCookieName(publicOrigin, { publicOrigin, basePath }),
        description:
          'The cookie that `POST /v1/session` sets. A response may renew it, or remove it (`Max-Age=0`). Its name depends on the `Origin` of the session. This name is for the address of this server. Send the name that `Set-Cookie` contains.',
      },
      sessionToken: {
        type: 'http',
        scheme: 'Funding',
        description:
          '`Authorization: Funding <token>`, for clients without cookies. Send `{"transport": "handle"}` to `POST /v1/session`. The token is `handle` in its response, or the latest `X-Funding-Session`.',
      },
    },
    parameters: {
      FundingRequest: header(
        apiHeaders.request,
        'Always `1`. A form of another site cannot send it.',
        { type: 'string', enum: ['1'] },
        { required: true },
      ),
      Origin: header(
        'origin',
        'The origin of the page, or of a client without a page: one that the operator allows, or the address of this server. Browsers set it, and omit it only in a GET to their own origin.',
        { type: 'string', format: 'uri' },
        { required: true, example: publicOrigin },
      ),
      ContentLength: header(
        'content-length',
        'Size of the body in bytes. Most HTTP clients set it if they know the size. The BFF refuses a chunked body.',
        { type: 'integer', minimum: 1 },
        { required: true },
      ),
    },
    headers: {
      RequestId: {
        description: 'Identifies the request in the log.',
        required: true,
        schema: { type: 'string' },
      },
      ContractVersion: {
        description:
          'The version of this contract. A client that was written for another version may misread the response.',
        required: true,
        schema: { type: 'string', enum: [contractVersion] },
      },
      SetCookie: {
        description: 'The session cookie: new, renewed, or removed (`Max-Age=0`).',
        schema: { type: 'string' },
        example: `funding-session-0a1b2c3d=Fe26.2*…; Max-Age=${sessionLifetime.maxSeconds}; Path=/; HttpOnly; SameSite=Strict`,
      },
      SessionToken: {
        description: 'A session token that replaces the one in the request.',
        schema: { type: 'string' },
      },
      Authenticate: {
        description: 'The scheme of a session token (RFC 9110, section 11.6.1).',
        required: true,
        schema: { type: 'string', enum: ['Funding'] },
      },
      RetryAfter: {
        description: 'Seconds to wait before the next attempt, if the BFF knows them.',
        schema: { type: 'integer', minimum: 0 },
      },
    },
  };
}
