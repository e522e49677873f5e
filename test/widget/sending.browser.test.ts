// The submission of the application, its messages, and a form that cannot be loaded.

import { expect } from '@open-wc/testing';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import {
  acceptedStatus,
  fail,
  type FakeFundingApi,
  ok,
  receivedStatus,
  withApplication,
} from '../support/fake-funding-api.ts';
import { mountWidget, type Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

const isSent = 'Your application is with the lender';
const delayed = ok({ ...receivedStatus, delayed: true });
const isNotLoaded = 'We can’t load the application right now';

/** A complete form. Its submission has this response. */
async function submit(application: FakeFundingApi['application']): Promise<Mounted> {
  const mounted = await mountWidget({ application });
  await mounted.fillForm();
  await mounted.signAndSubmit();
  return mounted;
}

describe('the submission', () => {
  it('moves the focus to the notice of a rejection without a field', async () => {
    const mounted = await submit(fail('application-rejected'));
    await waitUntil(() => mounted.root.activeElement?.getAttribute('part')?.includes('notice'));
  });

  it('says after a lost response that nothing is sent twice', async () => {
    const mounted = await submit(fail('network'));
    await mounted.waitForText('It won’t be sent twice');
    expect(mounted.text).to.not.include('Nothing has been sent yet');
  });

  // Each set of answers has one key, and is sent again unchanged: submission.test.ts.
  for (const [code, sentence, retryAfterMs] of [
    ['application-exists', 'You already sent an application from this browser'],
    ['session-missing', 'couldn’t start a session in this browser, so nothing'],
    ['too-many-requests', 'Try again in about 40 minutes.', 2_370_000],
    ['too-many-requests', 'Wait a minute and try again.', 119_000],
  ] as const) {
    it(`explains ${code}: ${sentence}`, async () => {
      await (await submit({ ...fail(code), retryAfterMs })).waitForText(sentence);
    });
  }
});

describe('the status of the application', () => {
  const mountStatus = (changes: Partial<ApplicationStatus>) =>
    mountWidget(withApplication({ ...acceptedStatus, ...changes }));

  it('is announced after a click', async () => {
    const mounted = await mountWidget({ application: delayed, status: delayed });
    await mounted.apply();
    const readOut = () =>
      mounted
        .findAll('[role="status"]')
        .map(({ textContent }) => textContent)
        .join(' ');
    expect(readOut()).to.include('You don’t need to send it again');
    expect(readOut()).to.not.include('Last checked');
    await mounted.press('Check again');
    await waitUntil(() => readOut().includes('Last checked'));
    mounted.api.status = ok(acceptedStatus);
    await mounted.press('Check again');
    await mounted.waitForHeading(isSent);
  });

  it('explains that a delayed application is safe', async () => {
    const mounted = await mountStatus({ status: 'received', delayed: true });
    await mounted.waitForText('hasn’t received it yet');
    expect(mounted.text).to.include('Questions? 512-555-0199.');
    expect(mounted.text).to.not.match(/fail|error|reject/i);
  });

  it('explains that an unconfirmed application is being checked', async () => {
    const mounted = await mountStatus({ status: 'confirming' });
    await mounted.waitForText('confirming that the lender received it');
    for (const button of ['Continue to documents', 'Continue without documents']) {
      await mounted.press(button);
      expect(mounted.text).to.include('as soon as the lender has your application');
    }
  });
});

describe('a form that cannot be loaded', () => {
  it('explains a rate limit, after which it retries by itself', async () => {
    const configuration = { ...fail('too-many-requests'), retryAfterMs: 40_000 };
    const mounted = await mountWidget({ configuration });
    expect(mounted.heading).to.equal(isNotLoaded);
    expect(mounted.text).to.include('This page keeps trying');
    expect(mounted.text).to.not.include('Check your connection');
    expect(mounted.root.querySelector('button')).to.equal(null);
    await expect(mounted.element).to.be.accessible();
  });

  it('explains a wrong set-up', async () => {
    const mounted = await mountWidget({ configuration: fail('origin-refused') });
    expect(mounted.text).to.include('This form isn’t set up correctly on this website.');
  });
});
