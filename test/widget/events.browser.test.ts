// The events of a complete application: each stage, and no answer of the applicant.

import { expect } from '@open-wc/testing';
import * as exports from '../../widget/index.ts';
import {
  acceptedStatus,
  fail,
  FakeFundingApi,
  heldDocument,
  ok,
} from '../support/fake-funding-api.ts';
import { createFile, mountWidget } from '../support/mount-widget.ts';
import { createOffer, decided } from '../support/offers.ts';
import { waitUntil } from '../support/wait-until.ts';

const names = Object.values(exports).flatMap((value) =>
  'eventName' in value ? value.eventName : [],
);

/** Values that appear nowhere else on the page. */
const answers = {
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

/** Listens on the document, as a host page does. */
function listen(): { readonly events: Event[]; readonly stop: () => void } {
  const events: Event[] = [];
  const handleEvent = (event: Event) => void events.push(event);
  for (const name of names) document.addEventListener(name, handleEvent);
  return {
    events,
    stop() {
      for (const name of names) document.removeEventListener(name, handleEvent);
    },
  };
}

/** Returns the name and the own properties of the event. */
function toPlain(event: Event): readonly unknown[] {
  const { isTrusted: _isTrusted, ...own } = { ...event };
  return Object.keys(own).length === 0 ? [event.type] : [event.type, own];
}

/** Returns every value of the event, including inherited ones. */
function toText(event: Event): string {
  const values: unknown[] = [];
  for (const name in event) values.push(Reflect.get(event, name));
  return values.filter((value) => typeof value !== 'object').join(' ');
}

describe('the host events', () => {
  it('report each stage without personal data', async () => {
    const { events, stop } = listen();
    const mounted = await mountWidget({}, {});
    const { api } = mounted;
    await mounted.press('Start application');
    await mounted.fillForm(answers);
    api.application = fail('service-unavailable');
    await mounted.signAndSubmit();
    await mounted.waitForText('isn’t responding');
    api.application = ok(acceptedStatus);
    await mounted.press('Submit application');
    await mounted.waitForHeading('Your application is with the lender');
    await mounted.goTo('documents');
    api.handleUpload = async () => ok({ ...heldDocument, name: fileName, category: 'other' });
    api.handleChange = async (number, category) =>
      ok({ ...heldDocument, number, category, changeable: undefined, status: 'delivered' });
    await mounted.chooseFiles([createFile(fileName, 'application/pdf')]);
    await waitUntil(() => events.some(({ type }) => type === 'funding-document'));
    await mounted.chooseCategory(fileName, 'drivers-license');
    await mounted.waitForText('1 of 1 sent to the lender');
    api.offers = decided([createOffer({ id: 'offer-a' })], { trackingUrl });
    await mounted.press(/^\s*Continue/);
    await mounted.press(/^\s*Continue/);
    await mounted.waitForHeading('You have 1 offer');
    mounted.element.addEventListener('funding-offer-chosen', (event) => event.preventDefault());
    mounted.root.querySelector<HTMLAnchorElement>('.choose a')?.click();
    await mounted.press('Close my application on this device');
    await mounted.waitForHeading('Your application is closed');
    stop();

    const { reference } = acceptedStatus;
    expect(events.map(toPlain)).to.deep.equal([
      ['funding-ready', { locale: 'en' }],
      ['funding-step', { step: 'start', index: 0 }],
      ['funding-step', { step: 'funding-need', index: 1 }],
      ['funding-step', { step: 'business', index: 2 }],
      ['funding-step', { step: 'owner', index: 3 }],
      ['funding-step', { step: 'identity', index: 4 }],
      ['funding-step', { step: 'review', index: 5 }],
      ['funding-error', { code: 'service-unavailable', isRetryable: true }],
      ['funding-submitted', { reference, shortReference: 'X5X-26H', status: 'accepted' }],
      ['funding-step', { step: 'submitted', index: 6 }],
      ['funding-step', { step: 'documents', index: 7 }],
      ['funding-document', { number: 1, category: 'other', status: 'received' }],
      ['funding-document', { number: 1, category: 'drivers-license', status: 'delivered' }],
      ['funding-step', { step: 'bank', index: 8 }],
      ['funding-step', { step: 'offers', index: 9 }],
      ['funding-offers', { decision: 'qualified', count: 1 }],
      ['funding-offer-chosen', { offerId: 'offer-a', position: 1, trackingUrl }],
      ['funding-exit', { reason: 'finished', step: 'offers' }],
    ]);
    const text = events.map(toText).join(' ');
    const canaries = [...Object.values(answers), fileName, 'Núñez', '75000', '471829364'];
    expect(canaries.filter((canary) => text.includes(canary))).to.deep.equal([]);
  });

  it('report the first step after it is rendered', async () => {
    const headings: (string | undefined)[] = [];
    const handleEvent = ({ target }: Event) => {
      const root = target instanceof Element ? target.shadowRoot : undefined;
      headings.push(root?.querySelector('h2')?.textContent?.trim());
    };
    document.addEventListener('funding-ready', handleEvent);
    document.addEventListener('funding-step', handleEvent);
    const mounted = await mountWidget();
    document.removeEventListener('funding-ready', handleEvent);
    document.removeEventListener('funding-step', handleEvent);
    expect(headings).to.deep.equal([mounted.heading, mounted.heading]);
  });

  it('report a step that a listener opens', async () => {
    const mounted = await mountWidget();
    const { events, stop } = listen();
    // Added after the listener above, so that the test records each step before this listener changes it.
    const goBack = (event: Event) => {
      if ('step' in event && event.step === 'owner') mounted.element.goTo('business');
    };
    document.addEventListener('funding-step', goBack);
    await mounted.fillUpTo('owner');
    await mounted.waitForHeading('Tell us about your business');
    document.removeEventListener('funding-step', goBack);
    stop();
    expect(events.map(toPlain)).to.deep.equal([
      ['funding-step', { step: 'business', index: 1 }],
      ['funding-step', { step: 'owner', index: 2 }],
      ['funding-step', { step: 'business', index: 1 }],
    ]);
  });

  it('report the first step when an element that was removed during loading is back', async () => {
    sessionStorage.clear();
    const api = new FakeFundingApi();
    const element = document.createElement('funding-application');
    element.api = api;
    api.getConfiguration = async () => {
      element.remove();
      return api.configuration;
    };
    // Events of a removed element do not reach the document.
    const removed: string[] = [];
    for (const name of names) {
      element.addEventListener(name, ({ type }) => !element.isConnected && removed.push(type));
    }
    const { events, stop } = listen();
    document.body.append(element);
    await waitUntil(() => element.shadowRoot?.querySelector('h2'));
    expect(removed).to.deep.equal([]);
    document.body.append(element);
    await element.updateComplete;
    stop();
    element.remove();
    expect(events.map(toPlain)).to.deep.equal([
      ['funding-ready', { locale: 'en' }],
      ['funding-step', { step: 'start', index: 0 }],
    ]);
  });
});
