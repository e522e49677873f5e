// The form with a host page whose `api` has errors, or whose browser lacks `crypto.randomUUID`.

import { english } from '../../support/messages.ts';
import { expect, waitUntil } from '@open-wc/testing';
import type { FundingApi } from '../../../widget/api/funding-api.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import {
  chooseFiles,
  chooseCategory,
  createFile,
  fillForm,
  goTo,
  mountAfter,
  mountWidget,
  press,
  signAndSubmit,
  textOf,
  waitForHeading,
} from '../../support/mount-widget.ts';

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
    await waitUntil(() => textOf(mounted).includes(sentence));
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
    await chooseFiles(mounted, [createFile('scan.pdf', 'application/pdf')]);
    chooseCategory(mounted, 'scan.pdf', 'drivers-license');
    await press(mounted, /^\s*Send/);
    await waitUntil(() => textOf(mounted).includes(sentence));
    mounted.api.uploadDocument = uploadDocument;
    await press(mounted, /^\s*Retry/);
    await waitUntil(() => mounted.api.uploads.length === 1);
  });

  it('can look for offers again', async () => {
    const mounted = await mountAfter();
    const { getOffers } = mounted.api;
    breakMethod(mounted.api, 'getOffers');
    await goTo(mounted, 'offers');
    await waitUntil(() => textOf(mounted).includes(sentence));
    mounted.api.getOffers = getOffers;
    await press(mounted, /Check now/);
    await waitUntil(() => mounted.api.offersRequests > 0);
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
