// The concurrency limit, with handlers that the test completes.

import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import {
  createConcurrencyLimit,
  type ConcurrencyLimit,
} from '../../../bff/middleware/rate-limits.ts';
import { toProblemResponse } from '../../../bff/middleware/errors.ts';
import { readJson } from '../../../bff/routes/request-body.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { unlimited } from '../../support/unlimited.ts';
import { firstKey, secondKey } from '../../support/applicant.ts';
import { openBff, startSession } from '../open-bff.ts';
import { createManualTime, until } from '../../support/manual-time.ts';

describe('the concurrency limit', () => {
  const time = createManualTime();
  let limit: ConcurrencyLimit;
  let refused: string[];
  let releases: (() => void)[];
  let held: Promise<Response>[];
  let app: Hono<BffEnv>;

  function open(maxRequests: number): void {
    refused = [];
    releases = [];
    held = [];
    limit = createConcurrencyLimit(maxRequests, (requestId) => refused.push(requestId));
    app = new Hono<BffEnv>()
      .use(async (c, next) => {
        c.set('requestId', 'request-1');
        await next();
      })
      .use(limit.middleware)
      .get('/', async (c) => {
        await new Promise<void>((resolve) => releases.push(resolve));
        return c.text('done');
      })
      .get('/broken', () => {
        throw new Error('broken');
      })
      .post('/', async (c) => c.text(await readJson(c, z.string(), 100, time)))
      .post(apiPaths.documents, (c) => c.text('uploaded'))
      .post(apiPaths.assetReport, (c) => c.text('uploaded'));
    app.onError((error, c) => toProblemResponse(c, error));
  }

  /** Sends requests whose handlers do not complete. */
  async function fill(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const before = releases.length;
      held.push(Promise.resolve(app.request('/')));
      await until(() => releases.length > before);
    }
  }

  beforeEach(() => open(2));

  it('refuses requests above the limit with Retry-After', async () => {
    await fill(2);
    const answer = await app.request('/');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await answer.json()).toMatchObject({ code: 'too-busy' });
    expect(refused).toEqual(['request-1']);
  });

  it('releases a permit with the response or the error', async () => {
    await fill(2);
    for (const release of releases) release();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
    await app.request('/broken');
    await app.request('/broken');
    await fill(2);
    expect((await app.request('/')).status).toBe(503);
  });

  it.each([apiPaths.documents, apiPaths.assetReport])(
    'does not count uploads: %s',
    async (path) => {
      await fill(2);
      expect((await app.request(path, { method: 'POST' })).status).toBe(200);
    },
  );

  it('counts a request only after its body arrived', async () => {
    const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
    const slow = Array.from({ length: 5 }, () =>
      app.request('/', {
        method: 'POST',
        body: new ReadableStream({ start: (controller) => void bodies.push(controller) }),
        duplex: 'half',
      } as RequestInit),
    );
    await until(() => bodies.length === 5 && !limit.isBusy());
    await fill(2);
    bodies[0]!.close();
    expect((await slow[0]!).status).toBe(503);
    for (const release of releases) release();
    await Promise.all(held);
    for (const [index, body] of bodies.entries()) {
      if (index === 0) continue;
      body.enqueue(new TextEncoder().encode('"late"'));
      body.close();
      expect(await (await slow[index]!).text()).toBe('late');
    }
  });

  it('is busy above half of the limit', async () => {
    open(4);
    await fill(2);
    expect(limit.isBusy()).toBe(false);
    await fill(1);
    expect(limit.isBusy()).toBe(true);
  });

  it('is off at 0', async () => {
    open(0);
    await fill(3);
    expect([limit.isBusy(), refused]).toEqual([false, []]);
  });
});

describe('a busy BFF', () => {
  it('does not wait for the funding service', async () => {
    const bff = await openBff({
      delivers: false,
      settings: { limits: { ...unlimited, requestsAtOnce: 2 } },
    });
    const [first, second] = [bff.browser, bff.openBrowser()];
    for (const browser of [first, second]) await startSession(browser);
    const waiting = first.apply(undefined, firstKey);
    await until(() => bff.time.listTimers().includes(8_000));
    const hurried = second.apply(undefined, secondKey);
    await until(() => bff.time.listTimers().includes(0));
    bff.time.advance(0);
    expect((await hurried).status).toBe(202);
    bff.time.advance(8_000);
    expect((await waiting).status).toBe(202);
  });
});
