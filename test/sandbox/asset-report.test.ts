import { describe, expect, it } from 'vitest';
import { createStandardReport } from '../support/standard-report.ts';
import { openSandbox, report } from './sandbox-client.ts';

const invalid = 'Invalid Asset Report JSON - missing report data';

describe('submit asset report', () => {
  it('answers all three fields', async () => {
    const client = await openSandbox();
    const applicationId = await client.openApplication();

    const { status, body } = await client.submitReport({ applicationId, assetReportJson: report });

    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Asset report submitted successfully',
      assetReportId: expect.stringMatching(/^a0R[A-Za-z0-9]{15}$/),
    });
  });

  it('makes a separate record of each submission', async () => {
    const client = await openSandbox();
    const applicationId = await client.openApplication();
    const body = { applicationId, assetReportJson: report };

    const ids = [await client.submitReport(body), await client.submitReport(body)].map(
      (reply) => reply.body.assetReportId,
    );

    expect(new Set(ids).size).toBe(2);
    expect((await client.look('/asset-reports')).body.assetReports).toHaveLength(2);
  });

  it('keeps the report character by character, and reads it', async () => {
    const client = await openSandbox();
    const applicationId = await client.openApplication();
    const raw = JSON.stringify(report, null, 3)
      .replace('1200.5', '1200.50')
      .replace('ar-1', '\\u0061r-1');

    const { body } = await client.submitReport(
      `{"assetReportJson": ${raw} , "applicationId":"${applicationId}"}`,
    );

    const [record] = (await client.look('/asset-reports')).body.assetReports;
    expect(record).toMatchObject({ applicationId, receivedText: raw, assetReportJson: report });
    expect(record.metrics).toEqual({
      institutions: ['First Demo Bank'],
      accounts: 1,
      transactions: 2,
      currentBalance: 1200.5,
      deposits: 310.1,
    });
    const content = await client.look(`/asset-reports/${body.assetReportId}/content`);
    expect(content.text).toBe(raw);
  });

  it('keeps fields of the aggregation provider that the spec does not list', async () => {
    const client = await openSandbox();
    const applicationId = await client.openApplication();
    const assetReportJson = {
      ...report,
      warnings: [],
      report: { ...report.report, user: { a: 1 } },
    };

    await client.submitReport({ applicationId, assetReportJson });

    const [record] = (await client.look('/asset-reports')).body.assetReports;
    expect(record.assetReportJson).toEqual(assetReportJson);
  });

  it.each([
    ['the body is not JSON', '{"applicationId":'],
    ['the body is a list', '[]'],
  ])('refuses when %s', async (_, body) => {
    expect((await (await openSandbox()).submitReport(body)).body.message).toBe(invalid);
  });

  it.each([
    ['text', JSON.stringify(report)],
    ['empty', {}],
    ['without items', { report: { ...report.report, items: undefined } }],
    ['with a null report', { report: null }],
    ['with a list for a report', { report: [] }],
  ])('refuses a report that is %s', async (_, assetReportJson) => {
    const client = await openSandbox();
    const applicationId = await client.openApplication();
    const { body } = await client.submitReport({ applicationId, assetReportJson });
    expect(body).toEqual({ success: false, message: invalid, assetReportId: null });
  });

  it('takes a report that lacks some fields, and notes which', async () => {
    const client = await openSandbox();
    const applicationId = await client.openApplication();
    const assetReportJson = { report: { ...report.report, days_requested: undefined } };
    await client.submitReport({ applicationId, assetReportJson });
    const [record] = (await client.look('/asset-reports')).body.assetReports;
    expect(record).toMatchObject({ incomplete: ['/report/days_requested'], metrics: null });
    expect((await client.look('/')).text).toContain('/report/days_requested');
  });

  it('takes the standard structure of an aggregation provider as complete', async () => {
    const client = await openSandbox();
    const applicationId = await client.openApplication();
    const assetReportJson = createStandardReport();
    await client.submitReport({ applicationId, assetReportJson });
    const [record] = (await client.look('/asset-reports')).body.assetReports;
    expect(record).toMatchObject({ assetReportJson, incomplete: [] });
    expect(record.metrics).toEqual({
      institutions: ['First Sample Bank'],
      accounts: 2,
      transactions: 6,
      currentBalance: 220.5,
      deposits: 6002,
    });
  });

  it('notes a transaction with neither a name nor a description', async () => {
    const client = await openSandbox();
    const applicationId = await client.openApplication();
    const assetReportJson = createStandardReport({ accounts: 1, transactions: 1 });
    const [item] = assetReportJson.report.items;
    Reflect.deleteProperty(item!.accounts[0]!.transactions[0]!, 'original_description');
    await client.submitReport({ applicationId, assetReportJson });
    const [record] = (await client.look('/asset-reports')).body.assetReports;
    expect(record.incomplete).toEqual(['/report/items/0/accounts/0/transactions/0/name']);
  });

  it('checks in the order of the spec’s table', async () => {
    const client = await openSandbox();
    const messages = [
      {},
      { applicationId: 'x' },
      { applicationId: 'x', assetReportJson: {} },
      { applicationId: await client.openApplication(), assetReportJson: {} },
    ].map(async (body) => (await client.submitReport(body)).body.message);
    expect(await Promise.all(messages)).toEqual([
      'applicationId is required',
      'assetReportJson is required',
      'Application not found: x',
      invalid,
    ]);
  });

  it('asks for no partner headers', async () => {
    const client = await openSandbox();
    const body = { applicationId: await client.openApplication(), assetReportJson: report };
    const none = { PartnerId: undefined, PartnerName: undefined };
    expect((await client.submitReport(body, none)).body.success).toBe(true);
  });

  it('lives at a path that the aggregator’s name begins, with a slash at its end', async () => {
    const client = await openSandbox({ aggregatorName: 'Bank Data Co' });
    const body = { applicationId: await client.openApplication(), assetReportJson: report };
    expect((await client.post('/bank%20data%20co/asset-report/', body)).body.success).toBe(true);
    expect((await client.post('/aggregator/asset-report/', body)).status).toBe(404);
    expect((await client.post('/bank%20data%20co/asset-report', body)).status).toBe(404);
  });
});
