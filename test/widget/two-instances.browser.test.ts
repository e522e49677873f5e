// Two forms on one page: each has its own answers, language, ids, storage, and announcements.

import { expect, fixture, html } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  createFile,
  mountAfter,
  mountAgain,
  mountWidget,
  Mounted,
  returnToPage,
} from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

async function mountInShadow(): Promise<Mounted> {
  const host = await fixture<HTMLDivElement>(html`<div></div>`);
  const api = new FakeFundingApi();
  const element = document.createElement('funding-application');
  element.api = api;
  element.settings = { startPage: false };
  host.attachShadow({ mode: 'open' }).append(element);
  await waitUntil(() => element.shadowRoot?.querySelector('form'));
  return new Mounted(element, api);
}

const bilingual: Partial<FakeFundingApi> = {
  getConfiguration: async (locale = 'en') => ok(createConfiguration({ locale })),
};

describe('two forms on one page', () => {
  it('have separate answers, also after a reload', async () => {
    const first = await mountWidget();
    const second = await mountAgain();
    first.answer('fundingNeed/amount', '1,000');
    second.answer('fundingNeed/amount', '2,000');
    expect(first.valueAt('fundingNeed/amount')).to.equal('1,000');
    first.element.remove();
    second.element.remove();
    expect((await mountAgain()).valueAt('fundingNeed/amount')).to.equal('1,000');
    expect((await mountAgain()).valueAt('fundingNeed/amount')).to.equal('2,000');
  });

  it('have separate answers in separate shadow roots', async () => {
    const mounted = [await mountInShadow(), await mountInShadow()];
    const keys = mounted.map((one, index) => {
      sessionStorage.clear();
      one.answer('fundingNeed/amount', `${index + 1},000`);
      // Any change of the visibility stores pending changes of the drafts.
      returnToPage();
      return Object.keys(sessionStorage).join(' ');
    });
    expect(new Set(keys).size).to.equal(2);
  });

  it('have their own step and language', async () => {
    const first = await mountWidget(bilingual);
    const second = await mountAgain(bilingual);
    await second.press('Español');
    await second.waitForHeading('¿Cuánto');
    second.element.focus();
    first.answer('fundingNeed/amount', '75,000');
    first.answer('fundingNeed/reason', 'Equipment');
    await first.press('Continue');
    await first.waitForHeading('Tell us about your business');
    expect(second.heading).to.equal('¿Cuánto financiamiento necesita?');
    expect(second.root.activeElement).to.equal(null);
  });

  it('have unique ids', async () => {
    const first = await mountAfter();
    const second = await mountAgain();
    await first.goTo('documents');
    await first.chooseFiles([createFile('notes.txt', 'text/plain')]);
    await waitUntil(() => first.announcement?.includes('notes.txt'));
    expect(second.announcement).to.equal('');
    for (const { root } of [first, second]) {
      const ids = [...root.querySelectorAll('[id]')].map(({ id }) => id);
      expect(ids.length).to.be.greaterThan(3);
      expect(new Set(ids).size).to.equal(ids.length);
    }
  });
});
