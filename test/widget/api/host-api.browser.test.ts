// The form with a host page whose `api` has errors, or whose browser lacks `crypto.randomUUID`. safe-api.test.ts has every method.

import { english } from '../../support/messages.ts';
import { expect } from '@open-wc/testing';
import { createConfiguration } from '../../support/configuration.ts';
import { FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import { createApi, mountWidget } from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const sentence = english['problem.internal'];

function throwSecret(): never {
  throw new Error('secret');
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
    const api = createApi({ getConfiguration: throwSecret });
    const mounted = await mountWidget(api);
    expect(mounted.text).to.include(sentence);
    expect(warnings.join())
      .to.include('"api.getConfiguration" failed')
      .and.to.not.include('secret');
    api.getConfiguration = new FakeFundingApi().getConfiguration;
    await mounted.press('Try again');
    await mounted.waitForHeading('How much funding');
  });

  it('can be submitted after a challenge that failed', async () => {
    const challenge = { provider: 'turnstile', siteKey: 'key' };
    const mounted = await mountWidget({ configuration: ok(createConfiguration({ challenge })) });
    mounted.element.challenge = throwSecret;
    await mounted.fillForm();
    await mounted.signAndSubmit();
    await mounted.waitForText(english['problem.challenge-required']);
    expect(warnings.join()).to.include('"challenge" failed').and.to.not.include('secret');
    mounted.element.challenge = async () => 'token';
    await mounted.press('Submit application');
    await waitUntil(() => mounted.api.submissions.length === 1);
  });
});

describe('a form without crypto.randomUUID', () => {
  before(() =>
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true }),
  );

  after(() => Reflect.deleteProperty(crypto, 'randomUUID'));

  it('submits with a UUID', async () => {
    const mounted = await mountWidget();
    await mounted.fillForm();
    await mounted.signAndSubmit();
    await waitUntil(() => mounted.api.submissions.length === 1);
    expect(mounted.api.submissions[0]!.key).to.match(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  });
});
