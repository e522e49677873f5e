// Announcements for screen readers.

import { expect } from '@open-wc/testing';
import { acceptedStatus, fail, ok } from '../support/fake-funding-api.ts';
import { createFile, mountDocuments, mountWidget, type Mounted } from '../support/mount-widget.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the live region', () => {
  async function chooseUnusable(mounted: Mounted, ...names: string[]): Promise<void> {
    await mounted.chooseFiles(names.map((name) => createFile(name, 'x/y')));
    await waitUntil(() => mounted.announcement.includes(names.at(-1)!));
  }

  it('announces all files of one selection together, until the step changes', async () => {
    const mounted = await mountDocuments();
    await chooseUnusable(mounted, 'one.exe', 'two.exe', 'three.exe');
    expect(mounted.announcement).to.match(/one\.exe.*two\.exe.*three\.exe/);
    await new Promise((resolve) => setTimeout(resolve));
    await chooseUnusable(mounted, 'four.exe');
    expect(mounted.announcement).to.not.include('three.exe');
    await mounted.press('Back');
    await mounted.waitForHeading('Your application is with the lender');
    expect(mounted.announcement).to.equal('');
  });

  it('announces that the application is being sent', async () => {
    const mounted = await mountWidget();
    await mounted.fillForm();
    const send = mounted.api.hold('submitApplication');
    await mounted.signAndSubmit();
    await waitUntil(() => mounted.announcement === 'Sending your application…');
    send(ok(acceptedStatus));
    await mounted.waitForHeading('Your application is with the lender');
    expect(mounted.announcement).to.not.include('Sending');
  });

  it('is empty after a failed submission, whose message is an alert', async () => {
    const mounted = await mountWidget({ application: fail('service-unavailable') });
    await mounted.fillForm();
    await mounted.signAndSubmit();
    await mounted.waitForText('isn’t responding');
    expect(mounted.announcement).to.equal('');
    expect(mounted.find('[role="alert"]').textContent).to.include('isn’t responding');
  });

  it('announces a failed load once, unless the focus reads it', async () => {
    const mounted = await mountWidget({ configuration: fail('storage-unavailable') });
    await mounted.waitForHeading('We can’t load');
    expect(mounted.announcement).to.equal('We can’t load the application right now');
    const again = mounted.find('button');
    again.focus();
    again.click();
    await waitUntil(() => mounted.root.activeElement?.id === 'step-heading');
    expect(mounted.announcement).to.equal('');
  });
});

it('a typed word that matches an option is announced when the field loses focus', async () => {
  const mounted = await mountWidget();
  await mounted.fillUpTo('business');
  mounted.answer('business/address/state', 'tx');
  await mounted.element.updateComplete;
  const field = mounted.find('#business-address-state');
  const status = field.parentElement?.querySelector('[role="status"]');
  expect(status?.textContent?.trim()).to.equal('State: Texas (TX)');
});
