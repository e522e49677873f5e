// Accessibility of every screen: axe finds no violation in light and dark mode, and the blocks of the screen are aligned.

import { fixture, html } from '@open-wc/testing';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { FundingApplication } from '../../widget/funding-application.ts';
import { formSteps } from '../../widget/app/navigation.ts';
import { expectAligned, expectGood } from '../support/axe.ts';
import { createConfiguration } from '../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  deliveredDocument,
  fail,
  type FakeFundingApi,
  heldDocument,
  ok,
  withApplication,
} from '../support/fake-funding-api.ts';
import {
  createFile,
  forever,
  mountAfter,
  mountAgain,
  mountAt,
  mountDocuments,
  Mounted,
  mountOffers,
  mountWidget,
  setOnline,
} from '../support/mount-widget.ts';
import { createOffer, decided } from '../support/offers.ts';
import { waitUntil } from '../support/wait-until.ts';

const support = { name: 'Millstone', phone: '512-555-0199', email: 'help@millstone.example' };
const configuration = ok(createConfiguration({ support }));

async function mountSkeleton(): Promise<Mounted> {
  const api = Object.assign((await mountWidget()).api, { getConfiguration: forever });
  const element = await fixture<FundingApplication>(
    html`<funding-application .api=${api}></funding-application>`,
  );
  return new Mounted(element, api);
}

async function mountStatus(status: 'accepted' | 'received' | 'confirming'): Promise<Mounted> {
  const application = { ...acceptedStatus, status, delayed: status === 'received' };
  const mounted = await mountWidget(withApplication(application));
  await mounted.waitForRecord();
  return mounted;
}

async function mountRestored(): Promise<Mounted> {
  const first = await mountWidget({ configuration });
  await first.fillUpTo('owner');
  first.element.remove();
  const mounted = await mountAgain({ configuration });
  await mounted.waitForText('still here');
  return mounted;
}

async function mountBanks(): Promise<Mounted> {
  const mounted = await mountAt('bank');
  await mounted.press('Connect a bank');
  await mounted.waitForText('Choose your bank');
  await mounted.press('Share with the lender');
  return mounted;
}

async function mountUploading(
  handleUpload: FakeFundingApi['handleUpload'] | undefined,
  text: string,
  documents: readonly DocumentStatus[] = [],
): Promise<Mounted> {
  const mounted = await mountDocuments(handleUpload && { handleUpload }, documents);
  await mounted.choosePdfs('march.pdf');
  await mounted.waitForText(text);
  return mounted;
}

const needsCategory = { ...heldDocument, category: 'other' };
const changeable = { needsCategory: true, heldSeconds: 600 };

/** Each row opens a screen. */
const screens: Readonly<Record<string, () => Promise<Mounted>>> = {
  'the start page': () => mountWidget({ configuration }, {}),
  'the skeleton': mountSkeleton,
  'a form that cannot be loaded': () => mountWidget({ configuration: fail('network') }),
  'a form that was restored': mountRestored,
  'the confirmation of clearing': async () => {
    const mounted = await mountWidget();
    mounted.answer('fundingNeed/amount', '75,000');
    await mounted.press('Clear my answers');
    return mounted;
  },
  'a form in Spanish with errors': async () => {
    const mounted = await mountWidget();
    await mounted.press('Español');
    await mounted.waitForHeading('¿Cuánto');
    await mounted.press('Continuar');
    return mounted;
  },
  'an accepted application': () => mountStatus('accepted'),
  'a received application': () => mountStatus('received'),
  'an unconfirmed application': () => mountStatus('confirming'),
  'a closed application': async () => {
    const mounted = await mountAfter();
    await mounted.press('Close my application on this device');
    await mounted.waitForHeading('Your application is closed');
    return mounted;
  },
  'the documents': () => mountDocuments({ configuration }),
  'an upload': () =>
    mountUploading(({ onProgress }) => {
      onProgress(0.4);
      return forever();
    }, 'Uploading, 40%'),
  'an upload that can be changed': () =>
    mountUploading(async () => ok({ ...needsCategory, changeable }), 'Uploaded, not sent yet'),
  'a sent document': () => mountUploading(undefined, 'Sent to the lender'),
  'an upload without a connection': () => mountUploading(async () => fail('network'), 'Retry'),
  'a damaged document': () =>
    mountUploading(async () => fail('document-damaged'), 'damaged or incomplete', [
      deliveredDocument,
    ]),
  'the documents after Undo': async () => {
    const mounted = await mountUploading(async () => ok(heldDocument), 'Undo');
    await mounted.press(/^Undo/);
    await waitUntil(() => !mounted.text.includes('a.pdf'));
    return mounted;
  },
  'the bank connection': () => mountAt('bank', { configuration }),
  'a shared bank report': async () => {
    const mounted = await mountBanks();
    mounted.find('#bank-institution-1').click();
    mounted.find('#bank-account-0').click();
    await mounted.element.updateComplete;
    await mounted.press('Share with the lender');
    await mounted.waitForText('We sent your bank report');
    return mounted;
  },
  'the page before the first offer': async () => {
    const mounted = await mountAt('offers', { configuration });
    await mounted.waitForHeading('You prequalify');
    return mounted;
  },
  'the contact request without a consent': async () => {
    const mounted = await mountAt('offers');
    await mounted.waitForHeading('You prequalify');
    mounted.find('summary').click();
    await mounted.press('Allow contact again');
    return mounted;
  },
  'offers that cannot be shown': () =>
    mountOffers(fail('service-unavailable'), 'We can’t show your offers'),
  'no offers': () => {
    const notQualifiedNotice = 'Creditor: Millstone Supply Co., 1 Main St, Austin, TX 78701.';
    const offers = { showMonthlyRate: true, showCentsOnTheDollar: true, notQualifiedNotice };
    return mountOffers(decided([]), 'No offers right now', {
      configuration: ok(createConfiguration({ offers })),
    });
  },
};

