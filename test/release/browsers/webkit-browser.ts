// WebKitGTK's MiniBrowser with plain WebDriver (W3C WebDriver section 6.3).

import { startWebKitDriver, toWebKitCapabilities, type WebKit } from '../support/webkit.ts';
import type { BrowserOptions, Key, Tab, TestBrowser } from './browser.ts';
import type { CookiePolicy } from './combinations.ts';
import { waitLimitMs } from '../../support/time-limit.ts';

/** An option of MiniBrowser. Without it, WebKitGTK rejects third-party cookies. */
const cookieArguments: Readonly<Record<CookiePolicy, readonly string[]>> = {
  default: [],
  'third-party-allowed': ['--cookies-policy=always'],
  'third-party-blocked': ['--cookies-policy=no-third-party'],
  'all-blocked': ['--cookies-policy=never'],
};

/** The code points of W3C WebDriver section 17.4.2. */
const keyCodes: Readonly<Record<Key, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  ArrowDown: '\uE015',
  ' ': ' ',
};

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<any>; // eslint-disable-line typescript/no-explicit-any

export async function openWebKit(commands: WebKit, options: BrowserOptions): Promise<TestBrowser> {
  const { policy, proxyPort } = options;
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
        timeouts: { script: waitLimitMs },
      },
    },
  });
  const session: Send = (method, path, body) => send(method, `/${sessionId}${path}`, body);
  const firstWindow = await session('GET', '/window');
  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    async openTab(url, { width, height } = { width: 1280, height: 800 }) {
      // The current window may be closed.
      await session('POST', '/window', { handle: firstWindow });
      // Opens a window, because this driver cannot bring a tab to the front, and the timers of hidden pages are throttled.
      const { handle } = await session('POST', '/window/new', { type: 'window' });
      const tab = toTab(session, handle);
      await session('POST', '/window', { handle });
      await session('POST', '/window/rect', { width, height });
      await session('POST', '/url', { url });
      return tab;
    },
    // A driver has one session, and a session has one profile.
    openDevice: () => openWebKit(commands, options),
    async close() {
      await session('DELETE', '');
      driver.stop();
    },
  };
}

function toTab(session: Send, handle: string): Tab {
  const select = () => session('POST', '/window', { handle });
  const inWindow: Send = async (...command) => {
    await select();
    return session(...command);
  };
  const perform = (source: object) => inWindow('POST', '/actions', { actions: [source] });
  /** One command for each key, because this driver drops repeated keys of one command. */
  const pressKey = (value: string) =>
    perform({
      type: 'key',
      id: 'keyboard',
      actions: [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ],
    });
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
    goTo: (url) => inWindow('POST', '/url', { url }),
    reload: () => inWindow('POST', '/refresh', {}),
    goBack: () => inWindow('POST', '/back', {}),
    goForward: () => inWindow('POST', '/forward', {}),
    press: (key) => pressKey(keyCodes[key]),
    async type(text) {
      for (const sign of text) await pressKey(sign);
    },
    tap: ({ x, y }) =>
      perform({
        type: 'pointer',
        id: 'finger',
        parameters: { pointerType: 'touch' },
        actions: [
          { type: 'pointerMove', duration: 0, origin: 'viewport', x, y },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    async chooseFiles(selector, paths) {
      await select();
      const input = await session('POST', '/execute/sync', {
        script: `return document.querySelector('funding-application').shadowRoot.querySelector(arguments[0])`,
        args: [selector],
      });
      if (!input) throw new Error(`${selector} is missing`);
      // An element is an object with one property, whose name is a constant of the specification (section 12.2).
      const [id] = Object.values(input);
      await session('POST', `/element/${id}/value`, { text: paths.join('\n') });
    },
    takePicture: async () => Buffer.from(await inWindow('GET', '/screenshot'), 'base64'),
    close: () => inWindow('DELETE', '/window'),
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
