// Chromium and Firefox with Puppeteer: Chromium by CDP, Firefox by WebDriver BiDi.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  launch,
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type LaunchOptions,
  type Page,
} from 'puppeteer-core';
import { chromiumFlags } from '../../../scripts/test-tools.mjs';
import type { BrowserOptions, Size, Tab, TestBrowser } from './browser.ts';
import type { CookiePolicy } from './combinations.ts';

interface Chromium {
  readonly executable: string;
  readonly isHeadlessShell?: boolean;
}

/** The headless shell ignores preferences. It has a switch for this policy only. */
const shellSwitches: Readonly<Record<CookiePolicy, readonly string[]>> = {
  default: [],
  'third-party-allowed': [],
  'third-party-blocked': ['--test-third-party-cookie-phaseout'],
  'all-blocked': [],
};

/** The preferences that "Block third-party cookies" and "Don't allow sites to save data" in the settings write. */
const chromiumPreferences: Readonly<Record<CookiePolicy, object>> = {
  default: {},
  'third-party-allowed': { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } },
  'third-party-blocked': { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } },
  'all-blocked': { profile: { default_content_setting_values: { cookies: 2 } } },
};

/** `network.cookie.cookieBehavior`: 5 partitions third-party cookies, 0 accepts all, 1 rejects third-party cookies, 2 rejects all. */
const firefoxBehaviors: Readonly<Record<CookiePolicy, number>> = {
  default: 5,
  'third-party-allowed': 0,
  'third-party-blocked': 1,
  'all-blocked': 2,
};

export async function openChromium(
  { executable, isHeadlessShell = false }: Chromium,
  { policy, proxyPort }: BrowserOptions,
): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'funding-application-chromium-'));
  await mkdir(join(profile, 'Default'));
  const preferences = JSON.stringify(chromiumPreferences[policy]);
  await writeFile(join(profile, 'Default', 'Preferences'), preferences);
  const browser = await launch({
    executablePath: executable,
    headless: isHeadlessShell ? 'shell' : true,
    args: [
      ...chromiumFlags,
      `--proxy-server=127.0.0.1:${proxyPort}`,
      ...(isHeadlessShell ? shellSwitches[policy] : []),
    ],
    userDataDir: profile,
    acceptInsecureCerts: true,
  });
  return toTestBrowser('Chromium', browser, () =>
    rm(profile, { recursive: true, force: true, maxRetries: 5 }),
  );
}

/** Puppeteer creates and deletes the profile. */
export async function openFirefox(
  { executable }: { readonly executable: string },
  { policy, proxyPort }: BrowserOptions,
): Promise<TestBrowser> {
  const options: LaunchOptions = {
    browser: 'firefox',
    executablePath: executable,
    headless: true,
    acceptInsecureCerts: true,
    extraPrefsFirefox: {
      'network.cookie.cookieBehavior': firefoxBehaviors[policy],
      'network.proxy.type': 1,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': proxyPort,
    },
  };
  return toTestBrowser('Firefox', await launch(options), async () => undefined);
}

async function toTestBrowser(
  name: string,
  browser: Browser,
  removeProfile: () => Promise<void>,
): Promise<TestBrowser> {
  return {
    // Format: `Chrome/156.0.1.2` or `firefox/153.0`.
    version: `${name} ${(await browser.version()).split('/')[1]}`,
    openTab: (...page) => openTab(browser, ...page),
    async openDevice() {
      const context = await browser.createBrowserContext();
      return { openTab: (...page) => openTab(context, ...page), close: () => context.close() };
    },
    async close() {
      await browser.close();
      await removeProfile();
    },
  };
}

async function openTab(
  from: Browser | BrowserContext,
  url: string,
  size: Size = { width: 1280, height: 800 },
): Promise<Tab> {
  // In a window of its own, because browsers throttle the timers of hidden pages, and the element stops polling there.
  const page = await from.newPage({ type: 'window' });
  await page.setViewport(size);
  await page.goto(url);
  return toTab(page);
}

function toTab(page: Page): Tab {
  return {
    async evaluate(inPage, argument) {
      // Browsers throttle the timers of hidden pages.
      await page.bringToFront();
      return page.evaluate(inPage as never, argument as never);
    },
    async goTo(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    async goBack() {
      await page.goBack({ waitUntil: 'domcontentloaded' });
    },
    async goForward() {
      await page.goForward({ waitUntil: 'domcontentloaded' });
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    tap: ({ x, y }) => page.touchscreen.tap(x, y),
    async chooseFiles(selector, paths) {
      const input = await page.$(`funding-application >>> ${selector}`);
      if (!input) throw new Error(`${selector} is missing`);
      // The selector names a file input.
      await (input as ElementHandle<HTMLInputElement>).uploadFile(...paths);
    },
    takePicture: async () => Buffer.from(await page.screenshot()),
    close: () => page.close(),
  };
}
