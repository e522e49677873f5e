// `GET /openapi.json`: every operation the app has is in it, and what the app answers is what it says.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { OpenApiDocument } from '../../../bff/openapi/document.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { problemCodes } from '../../../shared/api/problem.ts';
import { createTextPdf } from '../../support/text-pdf.ts';
import { createApplication, createRig, secondKey, type Answer, type Rig } from '../bff-rig.ts';
import { until } from '../manual-time.ts';

const pdf = createTextPdf('Statement');
const wish = JSON.stringify({ consent: { id: 'contact', version: 'placeholder-1' } });
const addressProblems = ['not-found', 'method-not-allowed'];

describe('GET /openapi.json', () => {
  let rig: Rig;
  let document: OpenApiDocument;

  beforeEach(async () => {
    rig = await createRig({ settings: { requiredFields: ['ssn'] } });
    document = await read();
  });

  afterEach(() => rig.close());

  it('has every operation of the app’s own table below /v1, and no other', () => {
    const routes = rig.app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1'))
      .map(({ method, path }) => `${method} ${path}`);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  it('has every problem code but those of addresses that are not in it', () => {
    const told = JSON.stringify(document.paths);
    const missing = problemCodes.filter((code) => !told.includes(`"${code}"`));
    expect(missing).toEqual(addressProblems);
  });

  it('refers to nothing that is not in it, and holds no dialect of its own', () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([...new Set(names)]),
    );
    expect(text).not.toContain('$schema');
  });

  it('names the partner’s own choices, and which fields are required', () => {
    const application = JSON.stringify(document.components.schemas.Application);
    expect(application).toContain('"enum":["Working Capital","Expansion"');
    expect(application).toContain('"description":"This partner requires it."');
    expect(toSchema(document.components.schemas.Application, document)).toSatisfy(
      (schema: z.ZodType) => schema.safeParse(createApplication()).success,
    );
  });

  it('may be read by anybody, from no page', async () => {
    const answer = await rig.app.request('/openapi.json');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('says what a BFF answers all the way through', async () => {
    const browser = rig.openBrowser();
    const send = async (method: string, path: string, body?: string) =>
      expectDescribed(method, path, await browser.send(method, path, body));
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.configuration);
    await send('POST', apiPaths.session);
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.offers);
    await send('POST', apiPaths.application, '{"business":1}');
    expectDescribed('POST', apiPaths.application, await browser.apply());
    expectDescribed('POST', apiPaths.application, await browser.apply({}, secondKey));
    await send('GET', apiPaths.application);
    await send('GET', apiPaths.offers);
    rig.time.advance(20_000);
    const offers = await send('GET', apiPaths.offers);
    expect(offers.json.offers.length).toBeGreaterThan(0);
    expectDescribed('POST', apiPaths.documents, await browser.upload(pdf, 'a.exe'));
    expectDescribed('POST', apiPaths.documents, await browser.upload(pdf));
    await send('GET', apiPaths.documents);
    await send('POST', apiPaths.contact, wish);
    await send('POST', apiPaths.assetReport, '{}');
    await send('GET', apiPaths.session);
    await send('DELETE', apiPaths.session);
    await send('GET', apiPaths.session);
    const stranger = await rig.openBrowser('https://other.example').send('GET', apiPaths.session);
    expectDescribed('GET', apiPaths.session, stranger);
  });

  it('says what a BFF answers that has kept something and not sent it yet', async () => {
    await rig.close();
    rig = await createRig({ delivers: false });
    const browser = rig.openBrowser();
    const filed = await waitOut(browser.apply());
    expect(expectDescribed('POST', apiPaths.application, filed).status).toBe(202);
    const given = await browser.upload(pdf);
    expect(expectDescribed('POST', apiPaths.documents, given).status).toBe(202);
    const report = JSON.stringify({
      report: { asset_report_id: 'r1', items: [{ accounts: [] }] },
    });
    const reported = await browser.send('POST', apiPaths.assetReport, report);
    expect(expectDescribed('POST', apiPaths.assetReport, reported).status).toBe(202);
    const offers = await browser.send('GET', apiPaths.offers);
    expect(expectDescribed('GET', apiPaths.offers, offers).status).toBe(409);
  });

  async function waitOut(asked: Promise<Answer>): Promise<Answer> {
    await until(() => rig.time.listTimers().length > 0);
    rig.time.advance(60_000);
    return asked;
  }

  async function read(): Promise<OpenApiDocument> {
    const answer = await rig.app.request('/openapi.json');
    expect(answer.status).toBe(200);
    // The test looks at the rest of it.
    return (await answer.json()) as OpenApiDocument;
  }

  function expectDescribed(method: string, path: string, answer: Answer): Answer {
    const response = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
    expect([path, answer.status, response]).not.toContain(undefined);
    const [mediaType] = (answer.headers.get('content-type') ?? '').split(';');
    const described = Object.keys(response?.content ?? {});
    expect(described).toEqual(mediaType === '' ? [] : [mediaType]);
    const schemas = Object.values(response?.content ?? {});
    for (const { schema } of schemas) {
      expect(toSchema(schema, document).safeParse(answer.json).error).toBeUndefined();
    }
    return answer;
  }
});

/** zod reads its own words back; references are written out, since it looks for them at another place. */
function toSchema(schema: object, { components }: OpenApiDocument): z.ZodType {
  const whole = JSON.parse(
    JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    ),
  );
  return z.fromJSONSchema(whole);
}
