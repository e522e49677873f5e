// Restored drafts, the start page, and the record of a submitted application.

import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import { acceptedStatus, createSession, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  answer,
  apply,
  fillForm,
  fillUpTo,
  headingOf,
  mountAfter,
  mountAgain,
  mountWidget,
  press,
  textOf,
  waitForHeading,
  type Mounted,
} from '../support/mount-widget.ts';

function valueOf({ root }: Mounted, id: string): string | undefined {
  return root.querySelector<HTMLInputElement>(`#${id}`)?.value;
}

/** Waits until encryption ends: the entry is the same at two looks. */
async function waitUntilWritten(): Promise<void> {
  let last = '';
  const isSame = () => {
    const [before, now] = [last, JSON.stringify({ ...localStorage })];
    last = now;
    return before === now;
  };
  await waitUntil(isSame, 'The entry changes all the time', { interval: 100 });
}

describe('a restored form', () => {
  it('opens on its step with the answers, without errors', async () => {
    const before = await mountWidget();
    await fillForm(before);
    before.element.remove();
    const mounted = await mountAgain();
    expect(headingOf(mounted)).to.equal('Tell us about your business');
    expect(valueOf(mounted, 'business-name')).to.equal('Rosa’s Bakery LLC');
    expect(valueOf(mounted, 'business-taxId')).to.equal('');
    expect(textOf(mounted)).to.include('Your answers are still here');
    expect(mounted.root.querySelector('[role="alert"], .error')).to.equal(null);
    expect(document.activeElement).to.equal(document.body);
    await expect(mounted.element).to.be.accessible();
  });

  it('comes back on the device after the tab was closed', async () => {
    const before = await mountWidget();
    const findCheckbox = () => before.root.querySelector<HTMLElement>('#keep-on-device');
    await waitUntil(findCheckbox, 'The checkbox is missing');
    findCheckbox()!.click();
    await waitUntil(() => localStorage.length === 1, 'Nothing is kept on the device');
    await fillUpTo(before, 'identity', { 'business/taxId': '' });
    await waitUntilWritten();
    before.element.remove();
    sessionStorage.clear();
    const mounted = await mountAgain(before.api);
    await waitForHeading(mounted, 'Confirm your identity');
    expect(textOf(mounted)).to.include('Welcome back');
    expect(textOf(mounted)).to.include('You’re on step 4 of 5');
    await expect(mounted.element).to.be.accessible();
    await press(mounted, 'Continue my application');
    expect(textOf(mounted)).to.not.include('Welcome back');
    // The birth date and the SSN before it are optional.
    expect(mounted.root.activeElement?.id).to.equal('owner-creditScore');
    await press(mounted, 'Clear my answers');
    await press(mounted, 'Clear everything');
    expect(localStorage.length).to.equal(0);
  });

  it('has a skeleton of about the same height', async () => {
    const before = await mountWidget();
    await fillUpTo(before, 'business');
    const { height } = before.element.getBoundingClientRect();
    before.element.remove();
    const element = document.createElement('funding-application');
    const api = new FakeFundingApi();
    api.getConfiguration = () => new Promise(() => undefined);
    element.api = api;
    await fixture(html`${element}`);
    expect(element.getBoundingClientRect().height).to.be.closeTo(height, 200);
  });

  it('is cleared by a click and a confirmation', async () => {
    const mounted = await mountWidget();
    answer(mounted, 'fundingNeed/amount', '75,000');
    await press(mounted, 'Clear my answers');
    expect(textOf(mounted)).to.include('This clears everything you’ve entered. You can’t undo it.');
    expect(valueOf(mounted, 'fundingNeed-amount')).to.not.equal('');
    await expect(mounted.element).to.be.accessible();
    await press(mounted, 'Clear everything');
    expect(valueOf(mounted, 'fundingNeed-amount')).to.equal('');
    expect(textOf(mounted)).to.not.include('clears everything');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    expect(sessionStorage.length).to.equal(0);
  });

  it('does not affect another form on the page', async () => {
    const first = await mountWidget();
    const second = await mountAgain();
    answer(first, 'fundingNeed/amount', '11,111');
    answer(second, 'fundingNeed/amount', '22,222');
    first.element.remove();
    second.element.remove();
    const firstAgain = await mountAgain();
    const secondAgain = await mountAgain();
    expect(valueOf(firstAgain, 'fundingNeed-amount')).to.equal('11,111');
    expect(valueOf(secondAgain, 'fundingNeed-amount')).to.equal('22,222');
  });
});

