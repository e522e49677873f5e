// Which security headers stand on which answers, failures and the health of the process included.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexWidget, type WidgetFile } from '../../../bff/config/widget-folder.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createWidgetFolder, type TestWidgetFolder } from '../../support/widget-folder.ts';
import { createRig, isProblem, type Rig } from '../bff-rig.ts';

const closed = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

describe('the security headers', () => {
  let rig: Rig;
  let folder: TestWidgetFolder;

  beforeEach(async () => {
    folder = createWidgetFolder('1.2.3', { 'funding-application.js': 'entry' });
    rig = await createRig({ widget: indexWidget(folder.directory, '1.2.3') });
  });

  afterEach(async () => {
    await rig.close();
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
  ])('close the answer to %s %s, which is a %i', async (method, path, status) => {
    const answer = await rig.openBrowser().send(method, path);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject(closed);
  });

  it('close the answer to a failure from inside', async () => {
    class BrokenFiles extends Map<string, WidgetFile> {
      override get(): never {
        throw new Error('Broken');
      }
    }
    const widget = { ...indexWidget(folder.directory, '1.2.3'), files: new BrokenFiles() };
    const broken = await createRig({ widget });
    const answer = await broken.openBrowser().send('GET', '/widget/funding-application.js');
    expect(isProblem(answer, 'internal')).toBe(true);
    const { 'cross-origin-resource-policy': _open, ...rest } = closed;
    expect(Object.fromEntries(answer.headers)).toMatchObject(rest);
    await broken.close();
  });

  it.each(['/livez', '/readyz', '/metrics', '/nowhere'])(
    'give no page of another origin a look at %s',
    async (path) => {
      const { headers } = await rig.openBrowser().send('GET', path);
      expect([...headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([]);
    },
  );

  it('open a file of the widget to every page, and keep the rest closed', async () => {
    const { headers } = await rig.openBrowser().send('GET', '/widget/funding-application.js');
    expect(Object.fromEntries(headers)).toMatchObject({
      ...closed,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('keep no failure of the widget’s address', async () => {
    const { status, headers } = await rig.openBrowser().send('GET', '/widget/nothing.js');
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});
