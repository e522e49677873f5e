// The bank connection: the demonstration bank, a host page's own aggregator, and the focus.

import { expect, waitUntil } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import { goTo, mountAfter, mountWidget, press, textOf } from '../support/mount-widget.ts';

describe('the bank connection', () => {
  it('shares a complete report of the chosen accounts', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'bank');
    expect(textOf(mounted)).to.include(
      'Without bank statements or a bank connection, the lender may take',
    );
    await press(mounted, 'Connect a bank');
    await waitUntil(() => textOf(mounted).includes('Choose your bank'));
    await press(mounted, 'Share with the lender');
    expect(textOf(mounted)).to.include('Error: Choose one of these banks');
    expect(mounted.api.reports.length).to.equal(0);
    mounted.root.querySelector<HTMLInputElement>('#bank-institution-1')?.click();
    mounted.root.querySelector<HTMLInputElement>('#bank-account-0')?.click();
    await mounted.element.updateComplete;
    await press(mounted, 'Share with the lender');
    await waitUntil(() => textOf(mounted).includes('We sent your bank report'));
    expect(mounted.api.reports[0]).to.have.nested.property(
      'report.items[0].accounts[0].transactions',
    );
  });

  it('shares the report of a host page with its own aggregator', async () => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ bankConnection: 'host' }));
    const mounted = await mountAfter(api);
    await goTo(mounted, 'bank');
    let asked = 0;
    mounted.element.addEventListener('funding-bank-request', () => {
      asked += 1;
    });
    await press(mounted, 'Connect a bank');
    expect(asked).to.equal(1);
    const report = { report: { asset_report_id: 'r-1', items: [] } };
    expect(await mounted.element.submitAssetReport(report)).to.deep.equal({
      status: 'delivered',
      delayed: false,
    });
    expect(api.reports).to.deep.equal([report]);
    await mounted.element.updateComplete;
    expect(textOf(mounted)).to.include('We sent your bank report');
  });

  it('accepts a host page’s report before its chunk is loaded', async () => {
    const { element, api } = await mountWidget();
    const report = { report: { items: [] } };
    expect(await element.submitAssetReport(report)).to.include({ status: 'delivered' });
    expect(api.reports).to.deep.equal([report]);
  });

  it('rejects a host page’s report with a code', async () => {
    const mounted = await mountAfter();
    mounted.api.assetReport = fail('asset-report-invalid');
    const error = await mounted.element.submitAssetReport({}).catch((caught: unknown) => caught);
    expect(error).to.include({ name: 'FundingError', code: 'asset-report-invalid' });
  });
});

describe('the focus', () => {
  async function openBanks() {
    const mounted = await mountAfter();
    await goTo(mounted, 'bank');
    await press(mounted, 'Connect a bank');
    await waitUntil(() => mounted.root.activeElement?.id === 'bank-title');
    return mounted;
  }

  it('moves to the list of banks, then back to its button', async () => {
    const mounted = await openBanks();
    await press(mounted, 'Not now');
    await waitUntil(() => mounted.root.activeElement?.id === 'bank-start');
  });

  it('moves to the result', async () => {
    const mounted = await openBanks();
    mounted.root.querySelector<HTMLInputElement>('#bank-institution-0')?.click();
    mounted.root.querySelector<HTMLInputElement>('#bank-account-0')?.click();
    await mounted.element.updateComplete;
    await press(mounted, 'Share with the lender');
    await waitUntil(() => mounted.root.activeElement?.id === 'bank-status');
  });
});
