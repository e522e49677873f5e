// `/livez`, `/readyz`, problem details, methods, and request ids.

import { describe, expect, it } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { problemSchema } from '../../../shared/api/problems.ts';
import type { TestBff } from '../../support/bff.ts';
import { listEvents, openBff, toOutcome } from '../open-bff.ts';

const readStatus = async ({ app }: TestBff, path: string) => (await app.request(path)).status;

describe('the BFF', () => {
  it('is ready without the funding service', async () => {
    const bff = await openBff();
    expect([await readStatus(bff, '/livez'), await readStatus(bff, '/readyz')]).toEqual([200, 200]);
    expect(bff.calls).toEqual([]);
  });

  it('is not ready while the store cannot commit, which it asks once per second', async () => {
    const store = await openStore('file::memory:');
    let checks = 0;
    let isBroken = true;
    const check = async () => {
      checks += 1;
      if (isBroken) throw new Error('disk full');
    };
    const bff = await openBff({ store: { ...store, check } });
    const ask = () => readStatus(bff, '/readyz');
    expect(await Promise.all([ask(), ask()])).toEqual([503, 503]);
    isBroken = false;
    bff.time.advance(999);
    expect([await ask(), checks]).toEqual([503, 1]);
    bff.time.advance(1);
    expect([await ask(), checks]).toEqual([200, 2]);
  });

  it('returns problem details with the request id of the log', async () => {
    const { browser, logLines } = await openBff();
    const headers = { 'x-request-id': 'an id of the client' };
    const answer = await browser.send('GET', apiPaths.offers, undefined, headers);
    const problem = problemSchema.parse(answer.json);
    expect(problem).toEqual({
      type: 'urn:funding-application:problem:session-missing',
      title: 'The session is missing or expired. Start one with POST /v1/session.',
      status: 401,
      code: 'session-missing',
      requestId: answer.headers.get('x-request-id'),
    });
    expect(problem.requestId).not.toBe('an id of the client');
    expect(logLines.join('')).toContain(problem.requestId);
  });

  it('hides an internal error from the client', async () => {
    const store = await openStore('file::memory:');
    const findOrMoveApplication = () => Promise.reject(new Error('canary in a message'));
    const bff = await openBff({ store: { ...store, findOrMoveApplication } });
    const answer = await bff.browser.apply();
    expect(toOutcome(answer)).toBe('500 internal');
    expect(answer.text).not.toContain('canary');
    const failures = listEvents(bff, 'request-failed');
    expect(failures).toMatchObject([{ error: { name: 'Error' } }]);
    expect(JSON.stringify(failures)).toContain('health.test.ts');
    expect(JSON.stringify(failures)).not.toContain('canary');
  });
});
