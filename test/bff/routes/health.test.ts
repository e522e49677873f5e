// `/livez`, `/readyz`, and what every answer shares: problem details, methods, request ids.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { configurationSchema } from '../../../shared/api/configuration.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { problemSchema } from '../../../shared/api/problems.ts';
import { createRig, isProblem, type Rig } from '../bff-rig.ts';

describe('the BFF', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await createRig();
  });

  afterEach(() => rig.close());

  it('is alive and ready without a page, a header or a service', async () => {
    expect((await rig.app.request('/livez')).status).toBe(200);
    expect((await rig.app.request('/readyz')).status).toBe(200);
    expect(rig.calls).toEqual([]);
  });

  it('is not ready once it is asked to stop, and ends every connection then', async () => {
    expect((await rig.app.request('/livez')).headers.get('connection')).toBeNull();
    rig.drain();
    expect((await rig.app.request('/readyz')).status).toBe(503);
    expect((await rig.app.request('/livez')).status).toBe(200);
    for (const path of ['/readyz', '/livez', '/nowhere', apiPaths.offers]) {
      expect((await rig.app.request(path)).headers.get('connection')).toBe('close');
    }
  });

  it('asks the store once a second at most, however often it is asked', async () => {
    const store = await openStore('file::memory:');
    let checks = 0;
    const check = async () => void (checks += 1);
    const asked = await createRig({ store: { ...store, check } });
    await Promise.all([asked.app.request('/readyz'), asked.app.request('/readyz')]);
    asked.time.advance(999);
    await asked.app.request('/readyz');
    expect(checks).toBe(1);
    asked.time.advance(1);
    await asked.app.request('/readyz');
    expect(checks).toBe(2);
    await asked.close();
  });

  it('is not ready while nothing can be committed', async () => {
    const store = await openStore('file::memory:');
    let isBroken = true;
    const check = () => (isBroken ? Promise.reject(new Error('disk full')) : store.check());
    const broken = await createRig({ store: { ...store, check } });
    expect((await broken.app.request('/readyz')).status).toBe(503);
    isBroken = false;
    broken.time.advance(1_000);
    expect((await broken.app.request('/readyz')).status).toBe(200);
    await broken.close();
  });

  it('tells the form what it needs', async () => {
    const answer = await rig.openBrowser().send('GET', apiPaths.configuration);
    const configuration = configurationSchema.parse(answer.json);
    expect(configuration).toEqual(answer.json);
    expect(configuration.bankConnection).toBe('demonstration');
    expect(configuration.documents).toMatchObject({
      maxBytes: 10_485_760,
      maxFiles: 20,
      maxTotalBytes: 62_914_560,
    });
    const ids = configuration.documents.categories.map(({ id }) => id);
    expect(ids).toHaveLength(35);
    expect(ids).not.toContain('psf');
    expect(answer.text).not.toContain('wire');
  });

  it('answers every failure with problem details and the id that stands in the log', async () => {
    const answer = await rig.openBrowser().send('GET', apiPaths.offers);
    const problem = problemSchema.parse(answer.json);
    expect(problem).toEqual({
      type: 'urn:funding-application:problem:session-missing',
      title: 'The session is missing or expired. Start one with POST /v1/session.',
      status: 401,
      code: 'session-missing',
      requestId: answer.headers.get('x-request-id'),
    });
    expect(rig.logLines.join('')).toContain(problem.requestId);
  });

  it('does not take a request id over', async () => {
    const headers = { 'x-request-id': 'mine' };
    const answer = await rig.openBrowser().send('GET', apiPaths.offers, undefined, headers);
    expect(answer.headers.get('x-request-id')).not.toBe('mine');
  });

  it('names the methods an address takes', async () => {
    const browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    const answer = await browser.send('PUT', apiPaths.application);
    expect(isProblem(answer, 'method-not-allowed')).toBe(true);
    expect(answer.headers.get('allow')).toContain('POST');
  });

  it('has nothing at an unknown address', async () => {
    const browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    expect(isProblem(await browser.send('GET', '/v1/leads'), 'not-found')).toBe(true);
    expect(isProblem(await browser.send('GET', '/'), 'not-found')).toBe(true);
  });

  it('tells nothing of what broke inside, and tells the log where', async () => {
    const store = await openStore('file::memory:');
    const broken = await createRig({
      store: {
        ...store,
        addSession: () => Promise.reject(new Error('canary in a message')),
      },
    });
    const answer = await broken.openBrowser().send('POST', apiPaths.session);
    expect(isProblem(answer, 'internal')).toBe(true);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('canary');
    const line = broken.logLines.find((text) => text.includes('request-failed')) ?? '';
    expect(JSON.parse(line).error.name).toBe('Error');
    expect(line).toContain('health.test.ts');
    expect(line).not.toContain('canary');
    await broken.close();
  });
});
