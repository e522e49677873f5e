// `GET /openapi.json`: a valid document with every operation and this partner's choices, which agrees with the BFF's responses.

import SwaggerParser from '@apidevtools/swagger-parser';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { openApiRoutes } from '../../../bff/routes/openapi.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { problemCodes } from '../../../shared/api/problem-codes.ts';
import { webhookEventSchema } from '../../../shared/api/webhook-event.ts';
import {
  firstKey,
  secondKey,
  toUploadHeaders,
  type Answer,
  type ApiBody,
  type Browser,
} from '../../support/applicant.ts';
import { contactRequest, createApplication, createBankReport } from '../../support/applications.ts';
import { createTestConfig, type TestBffOptions } from '../../support/bff.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { applyChange, readGroupedRows } from '../../support/grouped-rows.ts';
import { openBff, passTime, readJson, startSession } from '../open-bff.ts';

/** A part of a JSON document. */
type Json = Answer['json'];

const pdf = createTextPdf('Statement');
const report = createBankReport('r1');
const application = createApplication();
/** Leaves out the headers that only browsers send. */
const withoutMetadata = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined };
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

/** A BFF with its document, and what the document says about requests. */
async function open(options: TestBffOptions = {}) {
  const bff = await openBff({ settings: { requiredFields: ['ssn'] }, ...options });
  const served = await bff.app.request('/openapi.json');
  expect(served.status).toBe(200);
  const document: Json = await served.json();
  const operations = Object.values<Json>(document.paths).flatMap((methods) =>
    Object.values<Json>(methods),
  );

  /** The component that a reference names. */
  function resolve(component: Json): Json {
    if (component.$ref === undefined) return component;
    const steps: string[] = component.$ref.slice('#/'.length).split('/');
    const target = steps.reduce((value, step) => value[step], document);
    expect(target).toBeDefined();
    return target;
  }

  /** The zod schema of a schema in the document. zod expects the referenced schemas in `$defs`. */
  function toSchema(schema: object | undefined): z.ZodType {
    const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
    return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  }

  function findOperation(method: string, path: string): Json {
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`The document has no ${method} ${path}`);
    return operation;
  }

  function listRequiredHeaders(method: string, path: string): readonly string[] {
    const parameters: Json[] = (findOperation(method, path).parameters ?? []).map(resolve);
    return parameters.filter((one) => one.in === 'header' && one.required).map(({ name }) => name);
  }

  /** Fails unless the document describes the status, headers, media type, and body of the response. */
  function expectDescribed(method: string, path: string, answer: Answer): Answer {
    const request = `${method} ${path} ${answer.status}`;
    const described = findOperation(method, path).responses[answer.status];
    expect([request, described]).not.toContain(undefined);
    const response = resolve(described);
    const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';');
    const content = Object.entries<Json>(response.content ?? {});
    expect(content.map(([type]) => type)).toEqual(mediaType === '' ? [] : [mediaType]);
    for (const [, { schema }] of content) {
      expect(toSchema(schema).safeParse(answer.json).error).toBeUndefined();
    }
    const headers = Object.entries<Json>(response.headers ?? {});
    const names = headers.map(([name]) => name);
    const required = headers.filter(([, header]) => resolve(header).required);
    const sent = [...answer.headers.keys()].filter((name) => !undescribedHeaders.has(name));
    expect([request, names]).toEqual([request, expect.arrayContaining(sent)]);
    expect([request, sent]).toEqual([
      request,
      expect.arrayContaining(required.map(([name]) => name)),
    ]);
    return answer;
  }

  async function send(method: string, path: string, body?: ApiBody, browser = bff.browser) {
    const isUpload = path === apiPaths.documents && method === 'POST';
    const headers = {
      ...(path === apiPaths.application && { [apiHeaders.idempotencyKey]: firstKey }),
      ...(isUpload && toUploadHeaders('statement.pdf', pdf.byteLength)),
    };
    return expectDescribed(method, path, await browser.send(method, path, body, headers));
  }

  const getSchema = (name: string) => document.components.schemas[name];
  return {
    ...bff,
    document,
    operations,
    served,
    toSchema,
    getSchema,
    listRequiredHeaders,
    expectDescribed,
    send,
  };
}