describe('no violation, and aligned blocks', () => {
  for (const [name, open] of Object.entries(screens)) {
    it(`on ${name}`, async () => {
      const mounted = await open();
      await expectGood(mounted);
      await expectAligned(mounted);
    });
  }

  for (const step of formSteps) {
    it(`on the step ${step}, empty and wrong`, async () => {
      const mounted = await mountWidget({ configuration });
      await mounted.fillUpTo(step);
      await expectGood(mounted);
      await expectAligned(mounted);
      mounted.element.parentElement!.style.width = '1000px';
      await waitUntil(() => mounted.root.querySelector('nav'));
      await expectGood(mounted);
      await mounted.press(step === 'review' ? 'Submit application' : 'Continue');
      await waitUntil(() => mounted.root.querySelector('#error-summary'));
      await expectGood(mounted);
      await expectAligned(mounted);
    });
  }

  it('on each step that is filled in', async () => {
    const mounted = await mountWidget();
    await mounted.fillForm();
    for (const step of formSteps.slice(0, -1)) {
      mounted.element.goTo(step);
      await expectGood(mounted);
      await mounted.press('Continue');
    }
  });

  it('while a picker is open', async () => {
    const mounted = await mountWidget();
    await mounted.fillUpTo('business');
    const industry = mounted.find<HTMLInputElement>('#business-industry');
    industry.focus();
    industry.value = 'res';
    industry.dispatchEvent(new Event('input', { bubbles: true }));
    await waitUntil(() => mounted.root.querySelector('[role="option"]'));
    await expectGood(mounted);
  });

  it('after a failed or rejected submission', async () => {
    const mounted = await mountWidget();
    const { api } = mounted;
    await mounted.fillForm();
    api.application = fail('invalid-request', [{ pointer: '/owner/phone', code: 'rejected' }]);
    await mounted.signAndSubmit();
    await mounted.waitForHeading('Tell us about yourself');
    await expectGood(mounted);
    await mounted.press('Continue');
    api.application = fail('service-unavailable');
    await mounted.press('Submit application');
    await mounted.waitForText('isn’t responding');
    await expectGood(mounted);
  });

  it('with a notice about the session or the connection', async () => {
    const expiresAt = new Date(Date.now() + 5 * 60_000).toISOString();
    const mounted = await mountWidget({ session: ok(createSession({ expiresAt })) });
    await mounted.waitForText('Your session times out at');
    setOnline(false);
    await mounted.waitForText('You’re offline');
    await expectGood(mounted);
    setOnline(true);
  });

  it('with a HEIC photo, in English or Spanish', async () => {
    const mounted = await mountDocuments();
    await mounted.chooseFiles([createFile('photo.heic', 'image/heic')]);
    await mounted.waitForText('Most Compatible');
    await expectGood(mounted);
    await mounted.press('Español');
    await mounted.waitForHeading('Agregue sus documentos');
    await expectGood(mounted);
  });

  it('on the list of banks', async () => {
    await expectGood(await mountBanks());
  });

  it('on one offer', async () => {
    const trackingUrl = 'https://lender.example/1';
    await expectGood(await mountOffers(decided([createOffer()], { trackingUrl }), 'You have 1'));
  });

  it('on offers as cards or as a table', async () => {
    const offers = [createOffer(), createOffer({ id: 'b', aprLow: null, feeHigh: null })];
    const mounted = await mountOffers(decided(offers), 'You have 2 offers');
    await mounted.press('Choose this offer');
    await expectGood(mounted);
    await mounted.press('Compare');
    await expectGood(mounted);
  });
});
