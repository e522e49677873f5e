// `/livez`, `/readyz`, problem details, methods, and request ids.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { problemSchema } from '../../../shared/api/problems.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';

describe('the BFF', () => {
  let bff: TestBff;

  beforeEach(async () => {
    bff = await startBff();
  });

  afterEach(() => bff.close());

  it('is ready without the funding service', async () => {
    expect((await bff.app.request('/livez')).status).toBe(200);
    expect((await bff.app.request('/readyz')).status).toBe(200);
    expect(bff.calls).toEqual([]);
  });

  it('is alive but not ready while it drains', async () => {
    bff.drain();
    expect((await bff.app.request('/readyz')).status).toBe(503);
    expect((await bff.app.request('/livez')).status).toBe(200);
  });

  it('closes each connection while it drains', async () => {
    expect((await bff.app.request('/livez')).headers.get('connection')).toBeNull();
    bff.drain();
    for (const path of ['/readyz', '/livez', '/nowhere', apiPaths.offers]) {
      expect((await bff.app.request(path)).headers.get('connection')).toBe('close');
    }
  });

  it('checks the store at most once per second', async () => {
    const store = await openStore('file::memory:');
    let checks = 0;
    const check = async () => void (checks += 1);
    const asked = await startBff({ store: { ...store, check } });
    await Promise.all([asked.app.request('/readyz'), asked.app.request('/readyz')]);
    asked.time.advance(999);
    await asked.app.request('/readyz');
    expect(checks).toBe(1);
    asked.time.advance(1);
    await asked.app.request('/readyz');
    expect(checks).toBe(2);
    await asked.close();
  });

  it('is not ready while the store cannot commit', async () => {
    const store = await openStore('file::memory:');
    let isBroken = true;
    const check = () => (isBroken ? Promise.reject(new Error('disk full')) : store.check());
    const broken = await startBff({ store: { ...store, check } });
    expect((await broken.app.request('/readyz')).status).toBe(503);
    isBroken = false;
    broken.time.advance(1_000);
    expect((await broken.app.request('/readyz')).status).toBe(200);
    await broken.close();
  });

  it('returns problem details with the request id of the log', async () => {
    const answer = await bff.openBrowser().send('GET', apiPaths.offers);
    const problem = problemSchema.parse(answer.json);
    expect(problem).toEqual({
      type: 'urn:funding-application:problem:session-missing',
      title: 'The session is missing or expired. Start one with POST /v1/session.',
      status: 401,
      code: 'session-missing',
      requestId: answer.headers.get('x-request-id'),
    });
    expect(bff.logLines.join('')).toContain(problem.requestId);
  });

  it('ignores a request id of the client', async () => {
    const headers = { 'x-request-id': 'mine' };
    const answer = await bff.openBrowser().send('GET', apiPaths.offers, undefined, headers);
    expect(answer.headers.get('x-request-id')).not.toBe('mine');
  });

  it('lists the allowed methods of a path', async () => {
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    const answer = await browser.send('PUT', apiPaths.application);
    expect(isProblem(answer, 'method-not-allowed')).toBe(true);
    expect(answer.headers.get('allow')).toContain('POST');
  });

  it('returns not-found for an unknown path', async () => {
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session);
    expect(isProblem(await browser.send('GET', '/v1/leads'), 'not-found')).toBe(true);
    expect(isProblem(await browser.send('GET', '/'), 'not-found')).toBe(true);
  });

  it('hides an internal error from the client', async () => {
    const store = await openStore('file::memory:');
    const broken = await startBff({
      store: {
        ...store,
        findOrMoveApplication: () => Promise.reject(new Error('canary in a message')),
      },
    });
    const browser = broken.openBrowser();
    await browser.send('POST', apiPaths.session);
    const answer = await browser.apply();
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
