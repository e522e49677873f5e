// Closing the application on a shared device: its data disappears, and unsent files need a confirmation.

import { expect } from '@open-wc/testing';
import { acceptedStatus, fail, ok } from '../support/fake-funding-api.ts';
import { mountAfter, mountDocuments, mountWidget, type Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

const finish = 'Close my application on this device';
const ended = 'Your session has ended. Nothing you sent';
const toNextStep = (mounted: Mounted) => mounted.press(/^\s*Continue/);

async function close(mounted: Mounted): Promise<void> {
  await mounted.press(finish);
  await mounted.waitForHeading('Your application is closed on this device');
}

describe('closing', () => {
  it('is possible on each step after the submission only', async () => {
    const mounted = await mountWidget();
    expect(mounted.text).to.not.include(finish);
    await mounted.apply();
    for (let step = 0; step < 3; step += 1) {
      expect(mounted.text).to.include(finish);
      await toNextStep(mounted);
    }
    await mounted.waitForHeading('You prequalify');
    expect(mounted.text).to.include(finish);
  });

  it('removes the application from the page, for the next applicant', async () => {
    const mounted = await mountWidget();
    await mounted.apply();
    await close(mounted);
    const shown = mounted.root.textContent ?? '';
    expect(shown).to.not.include(acceptedStatus.reference);
    expect(shown).to.include('This doesn’t change what you sent');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    expect(mounted.api.sessionsEnded).to.equal(1);
    await mounted.press('Start another application');
    await mounted.waitForHeading('How much funding');
    expect(mounted.valueAt('fundingNeed/amount')).to.equal('');
    expect(mounted.api.sessionsOpened).to.equal(2);
  });

  it('removes file names from the live region too', async () => {
    const mounted = await mountDocuments();
    await mounted.choosePdfs('DL front.pdf');
    await waitUntil(() => mounted.announcement.includes('DL front.pdf: sent'));
    await close(mounted);
    expect(mounted.root.textContent).to.not.include('DL front.pdf');
  });

  it('warns about unsent files before it aborts them', async () => {
    const mounted = await mountDocuments();
    let wasAborted = false;
    mounted.api.handleUpload = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          wasAborted = true;
          resolve(fail('network'));
        });
      });
    await mounted.choosePdfs('march.pdf');
    await mounted.press(finish);
    await waitUntil(() => mounted.root.activeElement?.id === 'finish-unsent');
    expect(mounted.text).to.include('haven’t been uploaded. Wait for them');
    await expect(mounted.element).to.be.accessible();
    expect(wasAborted).to.equal(false);
    await close(mounted);
    expect(wasAborted).to.equal(true);
    await new Promise(requestAnimationFrame);
    expect(mounted.root.textContent).to.not.include('march.pdf');
  });

  it('keeps the page if the session could not be ended', async () => {
    const mounted = await mountAfter({ ended: fail('network') });
    await mounted.press(finish);
    await mounted.waitForText('We couldn’t reach our server');
    expect(mounted.text).to.include(acceptedStatus.reference);
    mounted.api.ended = ok(undefined);
    await close(mounted);
  });

  it('tells other elements with the same session, as in another tab', async () => {
    const mounted = await mountAfter();
    const other = await mountAfter();
    other.api.session = fail('session-missing');
    await mounted.press(finish);
    await other.waitForText(ended);
    expect(other.text).to.include(acceptedStatus.reference);
  });
});

describe('a browser without cookies', () => {
  // documents.test.ts and offers-step.test.ts have the sentences of the next steps.
  it('shows that the application is available on this page only', async () => {
    const mounted = await mountWidget({ endsWithPage: true });
    await mounted.apply();
    expect(mounted.text).to.include('after you close or reload this page');
  });
});

describe('a lost session', () => {
  it('is noticed on the documents step, which then asks for no files', async () => {
    const mounted = await mountDocuments();
    mounted.api.session = fail('session-missing');
    await mounted.waitForText(ended);
    expect(mounted.text).to.not.include('Choose files');
    expect(mounted.text).to.include('Close my application');
  });
});
