// Announcements for screen readers.

import { expect, fixture, html } from '@open-wc/testing';
import '../../widget/define.ts';
import type { FundingApplication } from '../../widget/funding-application.ts';
import { acceptedStatus, fail, FakeFundingApi, ok } from '../support/fake-funding-api.ts';
import {
  announcementOf,
  answer,
  chooseFiles,
  createFile,
  fillForm,
  fillUpTo,
  mountAt,
  mountWidget,
  press,
  signAndSubmit,
  waitForHeading,
  waitForText,
} from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the live region', () => {
  it('announces all files of one selection together', async () => {
    const mounted = await mountAt('documents');
    await chooseFiles(mounted, [
      createFile('one.exe', 'x/y'),
      createFile('two.exe', 'x/y'),
      createFile('three.exe', 'x/y'),
    ]);
    await waitUntil(() => announcementOf(mounted).includes('three.exe'));
    expect(announcementOf(mounted)).to.match(/one\.exe.*two\.exe.*three\.exe/);
    await new Promise((resolve) => setTimeout(resolve));
    await chooseFiles(mounted, [createFile('four.exe', 'x/y')]);
    await waitUntil(() => announcementOf(mounted).includes('four.exe'));
    expect(announcementOf(mounted)).to.not.include('three.exe');
  });

  it('is empty after a step change', async () => {
    const mounted = await mountAt('documents');
    await chooseFiles(mounted, [createFile('one.exe', 'x/y')]);
    await waitUntil(() => announcementOf(mounted).includes('one.exe'));
    await press(mounted, 'Back');
    await waitForHeading(mounted, 'Your application is with the lender');
    expect(announcementOf(mounted)).to.equal('');
  });

  it('announces that the application is being sent', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    let goOn: (() => void) | undefined;
    mounted.api.submitApplication = async () => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return ok(acceptedStatus);
    };
    await signAndSubmit(mounted);
    await waitUntil(() => goOn !== undefined);
    expect(announcementOf(mounted)).to.equal('Sending your application…');
    goOn?.();
    await waitForHeading(mounted, 'Your application is with the lender');
    expect(announcementOf(mounted)).to.not.include('Sending');
  });

  it('is empty after a failed submission, whose message is an alert', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    mounted.api.application = fail('service-unavailable');
    await signAndSubmit(mounted);
    await waitForText(mounted, 'isn’t responding');
    expect(announcementOf(mounted)).to.equal('');
    expect(mounted.root.querySelector('[role="alert"]')?.textContent).to.include(
      'isn’t responding',
    );
  });

  it('announces a failed load once, unless the focus reads it', async () => {
    const api = new FakeFundingApi();
    api.configuration = fail('storage-unavailable');
    const element = await fixture<FundingApplication>(
      html`<funding-application .api=${api}></funding-application>`,
    );
    const mounted = { element, api, root: element.shadowRoot! };
    await waitForHeading(mounted, 'We can’t load');
    expect(announcementOf(mounted)).to.equal('We can’t load the application right now');
    const again = mounted.root.querySelector<HTMLElement>('.button');
    again?.focus();
    again?.click();
    await waitUntil(() => mounted.root.activeElement?.id === 'step-heading');
    expect(announcementOf(mounted)).to.equal('');
  });
});

describe('a typed word that matches a list option', () => {
  it('is announced as the option when the field loses focus', async () => {
    const mounted = await mountWidget();
    await fillUpTo(mounted, 'business');
    answer(mounted, 'business/address/state', 'tx');
    await mounted.element.updateComplete;
    const field = mounted.root.querySelector('#business-address-state');
    const readAnnouncement = field?.parentElement
      ?.querySelector('[role="status"]')
      ?.textContent?.trim();
    expect(readAnnouncement).to.equal('State: Texas (TX)');
  });
});

describe('lists', () => {
  it('have the list role, which WebKit drops without markers', async () => {
    const mounted = await mountWidget();
    await press(mounted, 'Continue');
    const list = mounted.root.querySelector('#error-summary ul')!;
    expect(getComputedStyle(list).listStyleType).to.not.equal('none');
  });
});
