// WebKitGTK for web-test-runner. It has no headless mode, so a run gets a display and a driver of its own.
import { webdriverLauncher } from '@web/test-runner-webdriver';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const startTimeoutMs = 30_000;

export function webkitLauncher({ driver, display, browser }) {
  const options = {
    hostname: '127.0.0.1',
    path: '/',
    logLevel: 'error',
    connectionRetryCount: 1,
    connectionRetryTimeout: startTimeoutMs,
    capabilities: {
      browserName: 'MiniBrowser',
      'wdio:enforceWebDriverClassic': true,
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
    },
  };
  const launcher = webdriverLauncher(options);
  const { initialize, stop } = launcher;

  const children = [];
  const killChildren = () => children.splice(0).forEach((child) => child.kill());
  // A run that is broken off never calls stop().
  process.once('exit', killChildren);

  launcher.initialize = async (config) => {
    const screen = await startDisplay(display, children);
    options.port = await startDriver(driver, screen, children);
    await initialize.call(launcher, config);
  };
  launcher.stop = async () => {
    await stop.call(launcher);
    killChildren();
  };
  return launcher;
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
