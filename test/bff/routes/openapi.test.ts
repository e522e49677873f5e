// `GET /openapi.json`: a valid document with every operation and this partner's choices, which agrees with the BFF's responses.

import SwaggerParser from '@apidevtools/swagger-parser';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { openApiRoutes } from '../../../bff/routes/openapi.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { webhookEventSchema } from '../../../shared/api/webhook-event.ts';
import { problemCodes } from '../../../shared/api/problem-codes.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { firstKey, secondKey, type Answer } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { createTestConfig, startBff, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

/** The part of the document that the tests read. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

interface Response {
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}

interface Reference {
  readonly $ref: string;
}

const pdf = createTextPdf('Statement');
const contactRequest = JSON.stringify({ consent: { id: 'contact', version: 'placeholder-1' } });
const applicationHeaders = { [apiHeaders.idempotencyKey]: firstKey };
const documentHeaders = {
  'content-type': 'application/octet-stream',
  'content-length': String(pdf.byteLength),
  [apiHeaders.documentName]: 'statement.pdf',
  [apiHeaders.documentCategory]: 'other',
};

/** Problems of requests that match no operation. */
const addressProblems = ['not-found', 'method-not-allowed'];

describe('GET /openapi.json', () => {
  let bff: TestBff;
  let document: OpenApiDocument;

  beforeEach(async () => {
    bff = await startBff({ settings: { requiredFields: ['ssn'] } });
    document = await readDocument(bff);
  });

  afterEach(() => bff.close());

  it('describes exactly the operations of the route table', () => {
    const routes = bff.app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1'))
      .map(({ method, path }) => `${method} ${path}`);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  it('describes the webhook with its headers and its body', () => {
    const { post } = (document as unknown as { webhooks: { event: { post: Operation } } }).webhooks
      .event;
    const names = post.parameters.map((parameter) => 'name' in parameter && parameter.name);
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    const types = webhookEventSchema.shape.type.options;
    expect(getSchema('WebhookEvent')).toMatchObject({
      required: ['type', 'timestamp', 'data'],
      properties: { type: { enum: types } },
    });
  });

  it('lists every problem code for an operation', () => {
    const told = JSON.stringify([document.paths, document.components.responses]);
    const missing = problemCodes.filter((code) => !told.includes(`"${code}"`));
    expect(missing).toEqual(addressProblems);
  });

  it('describes a response that several operations have once', () => {
    const responses = listOperations().flatMap((one) => Object.values(one.responses));
    const references = responses.flatMap((one) => ('$ref' in one ? [one.$ref] : []));
    const counts = new Map(references.map((name) => [name, 0]));
    for (const name of references) counts.set(name, (counts.get(name) ?? 0) + 1);
    const names = Object.keys(document.components.responses);
    expect([...counts.keys()].toSorted()).toEqual(
      names.map((name) => `#/components/responses/${name}`).toSorted(),
    );
    expect([...counts].filter(([, count]) => count === 1)).toEqual([]);
    const problems = responses
      .filter((one) => JSON.stringify(one).includes('application/problem+json'))
      .map((one) => JSON.stringify(one));
    expect(new Set(problems).size).toBe(problems.length);
  });

  it('is a valid OpenAPI document without dangling references', async () => {
    // The parser resolves references in place.
    const copy = structuredClone(document) as unknown as Parameters<
      typeof SwaggerParser.validate
    >[0];
    await expect(SwaggerParser.validate(copy)).resolves.toBeDefined();
    expect(JSON.stringify(document)).not.toContain('$schema');
  });

  it('defines exactly the security schemes that operations use', () => {
    const used = listOperations().flatMap(({ security }) => security.flatMap(Object.keys));
    expect([...new Set(used)].toSorted()).toEqual(
      Object.keys(document.components.securitySchemes).toSorted(),
    );
  });

  it('names the session cookie of a client at the address of the BFF', async () => {
    const client = bff.openBrowser(bff.config.publicOrigin);
    const { headers } = await client.send('POST', apiPaths.session, undefined, withoutMetadata);
    const [name] = headers.getSetCookie()[0]?.split('=') ?? [];
    expect(document.components.securitySchemes['sessionCookie']).toMatchObject({
      type: 'apiKey',
      in: 'cookie',
      name,
    });
  });

  it('gives each operation a unique id', () => {
    const ids = listOperations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['FundingReason', 'fundingReasons', 'value'],
    ['BusinessType', 'businessTypes', 'value'],
    ['CreditScore', 'creditScores', 'value'],
    ['ConsentId', 'consents', 'id'],
  ] as const)('lists in %s the %s of the configuration', async (name, list, key) => {
    const { json } = await bff.openBrowser().send('GET', apiPaths.configuration);
    const values = json[list].map((choice: Record<string, string>) => choice[key]);
    expect(getSchema(name).enum).toEqual(values);
  });

  it('lists the file extensions of the configuration', async () => {
    const { json } = await bff.openBrowser().send('GET', apiPaths.configuration);
    expect(getSchema('DocumentExtension').enum).toEqual(json.documents.extensions);
  });

  it('lists the document categories of the configuration', async () => {
    const { json } = await bff.openBrowser().send('GET', apiPaths.configuration);
    const ids = json.documents.categories.map(({ id }: { readonly id: string }) => id);
    expect(getSchema('DocumentCategory').enum).toEqual(ids);
  });

  it('requires the fields that the partner requires', () => {
    const schema = toSchema(getSchema('Application'), document);
    const application = createApplication();
    expect(schema.safeParse(application).error).toBeUndefined();
    const { ssn: _left, ...owner } = application.owner;
    expect(schema.safeParse({ ...application, owner }).success).toBe(false);
  });

  it('has integers for whole numbers', () => {
    const { business, fundingNeed } = createApplication();
    const schema = toSchema(getSchema('Application'), document);
    const parse = (changes: object) =>
      schema.safeParse({ ...createApplication(), ...changes }).error?.issues[0]?.path;
    expect(parse({ business: { ...business, foundedYear: 2019.5 } })).toEqual([
      'business',
      'foundedYear',
    ]);
    expect(parse({ fundingNeed: { ...fundingNeed, amount: 75_000.5 } })).toEqual([
      'fundingNeed',
      'amount',
    ]);
  });

  it.each([
    ['phone', '1175550100'],
    ['ssn', '666123456'],
    ['email', 'ana@harbor'],
    ['creditScore', 'Excellent'],
  ])('rejects an invalid %s like the BFF', async (field, value) => {
    const application = createApplication();
    const invalid = { ...application, owner: { ...application.owner, [field]: value } };
    const schema = toSchema(getSchema('Application'), document);
    expect(schema.safeParse(invalid).success).toBe(false);
    expect((await bff.openBrowser().apply(invalid)).json.errors).toEqual([
      { pointer: `/owner/${field}`, code: expect.any(String) },
    ]);
  });

  it('is served without an origin', async () => {
    const answer = await bff.app.request('/openapi.json');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  function getSchema(name: string) {
    const schema = document.components.schemas[name];
    if (!schema) throw new Error(`The document has no schema ${name}`);
    return schema;
  }

  function listOperations() {
    return Object.values(document.paths).flatMap((methods) => Object.values(methods));
  }
});

describe('the responses of the BFF', () => {
  let bff: TestBff;
  let document: OpenApiDocument;

  beforeEach(async () => {
    bff = await startBff({ settings: { requiredFields: ['ssn'] } });
    document = await readDocument(bff);
  });

  afterEach(() => bff.close());

  it('are errors without a header that the document requires', async () => {
    const browser = bff.openBrowser();
    await browser.apply();
    const report = JSON.stringify({ report: { asset_report_id: 'r1', items: [{ accounts: [] }] } });
    const requests = [
      ['GET', apiPaths.configuration, undefined, {}],
      ['GET', apiPaths.application, undefined, {}],
      ['POST', apiPaths.application, JSON.stringify(createApplication()), applicationHeaders],
      ['POST', apiPaths.documents, pdf, documentHeaders],
      ['POST', apiPaths.assetReport, report, {}],
      ['POST', apiPaths.contact, contactRequest, {}],
    ] as const;
    for (const [method, path, body, headers] of requests) {
      const sent = { ...withoutMetadata, ...headers };
      const accepted = await browser.send(method, path, body, sent);
      expect([path, accepted.status < 300]).toEqual([path, true]);
      for (const name of listRequiredHeaders(document, method, path)) {
        const refused = await browser.send(method, path, body, { ...sent, [name]: undefined });
        expect([path, name, refused.status >= 400]).toEqual([path, name, true]);
        expectDescribed(document, method, path, refused);
      }
    }
  });

  it('are described when they renew the session', async () => {
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    bff.time.advance(600_000);
    const renewed = await browser.send('GET', apiPaths.application);
    expect(renewed.headers.getSetCookie()).toHaveLength(1);
    expectDescribed(document, 'GET', apiPaths.application, renewed);

    const other = bff.openBrowser();
    const begun = await other.send('POST', apiPaths.session, '{"transport":"handle"}');
    bff.time.advance(600_000);
    const authorization = `Funding ${begun.json.handle}`;
    const used = await other.send('GET', apiPaths.session, undefined, { authorization });
    expect(used.headers.get('x-funding-session')).not.toBeNull();
    expectDescribed(document, 'GET', apiPaths.session, used);
  });

  it('are described for a request without a session', async () => {
    const refused = await bff.openBrowser().send('GET', apiPaths.session);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Funding']);
    expectDescribed(document, 'GET', apiPaths.session, refused);
  });

  it('are described with Retry-After', async () => {
    await bff.close();
    bff = await startBff({
      settings: { limits: { sessionsPerMinutePerAddress: 1 } },
      clientAddress: '192.0.2.1',
    });
    document = await readDocument(bff);
    await bff.openBrowser().send('POST', apiPaths.session);
    const refused = await bff.openBrowser().send('POST', apiPaths.session);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expectDescribed(document, 'POST', apiPaths.session, refused);
  });

  it('are described for a whole application', async () => {
    const browser = bff.openBrowser();
    const send = async (method: string, path: string, body?: string) =>
      expectDescribed(document, method, path, await browser.send(method, path, body));
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.configuration);
    await send('POST', apiPaths.session);
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.offers);
    await send('POST', apiPaths.application, '{"business":1}');
    expectDescribed(document, 'POST', apiPaths.application, await browser.apply());
    expectDescribed(document, 'POST', apiPaths.application, await browser.apply({}, secondKey));
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.offers);
    bff.time.advance(20_000);
    const offers = await send('GET', apiPaths.offers);
    expect(offers.json.offers.length).toBeGreaterThan(0);
    expectDescribed(document, 'POST', apiPaths.documents, await browser.upload(pdf, 'a.exe'));
    expectDescribed(document, 'POST', apiPaths.documents, await browser.upload(pdf));
    await send('GET', apiPaths.documents);
    await send('POST', apiPaths.contact, contactRequest);
    await send('POST', apiPaths.assetReport, '{}');
    await send('GET', apiPaths.session);
    await send('DELETE', apiPaths.session);
    await send('GET', apiPaths.session);
    const stranger = await bff.openBrowser('https://other.example').send('GET', apiPaths.session);
    expectDescribed(document, 'GET', apiPaths.session, stranger);
  });

  it('are described while nothing is delivered', async () => {
    await bff.close();
    bff = await startBff({ delivers: false });
    const browser = bff.openBrowser();
    const filed = await waitOut(browser.apply());
    expect(expectDescribed(document, 'POST', apiPaths.application, filed).status).toBe(202);
    const given = await browser.upload(pdf);
    expect(expectDescribed(document, 'POST', apiPaths.documents, given).status).toBe(202);
    const report = JSON.stringify({
      report: { asset_report_id: 'r1', items: [{ accounts: [] }] },
    });
    const reported = await browser.send('POST', apiPaths.assetReport, report);
    expect(expectDescribed(document, 'POST', apiPaths.assetReport, reported).status).toBe(202);
    const offers = await browser.send('GET', apiPaths.offers);
    expect(expectDescribed(document, 'GET', apiPaths.offers, offers).status).toBe(409);
  });

  /** Advances the time past the wait for the funding service. */
  async function waitOut(asked: Promise<Answer>): Promise<Answer> {
    await until(() => bff.time.listTimers().length > 0);
    bff.time.advance(60_000);
    return asked;
  }
});

/** Headers for browsers and caches, which a client of the contract does not read. */
const undescribedHeaders: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'referrer-policy',
  'vary',
  'x-content-type-options',
]);

