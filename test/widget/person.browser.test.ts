// Bot checks: the honeypot, and the host page's challenge.

import { expect } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { acceptedStatus, fail, ok } from '../support/fake-funding-api.ts';
import { mountWidget, type Mounted } from '../support/mount-widget.ts';

const isSent = 'Your application is with the lender';

function findHoneypot({ root }: Mounted): HTMLInputElement {
  return root.querySelector<HTMLInputElement>('input[name="website"]')!;
}

describe('the honeypot', () => {
  it('is displayed, but hidden from keyboards and screen readers', async () => {
    const mounted = await mountWidget();
    const honeypot = findHoneypot(mounted);
    expect(honeypot).to.include({ tabIndex: -1, autocomplete: 'off' });
    expect(honeypot.closest('[aria-hidden="true"]')).to.not.equal(null);
    // Bots skip hidden fields.
    const { display, visibility } = getComputedStyle(honeypot);
    expect(display).to.not.equal('none');
    expect(visibility).to.equal('visible');
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

  it('is sent once if it is filled in', async () => {
    const mounted = await mountWidget({ application: fail('automation-suspected') });
    await mounted.fillForm();
    mounted.answer('consents/terms', 'yes');
    mounted.answer('signature/name', 'Rosa Núñez');
    await mounted.element.updateComplete;
    const honeypot = findHoneypot(mounted);
    honeypot.value = 'https://spam.example';
    honeypot.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    await mounted.press('Submit application');
    await mounted.waitForText('Something filled in a hidden field');
    expect(findHoneypot(mounted).value).to.equal('');
    mounted.api.application = ok(acceptedStatus);
    await mounted.press('Submit application');
    await mounted.waitForHeading(isSent);
    const proofs = mounted.api.proofs.map((proof) => proof?.isHoneypotFilled);
    expect(proofs).to.deep.equal([true, false]);
  });
});

describe('the challenge', () => {
  async function mountAsking(): Promise<Mounted> {
    const challenge = { provider: 'turnstile', siteKey: 'site-key' };
    const mounted = await mountWidget({ configuration: ok(createConfiguration({ challenge })) });
    await mounted.fillForm();
    return mounted;
  }

  it('is solved at each submission, again after the BFF rejected its token', async () => {
    const mounted = await mountAsking();
    const solved: string[] = [];
    mounted.element.challenge = async (siteKey) => {
      solved.push(`${siteKey} ${solved.length + 1}`);
      return solved.at(-1)!;
    };
    mounted.api.application = fail('challenge-required');
    await mounted.signAndSubmit();
    await mounted.waitForText('Complete the check');
    mounted.api.application = ok(acceptedStatus);
    await mounted.press('Submit application');
    await mounted.waitForHeading(isSent);
    const sentTokens = mounted.api.proofs.map((proof) => proof?.challengeToken);
    expect(sentTokens).to.deep.equal(['site-key 1', 'site-key 2']);
    expect(mounted.api.submissions[1]).to.deep.equal(mounted.api.submissions[0]);
  });

  it('is reported once in the console if the page cannot solve it', async () => {
    const mounted = await mountAsking();
    const warnings: unknown[] = [];
    const { warn } = console;
    Object.assign(console, { warn: (text: unknown) => warnings.push(text) });
    await mounted.signAndSubmit();
    await mounted.waitForText('Let the website’s owner know');
    await mounted.press('Submit application');
    await mounted.waitForText('Let the website’s owner know');
    Object.assign(console, { warn });
    expect(warnings.length).to.equal(1);
    expect(warnings[0]).to.include('challenge');
    expect(mounted.api.submissions).to.deep.equal([]);
    await expect(mounted.element).to.be.accessible();
  });
});