describe('GET /openapi.json', () => {
  it('describes exactly the operations of the route table', async () => {
    const { app, document, operations } = await open();
    const routes = app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1'))
      .map(({ method, path }) => `${method} ${path}`);
    const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual([...new Set(routes)].toSorted());
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it('describes the webhook with its headers and its body', async () => {
    const { document, getSchema } = await open();
    const { parameters = [] } = document.webhooks.event.post;
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    expect(parameters).toMatchObject(names.map((name) => ({ name })));
    expect(getSchema('WebhookEvent')).toMatchObject({
      required: ['type', 'timestamp', 'data'],
      properties: { type: { enum: webhookEventSchema.shape.type.options } },
    });
  });

  it('lists every problem code for an operation', async () => {
    const { document } = await open();
    const told = JSON.stringify([document.paths, document.components.responses]);
    const missing = problemCodes.filter((code) => !told.includes(`"${code}"`));
    // Problems of requests that match no operation.
    expect(missing).toEqual(['not-found', 'method-not-allowed']);
  });

  it('describes a response that several operations have once', async () => {
    const { document, operations } = await open();
    const responses = operations.flatMap((operation) => Object.values<Json>(operation.responses));
    const references = responses.flatMap((response) => response.$ref ?? []);
    const names = Object.keys(document.components.responses);
    for (const name of names) {
      const uses = references.filter((reference) => reference === `#/components/responses/${name}`);
      expect([name, uses.length > 1]).toEqual([name, true]);
    }
    const problems = responses
      .map((response) => JSON.stringify(response))
      .filter((text) => text.includes('application/problem+json'));
    expect(new Set(problems).size).toBe(problems.length);
  });

  it('is a valid OpenAPI document that uses all of its security schemes', async () => {
    const { document, operations, served } = await open();
    const used = operations.flatMap(({ security }) => security.flatMap(Object.keys) as string[]);
    expect([...new Set(used)].toSorted()).toEqual(
      Object.keys(document.components.securitySchemes).toSorted(),
    );
    expect(JSON.stringify(document)).not.toContain('$schema');
    expect(served.headers.get('access-control-allow-origin')).toBeNull();
    expect(served.headers.get('cache-control')).toBe('no-store');
    // The parser resolves references in place.
    await expect(SwaggerParser.validate(structuredClone(document))).resolves.toBeDefined();
  });

  it('names the session cookie of a client at the address of the BFF', async () => {
    const { openBrowser, config, document } = await open();
    const client = openBrowser(config.publicOrigin);
    await client.send('POST', apiPaths.session, undefined, withoutMetadata);
    const [name] = client.cookies.keys();
    const cookie = { type: 'apiKey', in: 'cookie', name };
    expect(document.components.securitySchemes['sessionCookie']).toMatchObject(cookie);
  });

  it('lists the choices of the configuration', async () => {
    const { browser, getSchema } = await open();
    const configuration = await readJson(browser, apiPaths.configuration);
    const pick = (choices: readonly Record<string, string>[], key: string) =>
      choices.map((choice) => choice[key]);
    for (const [name, values] of [
      ['FundingReason', pick(configuration.fundingReasons, 'value')],
      ['BusinessType', pick(configuration.businessTypes, 'value')],
      ['CreditScore', pick(configuration.creditScores, 'value')],
      ['ConsentId', pick(configuration.consents, 'id')],
      ['DocumentExtension', configuration.documents.extensions],
      ['DocumentCategory', pick(configuration.documents.categories, 'id')],
    ] as const) {
      expect([name, getSchema(name)?.enum]).toEqual([name, values]);
    }
  });

  it('accepts the same answers as the BFF', async () => {
    const { toSchema, getSchema } = await open();
    const schema = toSchema(getSchema('Application'));
    // A schema has no rules about the day, other answers, and classes of characters.
    const rules = new Set(['date', 'date-in-future', 'too-young', 'name-mismatch', 'invalid']);
    const different = readGroupedRows('application-answers.txt').filter(([change, code]) => {
      const isAccepted = schema.safeParse(applyChange(application, change)[0]).success;
      return !rules.has(code) && isAccepted !== (code === 'accepted');
    });
    // Nor about white space around a text, or control characters in an address.
    expect(different.map(([change]) => change)).toEqual([
      'business.name="   "',
      'owner.firstName="  "',
      String.raw`owner.email="ro\u0000sa@bakery.example"`,
      String.raw`owner.email="ro\u202esa@bakery.example"`,
      'owner.email=" rosa@bakery.example "',
    ]);
  });
});

describe('the responses of the BFF', () => {
  it('are errors without a header that the document requires', async () => {
    const { browser, listRequiredHeaders, expectDescribed } = await open();
    await browser.apply();
    const json = { [apiHeaders.idempotencyKey]: firstKey };
    const requests = [
      ['GET', apiPaths.configuration, undefined, {}],
      ['GET', apiPaths.application, undefined, {}],
      ['POST', apiPaths.application, JSON.stringify(application), json],
      ['POST', apiPaths.documents, pdf, toUploadHeaders('statement.pdf', pdf.byteLength)],
      ['POST', apiPaths.assetReport, report, {}],
      ['POST', apiPaths.contact, contactRequest, {}],
    ] as const;
    for (const [method, path, body, headers] of requests) {
      const sent = { ...withoutMetadata, ...headers };
      const accepted = await browser.send(method, path, body, sent);
      expect([path, accepted.status < 300]).toEqual([path, true]);
      for (const name of listRequiredHeaders(method, path)) {
        const refused = await browser.send(method, path, body, { ...sent, [name]: undefined });
        expect([path, name, refused.status >= 400]).toEqual([path, name, true]);
        expectDescribed(method, path, refused);
      }
    }
  });

  it('are described when they renew the session', async () => {
    const { browser, openBrowser, time, send, expectDescribed } = await open();
    await startSession(browser);
    time.advance(600_000);
    const renewed = await send('GET', apiPaths.application);
    expect(renewed.headers.getSetCookie()).toHaveLength(1);

    const other: Browser = openBrowser();
    const { json } = await other.send('POST', apiPaths.session, '{"transport":"handle"}');
    time.advance(600_000);
    const headers = { authorization: `Funding ${json.handle}` };
    const used = await other.send('GET', apiPaths.session, undefined, headers);
    expect(used.headers.get('x-funding-session')).not.toBeNull();
    expectDescribed('GET', apiPaths.session, used);
  });

  it('are described with Retry-After', async () => {
    const { send, openBrowser } = await open({
      settings: { limits: { sessionsPerMinutePerAddress: 1 } },
      clientAddress: '192.0.2.1',
    });
    await send('POST', apiPaths.session);
    const refused = await send('POST', apiPaths.session, undefined, openBrowser());
    expect(refused.headers.get('retry-after')).not.toBeNull();
  });

  it('are described for a whole application', async () => {
    const { browser, openBrowser, time, send, expectDescribed } = await open();
    const refused = await send('GET', apiPaths.session);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Funding']);
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.configuration);
    await send('POST', apiPaths.session);
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.offers);
    await send('POST', apiPaths.application, '{"business":1}');
    await send('POST', apiPaths.application, JSON.stringify(application));
    expectDescribed('POST', apiPaths.application, await browser.apply({}, secondKey));
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.offers);
    time.advance(20_000);
    expect((await send('GET', apiPaths.offers)).json.offers.length).toBeGreaterThan(0);
    expectDescribed('POST', apiPaths.documents, await browser.upload(pdf, 'a.exe'));
    await send('POST', apiPaths.documents, pdf);
    await send('GET', apiPaths.documents);
    await send('POST', apiPaths.contact, contactRequest);
    await send('POST', apiPaths.assetReport, '{}');
    await send('GET', apiPaths.session);
    await send('DELETE', apiPaths.session);
    await send('GET', apiPaths.session);
    await send('GET', apiPaths.session, undefined, openBrowser('https://other.example'));
  });

  it('are described while nothing is delivered', async () => {
    const bff = await open({ delivers: false });
    await startSession(bff.browser);
    const submitted = bff.send('POST', apiPaths.application, JSON.stringify(application));
    await passTime(bff, 60_000);
    expect((await submitted).status).toBe(202);
    expect((await bff.send('POST', apiPaths.documents, pdf)).status).toBe(202);
    expect((await bff.send('POST', apiPaths.assetReport, report)).status).toBe(202);
    expect((await bff.send('GET', apiPaths.offers)).status).toBe(409);
  });
});

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
