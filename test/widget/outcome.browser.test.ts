// The offers step without offers: a check in progress, no offers, and an outage of the funding service.

import { expect } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import { mountOffers } from '../support/mount-widget.ts';
import { createOffer, decided } from '../support/offers.ts';
import { waitUntil } from '../support/wait-until.ts';

const pending = new FakeFundingApi().offers;
const oneOffer = decided([createOffer()]);

describe('the offers step', () => {
  it('announces the time of the last check only after a click', async () => {
    const mounted = await mountOffers(pending, 'You prequalify');
    await mounted.waitForText('Last checked');
    const readOut = () => mounted.textsOf('[role="status"]');
    expect(readOut().join(' ')).to.not.include('Last checked');
    const send = mounted.api.hold('getOffers');
    await mounted.press('Check now');
    // A screen reader reads the time again only if the text has changed in between.
    expect(readOut()).to.include('Checking…');
    send(pending);
    await waitUntil(() => readOut().join(' ').includes('Last checked'));
  });

  it('announces the first offers', async () => {
    const mounted = await mountOffers(pending, 'You prequalify, but there are no offers yet');
    expect(mounted.text).to.match(/Checking since .* Last checked .* While you wait/);
    mounted.api.offers = oneOffer;
    await mounted.press('Check now');
    await mounted.waitForHeading('You have 1 offer');
    expect(mounted.announcement).to.include('You have 1 offer');
  });

  it('includes the whole creditor’s notice', async () => {
    const { offers } = createConfiguration();
    const notQualifiedNotice = 'Notice of the creditor.\n1 Main Street';
    const configuration = createConfiguration({ offers: { ...offers, notQualifiedNotice } });
    const mounted = await mountOffers(decided([]), 'No offers right now', {
      configuration: ok(configuration),
    });
    const paragraphs = mounted.findAll('p').map((p) => p.textContent);
    expect(paragraphs).to.include(notQualifiedNotice);
    expect(mounted.text).to.include('Reference number X5X-26H').and.to.include('Print this page');
    expect(mounted.text).to.not.match(/because|credit score|Checking since/);
  });

  it('moves the focus to its heading when the focused button disappears', async () => {
    const mounted = await mountOffers(pending, 'You prequalify');
    mounted.api.offers = decided([]);
    mounted.button('Check now').focus();
    await mounted.press('Check now');
    await mounted.waitForHeading('No offers right now');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    // The focus reads it, so an announcement would repeat it.
    expect(mounted.announcement).to.not.include('No offers right now');
  });
});
