// WebKitGTK for web-test-runner: a run gets a display and a driver of its own.
import { webdriverLauncher } from '@web/test-runner-webdriver';
import { startTimeoutMs, startWebKitDriver, toWebKitCapabilities } from './webkit-driver.mjs';

export function webkitLauncher(commands) {
  const options = {
    hostname: '127.0.0.1',
    path: '/',
    logLevel: 'error',
    connectionRetryCount: 1,
    connectionRetryTimeout: startTimeoutMs,
    capabilities: {
      ...toWebKitCapabilities(commands.browser),
      'wdio:enforceWebDriverClassic': true,
    },
  };
  const launcher = webdriverLauncher(options);
  const { initialize, stop } = launcher;
  let stopDriver = () => {};

  launcher.initialize = async (config) => {
    const driver = await startWebKitDriver(commands);
    stopDriver = driver.stop;
    options.port = driver.port;
    await initialize.call(launcher, config);
  };
  launcher.stop = async () => {
    await stop.call(launcher);
    stopDriver();
  };
  return launcher;
}
