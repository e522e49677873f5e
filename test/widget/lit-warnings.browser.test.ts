// The only test of the widget's sources with Lit's development mode, which reports mistakes that the production build ignores.

import { expect, fixture, html } from '@open-wc/testing';
import { FundingApplication } from '../../widget/funding-application.ts';
import { FakeFundingApi } from '../support/fake-funding-api.ts';
import { waitUntil } from '../support/wait-until.ts';

describe("Lit's development mode", () => {
  it('has no warnings about the element', async () => {
    customElements.define('funding-application', FundingApplication);
    const element = await fixture<FundingApplication>(
      html`<funding-application .api=${new FakeFundingApi()}></funding-application>`,
    );
    await waitUntil(() => element.shadowRoot?.querySelector('h2'));

    const warnings = [...Reflect.get(window, 'litIssuedWarnings')];
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('Lit is in dev mode');
  });
});
