// `POST /v1/asset-report` with a sandbox: each distinct report is delivered once, byte for byte.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

describe('POST /v1/asset-report', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff();
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it('delivers a report unchanged, with its white space', async () => {
    await browser.apply();
    const report = createReport();
    const answer = await send(report);
    expect([answer.status, answer.json]).toEqual([201, { status: 'delivered', delayed: false }]);
    const [record] = bff.sandbox.context.state.assetReports.values();
    expect(record?.receivedText).toBe(report);
    expect((await browser.send('GET', apiPaths.session)).json.assetReport).toEqual({
      status: 'delivered',
      delayed: false,
    });
  });

  it('delivers a report of several chunks', async () => {
    await browser.apply();
    const report = createReport().replace('{', `{"note": "${'äöü€'.repeat(300_000)}",`);
    expect((await send(report)).status).toBe(201);
    const [record] = bff.sandbox.context.state.assetReports.values();
    expect(record?.receivedText === report).toBe(true);
  });

  it('does not send a second report for a retry with the same bytes', async () => {
    await browser.apply();
    const first = await send(createReport());
    const retried = await send(createReport());
    expect([retried.status, retried.json]).toEqual([first.status, first.json]);
    expect(listReceivedReports()).toEqual([createReport()]);
  });

  it('delivers other content with the same report id', async () => {
    await browser.apply();
    const refreshed = createReport().replace('Card sales', 'Wholesale order');
    await send(createReport());
    const answer = await send(refreshed);
    expect([answer.status, answer.json]).toEqual([201, { status: 'delivered', delayed: false }]);
    expect(listReceivedReports()).toEqual([createReport(), refreshed]);
  });

  it('delivers the same content in another format as another record', async () => {
    await browser.apply();
    const indented = `${createReport()} `;
    await send(createReport());
    await send(indented);
    // The sandbox records the JSON value without the white space around it.
    expect(listReceivedReports()).toEqual([createReport(), createReport()]);
  });

  it('delivers the reports that arrived before the application was accepted', async () => {
    const lost = { kind: 'not-sent', failure: 'ECONNREFUSED' } as const;
    bff.faults.push({ path: '/creditapp', result: lost });
    await browser.apply();
    const refreshed = createReport().replace('Card sales', 'Wholesale order');
    expect((await send(createReport())).status).toBe(202);
    expect((await send(refreshed)).status).toBe(202);
    expect((await send(createReport())).status).toBe(202);
    await until(() => bff.time.listTimers().length > 0);
    bff.time.advance(60_000);
    await until(() => bff.sandbox.context.state.assetReports.size === 2);
    expect(listReceivedReports()).toEqual([createReport(), refreshed]);
  });

  it('keeps a report while the path of the funding service is wrong', async () => {
    await bff.close();
    bff = await startBff({ settings: { aggregatorName: 'Wrong' } });
    browser = bff.openBrowser();
    await browser.apply();
    const result = { kind: 'response', status: 404, headers: {}, text: '<html>' } as const;
    for (let time = 0; time < 5; time += 1) bff.faults.push({ path: '/asset-report/', result });
    const answer = await send(createReport());
    expect([answer.status, answer.json]).toEqual([202, { status: 'received', delayed: true }]);
    for (let time = 0; time < 4; time += 1) {
      await until(() => bff.time.listTimers().length > 0);
      bff.time.advance(120_000);
    }
    const { json } = await browser.send('GET', apiPaths.session);
    expect(json.assetReport).toEqual({ status: 'received', delayed: true });
    expect(bff.logLines.join('')).toMatch(/"delivery-refused".*"reason":"request-malformed"/);
  });

  it.each([
    ['an object without a report', '{}'],
    ['a report without items', '{"report":{"asset_report_id":"1","items":[]}}'],
    ['incomplete JSON', '{"report":'],
    ['a byte order mark', `\uFEFF${createReport()}`],
  ])('rejects %s', async (_name, text) => {
    await browser.apply();
    const answer = await send(text);
    expect([answer.status, isProblem(answer, 'asset-report-invalid')]).toEqual([422, true]);
  });

  it('rejects a body that is not UTF-8', async () => {
    await browser.apply();
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
    const headers = { 'content-type': 'application/json', 'content-length': '3' };
    const answer = await browser.send('POST', apiPaths.assetReport, bytes, headers);
    expect(isProblem(answer, 'asset-report-invalid')).toBe(true);
  });

  it('rejects more than 8 MiB', async () => {
    await browser.apply();
    const answer = await send(' '.repeat(8 * 1024 * 1024 + 1));
    expect(isProblem(answer, 'too-large')).toBe(true);
  });

  it.each([
    ['with 33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['with a duplicate name', '{"report":1}'],
    ['with the name __proto__', '{"__proto__":{"items":[]}}'],
    ['with a number out of range', '{"amount":1e400}'],
  ])('rejects a report %s', async (_name, addition) => {
    await browser.apply();
    const report = createReport().replace('{', `${addition.slice(0, -1)},`);
    expect(isProblem(await send(report), 'asset-report-invalid')).toBe(true);
    expect(bff.sandbox.context.state.assetReports.size).toBe(0);
  });

  it('rejects a report without an application', async () => {
    await browser.send('POST', apiPaths.session);
    expect(isProblem(await send(createReport()), 'application-missing')).toBe(true);
  });

  it('reports a rejection by the funding service', async () => {
    await browser.apply(createApplication({ name: 'Bakery [asset-report/report-invalid]' }));
    const answer = await send(createReport());
    expect([answer.status, isProblem(answer, 'asset-report-rejected')]).toEqual([422, true]);
  });

  it('returns "received" after a processing failure and retries', async () => {
    await browser.apply();
    bff.sandbox.context.state.faults.push({
      kind: 'processing-failed',
      operation: 'asset-report',
      times: 1,
    });
    const answer = await send(createReport());
    expect([answer.status, answer.json]).toEqual([202, { status: 'received', delayed: true }]);
  });

  function send(text: string) {
    return browser.send('POST', apiPaths.assetReport, text);
  }

  /** The reports that reached the sandbox, in the order of their arrival. */
  function listReceivedReports(): readonly string[] {
    const records = bff.sandbox.context.state.assetReports.values();
    return Array.from(records, ({ receivedText }) => receivedText);
  }
});

/** Every field of the spec, and one that the spec does not have. */
function createReport(): string {
  const report = {
    asset_report_id: 'report-1',
    client_report_id: null,
    date_generated: '2026-11-20T09:00:00Z',
    days_requested: 90,
    items: [
      {
        institution_name: 'First Demonstration Bank',
        accounts: [
          {
            account_id: 'account-1',
            name: 'Checking',
            official_name: 'Business Checking',
            type: 'depository',
            subtype: 'checking',
            mask: '0000',
            days_available: 90,
            balances: { current: 1e4, available: 9_876.5, iso_currency_code: 'USD' },
            owners: [
              {
                names: ['Dana Osei'],
                emails: [{ data: 'dana@harborbakery.example', primary: true, type: 'primary' }],
              },
            ],
            historical_balances: [{ date: '2026-11-19', current: 10_000 }],
            transactions: [
              { transaction_id: 't1', amount: -120.5, date: '2026-11-19', name: 'Card sales' },
            ],
          },
        ],
      },
    ],
  };
  return JSON.stringify({ report }, null, 3).replace('10000', '1.0E4');
}
