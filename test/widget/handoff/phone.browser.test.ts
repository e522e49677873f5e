// The page of a phone in a handoff: its screens in a browser.

import { expect } from '@open-wc/testing';
import type { FailureCode } from '../../../widget/api/funding-api.ts';
import { expectGood } from '../../support/axe.ts';
import { claimedHandoff, fail, type FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import {
  createApi,
  createFile,
  mountAgain,
  type Mounted,
  returnToPage,
} from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const token = 'AAAAAAAAAAAAAAAAAAAAAA';

describe('the page of a phone', () => {
  let api: FakeFundingApi;

  beforeEach(() => {
    sessionStorage.clear();
    api = createApi({ handoffStatus: fail('session-missing') });
  });

  /** Opens the page, as after the scan of a code, and waits for a screen. */
  async function openPage(heading: string, fragment = `#${token}`): Promise<Mounted> {
    history.replaceState(null, '', location.pathname + location.search + fragment);
    const mounted = await mountAgain(api, {}, { handoff: '' });
    await waitForTitle(mounted, heading);
    return mounted;
  }

  async function waitForTitle(mounted: Mounted, heading: string): Promise<void> {
    await waitUntil(() => mounted.heading === heading);
    await mounted.element.updateComplete;
    expect(mounted.text).to.not.match(/\b(?:phone|problem|documents|error|handoff)\.[a-z]/);
  }

  async function connect(): Promise<Mounted> {
    const mounted = await openPage('Is this your application?');
    await mounted.press('42');
    await waitForTitle(mounted, 'Take photos of your documents');
    return mounted;
  }

  function takePhoto(mounted: Mounted, name: string): Promise<void> {
    return mounted.chooseFiles([createFile(name, 'application/pdf')], '#document-photo');
  }

  it('removes the token from the URL', async () => {
    await openPage('Is this your application?');
    expect(location.hash).to.equal('');
    expect(api.claims).to.deep.equal([{ token }]);
  });

  it('shows whose application it is', async () => {
    const mounted = await openPage('Is this your application?');
    const text = mounted.text;
    for (const fact of ['Millstone Supply Co.', 'Ro•••• Ba••••']) expect(text).to.include(fact);
    expect(mounted.root.querySelectorAll('.numbers button').length).to.equal(3);
    await expectGood(mounted);
  });

  it('has no way back and nothing of the desktop', async () => {
    const mounted = await connect();
    expect(mounted.root.querySelector('.back')).to.equal(null);
    expect(mounted.text).to.not.include('Most helpful documents');
    expect(mounted.text).to.not.include('Close my application');
  });

  it('ends the connection if the applicant did not start it', async () => {
    const mounted = await openPage('Is this your application?');
    await mounted.press('I didn’t start this');
    await waitForTitle(mounted, 'We ended this connection');
    await waitUntil(() => mounted.root.activeElement?.id === 'step-heading');
    await expectGood(mounted);
  });

  it('has the camera before the files', async () => {
    const mounted = await connect();
    const inputs = mounted.findAll<HTMLInputElement>('input[type=file]');
    expect(inputs.map(({ id }) => id)).to.deep.equal(['document-photo', 'document-files']);
    expect(inputs[0]?.accept).to.equal('image/*');
    expect(inputs[0]?.getAttribute('capture')).to.equal('environment');
    expect(mounted.find('label[for=document-photo]').className).to.equal('button');
    await expectGood(mounted);
  });

  it('takes several photos, one after another', async () => {
    const mounted = await connect();
    await takePhoto(mounted, 'DL front.pdf');
    expect(mounted.find('label[for=document-photo]').textContent).to.equal('Take another photo');
    await takePhoto(mounted, 'DL back.pdf');
    expect(mounted.root.querySelectorAll('[part~=file]').length).to.equal(2);
    await expectGood(mounted);
  });

  it('leads back to the computer when it is done', async () => {
    const mounted = await connect();
    await mounted.press('I’m done on this phone');
    await waitForTitle(mounted, 'Go back to your computer');
    expect(api.handoffsEnded).to.equal(1);
    await expectGood(mounted);
  });

  it('asks for the code if there is no token', async () => {
    const mounted = await openPage('Enter the code from your computer', '');
    await expectGood(mounted);
    mounted.answer('handoff-code', '7k4m 92xq');
    await mounted.press('Continue');
    await waitForTitle(mounted, 'Is this your application?');
    expect(api.claims).to.deep.equal([{ code: '7k4m92xq' }]);
  });

  it('focuses the code if characters are missing', async () => {
    const mounted = await openPage('Enter the code from your computer', '');
    await mounted.press('Continue');
    await waitUntil(() => mounted.root.activeElement?.id === 'handoff-code');
    expect(mounted.text).to.include('Error: Enter all 8 letters and numbers of the code');
    // The styles of the form, which this page does not load, have the same rules.
    expect(getComputedStyle(mounted.find('[part~=error]')).display).to.equal('flex');
    await expectGood(mounted);
  });

  it('lets the applicant correct a mistyped code', async () => {
    api.claim = fail('handoff-not-found');
    const mounted = await openPage('Enter the code from your computer', '');
    mounted.answer('handoff-code', '7K4M-92XX');
    await mounted.press('Continue');
    await waitUntil(() => mounted.root.activeElement?.id === 'handoff-code');
    const field = mounted.find('#handoff-code') as HTMLInputElement;
    expect(field.value).to.equal('7K4M-92XX');
    expect(field.getAttribute('aria-invalid')).to.equal('true');
    await expectGood(mounted);
  });

  it('tries again after a lost connection', async () => {
    api.claim = fail('network');
    const mounted = await openPage('Connecting to your computer');
    await mounted.waitForText('We couldn’t reach our server');
    await expectGood(mounted);
    api.claim = ok(claimedHandoff);
    await mounted.press('Try again');
    await waitForTitle(mounted, 'Is this your application?');
  });

  it('announces that the desktop has disconnected it', async () => {
    const mounted = await connect();
    api.handoffStatus = fail('handoff-revoked');
    returnToPage();
    await waitForTitle(mounted, 'This phone isn’t connected');
    await waitUntil(() => mounted.announcement.includes('was disconnected on your computer'));
  });

  it('asks for the texts of the BFF in the language of the page', async () => {
    const mounted = await openPage('Is this your application?');
    await mounted.press('Español');
    await waitForTitle(mounted, '¿Es esta su solicitud?');
    await waitUntil(() => api.requestedLocales.at(-1) === 'es');
    await expectGood(mounted);
    await mounted.press('English');
  });

  const stops: readonly (readonly [FailureCode, string, string])[] = [
    ['handoff-not-found', 'We can’t find this code', 'Compare it'],
    ['handoff-expired', 'This code has ended', 'A code works for 5 minutes'],
    ['handoff-claimed', 'This code was already used', 'Each code works once'],
    ['handoff-wrong-number', 'That’s a different number', 'That isn’t the number'],
    ['handoff-revoked', 'This phone isn’t connected', 'was disconnected on your computer'],
    ['handoff-ended', 'This phone isn’t connected', 'isn’t connected anymore'],
  ];
  for (const [code, heading, text] of stops) {
    it(`shows a screen for “${code}”`, async () => {
      api.claim = fail(code);
      const mounted = await openPage(heading);
      expect(mounted.text).to.include(text);
      await mounted.press('Enter a new code');
      await waitForTitle(mounted, 'Enter the code from your computer');
    });
  }
});
