// axe finds nothing on any step in any state, and nothing needs an inline style.

import { expect } from '@open-wc/testing';
import { FakeFundingApi, fail, ok } from '../support/fake-funding-api.ts';
import {
  answer,
  chooseFiles,
  createFile,
  fillForm,
  mountAfter,
  mountWidget,
  press,
  waitForHeading,
  type Mounted,
} from '../support/mount-widget.ts';

async function expectGood({ element, root }: Mounted): Promise<void> {
  await expect(element).to.be.accessible();
  expect(root.querySelectorAll('[style]').length).to.equal(0);
}

const sent = {
  number: 1,
  name: 'a.pdf',
  category: 'drivers-license',
  bytes: 9,
  needsPassword: false,
  status: 'delivered',
  delayed: false,
} as const;

for (const theme of ['light', 'dark'] as const) {
  describe(`the form in ${theme}`, () => {
    it('has no violation on any step, empty, wrong or filled', async () => {
      const mounted = await mountWidget();
      mounted.element.theme = theme;
      mounted.element.parentElement?.style.setProperty(
        'background',
        theme === 'dark' ? '#14120f' : '#ffffff',
      );
      await expectGood(mounted);
      await press(mounted, 'Continue');
      await expectGood(mounted);
      answer(mounted, 'fundingNeed/amount', '75,000');
      answer(mounted, 'fundingNeed/reason', 'Equipment');
      await press(mounted, 'Continue');
      await expectGood(mounted);
      mounted.root.querySelector<HTMLInputElement>('#business-industry')?.click();
      await mounted.element.updateComplete;
      await expectGood(mounted);
      await press(mounted, 'Continue');
      await expectGood(mounted);
      await press(mounted, 'Back');
      await fillForm(mounted);
      await expectGood(mounted);
      await press(mounted, 'Submit application');
      await expectGood(mounted);
      await press(mounted, 'Back');
      await expectGood(mounted);
    });
  });

  describe(`what follows in ${theme}`, () => {
    it('has no violation on any step', async () => {
      const mounted = await mountAfter(new FakeFundingApi(), [sent]);
      mounted.element.theme = theme;
      mounted.element.parentElement?.style.setProperty(
        'background',
        theme === 'dark' ? '#14120f' : '#ffffff',
      );
      await mounted.element.updateComplete;
      await expectGood(mounted);
      await press(mounted, 'Continue to documents');
      await chooseFiles(mounted, [
        createFile('march.pdf', 'application/pdf'),
        createFile('photo.heic', 'image/heic'),
      ]);
      await press(mounted, 'Send 1 file');
      await expectGood(mounted);
      await press(mounted, /^\s*Continue/);
      await expectGood(mounted);
      await press(mounted, /^\s*Continue/);
      await press(mounted, 'Connect a bank');
      await press(mounted, 'Share with the lender');
      await expectGood(mounted);
      await press(mounted, 'Continue without');
      await waitForHeading(mounted, 'You qualify');
      mounted.root.querySelector('summary')?.click();
      await press(mounted, 'Allow contact again');
      await expectGood(mounted);
      const figures = {
        product: 'Term loan',
        amount: 1,
        termMonths: 1,
        paymentFrequency: 'Daily',
        paymentAmount: 1,
        monthlyRate: 1,
        aprLow: 1,
        aprHigh: 2,
        feeLow: 1,
        feeHigh: 2,
        disclosures: 'All of it.',
        totalCost: 1,
        centsOnTheDollar: 1,
        totalInterest: 1,
      };
      mounted.api.offers = ok({
        decision: 'qualified',
        offers: [
          { id: 'a', ...figures },
          { id: 'b', ...figures, aprLow: null },
        ],
        checkedAt: '2026-11-20T15:02:00.000Z',
      });
      await press(mounted, 'Check now');
      await waitForHeading(mounted, 'You have 2 offers');
      await expectGood(mounted);
    });
  });
}

describe('a form that cannot be loaded', () => {
  it('has no violation', async () => {
    const api = new FakeFundingApi();
    api.configuration = fail('network');
    await expectGood(await mountWidget(api));
  });
});
