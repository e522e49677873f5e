// `/metrics`: access, gauges of the store, and counters.

import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FundingService, Readiness } from '../../../bff/funding-service/funding-service.ts';
import { Counters } from '../../../bff/middleware/counters.ts';
import { toProblemResponse } from '../../../bff/middleware/errors.ts';
import { monitoringRoutes } from '../../../bff/routes/monitoring.ts';
import type { Store } from '../../../bff/store/store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { startBff } from '../../support/bff.ts';
import {
  accepted,
  createCliRig,
  first,
  held,
  refuseCanaries,
  second,
  type CliRig,
} from '../cli/cli-rig.ts';

const token = 'a-token-of-the-scraper';

describe('GET /metrics', () => {
  let bff: CliRig;
  let readiness: Readiness;

  beforeEach(async () => {
    bff = await createCliRig();
    readiness = { kind: 'ready' };
  });

  afterEach(() => bff.store.close());

  it('counts rows by kind and state', async () => {
    await bff.add(first);
    await bff.recordResult(accepted);
    await bff.addAttachment('d1');
    await bff.add(second);
    bff.time.advance(90_000);
    const text = await scrape();
    expect(text).toContain('funding_store_rows{kind="application",state="accepted"} 1\n');
    expect(text).toContain('funding_store_rows{kind="application",state="held"} 0\n');
    expect(text).toContain('funding_store_rows{kind="document",state="received"} 1\n');
    expect(text).toContain('funding_store_rows{kind="contact",state="receiving"} 0\n');
    expect(text).not.toContain('kind="document",state="unconfirmed"');
    expect(text).toContain('funding_store_oldest_waiting_seconds{kind="application"} 90\n');
    expect(text).toContain('funding_store_oldest_waiting_seconds{kind="contact"} 0\n');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('has a value for each alarm', async () => {
    await bff.add();
    await bff.recordResult(held);
    const text = await scrape();
    expect(text).toContain('funding_alarms{alarm="application-held"} 1\n');
    expect(text).toContain('funding_alarms{alarm="application-unconfirmed"} 0\n');
  });

  it('counts events for the webhook', async () => {
    await bff.store.registerEventConsumers([{ name: 'webhook', target: '' }]);
    await bff.add();
    await bff.recordResult(accepted);
    const claim = await bff.store.claimEvent({ name: 'webhook', target: '' }, 60_000);
    await bff.store.recordEventGivenUp(claim!, 'http-500');
    const text = await scrape();
    expect(text).toContain('funding_events_pending{consumer="webhook"} 1\n');
    expect(text).toContain('funding_events_pending{consumer="hook"} 0\n');
    expect(text).toContain('funding_events_given_up{consumer="webhook"} 1\n');
    expect(text).toMatch(/funding_events_oldest_pending_seconds\{consumer="webhook"\} \d/);
    expect(text).toContain('funding_alarms{alarm="events-given-up"} 1\n');
    expect(text).toContain('funding_event_attempts_total{result="sent"} 0\n');
  });

  it('resets an alarm that has ended', async () => {
    const app = createApp();
    await bff.add();
    await bff.recordResult(held);
    await app.request('/metrics');
    await bff.store.retryHeld();
    bff.time.advance(5_000);
    const text = await (await app.request('/metrics')).text();
    expect(text).toContain('funding_alarms{alarm="application-held"} 0\n');
    expect(text).toContain('funding_store_rows{kind="application",state="held"} 0\n');
  });

  it.each([
    [{ kind: 'ready' }, 0],
    [{ kind: 'half-open' }, 0.5],
    [{ kind: 'unavailable', retryAfterMs: 9 }, 1],
  ] as const)('shows the breaker of an operation that is %j', async (state, value) => {
    readiness = state;
    const text = await scrape();
    expect(text).toContain(`funding_breaker_open{operation="create-lead"} ${value}\n`);
    expect(text).toContain('funding_breaker_open{operation="upload-file"} 0\n');
  });

  it('shows how many leads are sent at once', async () => {
    expect(await scrape()).toContain('funding_lead_limit 32\n');
  });

  it('shows whether the store is ready', async () => {
    let isFull = true;
    const check = async () => {
      if (isFull) throw new Error('sandbox-password');
    };
    const app = createApp({}, { check });
    const ask = async () => (await app.request('/metrics')).text();
    expect(await ask()).toContain('funding_store_ready 0\n');
    isFull = false;
    bff.time.advance(999);
    expect(await ask()).toContain('funding_store_ready 0\n');
    bff.time.advance(1);
    expect(await ask()).toContain('funding_store_ready 1\n');
  });

  it('counts refusals of the origin gate', async () => {
    const whole = await startBff({ delivers: false });
    const ask = async () => (await whole.app.request('/metrics')).text();
    const before = await ask();
    expect(before).toContain('funding_origin_gate_refusals_total{reason="origin-not-listed"} 0\n');
    expect(before).toContain('funding_session_refusals_total{reason="unknown-password"} 0\n');
    expect(before).toContain('funding_sessions_presented_total 0\n');

    await whole.openBrowser('https://evil.example').send('GET', apiPaths.session);
    const browser = whole.openBrowser();
    await browser.send('GET', apiPaths.session);
    await browser.send('POST', apiPaths.session);
    await browser.send('GET', apiPaths.session);
    const [name = ''] = browser.cookies.keys();
    browser.cookies.set(name, 'garbage');
    await browser.send('GET', apiPaths.session);

    const startTimer = await ask();
    expect(startTimer).toContain(
      'funding_origin_gate_refusals_total{reason="origin-not-listed"} 1\n',
    );
    expect(startTimer).toContain('funding_session_refusals_total{reason="invalid"} 1\n');
    expect(startTimer).toContain('funding_sessions_presented_total 2\n');
    await whole.close();
  });

  it('counts calls to the funding service with the deliveries', async () => {
    const whole = await startBff();
    expect(await whole.openBrowser().apply()).toMatchObject({ status: 201 });
    const text = await (await whole.app.request('/metrics')).text();
    expect(text).toContain('funding_calls_total{operation="create-lead",outcome="accepted"} 1\n');
    expect(text).toContain('funding_calls_total{operation="create-lead",outcome="unknown"} 0\n');
    expect(text).toContain('funding_call_duration_seconds_count{operation="create-lead"} 1\n');
    expect(text).toContain('funding_deliveries_total{kind="application",state="accepted"} 1\n');
    await whole.close();
  });

  it('counts the rows at each request', async () => {
    let asked = 0;
    const countStates = async () => {
      asked += 1;
      return [];
    };
    const app = createApp({}, { countStates });
    await app.request('/metrics');
    await app.request('/metrics');
    expect(asked).toBe(2);
  });

  it('is text in the Prometheus format', async () => {
    const { headers } = await createApp().request('/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  it('omits the gauges of the store while the store is unavailable', async () => {
    let isBroken = false;
    const fail = async () => {
      if (isBroken) throw new Error('sandbox-password');
    };
    const countStates = async () => {
      await fail();
      return bff.store.countStates();
    };
    const app = createApp({}, { countStates, check: fail });
    const ask = async () => (await app.request('/metrics')).text();
    expect(await ask()).toContain('funding_alarms{');
    isBroken = true;
    bff.time.advance(5_000);
    const text = await ask();
    expect(text).toContain('funding_store_ready 0\n');
    expect(text).toContain('funding_origin_gate_refusals_total{reason="origin-not-listed"} 0\n');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toMatch(/^funding_(alarms|store_rows|store_oldest_waiting_seconds)\{/m);
    expect(text).not.toContain('sandbox-password');
    isBroken = false;
    bff.time.advance(5_000);
    expect(await ask()).toContain('funding_alarms{');
  });

  it('needs the token only, not the headers of the API', async () => {
    const variables = { METRICS_TOKEN: token };
    const whole = await startBff({ delivers: false, variables });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await whole.app.request('/metrics', { headers });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await whole.app.request('/metrics')).status).toBe(401);
    expect((await whole.app.request('/metrics', { method: 'POST' })).status).toBe(405);
    expect(whole.logLines.join('')).not.toContain(token);
    await whole.close();
  });

  it.each(['staging', 'production'] as const)(
    'does not exist in %s without METRICS_TOKEN',
    async (name) => {
      const answer = await createApp({ environment: name }).request('/metrics');
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    },
  );

  it.each(['sandbox', 'production'] as const)('requires the token in %s', async (environment) => {
    const app = createApp({ environment, metricsToken: token });
    const ask = (authorization?: string) =>
      app.request('/metrics', { headers: authorization ? { authorization } : {} });
    expect((await ask(`Bearer ${token}`)).status).toBe(200);
    expect((await ask(`bearer ${token}`)).status).toBe(200);
    for (const wrong of [undefined, token, 'Bearer', `Bearer ${token}x`, `Basic ${token}`]) {
      const answer = await ask(wrong);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(await answer.text()).not.toContain('funding_');
    }
  });

  function createApp(
    config: Partial<Parameters<typeof monitoringRoutes>[0]['config']> = {},
    changes: Partial<Pick<Store, 'check' | 'countStates'>> = {},
  ) {
    const fundingService: Pick<FundingService, 'readiness' | 'maxConcurrentLeads'> = {
      maxConcurrentLeads: () => 32,
      readiness: (operation) => (operation === 'create-lead' ? readiness : { kind: 'ready' }),
    };
    const routes = monitoringRoutes({
      config: { environment: 'sandbox', metricsToken: undefined, ...config },
      store: { ...bff.store, ...changes },
      fundingService,
      counters: new Counters(),
      clock: bff.time.clock,
      isDraining: () => false,
    });
    return new Hono()
      .route('/', routes)
      .onError((error, c) => toProblemResponse(c as never, error));
  }

  async function scrape(): Promise<string> {
    const answer = await createApp().request('/metrics');
    expect(answer.status).toBe(200);
    const text = await answer.text();
    refuseCanaries(text);
    return text;
  }
});
