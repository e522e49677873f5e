// Accessibility of the steps after the submission: axe finds no violation in any state, in light and dark mode.

import { waitUntil } from '@open-wc/testing';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import { expectGood } from '../support/axe.ts';
import { createConfiguration } from '../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  FakeFundingApi,
  ok,
} from '../support/fake-funding-api.ts';
import {
  chooseFiles,
  createFile,
  goTo,
  mountAfter,
  mountWidget,
  press,
  sendPdf,
  textOf,
  waitForHeading,
} from '../support/mount-widget.ts';
import { createOffer, decided } from '../support/offers.ts';

const sent: DocumentStatus = {
  number: 1,
  name: 'a.pdf',
  category: 'drivers-license',
  bytes: 9,
  status: 'delivered',
  delayed: false,
};

describe('the record of the application', () => {
  for (const status of ['accepted', 'received', 'confirming'] as const) {
    it(`has no violation when it is ${status}`, async () => {
      const api = new FakeFundingApi();
      const application = { ...acceptedStatus, status, delayed: status === 'received' };
      api.status = ok(application);
      api.session = ok(createSession({ application }));
      const mounted = await mountWidget(api);
      await waitUntil(() => mounted.root.querySelector('.reference'));
      await expectGood(mounted);
    });
  }

  it('has no violation after the applicant finished', async () => {
    const mounted = await mountAfter();
    await press(mounted, 'Close my application on this device');
    await waitForHeading(mounted, 'Your application is closed');
    await expectGood(mounted);
  });
});

describe('the documents', () => {
  it('have no violation in any state, in English or Spanish', async () => {
    const mounted = await mountAfter(new FakeFundingApi());
    await goTo(mounted, 'documents');
    await expectGood(mounted);
    await chooseFiles(mounted, [
      createFile('march.pdf', 'application/pdf'),
      createFile('photo.heic', 'image/heic'),
    ]);
    await expectGood(mounted);
    await press(mounted, 'Español');
    await waitForHeading(mounted, 'Agregue sus documentos');
    await expectGood(mounted);
  });

  it('have no violation after a failed upload', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async () => fail('document-damaged');
    const mounted = await mountAfter(api, [sent]);
    await goTo(mounted, 'documents');
    await sendPdf(mounted, 'march.pdf', 'drivers-license');
    await waitUntil(() => textOf(mounted).includes('damaged or incomplete'));
    await expectGood(mounted);
  });
});

describe('the bank connection', () => {
  it('has no violation in any state', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'bank');
    await expectGood(mounted);
    await press(mounted, 'Connect a bank');
    await waitUntil(() => textOf(mounted).includes('Choose your bank'));
    await press(mounted, 'Share with the lender');
    await expectGood(mounted);
    mounted.root.querySelector<HTMLInputElement>('#bank-institution-1')?.click();
    mounted.root.querySelector<HTMLInputElement>('#bank-account-0')?.click();
    await mounted.element.updateComplete;
    await press(mounted, 'Share with the lender');
    await waitUntil(() => textOf(mounted).includes('We sent your bank report'));
    await expectGood(mounted);
  });
});

describe('the offers', () => {
  it('have no violation before the first offer', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'You prequalify');
    await expectGood(mounted);
    mounted.root.querySelector('summary')?.click();
    await press(mounted, 'Allow contact again');
    await expectGood(mounted);
  });

  it('have no violation while the funding service is unavailable', async () => {
    const api = new FakeFundingApi();
    api.offers = fail('service-unavailable');
    const mounted = await mountAfter(api);
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'We can’t show your offers');
    await expectGood(mounted);
  });

  it('have no violation as cards or as a table', async () => {
    const api = new FakeFundingApi();
    api.offers = decided([createOffer()], { trackingUrl: 'https://lender.example/1' });
    const mounted = await mountAfter(api);
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'You have 1 offer');
    await expectGood(mounted);
    api.offers = decided([createOffer(), createOffer({ id: 'b', aprLow: null, feeHigh: null })]);
    await press(mounted, 'Check now');
    await waitForHeading(mounted, 'You have 2 offers');
    await press(mounted, 'Choose this offer');
    await expectGood(mounted);
    await press(mounted, 'Compare');
    await expectGood(mounted);
  });

  it('have no violation without offers', async () => {
    const api = new FakeFundingApi();
    const notQualifiedNotice = 'Creditor: Millstone Supply Co., 1 Main St, Austin, TX 78701.';
    const offers = { showMonthlyRate: true, showCentsOnTheDollar: true, notQualifiedNotice };
    api.configuration = ok(createConfiguration({ offers }));
    api.offers = decided([]);
    const mounted = await mountAfter(api);
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'No offers right now');
    await expectGood(mounted);
  });
});
