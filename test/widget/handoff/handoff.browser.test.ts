// The block in the documents step that invites a phone: its views in a browser.

import { expect } from '@open-wc/testing';
import type { HandoffState } from '../../../shared/api/handoff.ts';
import { expectGood } from '../../support/axe.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  deliveredDocument,
  fail,
  type FakeFundingApi,
  ok,
} from '../../support/fake-funding-api.ts';
import {
  createApi,
  mountDocuments,
  type Mounted,
  returnToPage,
} from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const configuration = ok(createConfiguration({ handoff: true }));

describe('the block that invites a phone', () => {
  let api: FakeFundingApi;
  let mounted: Mounted;

  beforeEach(async () => {
    mounted = await mountDocuments({ configuration });
    ({ api } = mounted);
  });

  async function invite(): Promise<void> {
    await mounted.press('Use my phone');
    await waitUntil(() => mounted.root.querySelector('.qr'));
    await mounted.element.updateComplete;
  }

  async function showState(state: HandoffState, text: string): Promise<void> {
    await invite();
    api.handoffStatus = ok({ state });
    returnToPage();
    await mounted.waitForText(text);
  }

  it('is accessible before it is used', async () => {
    expect(mounted.text).to.include('Take photos with your phone');
    await expectGood(mounted);
  });

  it('shows a QR code with a name, and the code and the address to type', async () => {
    await invite();
    const qr = mounted.find('.qr');
    expect(qr.getAttribute('role')).to.equal('img');
    expect(qr.getAttribute('aria-label')).to.equal('QR code for the photo page on your phone');
    expect(qr.closest('.screen-only'), 'is not printed').to.not.equal(null);
    const text = mounted.text;
    expect(text).to.include('go to apply.partner.example/phone').and.to.include('7K4M-92XQ');
    // The token of the URL is a secret that nobody can type.
    expect(text).to.not.include('AAAA');
    // Screen readers spell the code.
    expect(mounted.find('.typed-code').getAttribute('aria-hidden')).to.equal('true');
    expect(mounted.find('.typed-code + *').textContent).to.equal('7 K 4 M , 9 2 X Q');
    await waitUntil(() => mounted.root.activeElement?.id === 'handoff-title');
    await expectGood(mounted);
  });

  it('shows the number within its sentence when a phone has opened the code', async () => {
    await showState('claimed', 'Pick 42 on your phone');
    expect(mounted.announcement).to.equal('Pick 42 on your phone');
    expect(getComputedStyle(mounted.find('.pick strong')).display).to.equal('inline');
    await expectGood(mounted);
  });

  it('leaves the size of the reference’s button unchanged', async () => {
    const toSize = () => getComputedStyle(mounted.find('.number button')).fontSize;
    await mounted.goTo('submitted');
    const before = toSize();
    await mounted.goTo('documents');
    await invite();
    await mounted.goTo('submitted');
    expect(toSize()).to.equal(before);
  });

  it('keeps the focus on its button when the phone changes the state', async () => {
    await invite();
    const button = mounted.find('.handoff .button');
    button.focus();
    api.handoffStatus = ok({ state: 'claimed' });
    returnToPage();
    await mounted.waitForText('Pick 42');
    expect(mounted.root.activeElement).to.equal(button);
  });

  it('shows what arrives from a connected phone', async () => {
    await showState('connected', 'Your phone is connected');
    const documents = [{ ...deliveredDocument, fromPhone: true }];
    api.session = ok(createSession({ application: acceptedStatus, documents }));
    returnToPage();
    // Messages in the same tick are joined.
    await waitUntil(
      () => mounted.announcement.endsWith('a.pdf: received from your phone'),
      'The announcement of the page',
    );
    expect(mounted.find('[part~=file]').textContent).to.include('from your phone');
    await expectGood(mounted);
  });

  for (const [state, text] of [
    ['expired', 'The code ended before a phone was connected'],
    ['wrong-number', 'A different number was picked'],
    ['declined', 'said they didn’t start this'],
    ['revoked', 'Your phone is disconnected'],
    ['ended', 'Your phone is done'],
  ] as const) {
    it(`offers a new code in the state “${state}”`, async () => {
      await showState(state, text);
      await mounted.press('Get a new code');
      await waitUntil(() => api.handoffsCreated === 2);
    });
  }

  it('says why there is no code', async () => {
    api.handoff = fail('too-busy');
    await mounted.press('Use my phone');
    await mounted.waitForText('We’re very busy right now');
    await expectGood(mounted);
  });
});

describe('a form without handoff', () => {
  it('shows no block if the BFF does not offer it', async () => {
    const mounted = await mountDocuments();
    expect(mounted.text).to.not.include('Use my phone');
  });

  for (const method of ['createHandoff', 'getHandoff', 'endHandoff'] as const) {
    it(`shows no block if the api of the host page lacks ${method}`, async () => {
      const api = createApi({ configuration });
      Reflect.deleteProperty(api, method);
      const mounted = await mountDocuments(api);
      expect(mounted.text).to.not.include('Use my phone');
    });
  }
});
