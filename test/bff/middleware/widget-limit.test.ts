// How many files of the widget one address may load in a minute.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createMemoryLimits,
  createRateLimits,
  type LimitStore,
} from '../../../bff/middleware/rate-limits.ts';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { unlimited } from '../../support/unlimited.ts';
import { createWidgetFolder, type TestWidgetFolder } from '../../support/widget-folder.ts';
import { createRig, createTestConfig, isProblem } from '../bff-rig.ts';

describe('the limit of requests for the widget', () => {
  let folder: TestWidgetFolder;

  beforeEach(() => {
    // The library counts by the machine's clock.
    vi.useFakeTimers({ toFake: ['Date'] });
    folder = createWidgetFolder('1.2.3', { 'funding-application.js': 'entry' });
  });
  afterEach(() => {
    vi.useRealTimers();
    folder.remove();
  });

  const entryPath = '/widget/funding-application.js';

  it('refuses what is beyond it, also for unknown files', async () => {
    const browser = await openLimited({ widgetRequestsPerMinutePerAddress: 2 });
    expect((await browser.send('GET', entryPath)).status).toBe(200);
    expect((await browser.send('GET', '/widget/chunks/nothing.js')).status).toBe(404);
    vi.advanceTimersByTime(20_000);
    for (const path of [entryPath, '/widget/chunks/nothing.js']) {
      const refused = await browser.send('GET', path);
      expect(isProblem(refused, 'too-many-requests')).toBe(true);
      expect(refused.headers.get('retry-after')).toBe('40');
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    }
    vi.advanceTimersByTime(40_000);
    expect((await browser.send('GET', entryPath)).status).toBe(200);
  });

  it('is counted apart from the requests to /v1', async () => {
    const browser = await openLimited({
      widgetRequestsPerMinutePerAddress: 1,
      requestsPerMinutePerAddress: 1,
    });
    expect((await browser.send('GET', entryPath)).status).toBe(200);
    expect((await browser.send('GET', '/livez')).status).toBe(200);
    expect((await browser.send('GET', apiPaths.configuration)).status).toBe(200);
  });

  it('lets 200 people of one address load the form in one minute', () => {
    const filesOfForm = 12;
    const { widgetRequestsPerMinutePerAddress } = defaultSettings().limits;
    expect(widgetRequestsPerMinutePerAddress).toBeGreaterThanOrEqual(200 * filesOfForm);
  });

  it('counts in the memory of the process', () => {
    const names: string[] = [];
    const limitStore: LimitStore = {
      ...createMemoryLimits(),
      createLimiter(options) {
        names.push(options.name);
        return createMemoryLimits().createLimiter(options);
      },
    };
    createRateLimits({
      config: { ...createTestConfig(), settings: defaultSettings() },
      limitStore,
      findRateLimitAddress: () => '203.0.113.9',
      counters: { countRateLimit: () => undefined },
      logRateLimited: () => undefined,
    });
    expect(names).toContain('requests-by-address');
    expect(names).not.toContain('widget-requests-by-address');
  });

  async function openLimited(limits: object) {
    const limited = await createRig({
      widget: indexWidget(folder.directory, '1.2.3'),
      settings: { limits: { ...unlimited, ...limits } },
      clientAddress: '203.0.113.9',
    });
    return limited.openBrowser();
  }
});
