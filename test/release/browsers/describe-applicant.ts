// Tests of an applicant in one engine, with the BFF and the sandbox: on a partner's page, on the BFF's own pages, and with a phone.
// `describe-engine.ts` tests sessions and cookies.

import { PNG } from 'pngjs';
import decodeQr from 'qr/decode.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handoffLifetime } from '../../../shared/api/handoff.ts';
import { createSandboxView, type SandboxView } from '../../e2e/sandbox-view.ts';
import { completeDraft } from '../../support/draft.ts';
import { getPhotoJpeg, type TestFile } from '../../support/files/realistic-files.ts';
import {
  fillFields,
  fillForm,
  sign,
  signAndSubmit,
  waitForReference,
} from '../../support/page-applicant.ts';
import type { Stack } from '../../support/stack.ts';
import { unlimited } from '../../support/unlimited.ts';
import { choose, click, pressOn, see, tapAndType, tapOn, typeInto } from './applicant.ts';
import { openBrowser, type Device, type Size, type Tab, type TestBrowser } from './browser.ts';
import { bffOrigin, hosts, toOrigin, type Engine } from './combinations.ts';
import { startServers } from './journeys.ts';
import { elsewherePath, startRecordingProxy, type RecordingProxy } from './recording-proxy.ts';

const phone: Size = { width: 390, height: 844, hasTouch: true };
/** A page may not be painted yet when its picture is taken. */
const maxPictures = 20;
const dayMs = 24 * 60 * 60_000;
const partner = toOrigin(hosts.sameSite);
const keep = /Keep my answers on this device for 7 days/;
const sent = 'Your application is with the lender';
const titles = [
  'How much funding do you need?',
  'Tell us about your business',
  'Tell us about yourself',
  'Confirm your identity',
  'Review your answers and sign',
] as const;
/** Without the EIN, which is optional here. It is never stored, so its step would come first. */
const answers = { ...completeDraft, 'business/taxId': '' };

