// Host pages that change built-in prototypes or load the script twice.

import { expect } from '@open-wc/testing';
import { apiResponseHeaders, contractVersion } from '../../shared/api/paths.ts';
import { createFundingApi } from '../../widget/api/funding-api.ts';
import { createConfiguration } from '../support/configuration.ts';
import { apply, mountWidget } from '../support/mount-widget.ts';

describe('a page that adds properties to built-in prototypes', () => {
  const prototypes = [Object.prototype, Array.prototype, String.prototype];

  beforeEach(() => {
    for (const prototype of prototypes) Reflect.set(prototype, 'addedByThePage', () => 'added');
  });

  afterEach(() => {
    for (const prototype of prototypes) Reflect.deleteProperty(prototype, 'addedByThePage');
  });

  it('does not change how responses are read', async () => {
    const { fetch } = window;
    const headers = { [apiResponseHeaders.contractVersion]: contractVersion };
    window.fetch = async () => Response.json(createConfiguration(), { headers });
    const result = await createFundingApi('https://bff.example').getConfiguration();
    window.fetch = fetch;

    expect(result).to.have.property('ok', true);
  });

  it('does not change what is sent', async () => {
    const mounted = await mountWidget();
    await apply(mounted);

    const [submission] = mounted.api.submissions;
    expect(submission?.body).to.include('"Rosa’s Bakery LLC"');
    expect(submission?.body).to.not.include('addedByThePage');
  });
});

describe('a page that loads the script twice', () => {
  it('keeps the first element class', async () => {
    const first = customElements.get('funding-application');
    const again: string = '/built-widget/funding-application.js?again';
    await import(again);

    expect(customElements.get('funding-application')).to.equal(first);
    expect((await mountWidget()).root.querySelector('form')).to.not.equal(null);
  });
});
