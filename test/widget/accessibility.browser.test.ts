// Accessibility of the form: axe finds no violation on any step in any state, in light and dark mode.

import { fixture, html, waitUntil } from '@open-wc/testing';
import type { FundingApplication } from '../../widget/funding-application.ts';
import { formSteps } from '../../widget/app/navigation.ts';
import { expectGood } from '../support/axe.ts';
import { createConfiguration } from '../support/configuration.ts';
import { createSession, fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  answer,
  fillForm,
  fillUpTo,
  mountAgain,
  mountWidget,
  press,
  signAndSubmit,
  textOf,
  waitForHeading,
} from '../support/mount-widget.ts';

const minuteMs = 60_000;

describe('before the form', () => {
  it('the start page has no violation', async () => {
    const api = new FakeFundingApi();
    const support = { name: 'Millstone', phone: '512-555-0199', email: 'help@millstone.example' };
    api.configuration = ok(createConfiguration({ support }));
    await expectGood(await mountWidget(api, {}));
  });

  it('the skeleton has no violation', async () => {
    const api = new FakeFundingApi();
    api.getConfiguration = () => new Promise(() => undefined);
    const element = await fixture<FundingApplication>(
      html`<funding-application .api=${api}></funding-application>`,
    );
    await expectGood({ element, root: element.shadowRoot! });
  });

  it('a form that cannot be loaded has no violation', async () => {
    const api = new FakeFundingApi();
    api.configuration = fail('network');
    await expectGood(await mountWidget(api));
  });
});

describe('the form', () => {
  for (const step of formSteps) {
    it(`has no violation on the step ${step}, empty and wrong`, async () => {
      const mounted = await mountWidget();
      await fillUpTo(mounted, step);
      await expectGood(mounted);
      await press(mounted, step === 'review' ? 'Submit application' : 'Continue');
      await waitUntil(() => mounted.root.querySelector('#error-summary'));
      await expectGood(mounted);
    });
  }

  it('has no violation when it is filled in', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    for (const step of formSteps.slice(0, -1)) {
      mounted.element.goTo(step);
      await expectGood(mounted);
      await press(mounted, 'Continue');
    }
  });

  it('has no violation in Spanish', async () => {
    const mounted = await mountWidget();
    await press(mounted, 'Español');
    await waitForHeading(mounted, '¿Cuánto');
    await press(mounted, 'Continuar');
    await expectGood(mounted);
  });

  it('has no violation while a picker is open', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'business');
    const industry = mounted.root.querySelector<HTMLInputElement>('#business-industry')!;
    industry.focus();
    industry.value = 'res';
    industry.dispatchEvent(new Event('input', { bubbles: true }));
    await waitUntil(() => mounted.root.querySelector('[role="option"]'));
    await expectGood(mounted);
  });

  it('has no violation after a failed or rejected submission', async () => {
    const api = new FakeFundingApi();
    const mounted = await mountWidget(api);
    await fillForm(mounted);
    api.application = fail('invalid-request', [{ pointer: '/owner/phone', code: 'rejected' }]);
    await signAndSubmit(mounted);
    await waitForHeading(mounted, 'Tell us about yourself');
    await expectGood(mounted);
    await press(mounted, 'Continue');
    api.application = fail('service-unavailable');
    await press(mounted, 'Submit application');
    await waitUntil(() => textOf(mounted).includes('isn’t responding'));
    await expectGood(mounted);
  });
});

describe('the frame around the steps', () => {
  it('has no violation after a reload', async () => {
    const first = await mountWidget();
    answer(first, 'fundingNeed/amount', '75,000');
    first.element.remove();
    const mounted = await mountAgain();
    await waitUntil(() => textOf(mounted).includes('still here'));
    await expectGood(mounted);
    await press(mounted, 'Clear my answers');
    await expectGood(mounted);
  });

  it('has no violation with a notice about the session or the connection', async () => {
    const api = new FakeFundingApi();
    const expiresAt = new Date(Date.now() + 5 * minuteMs).toISOString();
    api.session = ok(createSession({ expiresAt }));
    const mounted = await mountWidget(api);
    await waitUntil(() => textOf(mounted).includes('Your session times out at'));
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    dispatchEvent(new Event('offline'));
    await waitUntil(() => textOf(mounted).includes('You’re offline'));
    await expectGood(mounted);
    Reflect.deleteProperty(navigator, 'onLine');
    dispatchEvent(new Event('online'));
  });
});
