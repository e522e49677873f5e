// The contact request on the offers step.

import { expect, waitUntil } from '@open-wc/testing';
import {
  acceptedStatus,
  createSession,
  fail,
  FakeFundingApi,
  ok,
} from '../support/fake-funding-api.ts';
import {
  goTo,
  mountAfter,
  mountWidget,
  press,
  textOf,
  waitForHeading,
  type Mounted,
} from '../support/mount-widget.ts';

const enabled = 'The lender may contact you again';
const received = 'We received your request and are sending it to the lender';
const unavailable = 'The lender’s system isn’t responding right now';

describe('the contact request', () => {
  it('needs the current version of the consent', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'offers');
    mounted.root.querySelector('summary')?.click();
    await press(mounted, 'Allow contact again');
    expect(mounted.api.contacts.length).to.equal(0);
    expect(textOf(mounted)).to.include('Error: Check the box to allow contact');
    await allow(mounted);
    await waitUntil(() => textOf(mounted).includes(enabled));
    expect(mounted.api.contacts).to.deep.equal([{ id: 'contact', version: '2', locale: 'en' }]);
  });

  it('shows that a delivery is in progress, without a second button', async () => {
    const mounted = await mountAfter();
    mounted.api.contact = ok({ contact: 'received' });
    await goTo(mounted, 'offers');
    mounted.root.querySelector('summary')?.click();
    await allow(mounted);
    await waitUntil(() => textOf(mounted).includes(received));
    expect(textOf(mounted)).to.not.include(enabled);
    expect(textOf(mounted)).to.not.include('Allow contact again');
    await waitUntil(() => mounted.root.activeElement?.id === 'contact-status');
  });

  it('can be repeated after a failure', async () => {
    const mounted = await mountAfter();
    mounted.api.contact = fail('service-unavailable');
    await goTo(mounted, 'offers');
    mounted.root.querySelector('summary')?.click();
    await allow(mounted);
    await waitUntil(() => textOf(mounted).includes(unavailable));
    expect(mounted.root.querySelector('details')?.open).to.equal(true);
    expect(mounted.root.querySelector<HTMLInputElement>('#contact-consent')?.checked).to.equal(
      false,
    );
  });

  for (const [status, sentence] of [
    ['received', received],
    ['enabled', enabled],
  ] as const) {
    it(`shows the status ${status} after a reload`, async () => {
      const api = new FakeFundingApi();
      api.session = ok(createSession({ application: acceptedStatus, contact: { status } }));
      const mounted = await mountWidget(api);
      await waitForHeading(mounted, 'Your application is with the lender');
      await waitUntil(() => mounted.root.querySelector('.reference'));
      await goTo(mounted, 'offers');
      expect(mounted.root.querySelector('details')?.open).to.equal(true);
      expect(textOf(mounted)).to.include(sentence);
    });
  }
});

async function allow(mounted: Mounted): Promise<void> {
  mounted.root.querySelector<HTMLInputElement>('#contact-consent')?.click();
  await mounted.element.updateComplete;
  await press(mounted, 'Allow contact again');
}
