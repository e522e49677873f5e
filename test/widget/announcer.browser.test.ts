// Announcements for screen readers.

import { expect } from '@open-wc/testing';
import { acceptedStatus, fail, ok } from '../support/fake-funding-api.ts';
import {
  announcementOf,
  answer,
  chooseFiles,
  createFile,
  fillForm,
  fillUpTo,
  find,
  mountDocuments,
  mountWidget,
  press,
  signAndSubmit,
  waitForHeading,
  waitForText,
  type Mounted,
} from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the live region', () => {
  async function chooseUnusable(mounted: Mounted, ...names: string[]): Promise<void> {
    await chooseFiles(
      mounted,
      names.map((name) => createFile(name, 'x/y')),
    );
    await waitUntil(() => announcementOf(mounted).includes(names.at(-1)!));
  }

  it('announces all files of one selection together, until the step changes', async () => {
    const mounted = await mountDocuments();
    await chooseUnusable(mounted, 'one.exe', 'two.exe', 'three.exe');
    expect(announcementOf(mounted)).to.match(/one\.exe.*two\.exe.*three\.exe/);
    await new Promise((resolve) => setTimeout(resolve));
    await chooseUnusable(mounted, 'four.exe');
    expect(announcementOf(mounted)).to.not.include('three.exe');
    await press(mounted, 'Back');
    await waitForHeading(mounted, 'Your application is with the lender');
    expect(announcementOf(mounted)).to.equal('');
  });

  it('announces that the application is being sent', async () => {
    const mounted = await mountWidget();
    await fillForm(mounted);
    const send = mounted.api.hold('submitApplication');
    await signAndSubmit(mounted);
    await waitUntil(() => announcementOf(mounted) === 'Sending your application…');
    send(ok(acceptedStatus));
    await waitForHeading(mounted, 'Your application is with the lender');
    expect(announcementOf(mounted)).to.not.include('Sending');
  });

  it('is empty after a failed submission, whose message is an alert', async () => {
    const mounted = await mountWidget({ application: fail('service-unavailable') });
    await fillForm(mounted);
    await signAndSubmit(mounted);
    await waitForText(mounted, 'isn’t responding');
    expect(announcementOf(mounted)).to.equal('');
    expect(find(mounted, '[role="alert"]').textContent).to.include('isn’t responding');
  });

  it('announces a failed load once, unless the focus reads it', async () => {
    const mounted = await mountWidget({ configuration: fail('storage-unavailable') });
    await waitForHeading(mounted, 'We can’t load');
    expect(announcementOf(mounted)).to.equal('We can’t load the application right now');
    const again = find(mounted, 'button');
    again.focus();
    again.click();
    await waitUntil(() => mounted.root.activeElement?.id === 'step-heading');
    expect(announcementOf(mounted)).to.equal('');
  });
});

it('a typed word that matches an option is announced when the field loses focus', async () => {
  const mounted = await mountWidget();
  await fillUpTo(mounted, 'business');
  answer(mounted, 'business/address/state', 'tx');
  await mounted.element.updateComplete;
  const field = find(mounted, '#business-address-state');
  const status = field.parentElement?.querySelector('[role="status"]');
  expect(status?.textContent?.trim()).to.equal('State: Texas (TX)');
});