/** Leaves out the headers that only browsers send. */
const withoutMetadata = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined };

async function readDocument({ app }: TestBff): Promise<OpenApiDocument> {
  const answer = await app.request('/openapi.json');
  expect(answer.status).toBe(200);
  // Another test validates the document.
  return (await answer.json()) as OpenApiDocument;
}

/** Fails unless the document describes the status, headers, media type, and body of the response. */
function expectDescribed(
  document: OpenApiDocument,
  method: string,
  path: string,
  answer: Answer,
): Answer {
  const request = `${method} ${path} ${answer.status}`;
  const described = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
  expect([request, described]).not.toContain(undefined);
  const response =
    described && '$ref' in described ? find<Response>(document, described.$ref) : described;
  const [mediaType] = (answer.headers.get('content-type') ?? '').split(';');
  const content = Object.entries(response?.content ?? {});
  expect(content.map(([type]) => type)).toEqual(mediaType === '' ? [] : [mediaType]);
  for (const [, { schema }] of content) {
    expect(toSchema(schema, document).safeParse(answer.json).error).toBeUndefined();
  }
  const headers = Object.entries(response?.headers ?? {});
  const required = headers.filter(
    ([, { $ref }]) => find<{ readonly required?: boolean }>(document, $ref).required,
  );
  const sent = [...answer.headers.keys()].filter((name) => !undescribedHeaders.has(name));
  const names = headers.map(([name]) => name);
  expect([request, names]).toEqual([request, expect.arrayContaining(sent)]);
  const always = required.map(([name]) => name);
  expect([request, sent]).toEqual([request, expect.arrayContaining(always)]);
  return answer;
}

