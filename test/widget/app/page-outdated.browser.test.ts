// A page whose element has another contract version than the BFF.

import { expect } from '@open-wc/testing';
import { acceptedStatus, fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import { fillForm, mountWidget, signAndSubmit, textOf } from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const sentence = 'This page is out of date. Reload it to continue.';

function listButtons(root: ShadowRoot): string[] {
  return [...root.querySelectorAll('button')].map((button) => button.textContent?.trim() ?? '');
}

describe('an outdated page', () => {
  it('offers a reload instead of the form', async () => {
    const api = new FakeFundingApi();
    api.configuration = fail('page-outdated');
    const mounted = await mountWidget(api);
    expect(textOf(mounted)).to.include(sentence);
    expect(listButtons(mounted.root)).to.deep.equal(['Reload this page']);
  });

  it('offers a reload after a submission', async () => {
    const api = new FakeFundingApi();
    api.application = fail('page-outdated');
    const mounted = await mountWidget(api);
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => mounted.root.querySelector('[role=alert] button'));
    expect(textOf(mounted)).to.include(sentence);
    expect(listButtons(mounted.root)).to.include('Reload this page');
  });

  it('repeats the unread submission before it sends other answers', async () => {
    const api = new FakeFundingApi();
    api.application = fail('page-outdated');
    const mounted = await mountWidget(api);
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitUntil(() => mounted.root.querySelector('[role=alert] button'));
    api.application = ok(acceptedStatus);
    await signAndSubmit(mounted);
    await waitUntil(() => api.submissions.length === 2);
    expect(api.submissions[1]).to.deep.equal(api.submissions[0]);
  });
});
