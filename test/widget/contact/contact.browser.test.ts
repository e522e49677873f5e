// The contact request on the offers step needs a new consent.

import { expect } from '@open-wc/testing';
import { acceptedStatus, createSession, fail, ok } from '../../support/fake-funding-api.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  mountAfter,
  mountAt,
  type Mounted,
  mountOffers,
  mountWidget,
} from '../../support/mount-widget.ts';
import { createOffer, decided } from '../../support/offers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const enabled = 'The lender may contact you again';
const received = 'We received your request and are sending it to the lender';
const isMissing = 'Error: Check the box to allow contact';

async function openPanel(bff: Parameters<typeof mountAfter>[0] = {}): Promise<Mounted> {
  const mounted = await mountAt('offers', bff);
  mounted.find('summary').click();
  return mounted;
}

async function consent(mounted: Mounted): Promise<void> {
  mounted.find('#contact-consent').click();
  await mounted.element.updateComplete;
}

const send = (mounted: Mounted) => mounted.press('Allow contact again');
describe('the contact request', () => {
  it('needs the current version of the consent', async () => {
    const mounted = await openPanel();
    await send(mounted);
    expect(mounted.api.contacts).to.deep.equal([]);
    expect(mounted.text).to.include(isMissing);
    expect(mounted.root.activeElement?.id).to.equal('contact-consent');
    await consent(mounted);
    expect(mounted.text).to.not.include(isMissing);
    await send(mounted);
    await mounted.waitForText(enabled);
    expect(mounted.api.contacts).to.deep.equal([{ id: 'contact', version: '2', locale: 'en' }]);
  });

  it('is sent once, and shows its delivery without a second button', async () => {
    const mounted = await openPanel({ contact: ok({ contact: 'received' }) });
    await consent(mounted);
    const button = mounted.button('Allow contact again');
    button.click();
    button.click();
    await mounted.waitForText(received);
    expect(mounted.text).to.not.include(enabled).and.to.not.include('Allow contact again');
    await waitUntil(() => mounted.root.activeElement?.id === 'contact-status');
    expect(mounted.api.contacts.length).to.equal(1);
  });

  it('needs another consent after a failure', async () => {
    const mounted = await openPanel({ contact: fail('service-unavailable') });
    await consent(mounted);
    await send(mounted);
    await mounted.waitForText('The lender’s system isn’t responding right now');
    expect(mounted.find('details')).to.have.property('open', true);
    expect(mounted.find('#contact-consent')).to.have.property('checked', false);
  });

  it('ignores the response to an application that was closed', async () => {
    const mounted = await openPanel();
    const respond = mounted.api.hold('enableContact');
    await consent(mounted);
    await send(mounted);
    await mounted.element.finish();
    respond(ok({ contact: 'enabled' }));
    await mounted.press('Start another application');
    await mounted.waitForHeading('Your application is with the lender');
    await mounted.goTo('offers');
    expect(mounted.text).to.not.include(enabled);
  });

  for (const [status, sentence] of [
    ['received', received],
    ['enabled', enabled],
  ] as const) {
    it(`shows the status ${status} after a reload`, async () => {
      const session = createSession({ application: acceptedStatus, contact: { status } });
      const mounted = await mountWidget({ session: ok(session) });
      await mounted.waitForRecord();
      await mounted.goTo('offers');
      expect(mounted.find('details')).to.have.property('open', true);
      expect(mounted.text).to.include(sentence);
    });
  }
});

describe('the contact panel', () => {
  const offered = { offers: decided([createOffer()]) };
  const minutesAgo = (minutes: number) => ({
    application: {
      ...acceptedStatus,
      acceptedAt: new Date(Date.now() - minutes * 60_000).toISOString(),
    },
  });
  const configuration = ok(createConfiguration({ consents: [] }));

  for (const [when, isShown, heading, bff] of [
    [
      'without offers an hour after the lender had the application',
      true,
      'You prequalify',
      minutesAgo(61),
    ],
    ['without offers before', false, 'You prequalify', minutesAgo(59)],
    ['after a refusal', false, 'No offers right now', { offers: decided([]) }],
    ['while the applicant compares offers', false, 'You have 1 offer', offered],
    ['if the configuration has no contact consent', false, 'You prequalify', { configuration }],
  ] as const) {
    it(`${isShown ? 'shows' : 'is absent'} ${when}`, async () => {
      const { application = acceptedStatus, ...responses } = { application: undefined, ...bff };
      const session = ok(createSession({ application }));
      const mounted = await mountWidget({ session, ...responses });
      await mounted.waitForRecord();
      await mounted.goTo('offers');
      await mounted.waitForHeading(heading);
      expect(mounted.root.querySelector('#contact-consent') !== null).to.equal(isShown);
    });
  }

  it('is absent before the first response', async () => {
    const mounted = await mountAfter();
    mounted.api.hold('getOffers');
    await mounted.goTo('offers');
    expect(mounted.root.querySelector('#contact-consent')).to.equal(null);
  });

  it('shows after the applicant chose an offer', async () => {
    const mounted = await mountOffers(offered.offers, 'You have 1 offer');
    await mounted.press('Choose this offer');
    expect(mounted.root.querySelector('#contact-consent')).to.not.equal(null);
  });
});
