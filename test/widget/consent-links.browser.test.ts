// The links of consents: on the review, beside the contact consent, and in the record.

import { expect } from '@open-wc/testing';
import { expectGood } from '../support/axe.ts';
import { createConfiguration } from '../support/configuration.ts';
import { ok } from '../support/fake-funding-api.ts';
import { mountAfter, mountWidget, type Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

const links = [
  { label: 'Terms of use', url: 'https://partner.example/terms' },
  { label: 'Privacy notice', url: 'https://partner.example/privacy' },
];

const consents = createConfiguration().consents.map((consent) => ({ ...consent, links }));
const bff = { configuration: ok(createConfiguration({ consents })) };

function linksIn({ root }: Mounted, selector: string): HTMLAnchorElement[] {
  return [...root.querySelectorAll<HTMLAnchorElement>(`${selector} ul a[part=link]`)];
}

/** Clicks the link without opening its page. */
function pressLink(link: HTMLAnchorElement): void {
  link.addEventListener('click', (event) => event.preventDefault(), { once: true });
  link.click();
}

describe('the links of a consent', () => {
  it('open in a new tab without checking the box', async () => {
    const mounted = await mountWidget(bff);
    await mounted.fillForm();
    const shown = linksIn(mounted, '.consent');
    expect(shown.map(({ href }) => href)).to.deep.equal([...links, ...links].map(({ url }) => url));
    expect(shown[1]?.textContent?.replaceAll(/\s+/g, ' ').trim()).to.equal(
      'Privacy notice (opens in a new tab)',
    );
    expect(shown[1]).to.include({ target: '_blank', rel: 'noopener noreferrer' });
    expect(
      shown.filter((link) => !link.checkVisibility() || link.closest('label, details')),
    ).to.deep.equal([]);
    shown.forEach(pressLink);
    expect(mounted.root.querySelectorAll('.consent input:checked').length).to.equal(0);
    await expectGood(mounted);
  });

  it('appear in the record in the language of the consent', async () => {
    const mounted = await mountWidget(bff);
    await mounted.fillForm();
    await mounted.signAndSubmit();
    await waitUntil(() => mounted.root.querySelector('.record'));
    await mounted.press('Your answers');
    const words = linksIn(mounted, '.record').map((link) => link.querySelector('span'));
    expect(words.map((word) => [word?.lang, word?.textContent])).to.deep.equal(
      links.map(({ label }) => ['en', label]),
    );
    await expectGood(mounted);
  });

  it('appear next to the contact consent', async () => {
    const mounted = await mountAfter(bff);
    await mounted.goTo('offers');
    mounted.root.querySelector('summary')?.click();
    await mounted.element.updateComplete;
    const shown = linksIn(mounted, '.contact');
    expect(shown.map(({ href }) => href)).to.deep.equal(links.map(({ url }) => url));
    shown.forEach(pressLink);
    expect(mounted.root.querySelector<HTMLInputElement>('#contact-consent')?.checked).to.equal(
      false,
    );
    expect(shown.filter((link) => link.closest('label'))).to.deep.equal([]);
    await expectGood(mounted);
  });
});
