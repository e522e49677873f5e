// Restored drafts, the start page, and the record of a submitted application.

import { expect, fixture, html } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { deliveredDocument, ok, withApplication } from '../support/fake-funding-api.ts';
import { createApi, mountAfter, mountAgain, mountWidget } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Waits until encryption ends: the entry is the same at several looks. */
async function waitUntilWritten(): Promise<void> {
  const looks: string[] = [];
  await waitUntil(() => {
    looks.push(JSON.stringify({ ...localStorage }));
    return looks.length > 20 && new Set(looks.slice(-20)).size === 1;
  });
}

describe('a restored form', () => {
  it('opens on its step with the answers, without errors', async () => {
    const before = await mountWidget();
    await before.fillForm();
    before.element.remove();
    const mounted = await mountAgain();
    expect(mounted.heading).to.equal('Tell us about your business');
    expect(mounted.valueAt('business/name')).to.equal('Rosa’s Bakery LLC');
    expect(mounted.valueAt('business/taxId')).to.equal('');
    expect(mounted.text).to.include('Your answers are still here');
    expect(mounted.root.querySelector('[role="alert"], .error')).to.equal(null);
    expect(document.activeElement).to.equal(document.body);
  });

  it('comes back on the device after the tab was closed', async () => {
    const before = await mountWidget();
    const findCheckbox = () => before.root.querySelector<HTMLElement>('#keep-on-device');
    await waitUntil(findCheckbox);
    findCheckbox()!.click();
    await waitUntil(() => localStorage.length === 1);
    await before.fillUpTo('identity', { 'business/taxId': '' });
    await waitUntilWritten();
    before.element.remove();
    sessionStorage.clear();
    const mounted = await mountAgain(before.api);
    await mounted.waitForHeading('Confirm your identity');
    expect(mounted.text).to.include('Welcome back').and.to.include('You’re on step 4 of 5');
    await expect(mounted.element).to.be.accessible();
    await mounted.press('Continue my application');
    expect(mounted.text).to.not.include('Welcome back');
    // The birth date and the SSN before it are optional.
    expect(mounted.root.activeElement?.id).to.equal('owner-creditScore');
    await mounted.press('Clear my answers');
    expect(mounted.text).to.include('This clears everything you’ve entered. You can’t undo it.');
    await mounted.press('Clear everything');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    expect(mounted.valueAt('fundingNeed/amount')).to.equal('');
    expect([localStorage.length, sessionStorage.length]).to.deep.equal([0, 0]);
  });

  it('has a skeleton of about the same height', async () => {
    const before = await mountWidget();
    await before.fillUpTo('business');
    const { height } = before.element.getBoundingClientRect();
    before.element.remove();
    const api = createApi();
    api.hold('getConfiguration');
    const { id } = before.element;
    const element = await fixture(
      html`<funding-application id=${id} .api=${api}></funding-application>`,
    );
    expect(element.getBoundingClientRect().height).to.be.closeTo(height, 200);
  });
});

describe('the start page', () => {
  const { documents } = createConfiguration();
  const toText = (nodes: Iterable<Element>) => [...nodes].map(({ textContent }) => textContent);

  it('lists the requirements of the partner', async () => {
    const configuration = createConfiguration({ requiredFields: ['ssn'], bankConnection: 'off' });
    const mounted = await mountWidget({ configuration: ok(configuration) }, {});
    expect(mounted.heading).to.equal('Apply for business funding');
    const listed = mounted.root.querySelector('.points')?.textContent ?? '';
    expect(listed).to.include('Social Security number');
    expect(listed).to.not.include('Employer Identification Number');
    expect(listed).to.not.include('connect your bank');
    const labels = documents.checklist?.map(({ label }) => label);
    expect(toText(mounted.root.querySelectorAll('.points .points > li'))).to.deep.equal(labels);
    await mounted.press('Start application');
    expect(mounted.heading).to.include('How much funding');
    await mounted.press('Back');
    expect(mounted.heading).to.equal('Apply for business funding');
  });

  const notice = 'Checking your offers does not affect your credit score.';
  for (const [creditCheckNotice, shown] of [
    [notice, [notice]],
    ['', []],
    [undefined, []],
  ] as const) {
    it(`has the credit check notice of the settings: ${creditCheckNotice}`, async () => {
      const configuration = ok({ ...createConfiguration(), creditCheckNotice });
      const { root } = await mountWidget({ configuration }, {});
      const paragraphs = root.querySelectorAll<HTMLElement>('.group > p');
      expect(toText(paragraphs)).to.deep.equal(shown);
      expect([...paragraphs].map(({ lang }) => lang)).to.deep.equal(shown.map(() => 'en'));
    });
  }
});

describe('the record', () => {
  it('leads to each later step and back', async () => {
    const mounted = await mountAfter({}, [deliveredDocument]);
    expect(mounted.text).to.include('1 file added').and.to.include('Not started');
    for (const [button, heading] of [
      ['Add your documents', 'Add your documents'],
      ['Connect your bank account', 'Connect your bank account'],
      ['Check for offers', 'You prequalify'],
    ] as const) {
      await mounted.press(button);
      await mounted.waitForHeading(heading);
      await mounted.press('Back');
      expect(mounted.heading).to.equal('Your application is with the lender');
    }
  });

  it('contains the answers, collapsed, with masked secrets', async () => {
    const mounted = await mountWidget();
    await mounted.apply();
    const answers = mounted.root.querySelector<HTMLElement>('.record .group');
    expect(answers?.getClientRects().length).to.equal(0);
    await mounted.press('Your answers');
    expect(answers?.getClientRects().length).to.equal(1);
    for (const text of ['Rosa’s Bakery', 'Ending in 9999', 'I agree to the terms', 'Rosa Núñez'])
      expect(answers?.textContent).to.include(text);
    await expect(mounted.element).to.be.accessible();
  });

  it('shows consents in the language in which they were accepted', async () => {
    const mounted = await mountWidget();
    await mounted.apply();
    mounted.api.configuration = ok(createConfiguration({ locale: 'es' }));
    await mounted.press('Español');
    await mounted.waitForText('Cerrar mi solicitud');
    const spoken = mounted
      .findAll('.record [lang]')
      .map((text) => `${text.getAttribute('lang')}: ${text.textContent}`);
    expect(spoken).to.deep.equal(['en: I agree to the terms', 'en: The terms.']);
  });

  it('contains no answers after a reload', async () => {
    const mounted = await mountWidget(withApplication());
    await mounted.waitForRecord();
    expect(mounted.text).to.not.include('Your answers');
  });
});