function listRequiredHeaders(
  document: OpenApiDocument,
  method: string,
  path: string,
): readonly string[] {
  const { parameters = [] } = document.paths[path]?.[method.toLowerCase()] ?? {};
  return parameters
    .map((parameter) =>
      '$ref' in parameter ? find<Parameter>(document, parameter.$ref) : parameter,
    )
    .filter((parameter) => parameter.in === 'header' && parameter.required)
    .map(({ name }) => name);
}

/** The component that a reference names. */
function find<Component>(document: OpenApiDocument, reference: string): Component {
  const steps = reference.slice('#/'.length).split('/');
  const found = steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown>)[step],
    document,
  );
  expect(found).toBeDefined();
  return found as Component;
}

/** Conversions by document and schema: each one converts all components. */
const converted = new WeakMap<OpenApiDocument, Map<string, z.ZodType>>();

/** The zod schema of a schema in the document. zod expects the referenced schemas in `$defs`. */
function toSchema(schema: object, document: OpenApiDocument): z.ZodType {
  const known = converted.get(document) ?? new Map<string, z.ZodType>();
  converted.set(document, known);
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const found =
    known.get(text) ??
    z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  known.set(text, found);
  return found;
}

it('is created again after a failure', async () => {
  let failures = 1;
  const { publicUrl, publicOrigin, basePath, settings } = createTestConfig();
  const config = {
    publicUrl,
    publicOrigin,
    basePath,
    get settings() {
      failures -= 1;
      if (failures >= 0) throw new Error('The document cannot be created');
      return settings;
    },
  };
  const routes = openApiRoutes(new Hono<BffEnv>(), config);
  expect((await routes.request('/openapi.json')).status).toBe(500);
  expect((await routes.request('/openapi.json')).status).toBe(200);
});
