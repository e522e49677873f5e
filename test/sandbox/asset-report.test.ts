import { describe, expect, it } from 'vitest';
import { sliceTopLevelValue } from '../../sandbox/asset-report.ts';
import { createStandardReport } from '../support/standard-report.ts';
import { createSandboxClient, report } from './sandbox-client.ts';

const invalid = 'Invalid Asset Report JSON - missing report data';

/** Submits a report for a new application. */
async function submit(assetReportJson: object | string) {
  const client = await createSandboxClient();
  const applicationId = await client.submitApplication();
  const reply = await client.submitReport({ applicationId, assetReportJson });
  const [record] = (await client.getControl('/asset-reports')).body.assetReports;
  return { ...reply, client, record };
}

describe('Submit Asset Report', () => {
  it('returns all three response fields', async () => {
    const { status, body } = await submit(report);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Asset report submitted successfully',
      assetReportId: expect.stringMatching(/^a0R[A-Za-z0-9]{15}$/),
    });
  });

  it('creates a separate record for each submission', async () => {
    const client = await createSandboxClient();
    const applicationId = await client.submitApplication();
    const body = { applicationId, assetReportJson: report };

    const ids = [await client.submitReport(body), await client.submitReport(body)].map(
      (reply) => reply.body.assetReportId,
    );

    expect(new Set(ids).size).toBe(2);
    expect((await client.getControl('/asset-reports')).body.assetReports).toHaveLength(2);
  });

  it('stores the unparsed report with its metrics', async () => {
    const client = await createSandboxClient();
    const applicationId = await client.submitApplication();
    const raw = JSON.stringify(report, null, 3)
      .replace('1200.5', '1200.50')
      .replace('ar-1', '\\u0061r-1');

    const { body } = await client.submitReport(
      `{"assetReportJson": ${raw} , "applicationId":"${applicationId}"}`,
    );

    const [record] = (await client.getControl('/asset-reports')).body.assetReports;
    expect(record).toMatchObject({ applicationId, receivedText: raw, assetReportJson: report });
    expect(record.metrics).toEqual({
      institutions: ['First Demo Bank'],
      accounts: 1,
      transactions: 2,
      currentBalance: 1200.5,
      deposits: 310.1,
    });
    const content = await client.getControl(`/asset-reports/${body.assetReportId}/content`);
    expect(content.text).toBe(raw);
  });

  it('stores fields that the spec does not list', async () => {
    const assetReportJson = { warnings: [], report: { ...report.report, user: { a: 1 } } };
    const { record } = await submit(assetReportJson);
    expect(record.assetReportJson).toEqual(assetReportJson);
  });

  it.each([
    ['the body is not JSON', '{"applicationId":'],
    ['the body is a list', '[]'],
  ])('rejects the request if %s', async (_, body) => {
    expect((await (await createSandboxClient()).submitReport(body)).body.message).toBe(invalid);
  });

  it.each([
    ['text', JSON.stringify(report)],
    ['empty', {}],
    ['without items', { report: { ...report.report, items: undefined } }],
    ['with a null report', { report: null }],
    ['with a list for a report', { report: [] }],
  ])('rejects a report that is %s', async (_, assetReportJson) => {
    const { body } = await submit(assetReportJson);
    expect(body).toEqual({ success: false, message: invalid, assetReportId: null });
  });

  it('accepts an incomplete report, listing its missing fields', async () => {
    const { client, record } = await submit({
      report: { ...report.report, days_requested: undefined },
    });
    expect(record).toMatchObject({ incomplete: ['/report/days_requested'], metrics: null });
    expect((await client.getControl('/')).text).toContain('/report/days_requested');
  });

  it('accepts the standard structure of an aggregation provider as complete', async () => {
    const assetReportJson = createStandardReport();
    const { record } = await submit(assetReportJson);
    expect(record).toMatchObject({ assetReportJson, incomplete: [] });
    expect(record.metrics).toEqual({
      institutions: ['First Sample Bank'],
      accounts: 2,
      transactions: 6,
      currentBalance: 220.5,
      deposits: 6002,
    });
  });

  it('reports a transaction without a name or description as incomplete', async () => {
    const assetReportJson = createStandardReport({ accounts: 1, transactions: 1 });
    const [item] = assetReportJson.report.items;
    Reflect.deleteProperty(item!.accounts[0]!.transactions[0]!, 'original_description');
    const { record } = await submit(assetReportJson);
    expect(record.incomplete).toEqual(['/report/items/0/accounts/0/transactions/0/name']);
  });

  it('checks the errors in the order of the spec’s table', async () => {
    const client = await createSandboxClient();
    const messages = [
      {},
      { applicationId: 'x' },
      { applicationId: 'x', assetReportJson: {} },
      { applicationId: await client.submitApplication(), assetReportJson: {} },
    ].map(async (body) => (await client.submitReport(body)).body.message);
    expect(await Promise.all(messages)).toEqual([
      'applicationId is required',
      'assetReportJson is required',
      'Application not found: x',
      invalid,
    ]);
  });

  it('does not require partner headers', async () => {
    const client = await createSandboxClient();
    const body = { applicationId: await client.submitApplication(), assetReportJson: report };
    const none = { PartnerId: undefined, PartnerName: undefined };
    expect((await client.submitReport(body, none)).body.success).toBe(true);
  });

  it('serves only the path with the aggregator’s name', async () => {
    const client = await createSandboxClient({ aggregatorName: 'Bank Data Co' });
    const body = { applicationId: await client.submitApplication(), assetReportJson: report };
    expect((await client.post('/bank%20data%20co/asset-report/', body)).body.success).toBe(true);
    expect((await client.post('/aggregator/asset-report/', body)).status).toBe(404);
    expect((await client.post('/bank%20data%20co/asset-report', body)).status).toBe(404);
  });
});

describe('sliceTopLevelValue', () => {
  it.each([
    ['{"a":1}', '1'],
    ['{ "a" : {"b": [1, 2.50]} , "c":0}', '{"b": [1, 2.50]}'],
    ['{"b":{"a":1},"a":[{"a":2}]}', '[{"a":2}]'],
    ['{"b":"\\"a\\":9,","a":"}\\\\"}', '"}\\\\"'],
    ['{"b":"x\\"}","a":1}', '1'],
    ['{"\\u0061":null}', 'null'],
    ['{"a":1,"a":2}', '2'],
    ['{"a":"é, {["}', '"é, {["'],
  ])('finds the text of a in %s', (json, expected) => {
    JSON.parse(json);
    expect(sliceTopLevelValue(json, 'a')).toBe(expected);
  });

  it.each(['{}', '{"b":{"a":1}}', '["a"]', '{"b":"a"}'])('finds no a in %s', (json) => {
    expect(sliceTopLevelValue(json, 'a')).toBeUndefined();
  });
});
