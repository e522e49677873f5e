// The security headers and the contract version of all kinds of responses.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { indexWidget, type WidgetFile } from '../../../bff/config/widget-folder.ts';
import { apiPaths, apiResponseHeaders, contractVersion } from '../../../shared/api/paths.ts';
import { createWidgetFolder, type TestWidgetFolder } from '../../support/widget-folder.ts';
import { openBff, startSession, toOutcome, type OpenBff } from '../open-bff.ts';

const closed = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const entryPath = '/widget/funding-application.js';

describe('the headers of a response', () => {
  let bff: OpenBff;
  let folder: TestWidgetFolder;

  beforeEach(async () => {
    folder = createWidgetFolder('1.2.3-9c40', { 'funding-application.js': 'entry' });
    onTestFinished(() => folder.remove());
    bff = await openBff({ widget: indexWidget(folder.directory, '1.2.3-9c40') });
  });

  it.each([
    ['GET', apiPaths.configuration, 200],
    ['POST', apiPaths.session, 200],
    ['DELETE', apiPaths.session, 204],
    ['GET', apiPaths.offers, 401],
    ['GET', '/v1/nothing', 401],
    ['PUT', apiPaths.session, 405],
    ['GET', '/livez', 200],
    ['POST', '/livez', 405],
    ['GET', '/readyz', 200],
    ['GET', '/metrics', 200],
    ['GET', '/', 404],
    ['GET', '/nowhere', 404],
    ['GET', '/widget/nothing.js', 404],
    ['POST', entryPath, 405],
  ])('protect %s %s with status %i', async (method, path, status) => {
    const { browser } = bff;
    if (method === 'DELETE') await startSession(browser);
    const answer = await browser.send(method, path);
    expect(answer.status).toBe(status);
    const isApi = path.startsWith('/v1');
    const isOpen = path === '/widget/nothing.js';
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      ...closed,
      ...(isOpen && { 'cross-origin-resource-policy': 'cross-origin' }),
    });
    expect(headers[apiResponseHeaders.contractVersion]).toBe(isApi ? contractVersion : undefined);
    const access = Object.keys(headers).filter((name) => name.startsWith('access-'));
    expect(access.length > 0).toBe(isApi || isOpen);
  });

  it('let every page load a file of the element', async () => {
    const { headers } = await bff.browser.send('GET', entryPath);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...closed,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('let a page read the contract version, also of a refusal', async () => {
    const { headers } = await bff.browser.send('GET', apiPaths.configuration);
    const { contractVersion: name } = apiResponseHeaders;
    expect(headers.get('access-control-expose-headers')).toContain(name);
    const refused = await bff.openBrowser('https://other.example').send('GET', apiPaths.offers);
    expect([refused.status, refused.headers.get(name)]).toEqual([403, contractVersion]);
  });

  it('protect an internal error', async () => {
    class BrokenFiles extends Map<string, WidgetFile> {
      override get(name: string): undefined {
        // The pages look for the element at the start.
        if (name === 'broken.js') throw new Error('Broken');
      }
    }
    const widget = { ...indexWidget(folder.directory, '1.2.3-9c40'), files: new BrokenFiles() };
    const { browser } = await openBff({ widget });
    const answer = await browser.send('GET', '/widget/broken.js');
    expect(toOutcome(answer)).toBe('500 internal');
    const { 'cross-origin-resource-policy': _open, ...rest } = closed;
    expect(Object.fromEntries(answer.headers)).toMatchObject(rest);
  });
});
