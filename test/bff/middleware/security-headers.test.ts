// The security headers of all kinds of responses.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexWidget, type WidgetFile } from '../../../bff/config/widget-folder.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createWidgetFolder, type TestWidgetFolder } from '../../support/widget-folder.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';

const closed = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

describe('the security headers', () => {
  let bff: TestBff;
  let folder: TestWidgetFolder;

  beforeEach(async () => {
    folder = createWidgetFolder('1.2.3-9c40', { 'funding-application.js': 'entry' });
    bff = await startBff({ widget: indexWidget(folder.directory, '1.2.3-9c40') });
  });

  afterEach(async () => {
    await bff.close();
    folder.remove();
  });

  it.each([
    ['GET', apiPaths.configuration, 200],
    ['POST', apiPaths.session, 200],
    ['GET', apiPaths.offers, 401],
    ['GET', '/v1/nothing', 401],
    ['PUT', apiPaths.session, 405],
    ['GET', '/livez', 200],
    ['POST', '/livez', 405],
    ['GET', '/readyz', 200],
    ['GET', '/metrics', 200],
    ['GET', '/', 404],
    ['GET', '/nowhere', 404],
    ['POST', '/widget/funding-application.js', 405],
  ])('protect the response to %s %s with status %i', async (method, path, status) => {
    const answer = await bff.openBrowser().send(method, path);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject(closed);
  });

  it('protect the response to an internal error', async () => {
    class BrokenFiles extends Map<string, WidgetFile> {
      override get(name: string): undefined {
        // The pages look for the element at the start.
        if (name === 'broken.js') throw new Error('Broken');
      }
    }
    const widget = { ...indexWidget(folder.directory, '1.2.3-9c40'), files: new BrokenFiles() };
    const broken = await startBff({ widget });
    const answer = await broken.openBrowser().send('GET', '/widget/broken.js');
    expect(isProblem(answer, 'internal')).toBe(true);
    const { 'cross-origin-resource-policy': _open, ...rest } = closed;
    expect(Object.fromEntries(answer.headers)).toMatchObject(rest);
    await broken.close();
  });

  it.each(['/livez', '/readyz', '/metrics', '/nowhere'])(
    'let no other origin read %s',
    async (path) => {
      const { headers } = await bff.openBrowser().send('GET', path);
      expect([...headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([]);
    },
  );

  it('let every page load a file of the element', async () => {
    const { headers } = await bff.openBrowser().send('GET', '/widget/funding-application.js');
    expect(Object.fromEntries(headers)).toMatchObject({
      ...closed,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('forbid caching of a missing file of the element', async () => {
    const { status, headers } = await bff.openBrowser().send('GET', '/widget/nothing.js');
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});
