// The contact request needs a new consent.

import { expect, fixtureSync, waitUntil } from '@open-wc/testing';
import { html, render } from 'lit';
import { createContact } from '../../../widget/contact/contact.ts';
import { emptyOffers, type OffersState } from '../../../widget/app/store.ts';
import {
  createAcceptedForm,
  createAcceptedState,
  createFeature,
  createStepContext,
} from '../../support/create-feature.ts';
import { acceptedStatus, fail } from '../../support/fake-funding-api.ts';
import { createDecision, createOffer } from '../../support/offers.ts';

const offer = { key: 'o1', isPrevented: false };
const acceptedAt = '2026-11-20T13:00:00.000Z';
const anHourLater = new Date('2026-11-20T14:00:00.000Z');

/** By default, the applicant chose an offer. */
function mountContact(offers: Partial<OffersState> = { chosen: offer }, now = anHourLater) {
  const form = createAcceptedForm({ application: { ...acceptedStatus, acceptedAt } });
  const state = createAcceptedState({ form, offers: { ...emptyOffers, ...offers } });
  const rig = createFeature(createContact, state);
  const container = fixtureSync<HTMLElement>(html`<div></div>`);
  const focused: string[] = [];
  const context = { focus: (id: string) => focused.push(id), now: () => now };
  const rerender = () =>
    render(rig.feature.render(createStepContext(rig.store.state, context)), container);
  const press = () => {
    rerender();
    container.querySelector('button')?.click();
    rerender();
  };
  const consent = () => {
    rerender();
    container.querySelector<HTMLInputElement>('#contact-consent')?.click();
  };
  const getState = () => rig.store.state.contact;
  return { ...rig, container, focused, rerender, press, consent, getState };
}

describe('the contact request', () => {
  it('is not sent without the consent', () => {
    const { api, container, focused, press } = mountContact();
    press();
    expect(api.contacts).to.deep.equal([]);
    expect(container.querySelector('#contact-consent-error')).to.not.equal(null);
    expect(focused).to.deep.equal(['contact-consent']);
  });

  it('shows no error after the applicant accepts the consent', () => {
    const { container, press, consent, rerender } = mountContact();
    press();
    consent();
    rerender();
    expect(container.querySelector('#contact-consent-error')).to.equal(null);
  });

  it('contains the current version of the consent', async () => {
    const { api, press, consent, getState } = mountContact();
    consent();
    press();
    await waitUntil(() => getState().status === 'enabled');
    expect(api.contacts).to.deep.equal([{ id: 'contact', version: '2', locale: 'en' }]);
  });

  it('moves the focus to its status', async () => {
    const { focused, press, consent, getState } = mountContact();
    consent();
    press();
    await waitUntil(() => getState().status === 'enabled');
    expect(focused).to.deep.equal(['contact-status']);
  });

  it('is not sent twice', async () => {
    const { api, press, consent, getState } = mountContact();
    consent();
    press();
    press();
    await waitUntil(() => getState().status === 'enabled');
    expect(api.contacts.length).to.equal(1);
  });

  it('needs another consent after a failure', async () => {
    const { api, container, press, consent, getState, rerender } = mountContact();
    api.contact = fail('service-unavailable');
    consent();
    press();
    await waitUntil(() => getState().problem === 'service-unavailable');
    rerender();
    expect(getState()).to.include({ status: 'idle', hasConsent: false });
    expect(container.querySelector('details')?.open).to.equal(true);
  });

  it('ignores the answer to an application that was closed', async () => {
    const { api, press, consent, getState, close } = mountContact();
    const response = api.enableContact({ id: 'contact', version: '2', locale: 'en' });
    api.enableContact = () => response;
    consent();
    press();
    close();
    await response;
    await Promise.resolve();
    expect(getState().status).to.equal('idle');
  });
});

describe('the contact panel', () => {
  const pending = { response: createDecision([], { decision: 'pending' }) };
  const refused = { response: createDecision([]) };
  const qualified = { response: createDecision([createOffer()]) };
  const minuteMs = 60_000;
  for (const [when, isShown, offers, now] of [
    ['before a decision', false, {}, anHourLater],
    ['after a refusal', false, refused, anHourLater],
    ['while the applicant compares offers', false, qualified, anHourLater],
    ['soon after applying', false, pending, new Date(anHourLater.getTime() - minuteMs)],
    ['without offers after an hour', true, pending, anHourLater],
    ['after the applicant chose an offer', true, { ...qualified, chosen: offer }, anHourLater],
  ] as const) {
    it(`${isShown ? 'shows' : 'is absent'} ${when}`, () => {
      const { container, rerender } = mountContact(offers, now);
      rerender();
      expect(container.querySelector('details') !== null).to.equal(isShown);
    });
  }

  it('is absent when the configuration has no contact consent', () => {
    const { feature, store } = mountContact();
    const context = createStepContext(store.state);
    const configuration = { ...context.configuration, consents: [] };
    const container = document.createElement('div');
    render(feature.render({ ...context, configuration }), container);
    expect(container.childElementCount).to.equal(0);
  });
});
