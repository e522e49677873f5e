// The contact request needs a new consent.

import { expect, fixtureSync, waitUntil } from '@open-wc/testing';
import { html, render } from 'lit';
import { createContact } from '../../../widget/contact/contact.ts';
import { createFeature, createStepContext } from '../../support/create-feature.ts';
import { fail } from '../../support/fake-funding-api.ts';

function mountContact() {
  const rig = createFeature(createContact);
  const container = fixtureSync<HTMLElement>(html`<div></div>`);
  const focused: string[] = [];
  const context = { focus: (id: string) => focused.push(id) };
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
  it('is absent when the configuration has no contact consent', () => {
    const { feature, store } = mountContact();
    const context = createStepContext(store.state);
    const configuration = { ...context.configuration, consents: [] };
    const container = document.createElement('div');
    render(feature.render({ ...context, configuration }), container);
    expect(container.childElementCount).to.equal(0);
  });
});
