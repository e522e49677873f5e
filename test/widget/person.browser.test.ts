// Bot checks: the honeypot, and the host page's challenge.

import { expect, waitUntil } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  answer,
  fillForm,
  mountWidget,
  press,
  signAndSubmit,
  textOf,
  waitForHeading,
  type Mounted,
} from '../support/mount-widget.ts';

function findHoneypot({ root }: Mounted): HTMLInputElement {
  const honeypot = root.querySelector<HTMLInputElement>('input[name="website"]');
  if (!honeypot) throw new Error('The honeypot is missing');
  return honeypot;
}

/** Fills in the honeypot, as a program does. */
function fillHoneypot(mounted: Mounted): void {
  const honeypot = findHoneypot(mounted);
  honeypot.value = 'https://spam.example';
  honeypot.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
}

describe('the honeypot', () => {
  it('is hidden from keyboards and screen readers', async () => {
    const mounted = await mountWidget();
    await expect(mounted.element).to.be.accessible();
    const honeypot = findHoneypot(mounted);
    expect(honeypot.tabIndex).to.equal(-1);
    expect(honeypot.autocomplete).to.equal('off');
    expect(honeypot.closest('[aria-hidden="true"]')).to.not.equal(null);
  });

  for (const direction of ['ltr', 'rtl'] as const) {
    it(`is off the screen without a scrollbar, ${direction}`, async () => {
      const mounted = await mountWidget();
      document.documentElement.dir = direction;
      const { left, right } = findHoneypot(mounted).getBoundingClientRect();
      const { scrollWidth, clientWidth } = document.documentElement;
      document.documentElement.dir = 'ltr';
      expect(right <= 0 || left >= clientWidth).to.equal(true);
      expect(scrollWidth).to.equal(clientWidth);
    });
  }

  it('is displayed, because bots skip hidden fields', async () => {
    const { display, visibility } = getComputedStyle(findHoneypot(await mountWidget()));
    expect(display).to.not.equal('none');
    expect(visibility).to.equal('visible');
  });

  it('is sent once if it is filled in', async () => {
    const mounted = await mountWidget();
    mounted.api.application = fail('automation-suspected');
    await fillForm(mounted);
    answer(mounted, 'consents/terms', 'yes');
    answer(mounted, 'signature/name', 'Rosa Núñez');
    await mounted.element.updateComplete;
    fillHoneypot(mounted);
    await press(mounted, 'Submit application');
    await waitUntil(() => textOf(mounted).includes('Something filled in a hidden field'));
    expect(findHoneypot(mounted).value).to.equal('');
    mounted.api.application = new FakeFundingApi().application;
    await press(mounted, 'Submit application');
    await waitForHeading(mounted, 'Your application is with the lender');
    const proofs = mounted.api.proofs.map((proof) => proof?.isHoneypotFilled);
    expect(proofs).to.deep.equal([true, false]);
  });
});

describe('the challenge', () => {
  async function mountAsking(): Promise<Mounted> {
    const api = new FakeFundingApi();
    const challenge = { provider: 'turnstile', siteKey: 'site-key' };
    api.configuration = ok(createConfiguration({ challenge }));
    const mounted = await mountWidget(api);
    await fillForm(mounted);
    return mounted;
  }

  it('is solved by the host page at the submission', async () => {
    const mounted = await mountAsking();
    const asked: string[] = [];
    mounted.element.challenge = async (siteKey) => {
      asked.push(siteKey);
      return 'token-1';
    };
    expect(asked).to.deep.equal([]);
    await signAndSubmit(mounted);
    await waitForHeading(mounted, 'Your application is with the lender');
    expect(asked).to.deep.equal(['site-key']);
    expect(mounted.api.proofs[0]?.challengeToken).to.equal('token-1');
  });

  it('is reported once in the console if the page cannot solve it', async () => {
    const mounted = await mountAsking();
    const warnings: unknown[] = [];
    const { warn } = console;
    Object.assign(console, { warn: (text: unknown) => warnings.push(text) });
    await signAndSubmit(mounted);
    await waitUntil(() => textOf(mounted).includes('Let the website’s owner know'));
    await press(mounted, 'Submit application');
    await waitUntil(() => textOf(mounted).includes('Let the website’s owner know'));
    Object.assign(console, { warn });
    expect(warnings.length).to.equal(1);
    expect(warnings[0]).to.include('challenge');
    expect(mounted.api.submissions).to.deep.equal([]);
    await expect(mounted.element).to.be.accessible();
  });

  it('is requested again after the BFF rejected its token', async () => {
    const mounted = await mountAsking();
    let tokens = 0;
    mounted.element.challenge = async () => `token-${(tokens += 1)}`;
    mounted.api.application = fail('challenge-required');
    await signAndSubmit(mounted);
    await waitUntil(() => textOf(mounted).includes('Complete the check'));
    mounted.api.application = new FakeFundingApi().application;
    await press(mounted, 'Submit application');
    await waitForHeading(mounted, 'Your application is with the lender');
    const sentTokens = mounted.api.proofs.map((proof) => proof?.challengeToken);
    expect(sentTokens).to.deep.equal(['token-1', 'token-2']);
    expect(mounted.api.submissions[1]).to.deep.equal(mounted.api.submissions[0]);
  });
});
