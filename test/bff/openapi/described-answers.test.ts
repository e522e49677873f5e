// What the BFF accepts and answers agrees with /openapi.json: headers, statuses, problem codes and bodies.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../bff/openapi/document.ts';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createTextPdf } from '../../support/text-pdf.ts';
import {
  createApplication,
  createRig,
  firstKey,
  secondKey,
  type Answer,
  type Rig,
} from '../bff-rig.ts';
import { until } from '../manual-time.ts';
import {
  expectDescribed,
  listRequiredHeaders,
  readDocument,
  withoutMetadata,
} from './described.ts';

const pdf = createTextPdf('Statement');
const wish = JSON.stringify({ consent: { id: 'contact', version: 'placeholder-1' } });
const applicationHeaders = { [apiHeaders.idempotencyKey]: firstKey };
const documentHeaders = {
  'content-type': 'application/octet-stream',
  'content-length': String(pdf.byteLength),
  [apiHeaders.documentName]: 'statement.pdf',
  [apiHeaders.documentCategory]: 'other',
};

describe('the BFF as /openapi.json describes it', () => {
  let rig: Rig;
  let document: OpenApiDocument;

  beforeEach(async () => {
    rig = await createRig({ settings: { requiredFields: ['ssn'] } });
    document = await readDocument(rig);
  });

  afterEach(() => rig.close());

  it('declares every header without which the BFF refuses a request', async () => {
    const browser = rig.openBrowser();
    await browser.apply();
    const report = JSON.stringify({ report: { asset_report_id: 'r1', items: [{ accounts: [] }] } });
    const requests = [
      ['GET', apiPaths.configuration, undefined, {}],
      ['GET', apiPaths.application, undefined, {}],
      ['POST', apiPaths.application, JSON.stringify(createApplication()), applicationHeaders],
      ['POST', apiPaths.documents, pdf, documentHeaders],
      ['POST', apiPaths.assetReport, report, {}],
      ['POST', apiPaths.contact, wish, {}],
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

  it('names the accepted methods of a path in the answer to another method', async () => {
    const { headers } = await rig.openBrowser().send('PUT', apiPaths.documents);
    expect(headers.get('allow')?.split(', ').toSorted()).toEqual(
      Object.keys(document.paths[apiPaths.documents] ?? {})
        .map((method) => method.toUpperCase())
        .toSorted(),
    );
    const described = document.components.responses['MethodNotAllowed'];
    expect(Object.keys(described?.headers ?? {})).toContain('allow');
  });

  it('describes the renewal of a cookie or a session token', async () => {
    const browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    rig.time.advance(600_000);
    const renewed = await browser.send('GET', apiPaths.application);
    expect(renewed.headers.getSetCookie()).toHaveLength(1);
    expectDescribed(document, 'GET', apiPaths.application, renewed);

    const other = rig.openBrowser();
    const begun = await other.send('POST', apiPaths.session, '{"transport":"handle"}');
    rig.time.advance(600_000);
    const authorization = `Funding ${begun.json.handle}`;
    const used = await other.send('GET', apiPaths.session, undefined, { authorization });
    expect(used.headers.get('x-funding-session')).not.toBeNull();
    expectDescribed(document, 'GET', apiPaths.session, used);
  });

  it('names the scheme of a session token to a request without a session', async () => {
    const refused = await rig.openBrowser().send('GET', apiPaths.session);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Funding']);
    expectDescribed(document, 'GET', apiPaths.session, refused);
  });

  it('describes Retry-After where the BFF sends it', async () => {
    await rig.close();
    rig = await createRig({
      settings: { limits: { sessionsPerMinutePerAddress: 1 } },
      clientAddress: '192.0.2.1',
    });
    document = await readDocument(rig);
    await rig.openBrowser().send('POST', apiPaths.session);
    const refused = await rig.openBrowser().send('POST', apiPaths.session);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expectDescribed(document, 'POST', apiPaths.session, refused);
  });

  it('describes every answer of a whole journey', async () => {
    const browser = rig.openBrowser();
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
    rig.time.advance(20_000);
    const offers = await send('GET', apiPaths.offers);
    expect(offers.json.offers.length).toBeGreaterThan(0);
    expectDescribed(document, 'POST', apiPaths.documents, await browser.upload(pdf, 'a.exe'));
    expectDescribed(document, 'POST', apiPaths.documents, await browser.upload(pdf));
    await send('GET', apiPaths.documents);
    await send('POST', apiPaths.contact, wish);
    await send('POST', apiPaths.assetReport, '{}');
    await send('GET', apiPaths.session);
    await send('DELETE', apiPaths.session);
    await send('GET', apiPaths.session);
    const stranger = await rig.openBrowser('https://other.example').send('GET', apiPaths.session);
    expectDescribed(document, 'GET', apiPaths.session, stranger);
  });

  it('describes the answers of a BFF that has not delivered yet', async () => {
    await rig.close();
    rig = await createRig({ delivers: false });
    const browser = rig.openBrowser();
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

  async function waitOut(asked: Promise<Answer>): Promise<Answer> {
    await until(() => rig.time.listTimers().length > 0);
    rig.time.advance(60_000);
    return asked;
  }
});