/** Requires the built widget. */
export function describeApplicant(engine: Engine): void {
  let stack: Stack;
  let sandbox: SandboxView;
  let proxy: RecordingProxy;
  let browser: TestBrowser;
  /** How far the clocks of the BFF and of the partner's page are ahead. */
  let aheadMs = 0;
  /** Devices of the current test. */
  let devices: Device[] = [];

  beforeAll(async () => {
    const servers = await startServers({
      limits: unlimited,
      lead: { allowedCampaignIds: ['spring-2026'] },
      page: { background: '#fbf7f0' },
    });
    ({ stack } = servers);
    sandbox = createSandboxView(stack.sandboxUrl);
    proxy = await startRecordingProxy({
      certificate: servers.certificate,
      bffUrl: stack.bffUrl,
      // An address reserved for documentation (RFC 5737).
      clientAddress: '203.0.113.1',
      aheadMs: () => aheadMs,
    });
    browser = await openBrowser(engine, { policy: 'default', proxyPort: proxy.proxyPort });
  });

  afterEach(async () => {
    await Promise.all(devices.map((device) => device.close()));
    devices = [];
  });

  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await stack.stop();
  });

  async function openDevice(): Promise<Device> {
    const device = await browser.openDevice();
    devices.push(device);
    return device;
  }

  async function openPage(url: string, size?: Size): Promise<Tab> {
    return (await openDevice()).openTab(url, size);
  }

  /** Time passes for everyone. */
  async function wait(ms: number): Promise<void> {
    aheadMs += ms;
    await stack.advanceBff(ms);
  }

  describe(`documents from a phone in ${engine}`, () => {
    let computer: Device;
    let page: Tab;
    let photo: TestFile;

    beforeAll(async () => {
      photo = await getPhotoJpeg();
      computer = await browser.openDevice();
      page = await computer.openTab(`${partner}/`);
      await submit(page);
    });
    beforeEach(async () => {
      await page.reload();
      await click(page, 'button', /^(Continue to|Add your) documents$/);
      await click(page, 'button', 'Use my phone');
    });
    afterAll(() => computer.close());

    it('announces photos of a phone on the computer', async () => {
      const tab = await connectPhone();
      await see(page, 'text', 'Your phone is connected. Photos appear here.');
      await Promise.all([
        see(page, 'announcement', `${photo.name}: received from your phone`),
        sendPhoto(tab),
      ]);
      await see(page, 'text', photo.name);
      // The camera of a phone may need the memory of the page, which then loads again.
      await tab.reload();
      await see(tab, 'text', photo.name);
      await click(tab, 'button', 'I’m done on this phone');
      await see(tab, 'heading', 'Go back to your computer');
      await see(tab, 'text', '1 file added');
      await see(page, 'text', 'Your phone is done');
    });

    it('refuses a second phone', async () => {
      const url = await scanQrCode(page);
      await see(await openPage(url, phone), 'heading', 'Is this your application?');
      await see(await openPage(url, phone), 'heading', 'This code was already used');
    });

    it('refuses a code after five minutes', async () => {
      const url = await scanQrCode(page);
      await wait(handoffLifetime.pairingSeconds * 1000 + 1_000);
      await see(page, 'text', 'The code ended before a phone was connected');
      await see(await openPage(url, phone), 'heading', 'This code has ended');
      await click(page, 'button', 'Get a new code');
      expect(await scanQrCode(page)).not.toBe(url);
    });

    it('ends after a wrong number', async () => {
      const tab = await openPage(await scanQrCode(page), phone);
      await click(tab, 'button', new RegExp(`^(?!${await readNumber()})\\d\\d$`));
      await see(tab, 'heading', 'That’s a different number');
      await see(page, 'text', 'A different number was picked');
    });

    it('ends when the phone did not start it', async () => {
      const tab = await openPage(await scanQrCode(page), phone);
      await click(tab, 'button', 'I didn’t start this');
      await see(tab, 'heading', 'We ended this connection');
      await see(page, 'text', 'said they didn’t start this');
    });

    it('ends when the computer disconnects the phone', async () => {
      const tab = await connectPhone();
      await click(page, 'button', 'Disconnect my phone');
      await see(page, 'text', 'Your phone is disconnected');
      await see(tab, 'heading', 'This phone isn’t connected');
    });

    async function connectPhone(): Promise<Tab> {
      const url = await scanQrCode(page);
      expect(url.startsWith(`${bffOrigin}/phone#`)).toBe(true);
      const tab = await openPage(url, phone);
      await see(tab, 'heading', 'Is this your application?');
      expect(await tab.evaluate(() => location.hash, undefined)).toBe('');
      await click(tab, 'button', await readNumber());
      await see(tab, 'heading', 'Take photos of your documents');
      return tab;
    }

    /** The number that the computer shows. */
    async function readNumber(): Promise<string> {
      const { text } = await see(page, 'text', /^Pick \d\d on your phone$/);
      return text.replaceAll(/\D/g, '');
    }

    /** Takes a photo. In a browser without a camera, the input takes a file. */
    async function sendPhoto(tab: Tab): Promise<void> {
      await tab.chooseFiles('#document-photo', [photo.path]);
      await see(tab, 'text', photo.name);
      await choose(tab, /What is this/, 'Driver’s license');
      await see(tab, 'text', /Uploaded|Received|Sent to/);
    }
  });

  describe(`the form in ${engine}`, () => {
    it('is submitted on the page that a link opens', async () => {
      const tab = await openPage(`${bffOrigin}/apply?campaign=spring-2026`);
      const background = await tab.evaluate(
        () => getComputedStyle(document.documentElement).backgroundColor,
        undefined,
      );
      expect(background).toBe('rgb(251, 247, 240)');
      const reference = await submit(tab);
      const leads = await sandbox.leads();
      const lead = leads.find((each) => each.lead['ID'] === reference)?.lead;
      expect(lead?.['CampaignID']).toBe('spring-2026');
      await tab.reload();
      await see(tab, 'heading', sent);
    });

    it('follows Back and Forward through every step', async () => {
      const tab = await openPage(`${partner}${elsewherePath}`);
      await tab.goTo(`${partner}/`);
      // Back of WebKit skips entries that a page added without a press of a person.
      await tapOn(tab, 'button', 'Start application');
      await goToStep(tab, 5, () => tapOn(tab, 'button', /^Continue$/));
      for (const title of titles.slice(0, -1).toReversed()) {
        await tab.goBack();
        await seeOnScreen(tab, title);
      }
      await tab.goBack();
      await see(tab, 'button', 'Start application');
      for (const title of titles) {
        await tab.goForward();
        await seeOnScreen(tab, title);
      }
      await sign(tab);
      await tapOn(tab, 'button', 'Submit application');
      await see(tab, 'heading', sent);
      await tab.goBack();
      await see(tab, 'text', 'Your application was already sent');
      await see(tab, 'heading', sent);
      // The form goes on to the entry that it found when it appeared. A second Back before that would be lost.
      await expect
        .poll(() => tab.evaluate(() => JSON.stringify(history.state), undefined))
        .not.toContain('"owner"');
      await tab.goBack();
      // A page that is being left answers with an error.
      const readPage = () => tab.evaluate(() => document.body.textContent, undefined);
      await expect.poll(() => readPage().catch(() => undefined)).toBe('Elsewhere');
    });

    it('is filled in with the keyboard only', async () => {
      const tab = await openPage(`${partner}/`);
      await fillFormByKeyboard(tab);
      for (const consent of requiredConsents) {
        await pressOn(tab, 'field', consent, ' ');
        await see(tab, 'field', consent, { isChecked: true });
      }
      await typeInto(tab, 'Type your full name', 'Rosa Núñez');
      await pressOn(tab, 'button', 'Submit application', 'Enter');
      await see(tab, 'heading', sent, { isFocused: true });
    });

    it('is filled in by touch only', async () => {
      const tab = await openPage(`${partner}/`, phone);
      await fillFormByTouch(tab);
      for (const consent of requiredConsents) {
        await tapOn(tab, 'field', consent);
        await see(tab, 'field', consent, { isChecked: true });
      }
      await tapAndType(tab, 'Type your full name', 'Rosa Núñez');
      await tapOn(tab, 'button', 'Submit application');
      await see(tab, 'heading', sent);
    });
  });

  describe(`answers on the device in ${engine}`, () => {
    it('continues the next day after the tab was closed at step 4', async () => {
      const device = await stopAtStep4();
      const tab = await device.openTab(`${partner}/`);
      await see(tab, 'heading', titles[3]);
      await see(tab, 'text', 'Welcome back');
      await see(tab, 'text', /You’re on step 4 of 5, Identity and credit/);
      await click(tab, 'button', 'Continue my application');
      await see(tab, 'field', keep, { isChecked: true });
      await submit(tab);
      expect(await readDevice(tab)).toEqual([]);
    });

    it('clears the answers the next day', async () => {
      const device = await stopAtStep4();
      const tab = await device.openTab(`${partner}/`);
      await click(tab, 'button', 'Clear my answers');
      await click(tab, 'button', 'Clear everything');
      await see(tab, 'button', 'Start application');
      expect(await readDevice(tab)).toEqual([]);
      await see(await device.openTab(`${partner}/`), 'button', 'Start application');
    });

    /** Keeps the answers on the device, closes the tab, and waits a day. */
    async function stopAtStep4(): Promise<Device> {
      const device = await openDevice();
      const tab = await device.openTab(`${partner}/`);
      await click(tab, 'button', 'Start application');
      await click(tab, 'field', keep);
      await see(tab, 'text', /^Your answers stay on this device until/);
      await goToStep(tab, 4, () => click(tab, 'button', /^Continue$/));
      // The last entry is stored shortly after the step.
      await tab.evaluate(async () => {
        while (localStorage.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }, undefined);
      await tab.close();
      await wait(dayMs);
      return device;
    }
  });
}

