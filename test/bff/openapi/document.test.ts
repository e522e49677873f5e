// `GET /openapi.json`: a valid document with every operation of the app, this partner's choices, and the rules of the BFF.

import SwaggerParser from '@apidevtools/swagger-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../bff/openapi/document.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { problemCodes } from '../../../shared/api/problems.ts';
import { createApplication, createRig, type Rig } from '../bff-rig.ts';
import { readDocument, toSchema, withoutMetadata } from './described.ts';

/** Answers to requests that no operation describes; they are in `components.responses`. */
const addressProblems = ['not-found', 'method-not-allowed'];

describe('GET /openapi.json', () => {
  let rig: Rig;
  let document: OpenApiDocument;

  beforeEach(async () => {
    rig = await createRig({ settings: { requiredFields: ['ssn'] } });
    document = await readDocument(rig);
  });

  afterEach(() => rig.close());

  it('has exactly the operations of the app’s route table below /v1', () => {
    const routes = rig.app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1'))
      .map(({ method, path }) => `${method} ${path}`);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  it('has every problem code but those of unknown paths and methods', () => {
    const told = JSON.stringify(document.paths);
    const missing = problemCodes.filter((code) => !told.includes(`"${code}"`));
    expect(missing).toEqual(addressProblems);
  });

  it('is a valid OpenAPI document without dangling references', async () => {
    // The parser resolves references in place.
    const copy = structuredClone(document) as unknown as Parameters<
      typeof SwaggerParser.validate
    >[0];
    await expect(SwaggerParser.validate(copy)).resolves.toBeDefined();
    expect(JSON.stringify(document)).not.toContain('$schema');
  });

  it('uses exactly the security schemes it defines', () => {
    const used = listOperations().flatMap(({ security }) => security.flatMap(Object.keys));
    expect([...new Set(used)].toSorted()).toEqual(
      Object.keys(document.components.securitySchemes).toSorted(),
    );
  });

  it('names the session cookie of a client at the address of the BFF', async () => {
    const client = rig.openBrowser(rig.config.publicOrigin);
    const { headers } = await client.send('POST', apiPaths.session, undefined, withoutMetadata);
    const [name] = headers.getSetCookie()[0]?.split('=') ?? [];
    expect(document.components.securitySchemes['sessionCookie']).toMatchObject({
      type: 'apiKey',
      in: 'cookie',
      name,
    });
  });

  it('gives each operation an id of its own', () => {
    const ids = listOperations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['FundingReason', 'fundingReasons', 'value'],
    ['BusinessType', 'businessTypes', 'value'],
    ['CreditScore', 'creditScores', 'value'],
    ['ConsentId', 'consents', 'id'],
  ] as const)('lists in %s exactly the %s of the configuration', async (name, list, key) => {
    const { json } = await rig.openBrowser().send('GET', apiPaths.configuration);
    const values = json[list].map((choice: Record<string, string>) => choice[key]);
    expect(document.components.schemas[name].enum).toEqual(values);
  });

  it('lists the file extensions of the configuration', async () => {
    const { json } = await rig.openBrowser().send('GET', apiPaths.configuration);
    expect(document.components.schemas.DocumentExtension.enum).toEqual(json.documents.extensions);
  });

  it('lists the document categories of the configuration', async () => {
    const { json } = await rig.openBrowser().send('GET', apiPaths.configuration);
    const ids = json.documents.categories.map(({ id }: { readonly id: string }) => id);
    expect(document.components.schemas.DocumentCategory.enum).toEqual(ids);
  });

  it('requires what the partner requires', () => {
    const schema = toSchema(document.components.schemas.Application, document);
    const application = createApplication();
    expect(schema.safeParse(application).error).toBeUndefined();
    const { ssn: _left, ...owner } = application.owner;
    expect(schema.safeParse({ ...application, owner }).success).toBe(false);
  });

  it.each([
    ['phone', '1175550100'],
    ['ssn', '666123456'],
    ['email', 'ana@harbor'],
    ['creditScore', 'Excellent'],
  ])('refuses an invalid %s like the BFF does', async (field, value) => {
    const application = createApplication();
    const invalid = { ...application, owner: { ...application.owner, [field]: value } };
    const schema = toSchema(document.components.schemas.Application, document);
    expect(schema.safeParse(invalid).success).toBe(false);
    expect((await rig.openBrowser().apply(invalid)).json.errors).toEqual([
      { pointer: `/owner/${field}`, code: expect.any(String) },
    ]);
  });

  it('answers without an origin', async () => {
    const answer = await rig.app.request('/openapi.json');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  function listOperations() {
    return Object.values(document.paths).flatMap((methods) => Object.values(methods));
  }
});
