// The form with a host page whose `api` has errors, or whose browser lacks `crypto.randomUUID`.

import { english } from '../../support/messages.ts';
import { expect } from '@open-wc/testing';
import type { FundingApi } from '../../../widget/api/funding-api.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  FakeFundingApi,
  ok,
} from '../../support/fake-funding-api.ts';
import {
  choosePdfs,
  fillForm,
  goTo,
  mountAfter,
  mountWidget,
  press,
  signAndSubmit,
  textOf,
  waitForHeading,
  waitForText,
} from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const sentence = english['problem.internal'];

function breakMethod(api: FakeFundingApi, method: keyof FundingApi): void {
  Reflect.set(api, method, () => {
    throw new Error('secret');
  });
}

describe('a form whose api throws', () => {
  let warnings: string[];
  const { warn } = console;

  beforeEach(() => {
    warnings = [];
    Reflect.set(console, 'warn', (...words: unknown[]) => warnings.push(words.join(' ')));
  });

  afterEach(() => Reflect.set(console, 'warn', warn));

  it('offers another attempt in place of the form', async () => {
    const api = new FakeFundingApi();
    const { getConfiguration } = api;
    breakMethod(api, 'getConfiguration');
    const mounted = await mountWidget(api);
    expect(textOf(mounted)).to.include(sentence);
    expect(warnings.join())
      .to.include('"api.getConfiguration" failed')
      .and.to.not.include('secret');
    api.getConfiguration = getConfiguration;
    await press(mounted, 'Try again');
    await waitForHeading(mounted, 'How much funding');
  });

  it('can be filled in without a session', async () => {
    const api = new FakeFundingApi();
    breakMethod(api, 'openSession');
    const mounted = await mountWidget(api);
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => api.submissions.length === 1);
  });

  it('can submit again', async () => {
    const api = new FakeFundingApi();
    const { submitApplication } = api;
    breakMethod(api, 'submitApplication');
    const mounted = await mountWidget(api);
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitForText(mounted, sentence);
    api.submitApplication = submitApplication;
    await press(mounted, 'Submit application');
    await waitUntil(() => api.submissions.length === 1);
  });

  it('can submit after a challenge that failed', async () => {
    const api = new FakeFundingApi();
    const challenge = { provider: 'turnstile', siteKey: 'key' };
    api.configuration = ok(createConfiguration({ challenge }));
    const mounted = await mountWidget(api);
    mounted.element.challenge = () => {
      throw new Error('secret');
    };
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => textOf(mounted).includes(english['problem.challenge-required']));
    expect(warnings.join()).to.include('"challenge" failed').and.to.not.include('secret');
    mounted.element.challenge = async () => 'token';
    await press(mounted, 'Submit application');
    await waitUntil(() => api.submissions.length === 1);
  });

  it('can send a document again', async () => {
    const mounted = await mountAfter();
    const { uploadDocument } = mounted.api;
    breakMethod(mounted.api, 'uploadDocument');
    await goTo(mounted, 'documents');
    await choosePdfs(mounted, 'scan.pdf');
    await waitForText(mounted, sentence);
    mounted.api.uploadDocument = uploadDocument;
    await press(mounted, /^\s*Retry/);
    await waitUntil(() => mounted.api.uploads.length === 1);
  });

  it('can check for offers again', async () => {
    const mounted = await mountAfter();
    const { getOffers } = mounted.api;
    breakMethod(mounted.api, 'getOffers');
    await goTo(mounted, 'offers');
    await waitForText(mounted, sentence);
    mounted.api.getOffers = getOffers;
    await press(mounted, /Check now/);
    await waitUntil(() => mounted.api.offersRequests > 0);
  });

  it('can check the status of the application again', async () => {
    const api = new FakeFundingApi();
    const application = { ...acceptedStatus, status: 'received' } as const;
    api.session = ok(createSession({ application }));
    const { getApplication } = api;
    breakMethod(api, 'getApplication');
    const mounted = await mountWidget(api);
    await waitUntil(() => mounted.root.querySelector('.reference'));
    await press(mounted, 'Check again');
    await waitForText(mounted, sentence);
    api.getApplication = getApplication;
    await press(mounted, 'Check again');
    await waitForHeading(mounted, 'Your application is with the lender');
  });

  it('can extend the session again', async () => {
    const toExpiry = (ms: number) => new Date(Date.now() + ms).toISOString();
    const api = new FakeFundingApi();
    api.session = ok(createSession({ expiresAt: toExpiry(300_700) }));
    const { getSession } = api;
    breakMethod(api, 'getSession');
    const mounted = await mountWidget(api);
    await waitForText(mounted, 'Your session times out');
    await press(mounted, 'Give me more time');
    await waitForText(mounted, sentence);
    api.getSession = getSession;
    api.session = ok(createSession({ expiresAt: toExpiry(3_600_000) }));
    await press(mounted, 'Give me more time');
    await waitUntil(() => !textOf(mounted).includes('Your session times out'));
  });

  it('can close the application again', async () => {
    const mounted = await mountAfter();
    const { endSession } = mounted.api;
    breakMethod(mounted.api, 'endSession');
    await press(mounted, 'Close my application');
    await waitForText(mounted, sentence);
    mounted.api.endSession = endSession;
    await press(mounted, 'Close my application');
    await waitForHeading(mounted, 'Your application is closed');
  });

  it('can send a bank report again', async () => {
    const mounted = await mountAfter();
    const { submitAssetReport } = mounted.api;
    breakMethod(mounted.api, 'submitAssetReport');
    await goTo(mounted, 'bank');
    const failure = await mounted.element.submitAssetReport({}).catch((error: unknown) => error);
    expect(failure).to.include({ name: 'FundingError', code: 'internal' });
    await waitForText(mounted, sentence);
    mounted.api.submitAssetReport = submitAssetReport;
    await mounted.element.submitAssetReport({});
    await mounted.element.updateComplete;
    expect(textOf(mounted)).to.not.include(sentence);
  });

  it('can ask for contact again', async () => {
    const mounted = await mountAfter();
    const { enableContact } = mounted.api;
    breakMethod(mounted.api, 'enableContact');
    await goTo(mounted, 'offers');
    mounted.root.querySelector('summary')?.click();
    const consent = () => mounted.root.querySelector<HTMLInputElement>('#contact-consent');
    consent()?.click();
    await press(mounted, 'Allow contact again');
    await waitForText(mounted, sentence);
    mounted.api.enableContact = enableContact;
    consent()?.click();
    await press(mounted, 'Allow contact again');
    await waitUntil(() => mounted.api.contacts.length === 1);
  });
});

describe('a form without crypto.randomUUID', () => {
  before(() =>
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true }),
  );

  after(() => Reflect.deleteProperty(crypto, 'randomUUID'));

  it('submits with a UUID', async () => {
    const api = new FakeFundingApi();
    const mounted = await mountWidget(api);
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => api.submissions.length === 1);
    expect(api.submissions[0]!.key).to.match(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  });
});