/** The step is where a person and a screen reader look. */
async function seeOnScreen(tab: Tab, title: string): Promise<void> {
  await see(tab, 'heading', title, { isFocused: true, isInViewport: true });
}

/** Fills in the steps before this one. The form is on its first step. */
async function goToStep(tab: Tab, step: number, next: () => Promise<void>): Promise<void> {
  for (const title of titles.slice(1, step)) {
    await fillFields(tab, answers);
    await next();
    await see(tab, 'heading', title);
  }
}

/** Submits an application, and waits for its record. */
async function submit(tab: Tab): Promise<string> {
  await fillForm(tab);
  await signAndSubmit(tab);
  return waitForReference(tab);
}

/** Reads the code as the camera of a phone does, from the pixels on the screen: it takes pictures until it finds one. */
async function scanQrCode(tab: Tab): Promise<string> {
  for (let remaining = maxPictures; ; remaining -= 1) {
    const { width, height, data } = await takePictureOfCode(tab);
    try {
      return decodeQr({ width, height, data: Uint8Array.from(data) });
    } catch (error) {
      if (remaining === 0) throw error;
    }
  }
}

async function takePictureOfCode(tab: Tab): Promise<PNG> {
  const place = await tab.evaluate(async () => {
    const root = document.querySelector('funding-application')?.shadowRoot;
    for (;;) {
      const code = root?.querySelector('.qr');
      code?.scrollIntoView({ block: 'center', behavior: 'instant' });
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { x, y, width, height } = code?.getBoundingClientRect() ?? new DOMRect();
      if (width > 0) return { x, y, width, height, pageWidth: innerWidth };
    }
  }, undefined);
  const picture = PNG.sync.read(await tab.takePicture());
  const toPixels = (length: number) => Math.floor((length * picture.width) / place.pageWidth);
  const part = new PNG({ width: toPixels(place.width), height: toPixels(place.height) });
  PNG.bitblt(picture, part, toPixels(place.x), toPixels(place.y), part.width, part.height);
  return part;
}

