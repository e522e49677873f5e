// The offers step without offers: a check in progress, no offers, and an outage of the funding service.

import { expect } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  announcementOf,
  goTo,
  headingOf,
  mountAfter,
  mountAt,
  press,
  textOf,
  waitForHeading,
  waitForText,
} from '../support/mount-widget.ts';
import { createOffer, decided } from '../support/offers.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the time of the last check', () => {
  it('is announced only after a click', async () => {
    const mounted = await mountAt('offers');
    await waitForText(mounted, 'Last checked');
    const isReadOut = () =>
      [...mounted.root.querySelectorAll('[role="status"]')].some((one) =>
        one.textContent?.includes('Last checked'),
      );
    expect(isReadOut()).to.equal(false);
    const { getOffers } = mounted.api;
    const statusTexts: (string | undefined)[] = [];
    mounted.api.getOffers = async () => {
      await mounted.element.updateComplete;
      // A screen reader reads the time again only if the text has changed in between.
      statusTexts.push(mounted.root.querySelector('.hint[role]')?.textContent?.trim());
      return getOffers.call(mounted.api);
    };
    await press(mounted, 'Check now');
    await waitUntil(isReadOut);
    expect(statusTexts).to.deep.equal(['Checking…']);
  });
});

describe('the page without offers', () => {
  it('announces the first offers', async () => {
    const mounted = await mountAt('offers');
    await waitForHeading(mounted, 'You prequalify, but there are no offers yet');
    expect(textOf(mounted)).to.match(/Checking since .* Last checked .* While you wait/);
    mounted.api.offers = decided([createOffer()]);
    await press(mounted, 'Check now');
    await waitForHeading(mounted, 'You have 1 offer');
    expect(announcementOf(mounted)).to.include('You have 1 offer');
  });

  it('includes the whole creditor’s notice', async () => {
    const api = new FakeFundingApi();
    const { offers } = createConfiguration();
    const notQualifiedNotice = 'Notice of the creditor.\n1 Main Street';
    api.configuration = ok(createConfiguration({ offers: { ...offers, notQualifiedNotice } }));
    api.offers = decided([]);
    const mounted = await mountAt('offers', api);
    await waitForHeading(mounted, 'No offers right now');
    expect(mounted.root.querySelector('.fine-print')?.textContent).to.equal(notQualifiedNotice);
    expect(textOf(mounted))
      .to.include('Reference number X5X-26H')
      .and.to.include('Print this page');
    expect(textOf(mounted)).to.not.match(/because|credit score|Checking since/);
  });

  it('shows an outage of the funding service until it ends', async () => {
    const mounted = await mountAfter();
    mounted.api.offers = fail('service-unavailable');
    await goTo(mounted, 'offers');
    await waitForHeading(mounted, 'We can’t show your offers right now');
    mounted.api.offers = decided([createOffer()]);
    await press(mounted, 'Check now');
    await waitForHeading(mounted, 'You have 1 offer');
    mounted.api.offers = fail('network');
    await press(mounted, 'Check now');
    await waitForText(mounted, 'connection');
    expect(headingOf(mounted)).to.equal('You have 1 offer');
  });

  it('moves the focus to its heading when the focused button disappears', async () => {
    const mounted = await mountAt('offers');
    await waitForHeading(mounted, 'You prequalify');
    mounted.api.offers = decided([]);
    [...mounted.root.querySelectorAll('button')]
      .find((button) => button.textContent?.includes('Check now'))
      ?.focus();
    await press(mounted, 'Check now');
    await waitForHeading(mounted, 'No offers right now');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    // The focus reads it, so an announcement would repeat it.
    const announcement = mounted.root.querySelector('#announcement')?.textContent;
    expect(announcement).to.not.include('No offers right now');
  });
});
