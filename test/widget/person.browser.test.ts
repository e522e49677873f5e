// The honeypot, which people never see. submission.test.ts has the challenge.

import { expect } from '@open-wc/testing';
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
