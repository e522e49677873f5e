// WebKitGTK for tests. It has no headless mode, so each run starts a display (Xvfb) and a WebDriver of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { webdriverLauncher, type WebdriverLauncher } from '@web/test-runner-webdriver';
import { isReady } from '../../support/bff-process.ts';
import { findFreePort } from '../../support/free-port.ts';
import { waitLimitMs } from '../../support/time-limit.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Paths of the programs. */
export interface WebKit {
  /** WebKitWebDriver. */
  readonly driver: string;
  /** Xvfb. */
  readonly display: string;
  /** MiniBrowser. */
  readonly browser: string;
}

/** `stop` ends the driver and the display. */
export async function startWebKitDriver({ driver, display }: WebKit) {
  const children: ChildProcess[] = [];
  const stop = () => {
    for (const child of children.splice(0)) child.kill();
    process.off('exit', stop);
  };
  process.once('exit', stop);

  // -displayfd makes Xvfb choose a free display and report it, so that two runs never collide.
  const args = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
  const screen = spawn(display, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  children.push(screen);
  // A pipe from which this process reads.
  const reports = screen.stdio[3] as Readable;
  const [report] = await once(reports, 'data', { signal: AbortSignal.timeout(waitLimitMs) });

  const port = await findFreePort();
  const env = { ...process.env, DISPLAY: `:${String(report).trim()}` };
  children.push(spawn(driver, ['-p', String(port)], { stdio: 'ignore', env }));
  await waitUntil(() => isReady(`http://127.0.0.1:${port}/status`), 'An answer of WebKitWebDriver');
  return { port, stop };
}

/** @param browser path of MiniBrowser */
export function toWebKitCapabilities(
  browser: string,
  args: readonly string[] = [],
): { browserName: string; 'webkitgtk:browserOptions': { binary: string; args: string[] } } {
  return {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: browser, args: ['--automation', ...args] },
  };
}

/** The launcher of web-test-runner for WebKitGTK. */
export function webkitLauncher(programs: WebKit): WebdriverLauncher {
  const options = {
    hostname: '127.0.0.1',
    path: '/',
    /** WebDriver's port on 127.0.0.1. */
    port: 0,
    logLevel: 'error' as const,
    connectionRetryCount: 1,
    connectionRetryTimeout: waitLimitMs,
    capabilities: {
      ...toWebKitCapabilities(programs.browser),
      'wdio:enforceWebDriverClassic': true,
    },
  };
  const launcher = webdriverLauncher(options);
  const { initialize, startSession, stop } = launcher;
  let driver: Awaited<ReturnType<typeof startWebKitDriver>> | undefined;

  const open = async (config: Parameters<typeof initialize>[0]) => {
    driver = await startWebKitDriver(programs);
    options.port = driver.port;
    await initialize.call(launcher, config);
  };
  let reopen: () => Promise<void>;
  launcher.initialize = async (config) => {
    reopen = () => open(config);
    await reopen();
  };
  // Runs each file in a new tab. The history of a tab is full after 100 entries, and then drops the oldest ones.
  const openTab = async () => {
    const client = launcher['driver'];
    if (!client) return;
    const { handle } = await client.createWindow('tab');
    await client.closeWindow();
    await client.switchToWindow(handle);
  };
  launcher.startSession = async (id, url) => {
    try {
      await openTab();
    } catch {
      // MiniBrowser crashes now and then. A crash within a file fails this file.
      driver?.stop();
      await reopen();
    }
    await startSession.call(launcher, id, url);
  };
  launcher.stop = async () => {
    await stop.call(launcher);
    driver?.stop();
  };
  return launcher;
}
