// A real browser with one cookie policy and an empty profile, whichever engine it is.

import { readBrowsers } from '../../scripts/browsers.mjs';
import type { Cell, CookiePolicy, Engine } from './cells.ts';
import { openChromium, openFirefox } from './puppeteer-browser.ts';
import { openWebKit } from './webkit-browser.ts';

export interface TestBrowser {
  /** As the engine tells it: `Chromium 156.0.8078.79`. */
  readonly version: string;
  /** Resolves once the page has loaded, module scripts included. */
  openTab(url: string): Promise<Tab>;
  /** Ends the browser and removes its profile. */
  close(): Promise<void>;
}

export interface Tab {
  /** Runs a function in the page. It travels as its source text: it must not use anything from around it. */
  run<Value, Argument = undefined>(
    inPage: (argument: Argument) => Value | Promise<Value>,
    ...argument: Argument extends undefined ? [] : [argument: Argument]
  ): Promise<Value>;
  reload(): Promise<void>;
}

export interface BrowserOptions {
  readonly policy: CookiePolicy;
  /** Everything goes through the proxy on this port of 127.0.0.1. */
  readonly proxyPort: number;
}

/** Why this cell cannot be walked on this machine; `undefined` when it can. */
export function findObstacle({
  engine,
  policy,
}: Pick<Cell, 'engine' | 'policy'>): string | undefined {
  const found = readBrowsers();
  if (!found?.[engine]) return `no ${engine} on this machine`;
  const isShell = engine === 'chromium' && found.chromium.isHeadlessShell === true;
  return isShell && policy === 'all-blocked' ? 'a headless shell takes cookies' : undefined;
}

/** Fails where there is an obstacle. */
export function openBrowser(engine: Engine, options: BrowserOptions): Promise<TestBrowser> {
  const found = readBrowsers();
  if (engine === 'chromium' && found?.chromium) return openChromium(found.chromium, options);
  if (engine === 'firefox' && found?.firefox) return openFirefox(found.firefox, options);
  if (engine === 'webkit' && found?.webkit) return openWebKit(found.webkit, options);
  throw new Error(`No ${engine} was found: run node scripts/setup.mjs --tests`);
}
