// A real browser of any engine, with one cookie policy and an empty profile.

import { readTestTools } from '../../scripts/test-tools.mjs';
import type { PageDriver } from '../support/page-applicant.ts';
import type { Combination, CookiePolicy, Engine } from './combinations.ts';
import { openChromium, openFirefox } from './puppeteer-browser.ts';
import { openWebKit } from './webkit-browser.ts';

export interface TestBrowser {
  /** Name and version, for example `Chromium 156.0.8078.79`. */
  readonly version: string;
  /** Resolves when the page has loaded, including module scripts. */
  openTab(url: string): Promise<Tab>;
  /** Closes the browser and deletes its profile. */
  close(): Promise<void>;
}

export interface Tab extends PageDriver {
  reload(): Promise<void>;
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
