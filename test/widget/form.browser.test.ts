// The form: focus, errors, and fields.

import { aTimeout, expect } from '@open-wc/testing';
import type { Session } from '../../shared/api/session.ts';
import type { Result } from '../../widget/api/funding-api.ts';
import { createConfiguration } from '../support/configuration.ts';
import { acceptedStatus, createSession, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  answer,
  fillForm,
  fillUpTo,
  headingOf,
  mountWidget,
  press,
  textOf,
  type Mounted,
} from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

const focused = ({ root }: Mounted) => root.activeElement;

describe('the steps', () => {
  it('do not take the focus when the page is opened', async () => {
    const mounted = await mountWidget();
    expect(focused(mounted)).to.equal(null);
  });

  for (const status of ['accepted', 'rejected'] as const) {
    it(`leave the focus when a late session has an application (${status})`, async () => {
      const api = new FakeFundingApi();
      let respond: (session: Result<Session>) => void = () => undefined;
      api.openSession = () => new Promise((resolve) => (respond = resolve));
      const mounted = await mountWidget(api);
      respond(ok(createSession({ application: { ...acceptedStatus, status } })));
      await waitUntil(() =>
        textOf(mounted).includes(status === 'accepted' ? 'Reference number' : 'you sent earlier'),
      );
      await mounted.element.updateComplete;
      expect(focused(mounted)?.id).to.equal(undefined);
    });
  }

  it('move the focus to their heading', async () => {
    const mounted = await mountWidget();
    answer(mounted, 'fundingNeed/amount', '75,000');
    answer(mounted, 'fundingNeed/reason', 'Equipment');
    await press(mounted, 'Continue');
    expect(headingOf(mounted)).to.equal('Tell us about your business');
    expect(focused(mounted)?.id).to.equal('step-heading');
    expect(textOf(mounted)).to.include('Step 2 of 5 · Your business');
  });

  it('report only their name to the host page', async () => {
    const mounted = await mountWidget();
    const seen: unknown[] = [];
    mounted.element.addEventListener('funding-step', (event) => seen.push(event.step));
    await fillForm(mounted);
    expect(seen).to.deep.equal(['business', 'owner', 'identity', 'review']);
  });

  it('have the same space below each control', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'business');
    const bottom = (each: Element | null) => Math.round(each?.getBoundingClientRect().bottom ?? 0);
    const fields = [...mounted.root.querySelectorAll('.group > .field.single')];
    const below = fields.map((field) => bottom(field) - bottom(field.lastElementChild));
    expect(below).to.deep.equal(fields.map(() => 0));
    expect(fields.length).to.be.greaterThan(5);
  });

  it('keep all answers on the way back', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    await press(mounted, 'Back');
    await press(mounted, 'Back');
    await press(mounted, 'Back');
    const name = mounted.root.querySelector<HTMLInputElement>('#business-name');
    expect(name?.value).to.equal('Rosa’s Bakery LLC');
  });
});

describe('errors', () => {
  it('are listed above the step with links to the fields', async () => {
    const mounted = await mountWidget();
    answer(mounted, 'fundingNeed/amount', '1');
    answer(mounted, 'fundingNeed/reason', 'Equipment');
    await press(mounted, 'Continue');
    await press(mounted, 'Continue');
    expect(focused(mounted)?.id).to.equal('error-summary');

    const links = [...mounted.root.querySelectorAll<HTMLAnchorElement>('#error-summary a')];
    const inline = [...mounted.root.querySelectorAll('.field > .error > span')].map((error) =>
      error.textContent?.replace('Error:', '').trim(),
    );
    expect(links.map((link) => link.textContent?.trim())).to.deep.equal(inline);
    expect(links.length).to.equal(10);
    for (const link of links) {
      link.click();
      await mounted.element.updateComplete;
      await aTimeout(0);
      const field = focused(mounted);
      expect(field?.matches('input, select'), link.textContent ?? '').to.equal(true);
      expect(field?.getAttribute('aria-invalid')).to.equal('true');
      expect(field?.closest('.field.wrong')).to.not.equal(null);
    }
  });

  it('keep a wrong answer in its field', async () => {
    const mounted = await mountWidget();
    answer(mounted, 'fundingNeed/amount', 'a lot');
    await press(mounted, 'Continue');
    const amount = mounted.root.querySelector<HTMLInputElement>('#fundingNeed-amount');
    expect(amount?.value).to.equal('a lot');
  });
});

describe('the element', () => {
  it('keeps its properties when it is connected again', async () => {
    const api = new FakeFundingApi();
    const element = document.createElement('funding-application');
    element.api = api;
    document.body.append(element);
    await waitUntil(() => element.shadowRoot?.querySelector('#fundingNeed-amount'));
    const other = document.createElement('div');
    document.body.append(other);
    other.append(element);
    await element.updateComplete;
    expect(api.sessionsOpened).to.equal(1);
    other.remove();
  });

  it('marks optional fields', async () => {
    const api = new FakeFundingApi();
    api.configuration = ok(createConfiguration({ requiredFields: ['taxId'] }));
    const mounted = await mountWidget(api);
    await fillUpTo(mounted, 'business');
    const labelOf = (id: string) => mounted.root.querySelector(`label[for="${id}"]`)?.textContent;
    expect(labelOf('business-taxId')).to.not.include('(optional)');
    expect(labelOf('business-employees')).to.include('(optional)');
  });

  it('removes the errors of fields that are no longer shown', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'owner');
    answer(mounted, 'owner/homeSameAsBusiness', 'no');
    await press(mounted, 'Continue');
    const links = () =>
      [...mounted.root.querySelectorAll('#error-summary li:not(.corrected) a')].map(
        (link) => link.textContent,
      );
    expect(links()).to.include('Enter the street address');
    answer(mounted, 'owner/homeSameAsBusiness', 'yes');
    await mounted.element.updateComplete;
    expect(links()).to.not.include('Enter the street address');
  });
});

describe('an answer that is invalid after a change from the review', () => {
  it('shows its error until it is corrected', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    expect(textOf(mounted)).to.not.include('Check this answer');
    await press(mounted, 'Change');
    answer(mounted, 'fundingNeed/amount', 'abc');
    await press(mounted, 'Back');
    const wrong = [...mounted.root.querySelectorAll('.answers .error')];
    expect(
      wrong.map((line) => line.closest('div')?.querySelector('dt')?.textContent),
    ).to.deep.equal(['Amount you need']);
    await expect(mounted.element).to.be.accessible();
    await press(mounted, 'Change');
    answer(mounted, 'fundingNeed/amount', '80,000');
    await press(mounted, 'Continue');
    expect(textOf(mounted)).to.not.include('Check this answer');
  });
});

describe('Back', () => {
  it('goes one step back, even on a double-click', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'owner');
    for (const detail of [1, 2]) {
      mounted.root
        .querySelector('.back')
        ?.dispatchEvent(new MouseEvent('click', { detail, bubbles: true }));
      await mounted.element.updateComplete;
    }
    expect(headingOf(mounted)).to.equal('Tell us about your business');
  });
});

describe('two applications on one page', () => {
  it('are independent', async () => {
    const [one, other] = [await mountWidget(), await mountWidget()];
    answer(one, 'fundingNeed/amount', '10,000');
    answer(other, 'fundingNeed/amount', '20,000');
    await press(one, 'Continue');
    expect(one.root.querySelectorAll('.error').length).to.equal(1);
    expect(other.root.querySelectorAll('.error').length).to.equal(0);
    const amount = other.root.querySelector<HTMLInputElement>('#fundingNeed-amount');
    expect(amount?.value).to.equal('20,000');
  });
});
