// What a host page hears of a whole journey: everything it needs, and nothing an applicant gave.

import { expect, waitUntil } from '@open-wc/testing';
import { acceptedStatus, fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  chooseCategory,
  chooseFiles,
  createFile,
  fillForm,
  fillUpTo,
  goTo,
  mountWidget,
  press,
  signAndSubmit,
  textOf,
  waitForHeading,
} from '../support/mount-widget.ts';
import { createOffer, decided } from '../support/offers.ts';

const names = [
  'funding-ready',
  'funding-step',
  'funding-submitted',
  'funding-document',
  'funding-offers',
  'funding-offer-chosen',
  'funding-error',
  'funding-exit',
  'funding-bank-request',
] as const;

/** Like nothing else on the page. */
const given = {
  'business/name': 'Quokka Bakery 8c1f LLC',
  'business/taxId': '82-1734655',
  'business/address/street': '7741 Bilby Wharf',
  'owner/firstName': 'Zorayda',
  'owner/email': 'zorayda@quillmark.example',
  'owner/phone': '(207) 555-9183',
  'owner/ssn': '471-82-9364',
};
const fileName = 'statement of wombat.pdf';
const trackingUrl = 'https://lender.example/follow/1';

/** Listens where the host page does, outside of everything. */
function listen(): { readonly told: Event[]; readonly stop: () => void } {
  const told: Event[] = [];
  const tell = (event: Event) => void told.push(event);
  for (const name of names) document.addEventListener(name, tell);
  return {
    told,
    stop() {
      for (const name of names) document.removeEventListener(name, tell);
    },
  };
}

/** Its name and everything of our own on it. */
function toPlain(event: Event): readonly unknown[] {
  const { isTrusted: _isTrusted, ...own } = { ...event };
  return Object.keys(own).length === 0 ? [event.type] : [event.type, own];
}

/** Every value that can be read from it, inherited ones too. */
function toText(event: Event): string {
  const values: unknown[] = [];
  for (const name in event) values.push(Reflect.get(event, name));
  return values.filter((value) => typeof value !== 'object').join(' ');
}

describe('the host events', () => {
  it('report each stage without personal data', async () => {
    const { told, stop } = listen();
    const api = new FakeFundingApi();
    const mounted = await mountWidget(api, {});
    await press(mounted, 'Start application');
    await fillForm(mounted, given);
    api.application = fail('service-unavailable');
    await signAndSubmit(mounted);
    await waitUntil(() => textOf(mounted).includes('isn’t responding'));
    api.application = ok(acceptedStatus);
    await press(mounted, 'Submit application');
    await waitForHeading(mounted, 'We sent your application to the lender');
    await goTo(mounted, 'documents');
    await chooseFiles(mounted, [createFile(fileName, 'application/pdf')]);
    chooseCategory(mounted, fileName, 'drivers-license');
    await press(mounted, 'Send 1 file');
    await waitUntil(() => told.some(({ type }) => type === 'funding-document'));
    api.offers = decided([createOffer({ id: 'offer-a' })], { trackingUrl });
    await press(mounted, /^\s*Continue/);
    await press(mounted, /^\s*Continue/);
    await waitForHeading(mounted, 'You have 1 offer');
    mounted.element.addEventListener('funding-offer-chosen', (event) => event.preventDefault());
    mounted.root.querySelector<HTMLAnchorElement>('.choose a')?.click();
    await press(mounted, 'Close my application on this device');
    await waitForHeading(mounted, 'Your application is closed');
    stop();

    const { reference } = acceptedStatus;
    expect(told.map(toPlain)).to.deep.equal([
      ['funding-ready', { locale: 'en' }],
      ['funding-step', { step: 'start', index: 0 }],
      ['funding-step', { step: 'funding-need', index: 1 }],
      ['funding-step', { step: 'business', index: 2 }],
      ['funding-step', { step: 'owner', index: 3 }],
      ['funding-step', { step: 'identity', index: 4 }],
      ['funding-step', { step: 'review', index: 5 }],
      ['funding-error', { code: 'service-unavailable', isRetryable: true }],
      ['funding-submitted', { reference, status: 'accepted' }],
      ['funding-step', { step: 'submitted', index: 6 }],
      ['funding-step', { step: 'documents', index: 7 }],
      ['funding-document', { number: 1, category: 'drivers-license', status: 'delivered' }],
      ['funding-step', { step: 'bank', index: 8 }],
      ['funding-step', { step: 'offers', index: 9 }],
      ['funding-offers', { decision: 'qualified', count: 1 }],
      ['funding-offer-chosen', { offerId: 'offer-a', position: 1, trackingUrl }],
      ['funding-exit', { reason: 'finished', step: 'offers' }],
    ]);
    const text = told.map(toText).join(' ');
    const canaries = [...Object.values(given), fileName, 'Núñez', '75000', '471829364'];
    expect(canaries.filter((canary) => text.includes(canary))).to.deep.equal([]);
  });

  it('do not repeat stages of an earlier page', async () => {
    const { told, stop } = listen();
    const api = new FakeFundingApi();
    const session = await api.getSession();
    api.session = session.ok ? ok({ ...session.value, application: acceptedStatus }) : session;
    await mountWidget(api);
    stop();
    expect(told.map(toPlain)).to.deep.equal([
      ['funding-ready', { locale: 'en' }],
      ['funding-step', { step: 'submitted', index: 5 }],
    ]);
  });

  it('report a step that a listener opens', async () => {
    const mounted = await mountWidget();
    const { told, stop } = listen();
    // After the one that listens above, which so hears each step before it is answered.
    const lead = (event: Event) => {
      if ('step' in event && event.step === 'owner') mounted.element.goTo('business');
    };
    document.addEventListener('funding-step', lead);
    await fillUpTo(mounted, 'owner');
    await waitForHeading(mounted, 'Tell us about your business');
    document.removeEventListener('funding-step', lead);
    stop();
    expect(told.map(toPlain)).to.deep.equal([
      ['funding-step', { step: 'business', index: 1 }],
      ['funding-step', { step: 'owner', index: 2 }],
      ['funding-step', { step: 'business', index: 1 }],
    ]);
  });

  it('report that the answers were cleared', async () => {
    const mounted = await mountWidget();
    const { told, stop } = listen();
    mounted.element.reset();
    stop();
    expect(told.map(toPlain)).to.deep.equal([
      ['funding-exit', { reason: 'cleared', step: 'funding-need' }],
    ]);
  });
});
