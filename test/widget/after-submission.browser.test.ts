// What comes after the application: documents, bank, offers, contact.

import { expect, waitUntil } from '@open-wc/testing';
import type { Offer } from '../../shared/api/offers.ts';
import { createConfiguration } from '../support/configuration.ts';
import { acceptedStatus, fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  chooseFiles,
  createFile,
  mountWidget,
  press,
  textOf,
  waitForHeading,
  type Mounted,
} from '../support/mount-widget.ts';

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

async function mountAfter(api = new FakeFundingApi()): Promise<Mounted> {
  api.session = ok({
    expiresAt: '2026-11-20T16:00:00.000Z',
    application: acceptedStatus,
    documents: [],
    assetReport: null,
  });
  const mounted = await mountWidget(api);
  await waitUntil(() => mounted.root.querySelector('.reference'));
  return mounted;
}

async function goTo(mounted: Mounted, step: 'documents' | 'bank' | 'offers'): Promise<void> {
  await press(mounted, 'Continue to documents');
  if (step !== 'documents') await press(mounted, /^\s*Continue/);
  if (step === 'offers') await press(mounted, /^\s*Continue/);
}

function chooseCategory({ root }: Mounted, fileName: string, value: string): void {
  const label = [...root.querySelectorAll('label')].find((candidate) =>
    candidate.textContent?.includes(fileName),
  );
  const select = root.querySelector<HTMLSelectElement>(`#${label?.htmlFor}`);
  if (!select) throw new Error(`There is no category for ${fileName}`);
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}

describe('documents', () => {
  it('are refused before sending with the exact reason', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    await chooseFiles(mounted, [
      createFile('photo.heic', 'image/heic'),
      createFile('empty.pdf', 'application/pdf', 0),
      createFile('large.pdf', 'application/pdf', 2000),
    ]);
    const text = textOf(mounted);
    expect(text).to.include('This type of file cannot be sent. Use PDF, JPG, or PNG.');
    expect(text).to.include('This file is empty.');
    expect(text).to.include('the limit is 1 KB');
    expect(mounted.api.uploads.length).to.equal(0);
  });

  it('are not sent until each has a category, and the focus goes to the first that lacks one', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    await chooseFiles(mounted, [createFile('march.pdf', 'application/pdf')]);
    await press(mounted, 'Send 1 file');
    await waitUntil(() => mounted.root.activeElement?.id.startsWith('document-category'));
    expect(textOf(mounted)).to.include('Choose what march.pdf is');
    expect(mounted.api.uploads.length).to.equal(0);
  });

  it('are sent with their category and stand in the list of what was sent', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    await chooseFiles(mounted, [createFile('march.pdf', 'application/pdf')]);
    chooseCategory(mounted, 'march.pdf', 'bank-statements-jan');
    await mounted.element.updateComplete;
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('Files already sent'));
    expect(mounted.api.uploads.map(({ file, category }) => [file.name, category])).to.deep.equal([
      ['march.pdf', 'bank-statements-jan'],
    ]);
    expect(textOf(mounted)).to.include('Bank statement, January');
    expect(mounted.root.querySelector('[data-testid="announcement"]')?.textContent).to.include(
      'march.pdf: sent',
    );
  });

  it('can be cancelled, sent again, and removed', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    mounted.api.handleUpload = ({ signal, onProgress }) =>
      new Promise((resolve) => {
        onProgress(0.4);
        signal.addEventListener('abort', () => resolve(fail('network')));
      });
    await chooseFiles(mounted, [createFile('march.pdf', 'application/pdf')]);
    chooseCategory(mounted, 'march.pdf', 'bank-statements-jan');
    await mounted.element.updateComplete;
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('Sending, 40 %'));
    await press(mounted, 'Cancel sending march.pdf');
    await waitUntil(() => textOf(mounted).includes('Cancelled. Nothing of this file was kept.'));
    await press(mounted, 'Send march.pdf again');
    await waitUntil(() => mounted.api.uploads.length === 2);
    await press(mounted, 'Cancel sending march.pdf');
    await waitUntil(() => textOf(mounted).includes('Cancelled'));
    await press(mounted, 'Remove march.pdf');
    expect(textOf(mounted)).to.not.include('march.pdf');
  });

  it('go two at a time', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await chooseFiles(
      mounted,
      ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => createFile(name, 'application/pdf')),
    );
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) {
      chooseCategory(mounted, name, 'drivers-license');
      await mounted.element.updateComplete;
    }
    await press(mounted, 'Send 3 files');
    await waitUntil(() => mounted.api.uploads.length === 2);
    expect(mounted.api.uploads.length).to.equal(2);
  });

  it('say in the applicant’s words what the BFF or the service refused', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    mounted.api.handleUpload = async () => fail('document-type-mismatch');
    await chooseFiles(mounted, [createFile('march.pdf', 'application/pdf')]);
    chooseCategory(mounted, 'march.pdf', 'bank-statements-jan');
    await mounted.element.updateComplete;
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('The file is not what its name says'));
    expect(textOf(mounted)).to.not.include('Retry');
  });
});

describe('a document that the service refused', () => {
  it('can be given another category and sent again', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    const handleUpload = mounted.api.handleUpload;
    mounted.api.handleUpload = async () => fail('document-rejected');
    await chooseFiles(mounted, [createFile('march.pdf', 'application/pdf')]);
    chooseCategory(mounted, 'march.pdf', 'bank-statements-jan');
    await mounted.element.updateComplete;
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('could not take this file as it is'));
    mounted.api.handleUpload = handleUpload;
    chooseCategory(mounted, 'march.pdf', 'drivers-license');
    await mounted.element.updateComplete;
    expect(textOf(mounted)).to.not.include('could not take this file');
    await press(mounted, 'Send 1 file');
    await waitUntil(() => textOf(mounted).includes('Files already sent'));
    expect(mounted.api.uploads.at(-1)?.category).to.equal('drivers-license');
  });
});

describe('the bank connection', () => {
  it('shares a complete report of the chosen accounts', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'bank');
    await press(mounted, 'Connect a bank');
    await press(mounted, 'Share with the lender');
    expect(textOf(mounted)).to.include('Choose your bank');
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
    expect(await mounted.element.submitAssetReport(report)).to.deep.equal({ status: 'delivered' });
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
      'not given by the lender',
      'not given by the lender',
    ]);
    expect(textOf(mounted)).to.include('Offer 2 ');
  });

  it('are looked for again until they come, and their coming is said', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'You qualify. Offers are on their way');
    mounted.api.offers = ok({
      decision: 'qualified',
      offers: [offer],
      checkedAt: '2026-11-20T15:02:00.000Z',
    });
    await press(mounted, 'Check now');
    await waitForHeading(mounted, 'You have 1 offer');
    expect(mounted.root.querySelector('[data-testid="announcement"]')?.textContent).to.include(
      '1 offer has arrived',
    );
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

describe('contact', () => {
  it('is allowed again only with a consent given now, in its current version', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'offers');
    mounted.root.querySelector('summary')?.click();
    await press(mounted, 'Allow contact again');
    expect(mounted.api.contacts.length).to.equal(0);
    expect(textOf(mounted)).to.include('Tick the box to allow contact');
    mounted.root.querySelector<HTMLInputElement>('#contact-consent')?.click();
    await mounted.element.updateComplete;
    await press(mounted, 'Allow contact again');
    await waitUntil(() => textOf(mounted).includes('The lender may contact you again'));
    expect(mounted.api.contacts).to.deep.equal([{ id: 'contact', version: '2' }]);
  });
});
