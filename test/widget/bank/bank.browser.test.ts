// The bank connection: the demonstration bank, a host page's own aggregator, and the focus.

import { expect } from '@open-wc/testing';
import { html, render } from 'lit';
import { createBank } from '../../../widget/bank/bank.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createFeature, createStepContext } from '../../support/create-feature.ts';
import { fail, ok } from '../../support/fake-funding-api.ts';
import { mountAfter, mountAt, mountWidget, type Mounted } from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const isFocused = ({ root }: Mounted, id: string) => waitUntil(() => root.activeElement?.id === id);

async function openBanks(): Promise<Mounted> {
  const mounted = await mountAt('bank');
  expect(mounted.text).to.include('Without bank statements or a bank connection, the lender');
  await mounted.press('Connect a bank');
  await isFocused(mounted, 'bank-title');
  return mounted;
}

describe('the demonstration bank', () => {
  it('shares a complete report of the chosen accounts', async () => {
    const mounted = await openBanks();
    expect(mounted.root.querySelectorAll('[type="radio"]').length).to.equal(4);
    await mounted.press('Share with the lender');
    expect(mounted.text).to.include('Error: Choose one of these banks');
    expect(mounted.api.reports.length).to.equal(0);
    mounted.find('#bank-institution-1').click();
    mounted.find('#bank-account-0').click();
    await mounted.element.updateComplete;
    await mounted.press('Share with the lender');
    await mounted.waitForText('We sent your bank report');
    await isFocused(mounted, 'bank-status');
    expect(mounted.api.reports[0]).to.have.nested.property(
      'report.items[0].accounts[0].transactions',
    );
  });

  it('gives the focus back to its button', async () => {
    const mounted = await openBanks();
    await mounted.press('Not now');
    await isFocused(mounted, 'bank-start');
  });
});

describe('loading the demonstration bank', () => {
  /** The bank step without the element. Its bank arrives when the test calls `arrive`. */
  function openLoading() {
    const loads: PromiseWithResolvers<{ renderDemonstration: () => unknown }>[] = [];
    const rig = createFeature((environment) =>
      createBank(environment, () => {
        loads.push(Promise.withResolvers());
        return loads.at(-1)!.promise as never;
      }),
    );
    const container = document.createElement('div');
    const focused: string[] = [];
    const context = { focus: (id: string) => focused.push(id) };
    const rerender = () =>
      render(rig.feature.steps.bank.render(createStepContext(rig.store.state, context)), container);
    const start = () => {
      rerender();
      container.querySelector<HTMLButtonElement>('#bank-start')?.click();
      rerender();
    };
    const settle = async () => {
      await rig.polling.settle();
      rerender();
    };
    return {
      ...rig,
      container,
      focused,
      start,
      arrive: () => {
        loads.at(-1)?.resolve({ renderDemonstration: () => html`The banks` });
        return settle();
      },
      fail: () => {
        loads.at(-1)?.reject(new TypeError('Failed to fetch'));
        return settle();
      },
    };
  }

  it('is shown, and can be repeated after a failure', async () => {
    const world = openLoading();
    world.start();
    expect(world.container.querySelector('.waiting')).to.not.equal(null);
    await world.fail();
    expect(world.container.querySelector('[role="alert"]')).to.not.equal(null);
    world.start();
    await world.arrive();
    expect(world.container.textContent).to.include('The banks');
    expect(world.container.querySelector('[role="alert"]')).to.equal(null);
  });

  it('has no effect after the application was closed', async () => {
    const world = openLoading();
    world.start();
    world.close();
    await world.arrive();
    expect(world.container.textContent).to.not.include('The banks');
    expect(world.focused).to.deep.equal([]);
  });
});

describe('the report of a host page', () => {
  const report = { report: { asset_report_id: 'r-1', items: [] } };

  it('is requested by an event, and shown', async () => {
    const configuration = ok(createConfiguration({ bankConnection: 'host' }));
    const mounted = await mountAt('bank', { configuration });
    let asked = 0;
    mounted.element.addEventListener('funding-bank-request', () => (asked += 1));
    await mounted.press('Connect a bank');
    expect(asked).to.equal(1);
    expect(await mounted.element.submitAssetReport(report)).to.deep.equal({
      status: 'delivered',
      delayed: false,
    });
    expect(mounted.api.reports).to.deep.equal([report]);
    await mounted.element.updateComplete;
    expect(mounted.text).to.include('We sent your bank report');
  });

  it('is accepted before its chunk is loaded', async () => {
    const { element, api } = await mountWidget();
    expect(await element.submitAssetReport(report)).to.include({ status: 'delivered' });
    expect(api.reports).to.deep.equal([report]);
  });

  it('is rejected with a code', async () => {
    const { element } = await mountAfter({ assetReport: fail('asset-report-invalid') });
    const error = await element.submitAssetReport({}).catch((caught: unknown) => caught);
    expect(error).to.include({ name: 'FundingError', code: 'asset-report-invalid' });
  });
});
