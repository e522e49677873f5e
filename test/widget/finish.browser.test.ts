// Closing the application on a shared device: its data disappears, and unsent files need a confirmation.

import { expect } from '@open-wc/testing';
import { sessionMaxHours } from '../../shared/api/session-lifetime.ts';
import { acceptedStatus, fail, ok } from '../support/fake-funding-api.ts';
import {
  announcementOf,
  apply,
  choosePdfs,
  mountAfter,
  mountDocuments,
  mountWidget,
  press,
  sendPdf,
  textOf,
  waitForHeading,
  waitForText,
  type Mounted,
} from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

const finish = 'Close my application on this device';
const ended = 'Your session has ended. Nothing you sent';
const toNextStep = (mounted: Mounted) => press(mounted, /^\s*Continue/);

async function close(mounted: Mounted): Promise<void> {
  await press(mounted, finish);
  await waitForHeading(mounted, 'Your application is closed on this device');
}

describe('closing', () => {
  it('is possible on each step after the submission only', async () => {
    const mounted = await mountWidget();
    expect(textOf(mounted)).to.not.include(finish);
    await apply(mounted);
    for (let step = 0; step < 3; step += 1) {
      expect(textOf(mounted)).to.include(finish);
      await toNextStep(mounted);
    }
    await waitForHeading(mounted, 'You prequalify');
    expect(textOf(mounted)).to.include(finish);
  });

  it('removes the application from the page, for the next applicant', async () => {
    const mounted = await mountWidget();
    await apply(mounted);
    await close(mounted);
    const shown = mounted.root.textContent ?? '';
    expect(shown).to.not.include(acceptedStatus.reference);
    expect(shown).to.include('This doesn’t change what you sent');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    expect(mounted.api.sessionsEnded).to.equal(1);
    await press(mounted, 'Start another application');
    await waitForHeading(mounted, 'How much funding');
    expect(mounted.root.querySelector<HTMLInputElement>('#fundingNeed-amount')?.value).to.equal('');
    expect(mounted.api.sessionsOpened).to.equal(2);
  });

  it('is possible for the host page before the submission', async () => {
    const mounted = await mountWidget();
    await mounted.element.finish();
    await waitForHeading(mounted, 'Your application is closed on this device');
  });

  it('removes file names from the live region too', async () => {
    const mounted = await mountDocuments();
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await waitUntil(() => announcementOf(mounted).includes('march.pdf: sent'));
    await close(mounted);
    expect(mounted.root.textContent).to.not.include('march.pdf');
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
    await choosePdfs(mounted, 'march.pdf');
    await press(mounted, finish);
    await waitUntil(() => mounted.root.activeElement?.id === 'finish-unsent');
    expect(textOf(mounted)).to.include('haven’t been uploaded. Wait for them');
    await expect(mounted.element).to.be.accessible();
    expect(wasAborted).to.equal(false);
    await close(mounted);
    expect(wasAborted).to.equal(true);
    await new Promise(requestAnimationFrame);
    expect(mounted.root.textContent).to.not.include('march.pdf');
  });

  it('keeps the page if the session could not be ended', async () => {
    const mounted = await mountAfter({ ended: fail('network') });
    await press(mounted, finish);
    await waitForText(mounted, 'We couldn’t reach our server');
    expect(textOf(mounted)).to.include(acceptedStatus.reference);
    mounted.api.ended = ok(undefined);
    await close(mounted);
  });

  it('tells other elements with the same session, as in another tab', async () => {
    const mounted = await mountAfter();
    const other = await mountAfter();
    other.api.session = fail('session-missing');
    await press(mounted, finish);
    await waitForText(other, ended);
    expect(textOf(other)).to.include(acceptedStatus.reference);
  });
});

describe('a browser without cookies', () => {
  it('shows that the application is available on this page only', async () => {
    const mounted = await mountWidget({ endsWithPage: true });
    await apply(mounted);
    expect(textOf(mounted)).to.include('after you close or reload this page');
    await toNextStep(mounted);
    expect(textOf(mounted)).to.include('come back while this page is open');
    await toNextStep(mounted);
    await toNextStep(mounted);
    await waitForHeading(mounted, 'You prequalify');
    expect(textOf(mounted)).to.include('while it’s open');
    expect(textOf(mounted)).to.not.include('in this browser');
  });

  it('shows no notice if cookies work', async () => {
    const mounted = await mountAfter();
    expect(textOf(mounted)).to.not.include('close or reload this page');
    await toNextStep(mounted);
    const text = `come back in this browser within ${sessionMaxHours} hours`;
    expect(textOf(mounted)).to.include(text);
  });
});

describe('a lost session', () => {
  it('is noticed on the documents step, which then asks for no files', async () => {
    const mounted = await mountDocuments();
    mounted.api.session = fail('session-missing');
    await waitForText(mounted, ended);
    expect(textOf(mounted)).to.not.include('Choose files');
    expect(textOf(mounted)).to.include('Close my application');
  });

  it('is noticed by an upload', async () => {
    const mounted = await mountDocuments({ handleUpload: async () => fail('session-missing') });
    await sendPdf(mounted, 'statement.pdf', 'bank-statements-jan');
    await waitForText(mounted, 'Your session has ended.');
    expect(mounted.root.querySelector('[type="file"]')).to.equal(null);
  });
});