/** Presses the keys of an applicant without a mouse, up to the review. */
async function fillFormByKeyboard(tab: Tab): Promise<void> {
  const next = () => pressOn(tab, 'button', /^Continue$/, 'Enter');
  await pressOn(tab, 'button', 'Start application', 'Enter');
  await see(tab, 'heading', titles[0]);
  await typeInto(tab, 'Amount you need', '$75,000');
  await selectByKeyboard(tab, 'What will you use it for', 'Equipment');
  await next();
  await see(tab, 'heading', titles[1]);
  await typeInto(tab, 'Legal name', 'Rosa’s Bakery LLC');
  await selectByKeyboard(tab, 'Type of business', 'Limited liability company');
  await typeInto(tab, 'Industry', 'bakery');
  await see(tab, 'option', /./);
  await tab.press('Enter');
  await see(tab, 'field', 'Industry', { value: 'Food & Beverage' });
  await typeInto(tab, 'Employer Identification', '12-3456789');
  await typeInto(tab, 'Street address', '100 Main St');
  await typeInto(tab, 'ZIP code', '787011234');
  await see(tab, 'field', 'City', { value: 'Austin' });
  await see(tab, 'field', 'State', { value: 'Texas (TX)' });
  await typeInto(tab, 'Annual revenue', '480,000.00');
  await typeInto(tab, 'Month', 'March');
  await typeInto(tab, 'Year', '2017');
  await next();
  await see(tab, 'heading', titles[2]);
  await typeInto(tab, 'First name', 'Rosa');
  await typeInto(tab, 'Last name', 'Núñez');
  await typeInto(tab, 'Email address', 'rosa@bakery.example');
  await typeInto(tab, 'Phone number', '+1 (512) 555-0134');
  await pressOn(tab, 'field', 'Yes', ' ');
  await tab.press('ArrowDown');
  await see(tab, 'field', 'No', { isChecked: true, isFocused: true });
  await typeInto(tab, 'Street address', '7 Elm St');
  await typeInto(tab, 'ZIP code', '00901');
  await see(tab, 'field', 'State', { value: 'Puerto Rico (PR)' });
  await typeInto(tab, 'City', 'San Juan');
  await next();
  await see(tab, 'heading', titles[3]);
  await typeInto(tab, 'Month', '4');
  await typeInto(tab, 'Day', '27');
  await typeInto(tab, 'Year', '1985');
  await typeInto(tab, 'Social Security', '219-09-9999');
  await selectByKeyboard(tab, 'credit score', '680');
  await typeInto(tab, 'Your ownership percentage', '60');
  await pressOn(tab, 'field', 'Yes', ' ');
  await see(tab, 'field', 'Yes', { isChecked: true });
  await next();
  await see(tab, 'heading', titles[4]);
}

