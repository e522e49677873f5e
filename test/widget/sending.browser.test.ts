// The submission of the application, and its messages.

import { expect, waitUntil } from '@open-wc/testing';
import { createConfiguration } from '../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  FakeFundingApi,
  ok,
} from '../support/fake-funding-api.ts';
import {
  answer,
  apply,
  fillForm,
  headingOf,
  mountWidget,
  press,
  signAndSubmit,
  textOf,
  waitForHeading,
} from '../support/mount-widget.ts';

describe('the submission', () => {
  it('sends each set of answers once', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    answer(mounted, 'consents/terms', 'yes');
    answer(mounted, 'signature/name', 'Rosa Núñez');
    const button = mounted.root.querySelector<HTMLButtonElement>('button[type="submit"]');
    button?.click();
    button?.click();
    await waitForHeading(mounted, 'Your application is with the lender');
    expect(mounted.api.submissions.length).to.equal(1);
    expect(textOf(mounted)).to.include(acceptedStatus.reference);
  });

  it('repeats a request without a response under the same key', async () => {
    const mounted = await mountWidget();
    mounted.api.application = fail('network');
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => textOf(mounted).includes('It won’t be sent twice'));
    expect(textOf(mounted)).to.not.include('Nothing has been sent yet');
    mounted.api.application = ok(acceptedStatus);
    await press(mounted, 'Submit application');
    await waitForHeading(mounted, 'Your application is with the lender');
    const [first, second] = mounted.api.submissions;
    expect(second).to.deep.equal(first);
  });

  it('uses a new key for changed answers', async () => {
    const mounted = await mountWidget();
    mounted.api.application = fail('internal');
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => textOf(mounted).includes('Something went wrong on our end'));
    await press(mounted, 'Change Funding need');
    answer(mounted, 'fundingNeed/amount', '80,000');
    await press(mounted, 'Continue');
    await press(mounted, 'Submit application');
    await waitUntil(() => mounted.api.submissions.length === 2);
    const [first, second] = mounted.api.submissions;
    expect(second?.key).to.not.equal(first?.key);
  });

  it('opens the step of a rejected field with its error', async () => {
    const mounted = await mountWidget();
    mounted.api.application = fail('application-rejected', [
      { pointer: '/business/annualRevenue', code: 'rejected' },
    ]);
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitForHeading(mounted, 'Tell us about your business');
    expect(textOf(mounted)).to.include('Check your answer for “Annual revenue”');
    expect(mounted.root.querySelector<HTMLInputElement>('#business-name')?.value).to.equal(
      'Rosa’s Bakery LLC',
    );
  });

  it('moves the focus to the rejected field', async () => {
    const mounted = await mountWidget();
    mounted.api.application = fail('application-rejected');
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => mounted.root.activeElement?.classList.contains('notice'));
  });

  it('shows the application that was submitted earlier', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    mounted.api.application = fail('application-exists');
    await signAndSubmit(mounted);
    await waitForHeading(mounted, 'Your application is with the lender');
    expect(textOf(mounted)).to.include('You already sent an application from this browser');
  });

  it('asks for consents again after their text changed', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    mounted.api.application = fail('consent-required', [
      { pointer: '/consents', code: 'required' },
    ]);
    const consent = {
      id: 'terms',
      version: '2',
      text: 'New.',
      label: 'The new terms',
      required: true,
    };
    mounted.api.configuration = ok(createConfiguration({ consents: [consent] }));
    await signAndSubmit(mounted);
    await waitUntil(() => textOf(mounted).includes('The new terms'));
    expect(mounted.root.querySelector<HTMLInputElement>('#consents-terms')?.checked).to.equal(
      false,
    );
    mounted.api.application = ok(acceptedStatus);
    await signAndSubmit(mounted);
    await waitForHeading(mounted, 'Your application is with the lender');
    expect(JSON.parse(mounted.api.submissions.at(-1)?.body ?? '{}')).to.deep.include({
      consents: [{ id: 'terms', version: '2', locale: 'en' }],
    });
  });

  it('explains that no data was sent without a session', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    mounted.api.application = fail('session-missing');
    await signAndSubmit(mounted);
    await waitUntil(() =>
      textOf(mounted).includes('couldn’t start a session in this browser, so nothing'),
    );
    expect(mounted.api.submissions.length).to.equal(2);
  });

  it('locks the form while it is in progress', async () => {
    const mounted = await mountWidget();
    mounted.api.submitApplication = () => new Promise(() => undefined);
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await press(mounted, 'Change Funding need');
    expect(headingOf(mounted)).to.equal('Review your answers and sign');
  });

  it('starts a new session after the old one expired', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    mounted.api.application = fail('session-missing');
    const openSession = mounted.api.openSession;
    mounted.api.openSession = async () => {
      mounted.api.application = ok(acceptedStatus);
      return openSession();
    };
    await signAndSubmit(mounted);
    await waitForHeading(mounted, 'Your application is with the lender');
  });

  it('describes each status of the application', async () => {
    const mounted = await mountWidget();
    mounted.api.application = ok({ ...acceptedStatus, status: 'received', delayed: true });
    mounted.api.status = mounted.api.application;
    await apply(mounted);
    expect(textOf(mounted)).to.include('We received your application');
    const readOut = () =>
      [...mounted.root.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent);
    expect(readOut().join(' ')).to.include('You don’t need to send it again');
    expect(readOut().join(' ')).to.not.include('Last checked');
    await press(mounted, 'Check again');
    await waitUntil(() => readOut().join(' ').includes('Last checked'));
    mounted.api.status = ok(acceptedStatus);
    await press(mounted, 'Check again');
    await waitForHeading(mounted, 'Your application is with the lender');
  });

  it('explains that a delayed application is safe', async () => {
    const api = new FakeFundingApi();
    const application = { ...acceptedStatus, status: 'received', delayed: true } as const;
    api.session = ok(createSession({ application }));
    const mounted = await mountWidget(api);
    await waitUntil(() => textOf(mounted).includes('hasn’t received it yet'));
    expect(textOf(mounted)).to.include('Questions? 512-555-0199.');
    expect(textOf(mounted)).to.not.match(/fail|error|reject/i);
  });

  it('explains that an unconfirmed application is being checked', async () => {
    const api = new FakeFundingApi();
    api.session = ok(createSession({ application: { ...acceptedStatus, status: 'confirming' } }));
    const mounted = await mountWidget(api);
    await waitUntil(() => textOf(mounted).includes('confirming that the lender received it'));
    await press(mounted, 'Continue to documents');
    expect(textOf(mounted)).to.include('as soon as the lender has your application');
    await press(mounted, 'Continue without documents');
    expect(textOf(mounted)).to.include('as soon as the lender has your application');
  });

  it('shows an application of the session after a reload', async () => {
    const api = new FakeFundingApi();
    api.session = ok(createSession({ application: acceptedStatus }));
    const mounted = await mountWidget(api);
    await waitForHeading(mounted, 'Your application is with the lender');
  });

  it('shows the delay of a rate limit', async () => {
    const mounted = await mountWidget();
    mounted.api.application = { ...fail('too-many-requests'), retryAfterMs: 2_370_000 };
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => textOf(mounted).includes('Try again in about 40 minutes.'));
    mounted.api.application = { ...fail('too-many-requests'), retryAfterMs: 119_000 };
    await press(mounted, 'Submit application');
    await waitUntil(() => textOf(mounted).includes('Wait a minute and try again.'));
  });

  it('needs no session before the request', async () => {
    const api = new FakeFundingApi();
    api.session = { ...fail('too-many-requests'), retryAfterMs: 40_000 };
    const mounted = await mountWidget(api);
    await fillForm(mounted);
    expect(mounted.root.querySelector('[role="alert"]')).to.equal(null);
    api.session = ok(createSession());
    await signAndSubmit(mounted);
    await waitForHeading(mounted, 'Your application is with the lender');
  });

  it('retries by itself when the configuration is rate limited', async () => {
    const api = new FakeFundingApi();
    api.configuration = { ...fail('too-many-requests'), retryAfterMs: 40_000 };
    const mounted = await mountWidget(api);
    expect(headingOf(mounted)).to.equal('We can’t load the application right now');
    expect(textOf(mounted)).to.include('This page keeps trying');
    expect(textOf(mounted)).to.not.include('Check your connection');
    expect(mounted.root.querySelector('button')).to.equal(null);
    await expect(mounted.element).to.be.accessible();
  });

  it('explains why the form cannot be loaded', async () => {
    const api = new FakeFundingApi();
    api.configuration = fail('origin-refused');
    const mounted = await mountWidget(api);
    expect(textOf(mounted)).to.include('This form isn’t set up correctly on this website.');
  });

  it('offers to try again when the form cannot be loaded', async () => {
    const api = new FakeFundingApi();
    api.configuration = fail('network');
    const mounted = await mountWidget(api);
    expect(headingOf(mounted)).to.equal('We can’t load the application right now');
    api.configuration = ok(createConfiguration());
    await press(mounted, 'Try again');
    await waitForHeading(mounted, 'How much funding');
  });
});
