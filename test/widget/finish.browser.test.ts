// Closing the application on a shared device: its data disappears, and unsent files need a confirmation.

import { expect, waitUntil } from '@open-wc/testing';
import { sessionMaxHours } from '../../shared/api/session-lifetime.ts';
import { acceptedStatus, fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  announcementOf,
  apply,
  choosePdfs,
  goTo,
  mountAfter,
  mountWidget,
  press,
  sendPdf,
  textOf,
  waitForHeading,
} from '../support/mount-widget.ts';

const finish = 'Close my application on this device';

describe('finishing', () => {
  it('is possible on each step after the submission only', async () => {
    const mounted = await mountWidget();
    expect(textOf(mounted)).to.not.include(finish);
    await apply(mounted);
    expect(textOf(mounted)).to.include(finish);
    await press(mounted, 'Continue to documents');
    expect(textOf(mounted)).to.include(finish);
    await press(mounted, /^\s*Continue/);
    expect(textOf(mounted)).to.include(finish);
    await press(mounted, /^\s*Continue/);
    await waitForHeading(mounted, 'You prequalify');
    expect(textOf(mounted)).to.include(finish);
  });

  it('ends the session', async () => {
    const mounted = await mountWidget();
    await apply(mounted);
    await press(mounted, finish);
    await waitForHeading(mounted, 'Your application is closed on this device');
    expect(mounted.api.sessionsEnded).to.equal(1);
  });

  it('removes the application from the page', async () => {
    const mounted = await mountWidget();
    await apply(mounted);
    await press(mounted, finish);
    await waitForHeading(mounted, 'Your application is closed on this device');
    const shown = mounted.root.textContent ?? '';
    expect(shown).to.not.include(acceptedStatus.reference);
    expect(shown).to.include('This doesn’t change what you sent');
    expect(mounted.root.activeElement?.id).to.equal('step-heading');
    await expect(mounted.element).to.be.accessible();
  });

  it('shows the final page when the host page ends the session early', async () => {
    const mounted = await mountWidget();
    await mounted.element.finish();
    await waitForHeading(mounted, 'Your application is closed on this device');
  });

  it('removes file names from the live region too', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await waitUntil(() => announcementOf(mounted).includes('march.pdf: sent'));
    await press(mounted, finish);
    await waitForHeading(mounted, 'Your application is closed');
    expect(mounted.root.textContent).to.not.include('march.pdf');
  });

  it('warns once about files that were not sent', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'march.pdf');
    await press(mounted, finish);
    await waitUntil(() => mounted.root.activeElement?.id === 'finish-unsent');
    expect(textOf(mounted)).to.include('haven’t been uploaded. Wait for them');
    expect(mounted.api.sessionsEnded).to.equal(0);
    await expect(mounted.element).to.be.accessible();
    await press(mounted, finish);
    await waitForHeading(mounted, 'Your application is closed');
  });

  it('warns again on another step', async () => {
    const mounted = await mountAfter();
    await goTo(mounted, 'documents');
    mounted.api.handleUpload = () => new Promise(() => undefined);
    await choosePdfs(mounted, 'march.pdf');
    await press(mounted, finish);
    await press(mounted, 'Back');
    await press(mounted, finish);
    await mounted.element.updateComplete;
    expect(mounted.api.sessionsEnded).to.equal(0);
    expect(textOf(mounted)).to.include('haven’t been uploaded. Wait for them');
  });

  it('aborts uploads after a confirmation', async () => {
    const mounted = await mountAfter();
    let wasAborted = false;
    mounted.api.handleUpload = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          wasAborted = true;
          resolve(fail('network'));
        });
      });
    await goTo(mounted, 'documents');
    await sendPdf(mounted, 'march.pdf', 'bank-statements-jan');
    await press(mounted, finish);
    expect(wasAborted).to.equal(false);
    await press(mounted, finish);
    await waitForHeading(mounted, 'Your application is closed');
    expect(wasAborted).to.equal(true);
    await new Promise(requestAnimationFrame);
    expect(mounted.root.textContent).to.not.include('march.pdf');
  });

  it('keeps the page if the session could not be ended', async () => {
    const mounted = await mountAfter();
    mounted.api.ended = fail('network');
    await press(mounted, finish);
    await waitUntil(() => textOf(mounted).includes('We couldn’t reach our server'));
    expect(textOf(mounted)).to.include(acceptedStatus.reference);
    mounted.api.ended = ok(undefined);
    await press(mounted, finish);
    await waitForHeading(mounted, 'Your application is closed');
  });

  it('accepts a session that has already ended', async () => {
    const mounted = await mountAfter();
    mounted.api.ended = fail('session-missing');
    await press(mounted, finish);
    await waitForHeading(mounted, 'Your application is closed');
  });

  it('tells other elements with the same session, as in another tab', async () => {
    const mounted = await mountAfter();
    const other = await mountAfter();
    other.api.session = fail('session-missing');
    await press(mounted, finish);
    await waitUntil(() => textOf(other).includes('Your session has ended. Nothing you sent'));
    expect(textOf(other)).to.include(acceptedStatus.reference);
  });

  it('leads to an empty form for the next applicant', async () => {
    const mounted = await mountWidget();
    await apply(mounted);
    await press(mounted, finish);
    await waitForHeading(mounted, 'Your application is closed');
    await press(mounted, 'Start another application');
    await waitForHeading(mounted, 'How much funding');
    expect(mounted.root.querySelector<HTMLInputElement>('#fundingNeed-amount')?.value).to.equal('');
    expect(mounted.api.sessionsOpened).to.equal(2);
  });
});

describe('a browser without cookies', () => {
  it('shows that the application is available on this page only', async () => {
    const api = new FakeFundingApi();
    const mounted = await mountWidget(api);
    api.endsWithPage = true;
    await apply(mounted);
    expect(textOf(mounted)).to.include('after you close or reload this page');
    await press(mounted, 'Continue to documents');
    expect(textOf(mounted)).to.include('come back while this page is open');
    await press(mounted, /^\s*Continue/);
    await press(mounted, /^\s*Continue/);
    await waitForHeading(mounted, 'You prequalify');
    expect(textOf(mounted)).to.include('while it’s open');
    expect(textOf(mounted)).to.not.include('in this browser');
  });

  it('shows a notice in place of the actions when the session is lost', async () => {
    const mounted = await mountAfter();
    await press(mounted, 'Continue to documents');
    mounted.api.session = fail('session-missing');
    const isNotified = () => textOf(mounted).includes('Your session has ended. Nothing you sent');
    await waitUntil(isNotified, 'The notice did not appear', { timeout: 8_000 });
    expect(textOf(mounted)).to.not.include('Choose files');
    expect(textOf(mounted)).to.include('Close my application');
  });

  it('asks for no more files after an upload without a session', async () => {
    const api = new FakeFundingApi();
    api.handleUpload = async () => fail('session-missing');
    const mounted = await mountAfter(api);
    await press(mounted, 'Continue to documents');
    await sendPdf(mounted, 'statement.pdf', 'bank-statements-jan');
    await waitUntil(() => textOf(mounted).includes('Your session has ended.'));
    expect(mounted.root.querySelector('[type="file"]')).to.equal(null);
  });

  it('shows no notice if cookies work', async () => {
    const mounted = await mountAfter();
    expect(textOf(mounted)).to.not.include('close or reload this page');
    await press(mounted, 'Continue to documents');
    const text = `come back in this browser within ${sessionMaxHours} hours`;
    expect(textOf(mounted)).to.include(text);
  });
});
