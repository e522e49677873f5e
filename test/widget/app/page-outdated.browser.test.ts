// A page whose element has another contract version than the BFF.

import { expect } from '@open-wc/testing';
import { acceptedStatus, fail, ok } from '../../support/fake-funding-api.ts';
import { mountWidget } from '../../support/mount-widget.ts';
import { waitUntil } from '../../support/wait-until.ts';

const sentence = 'This page is out of date. Reload it to continue.';
const reload = 'Reload this page';

describe('an outdated page', () => {
  it('offers a reload instead of the form', async () => {
    const mounted = await mountWidget({ configuration: fail('page-outdated') });
    expect(mounted.text).to.include(sentence);
    const buttons = mounted.findAll('button');
    expect(buttons.map((button) => button.textContent?.trim())).to.deep.equal([reload]);
  });

  it('offers a reload after a submission, which is repeated before other answers are sent', async () => {
    const mounted = await mountWidget({ application: fail('page-outdated') });
    const { api } = mounted;
    await mounted.fillForm();
    await mounted.signAndSubmit();
    await mounted.waitForText(sentence);
    expect(mounted.text).to.include(reload);
    api.application = ok(acceptedStatus);
    await mounted.signAndSubmit();
    await waitUntil(() => api.submissions.length === 2);
    expect(api.submissions[1]).to.deep.equal(api.submissions[0]);
  });
});
