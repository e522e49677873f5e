// Tests of an applicant in one engine, with the BFF and the sandbox: on a partner's page, on the BFF's own pages, and with a phone.
// `describe-engine.ts` tests sessions and cookies.

import { PNG } from 'pngjs';
import decodeQr from 'qr/decode.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
import {
  choose,
  click,
  pressOn,
  see,
  tapAndType,
  tapOn,
  typeInto,
  type Kind,
  type Name,
} from './applicant.ts';
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

  // Every other end of a handoff: test/bff/routes/handoff.test.ts, test/widget/handoff.
  it(`announces photos of a phone on the computer in ${engine}`, async () => {
    const photo = await getPhotoJpeg();
    const page = await openPage(`${partner}/`);
    await submit(page);
    await click(page, 'button', /^(Continue to|Add your) documents$/);
    await click(page, 'button', 'Use my phone');
    const url = await scanQrCode(page);
    expect(url.startsWith(`${bffOrigin}/phone#`)).toBe(true);
    const tab = await openPage(url, phone);
    await see(tab, 'heading', 'Is this your application?');
    expect(await tab.evaluate(() => location.hash, undefined)).toBe('');
    const { text } = await see(page, 'text', /^Pick \d\d on your phone$/);
    await click(tab, 'button', text.replaceAll(/\D/g, ''));
    await see(tab, 'heading', 'Take photos of your documents');
    await see(page, 'text', 'Your phone is connected. Photos appear here.');
    await Promise.all([
      see(page, 'announcement', `${photo.name}: received from your phone`),
      sendPhoto(tab, photo),
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

    it.each([
      ['the keyboard', undefined, useKeyboard],
      ['touch', phone, useTouch],
    ])('is filled in with %s only', async (_name, size, use) => {
      const tab = await openPage(`${partner}/`, size);
      const hand = use(tab);
      await fillFormByHand(tab, hand);
      for (const consent of requiredConsents) {
        await hand.press('field', consent);
        await see(tab, 'field', consent, { isChecked: true });
      }
      await hand.type('Type your full name', 'Rosa Núñez');
      await hand.press('button', 'Submit application');
      await see(tab, 'heading', sent, { isFocused: true });
    });

    it('continues the next day after the tab was closed at step 4', async () => {
      const device = await openDevice();
      const first = await device.openTab(`${partner}/`);
      await click(first, 'button', 'Start application');
      await click(first, 'field', keep);
      await see(first, 'text', /^Your answers stay on this device until/);
      await goToStep(first, 4, () => click(first, 'button', /^Continue$/));
      // The last entry is stored shortly after the step.
      await expect.poll(() => readDevice(first)).not.toEqual([]);
      await first.close();
      aheadMs += dayMs;
      await stack.advanceBff(dayMs);

      const tab = await device.openTab(`${partner}/`);
      await see(tab, 'heading', titles[3]);
      await see(tab, 'text', 'Welcome back');
      await see(tab, 'text', /You’re on step 4 of 5, Identity and credit/);
      await click(tab, 'button', 'Continue my application');
      await see(tab, 'field', keep, { isChecked: true });
      await submit(tab);
      expect(await readDevice(tab)).toEqual([]);
    });
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

/** Takes a photo. In a browser without a camera, the input takes a file. */
async function sendPhoto(tab: Tab, photo: TestFile): Promise<void> {
  await tab.chooseFiles('#document-photo', [photo.path]);
  await see(tab, 'text', photo.name);
  await choose(tab, /What is this/, 'Driver’s license');
  await see(tab, 'text', /Uploaded|Received|Sent to/);
}

/** How an applicant operates the form. */
interface Hand {
  press(kind: Kind, name: Name): Promise<void>;
  type(name: string, text: string): Promise<void>;
  /** Chooses the option of a native select that starts with the text. */
  select(name: string, text: string): Promise<void>;
  /** Chooses the first option of the open list. */
  pick(): Promise<void>;
  answerNo(): Promise<void>;
}

function useKeyboard(tab: Tab): Hand {
  const press = (kind: Kind, name: Name) =>
    pressOn(tab, kind, name, kind === 'button' ? 'Enter' : ' ');
  return {
    press,
    type: (name, text) => typeInto(tab, name, text),
    async select(name, text) {
      await typeInto(tab, name, text);
      await see(tab, 'field', name, { option: text });
    },
    pick: () => tab.press('Enter'),
    async answerNo() {
      await press('field', 'Yes');
      await tab.press('ArrowDown');
      await see(tab, 'field', 'No', { isChecked: true, isFocused: true });
    },
  };
}

function useTouch(tab: Tab): Hand {
  return {
    press: (kind, name) => tapOn(tab, kind, name),
    type: (name, text) => tapAndType(tab, name, text),
    select: (name, text) => choose(tab, name, text),
    pick: () => tapOn(tab, 'option', /./),
    answerNo: () => tapOn(tab, 'field', 'No'),
  };
}

/** Fills in the form up to the review. */
async function fillFormByHand(tab: Tab, hand: Hand): Promise<void> {
  const next = () => hand.press('button', /^Continue$/);
  await hand.press('button', 'Start application');
  await see(tab, 'heading', titles[0]);
  await hand.type('Amount you need', '$75,000');
  await hand.select('What will you use it for', 'Equipment');
  await next();
  await see(tab, 'heading', titles[1]);
  await hand.type('Legal name', 'Rosa’s Bakery LLC');
  await hand.select('Type of business', 'Limited liability company');
  await hand.type('Industry', 'bakery');
  await see(tab, 'option', /./);
  await hand.pick();
  await see(tab, 'field', 'Industry', { value: 'Food & Beverage' });
  await hand.type('Employer Identification', '12-3456789');
  await hand.type('Street address', '100 Main St');
  await hand.type('ZIP code', '787011234');
  await see(tab, 'field', 'City', { value: 'Austin' });
  await hand.type('Annual revenue', '480,000.00');
  await hand.type('Month', 'March');
  await hand.type('Year', '2017');
  await next();
  await see(tab, 'heading', titles[2]);
  await hand.type('First name', 'Rosa');
  await hand.type('Last name', 'Núñez');
  await hand.type('Email address', 'rosa@bakery.example');
  await hand.type('Phone number', '+1 (512) 555-0134');
  await hand.answerNo();
  await hand.type('Street address', '7 Elm St');
  await hand.type('ZIP code', '00901');
  await hand.type('City', 'San Juan');
  await next();
  await see(tab, 'heading', titles[3]);
  await hand.type('Month', '4');
  await hand.type('Day', '27');
  await hand.type('Year', '1985');
  await hand.type('Social Security', '219-09-9999');
  await hand.select('credit score', '680');
  await hand.type('Your ownership percentage', '60');
  await hand.press('field', 'Yes');
  await see(tab, 'field', 'Yes', { isChecked: true });
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
