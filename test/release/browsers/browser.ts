// A real browser of any engine, with one cookie policy and an empty profile.

import { readTestTools } from '../../../scripts/test-tools.mjs';
import type { PageDriver } from '../../support/page-applicant.ts';
import type { Combination, CookiePolicy, Engine } from './combinations.ts';
import { openChromium, openFirefox } from './puppeteer-browser.ts';
import { openWebKit } from './webkit-browser.ts';

/** Tabs with common cookies and storage. */
export interface Device {
  /** Resolves when the page has loaded, including module scripts. `size` is the size of the viewport. */
  openTab(url: string, size?: Size): Promise<Tab>;
  /** Closes the tabs, and deletes cookies and storage. */
  close(): Promise<void>;
}

export interface TestBrowser extends Device {
  /** Name and version, for example `Chromium 156.0.8078.79`. */
  readonly version: string;
  /** Opens another device, without the cookies and the storage of this one. Its user closes it. */
  openDevice(): Promise<Device>;
}

export interface Tab extends PageDriver {
  goTo(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Resolve when the browser has begun to traverse its history. */
  goBack(): Promise<void>;
  goForward(): Promise<void>;
  /** Presses a key, with the name of the `KeyboardEvent`. */
  press(key: Key): Promise<void>;
  /** Types text key by key. */
  type(text: string): Promise<void>;
  /** Touches a point of the viewport. WebKitGTK's driver sends a mouse pointer instead, because it has no touch screen. */
  tap(point: Point): Promise<void>;
  /** Chooses files in a file input of the element. */
  chooseFiles(selector: string, paths: readonly string[]): Promise<void>;
  /** Returns the visible part of the page as PNG. */
  takePicture(): Promise<Buffer>;
  close(): Promise<void>;
}

export type Key = 'Tab' | 'Enter' | ' ' | 'ArrowDown';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** WebKitGTK's windows are at least 447 pixels wide. */
export interface Size {
  readonly width: number;
  readonly height: number;
  /** The screen can be touched. Only Chromium's driver tells the page so. */
  readonly hasTouch?: boolean;
}

export interface BrowserOptions {
  readonly policy: CookiePolicy;
  /** The browser sends all requests through the proxy on this port of 127.0.0.1. */
  readonly proxyPort: number;
}

/** Returns why this machine cannot run this combination, or `undefined` when it can. */
export function findObstacle({
  engine,
  policy,
}: Pick<Combination, 'engine' | 'policy'>): string | undefined {
  const tools = readTestTools();
  if (!tools[engine]) return `${engine} is missing on this machine`;
  const isShell = engine === 'chromium' && tools.chromium?.isHeadlessShell === true;
  return isShell && policy === 'all-blocked' ? 'a headless shell takes cookies' : undefined;
}

/** Throws when the engine is missing. */
export function openBrowser(engine: Engine, options: BrowserOptions): Promise<TestBrowser> {
  const tools = readTestTools();
  if (engine === 'chromium' && tools.chromium) return openChromium(tools.chromium, options);
  if (engine === 'firefox' && tools.firefox) return openFirefox(tools.firefox, options);
  if (engine === 'webkit' && tools.webkit) return openWebKit(tools.webkit, options);
  throw new Error(`${engine} is missing. Run node scripts/setup.mjs --tests.`);
}