describe('the start page', () => {
  it('lists the requirements of the partner', async () => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ requiredFields: ['ssn'], bankConnection: 'off' }));
    const mounted = await mountWidget(api, {});
    expect(headingOf(mounted)).to.equal('Apply for business funding');
    const listed = mounted.root.querySelector('.points')?.textContent ?? '';
    expect(listed).to.include('Social Security number');
    expect(listed).to.match(/Two bank statements\s*Photo ID/);
    expect(listed).to.not.include('Employer Identification Number');
    expect(listed).to.not.include('connect your bank');
    await expect(mounted.element).to.be.accessible();
    await press(mounted, 'Start application');
    expect(headingOf(mounted)).to.include('How much funding');
    await press(mounted, 'Back');
    expect(headingOf(mounted)).to.equal('Apply for business funding');
  });
});

describe('the record', () => {
  it('leads to each later step and back', async () => {
    const file = { number: 1, category: 'other', bytes: 1, delayed: false };
    const mounted = await mountAfter(new FakeFundingApi(), [{ ...file, status: 'delivered' }]);
    expect(textOf(mounted)).to.include('1 file added');
    expect(textOf(mounted)).to.include('Not started');
    for (const [button, heading] of [
      ['Add your documents', 'Add your documents'],
      ['Connect your bank account', 'Connect your bank account'],
      ['Check for offers', 'You prequalify'],
    ] as const) {
      await press(mounted, button);
      await waitForHeading(mounted, heading);
      await press(mounted, 'Back');
      expect(headingOf(mounted)).to.equal('Your application is with the lender');
    }
  });

  it('contains the answers, collapsed, with masked secrets', async () => {
    const mounted = await mountWidget();
    await apply(mounted);
    const answers = mounted.root.querySelector<HTMLElement>('.record .group');
    expect(answers?.getClientRects().length).to.equal(0);
    await press(mounted, 'Your answers');
    expect(answers?.getClientRects().length).to.equal(1);
    const text = answers?.textContent ?? '';
    expect(text).to.include('Rosa’s Bakery LLC');
    expect(text).to.include('Ending in 9999');
    expect(text).to.include('I agree to the terms');
    expect(text).to.include('Rosa Núñez');
    await expect(mounted.element).to.be.accessible();
  });

  it('shows consents in the language in which they were accepted', async () => {
    const api = new FakeFundingApi();
    const mounted = await mountWidget(api);
    await apply(mounted);
    api.configuration = ok(createConfiguration({ locale: 'es' }));
    await press(mounted, 'Español');
    await waitUntil(() => mounted.root.querySelector('.frame')?.getAttribute('lang') === 'es');
    const spoken = [...mounted.root.querySelectorAll('.record [lang]')].map(
      (text) => `${text.getAttribute('lang')}: ${text.textContent}`,
    );
    expect(spoken).to.deep.equal(['en: I agree to the terms', 'en: The terms.']);
  });

  it('contains no answers after a reload', async () => {
    const api = new FakeFundingApi();
    api.session = ok(createSession({ application: acceptedStatus }));
    const mounted = await mountWidget(api);
    await waitUntil(() => mounted.root.querySelector('.reference'));
    expect(textOf(mounted)).to.not.include('Your answers');
  });
});
