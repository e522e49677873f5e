// WebKitGTK's MiniBrowser with plain WebDriver (W3C WebDriver section 6.3).

import { startWebKitDriver, toWebKitCapabilities, type WebKit } from '../support/webkit.ts';
import type { BrowserOptions, Tab, TestBrowser } from './browser.ts';
import type { CookiePolicy } from './combinations.ts';

const scriptTimeoutMs = 60_000;

/** An option of MiniBrowser. Without it, WebKitGTK rejects third-party cookies. */
const cookieArguments: Readonly<Record<CookiePolicy, readonly string[]>> = {
  default: [],
  'third-party-allowed': ['--cookies-policy=always'],
  'third-party-blocked': ['--cookies-policy=no-third-party'],
  'all-blocked': ['--cookies-policy=never'],
};

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<any>; // eslint-disable-line typescript/no-explicit-any

export async function openWebKit(
  commands: WebKit,
  { policy, proxyPort }: BrowserOptions,
): Promise<TestBrowser> {
  const driver = await startWebKitDriver(commands);
  const send = createSend(`http://127.0.0.1:${driver.port}/session`);
  const { sessionId, capabilities } = await send('POST', '', {
    capabilities: {
      alwaysMatch: {
        ...toWebKitCapabilities(commands.browser, [
          `--proxy=http://127.0.0.1:${proxyPort}`,
          ...cookieArguments[policy],
        ]),
        acceptInsecureCerts: true,
        timeouts: { script: scriptTimeoutMs },
      },
    },
  });
  const session: Send = (method, path, body) => send(method, `/${sessionId}${path}`, body);
  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    async openTab(url) {
      // Opens a window, because this driver cannot bring a tab to the front, and the timers of hidden pages are throttled.
      const { handle } = await session('POST', '/window/new', { type: 'window' });
      const tab = toTab(session, handle);
      await session('POST', '/window', { handle });
      await session('POST', '/url', { url });
      return tab;
    },
    async close() {
      await session('DELETE', '');
      driver.stop();
    },
  };
}

function toTab(session: Send, handle: string): Tab {
  const select = () => session('POST', '/window', { handle });
  return {
    async evaluate(inPage, argument) {
      await select();
      // Without this, a rejected promise would only report "timeout".
      const script = `const [argument, done] = arguments;
        (async () => (${inPage.toString()})(argument))().then(
          (value) => done({ value }), (error) => done({ error: String(error) }));`;
      const { value, error } = await session('POST', '/execute/async', {
        script,
        // JSON has no undefined.
        args: [argument ?? null],
      });
      if (error !== undefined) throw new Error(error);
      return value;
    },
    async reload() {
      await select();
      await session('POST', '/refresh', {});
    },
  };
}

function createSend(base: string): Send {
  return async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: any }; // eslint-disable-line typescript/no-explicit-any
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
}
