// The bank connection, the outcome, and contact.

import { expect, waitUntil } from '@open-wc/testing';
import type { Offer } from '../../shared/api/offers.ts';
import { createConfiguration } from '../support/configuration.ts';
import { fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import { goTo, mountAfter, press, textOf, waitForHeading } from '../support/mount-widget.ts';

const offer: Offer = {
  id: 'offer-1',
  product: 'Term loan',
  amount: 75_000,
  termMonths: 12,
  paymentFrequency: 'Weekly',
  paymentAmount: 1540,
  monthlyRate: 1.6,
  aprLow: 18.2,
  aprHigh: 24.9,
  feeLow: 750,
  feeHigh: 1500,
  disclosures: 'First line.\nSecond line, whole.',
  totalCost: 80_080,
  centsOnTheDollar: 1.07,
  totalInterest: 5080,
};

describe('the bank connection', () => {
  it('shares a complete report of the chosen accounts', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'bank');
    await press(mounted, 'Connect a bank');
    await press(mounted, 'Share with the lender');
    expect(textOf(mounted)).to.include('Choose one of these banks');
    expect(mounted.api.reports.length).to.equal(0);
    mounted.root.querySelector<HTMLInputElement>('#bank-institution-1')?.click();
    mounted.root.querySelector<HTMLInputElement>('#bank-account-0')?.click();
    await mounted.element.updateComplete;
    await press(mounted, 'Share with the lender');
    await waitUntil(() => textOf(mounted).includes('Your bank report has been sent'));
    expect(mounted.api.reports[0]).to.have.nested.property(
      'report.items[0].accounts[0].transactions',
    );
  });

  it('asks the host page where that has an aggregator of its own, and takes its report', async () => {
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
    expect(textOf(mounted)).to.include('Your bank report has been sent');
  });

  it('rejects a host page’s report with a code', async () => {
    const mounted = await mountAfter();
    mounted.api.assetReport = fail('asset-report-invalid');
    const error = await mounted.element.submitAssetReport({}).catch((caught: unknown) => caught);
    expect(error).to.include({ name: 'FundingError', code: 'asset-report-invalid' });
  });
});

describe('offers', () => {
  it('stand in the service’s order, each price with its APR and its disclosures whole', async () => {
    const mounted = await mountAfter();
    mounted.api.offers = ok({
      decision: 'qualified',
      offers: [
        { ...offer, id: 'b', product: 'Line of credit', aprLow: 30, aprHigh: 35 },
        { ...offer, id: 'a' },
      ],
      checkedAt: '2026-11-20T15:00:00.000Z',
    });
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'You have 2 offers');
    const cards = [...mounted.root.querySelectorAll('.offer')];
    expect(cards.map((card) => card.querySelector('h3')?.textContent?.trim())).to.deep.equal([
      'Offer 1: Line of credit',
      'Offer 2: Term loan',
    ]);
    for (const card of cards) {
      expect(card.querySelector('.headline')?.textContent).to.include('APR');
      expect(card.querySelector('[data-testid="disclosures"]')?.textContent).to.equal(
        offer.disclosures,
      );
    }
    expect(cards[1]?.textContent).to.include('18.2\u00a0%–24.9\u00a0%');
    expect(cards[1]?.textContent).to.include(
      '$1,540 every week, about $6,673 a month (calculated)',
    );
    expect(textOf(mounted)).to.not.include('Monthly rate');
    expect(textOf(mounted)).to.not.include('Cost per dollar');
  });

  it('never invent a missing or reversed figure', async () => {
    const mounted = await mountAfter();
    mounted.api.offers = ok({
      decision: 'qualified',
      offers: [
        { ...offer, id: 'a', aprLow: null },
        { ...offer, id: 'b', aprLow: 20, aprHigh: 10, paymentAmount: null, product: null },
      ],
      checkedAt: '2026-11-20T15:00:00.000Z',
    });
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'You have 2 offers');
    const absent = [...mounted.root.querySelectorAll('.headline .absent')];
    expect(absent.map((figure) => figure.textContent?.trim())).to.deep.equal([
      'not given clearly by the lender',
      'not given clearly by the lender',
    ]);
    expect(textOf(mounted)).to.include('Offer 2 ');
  });

  it('are looked for again until they come, and their coming is said', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'You qualify. There is no offer yet');
    mounted.api.offers = ok({
      decision: 'qualified',
      offers: [offer],
      checkedAt: '2026-11-20T15:02:00.000Z',
    });
    await press(mounted, 'Check now');
    await waitForHeading(mounted, 'You have 1 offer');
    expect(mounted.root.querySelector('#announcement')?.textContent).to.include('You have 1 offer');
  });

  it('end with a neutral page and the creditor’s notice when there are none', async () => {
    const api = new FakeFundingApi();
    const { offers } = createConfiguration();
    api.configuration = ok(
      createConfiguration({ offers: { ...offers, notQualifiedNotice: 'Notice of the creditor.' } }),
    );
    api.offers = ok({
      decision: 'not-qualified',
      offers: [],
      checkedAt: '2026-11-20T15:00:00.000Z',
    });
    const mounted = await mountAfter(api);
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'No offer this time');
    expect(textOf(mounted)).to.include('Notice of the creditor.');
  });

  it('say that the service is away, and find it again', async () => {
    const mounted = await mountAfter();
    mounted.api.offers = fail('service-unavailable');
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'We cannot see your offers right now');
    mounted.api.offers = ok({
      decision: 'qualified',
      offers: [offer],
      checkedAt: '2026-11-20T15:02:00.000Z',
    });
    await press(mounted, 'Check now');
    await waitForHeading(mounted, 'You have 1 offer');
  });
});

describe('the fees of an offer', () => {
  it('are never shown as fixed when one end is missing', async () => {
    const mounted = await mountAfter();
    mounted.api.offers = ok({
      decision: 'qualified',
      offers: [{ ...offer, feeHigh: null }],
      checkedAt: '2026-11-20T15:00:00.000Z',
    });
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'You have 1 offer');
    expect(textOf(mounted)).to.include('from $750; the upper figure was not given');
  });
});

describe('the focus', () => {
  it('goes into the list of banks, back to its button, and to the result', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'bank');
    await press(mounted, 'Connect a bank');
    await waitUntil(() => mounted.root.activeElement?.id === 'bank-title');
    await press(mounted, 'Not now');
    await waitUntil(() => mounted.root.activeElement?.id === 'bank-start');
    await press(mounted, 'Connect a bank');
    mounted.root.querySelector<HTMLInputElement>('#bank-institution-0')?.click();
    mounted.root.querySelector<HTMLInputElement>('#bank-account-0')?.click();
    await mounted.element.updateComplete;
    await press(mounted, 'Share with the lender');
    await waitUntil(() => mounted.root.activeElement?.id === 'bank-status');
  });

  it('goes to the heading when the button that had it is gone', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'You qualify');
    mounted.api.offers = ok({
      decision: 'not-qualified',
      offers: [],
      checkedAt: '2026-11-20T15:02:00.000Z',
    });
    [...mounted.root.querySelectorAll('button')]
      .find((button) => button.textContent?.includes('Check now'))
      ?.focus();
    await press(mounted, 'Check now');
    await waitForHeading(mounted, 'No offer this time');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
  });
});