/** Native selects choose the option that starts with the typed letters. */
async function selectByKeyboard(tab: Tab, name: string, text: string): Promise<void> {
  await typeInto(tab, name, text);
  await see(tab, 'field', name, { option: text });
}

/** Touches the screen as an applicant with a phone does, up to the review. */
async function fillFormByTouch(tab: Tab): Promise<void> {
  const next = () => tapOn(tab, 'button', /^Continue$/);
  await tapOn(tab, 'button', 'Start application');
  await see(tab, 'heading', titles[0]);
  await tapAndType(tab, 'Amount you need', '75000');
  await choose(tab, 'What will you use it for', 'Equipment');
  await next();
  await see(tab, 'heading', titles[1]);
  await tapAndType(tab, 'Legal name', 'Rosa’s Bakery LLC');
  await choose(tab, 'Type of business', 'Limited liability company');
  await tapAndType(tab, 'Industry', 'bakery');
  await tapOn(tab, 'option', /./);
  await see(tab, 'field', 'Industry', { value: 'Food & Beverage' });
  await tapAndType(tab, 'Street address', '100 Main St');
  await tapAndType(tab, 'ZIP code', '78701');
  await see(tab, 'text', 'Filled in from the ZIP code: Austin, Texas.');
  await tapAndType(tab, 'Annual revenue', '480000');
  await tapAndType(tab, 'Month', '3');
  await tapAndType(tab, 'Year', '2017');
  await next();
  await see(tab, 'heading', titles[2]);
  await tapAndType(tab, 'First name', 'Rosa');
  await tapAndType(tab, 'Last name', 'Núñez');
  await tapAndType(tab, 'Email address', 'rosa@bakery.example');
  await tapAndType(tab, 'Phone number', '5125550134');
  await tapOn(tab, 'field', 'Yes');
  await next();
  await see(tab, 'heading', titles[3]);
  await tapAndType(tab, 'Month', '4');
  await tapAndType(tab, 'Day', '27');
  await tapAndType(tab, 'Year', '1985');
  await tapAndType(tab, 'Social Security', '219099999');
  await choose(tab, 'credit score', '680');
  await tapAndType(tab, 'Your ownership percentage', '100');
  await tapOn(tab, 'field', 'No');
  await see(tab, 'field', 'No', { isChecked: true });
  await next();
  await see(tab, 'heading', titles[4]);
}

const requiredConsents = [
  'review of my credit',
  'receive records electronically',
  'my answers are true',
] as const;

/** Returns the answers that stay on the device after the tab is closed. */
function readDevice(tab: Tab): Promise<readonly string[]> {
  return tab.evaluate(() => Object.values(localStorage).map(String), undefined);
}
