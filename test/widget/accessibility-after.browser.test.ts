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
  heldDocument,
  ok,
} from '../support/fake-funding-api.ts';
import {
  chooseFiles,
  choosePdfs,
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
  const states: Readonly<Record<string, (api: FakeFundingApi) => void>> = {
    'Uploading, 40%': (api) => {
      api.handleUpload = ({ onProgress }) => {
        onProgress(0.4);
        return new Promise(() => undefined);
      };
    },
    'Uploaded, not sent yet': (api) => {
      const changeable = { needsCategory: true, heldSeconds: 600 };
      api.handleUpload = async () => ok({ ...heldDocument, category: 'other', changeable });
    },
    'Sent to the lender': () => undefined,
    Retry: (api) => {
      api.handleUpload = async () => fail('network');
    },
  };
  for (const [text, prepare] of Object.entries(states)) {
    it(`have no violation while one says “${text}”`, async () => {
      const api = new FakeFundingApi();
      prepare(api);
      const mounted = await mountAfter(api);
      await goTo(mounted, 'documents');
      await choosePdfs(mounted, 'march.pdf');
      await waitUntil(() => textOf(mounted).includes(text));
      await expectGood(mounted);
    });
  }

  it('have no violation after Undo', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async (_upload, number) => ok({ ...heldDocument, number });
    const mounted = await mountAfter(api);
    await goTo(mounted, 'documents');
    await choosePdfs(mounted, 'a.pdf');
    await waitUntil(() => mounted.root.querySelector('[aria-label="Undo: remove a.pdf"]'));
    await press(mounted, 'Undo: remove a.pdf');
    await waitUntil(() => !mounted.root.querySelector('.file'));
    await expectGood(mounted);
  });

  it('have no violation with a HEIC photo, in English or Spanish', async () => {
    const mounted = await mountAfter(new FakeFundingApi());
    await goTo(mounted, 'documents');
    await expectGood(mounted);
    await chooseFiles(mounted, [createFile('photo.heic', 'image/heic')]);
    await waitUntil(() => textOf(mounted).includes('Most Compatible'));
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
