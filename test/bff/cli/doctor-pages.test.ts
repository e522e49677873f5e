// `doctor` and the pages of the BFF.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import { createWidgetFolder, entryName } from '../../support/widget-folder.ts';
import { createDoctorRig, type DoctorRig } from './doctor-rig.ts';

const version = '1.2.3-test';

let rig: DoctorRig;

beforeAll(async () => {
  const folder = createWidgetFolder(version, { [entryName]: 'export {};' });
  rig = await createDoctorRig({ widget: indexWidget(folder.directory, version) });
  folder.remove();
});

afterEach(() => {
  rig.faults = {};
});

afterAll(() => rig.close());

const findCheck = async () =>
  (await rig.run('--json')).checks.find(({ check }) => check === 'pages');
const elsewhere = { status: 404, headers: new Headers({ 'content-type': 'text/html' }), body: '' };

it('reports that the pages arrive', async () => {
  expect(await findCheck()).toMatchObject({ result: 'ok' });
});

it.each(['/phone', '/page/', '/v1/handoff/claim'])('fails if the proxy keeps %s', async (path) => {
  rig.faults.answerInstead = ({ url }) => (url?.startsWith(path) ? elsewhere : undefined);
  expect(await findCheck()).toMatchObject({
    result: 'failed',
    fix: 'Forward /apply, /phone, /page/, /widget/, and /v1/ with all headers to the BFF.',
  });
});

it('fails if the proxy replaces the policy', async () => {
  rig.faults.changeAnswer = ({ headers }) =>
    headers.set('content-security-policy', "default-src 'self'");
  expect(await findCheck()).toMatchObject({
    result: 'failed',
    message: 'The Content-Security-Policy of the pages is not the one for PUBLIC_URL.',
  });
});

it('fails if the proxy removes the header of phones', async () => {
  rig.faults.changeRequest = (headers) => {
    delete headers['x-funding-phone'];
  };
  expect(await findCheck()).toMatchObject({ result: 'failed' });
});
