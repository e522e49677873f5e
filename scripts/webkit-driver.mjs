// Starts what WebKitGTK needs to be driven: a display, since it has no headless mode, and its WebDriver.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const startTimeoutMs = 30_000;

/**
 * @param {{ driver: string, display: string }} commands
 * @returns {Promise<{ port: number, stop: () => void }>} where WebDriver answers on 127.0.0.1, and what ends both
 */
export async function startWebKitDriver({ driver, display }) {
  const children = [];
  const stop = () => {
    children.splice(0).forEach((child) => child.kill());
    process.off('exit', stop);
  };
  // A run that is broken off never calls stop().
  process.once('exit', stop);
  const screen = await startDisplay(display, children);
  return { port: await startDriver(driver, screen, children), stop };
}

/** @param {string} browser path of MiniBrowser */
export function toWebKitCapabilities(browser, args = []) {
  return {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: browser, args: ['--automation', ...args] },
  };
}

// -displayfd lets Xvfb choose a free display and say which, so that two runs never collide.
async function startDisplay(command, children) {
  const args = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  children.push(child);
  const [answer] = await once(child.stdio[3], 'data', {
    signal: AbortSignal.timeout(startTimeoutMs),
  });
  return `:${String(answer).trim()}`;
}

async function startDriver(command, screen, children) {
  const port = await findFreePort();
  const env = { ...process.env, DISPLAY: screen };
  children.push(spawn(command, ['-p', String(port)], { stdio: 'ignore', env }));
  const deadlineMs = Date.now() + startTimeoutMs;
  while (Date.now() < deadlineMs) {
    if (await answers(`http://127.0.0.1:${port}/status`)) return port;
    await sleep(50);
  }
  throw new Error(`WebKitWebDriver did not answer within ${startTimeoutMs} ms`);
}

async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
