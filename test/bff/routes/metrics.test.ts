// `/metrics`: access, gauges of the store, and counters.

import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { Readiness } from '../../../bff/funding-service/funding-service.ts';
import { Counters } from '../../../bff/middleware/counters.ts';
import { toProblemResponse } from '../../../bff/middleware/errors.ts';
import { monitoringRoutes } from '../../../bff/routes/monitoring.ts';
import type { Store } from '../../../bff/store/store.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { accepted, createCliRig, first, held, refuseCanaries, second } from '../cli/cli-rig.ts';
import { openApplied, openBff, readMetrics } from '../open-bff.ts';

const token = 'a-token-of-the-scraper';

interface Changes {
  readonly config?: Partial<Parameters<typeof monitoringRoutes>[0]['config']>;
  readonly store?: Partial<Pick<Store, 'check' | 'countStates'>>;
  /** Of Create Lead. */
  readonly readiness?: Readiness;
}

/** The routes with a store that the test fills. */
async function open({ config, store, readiness = { kind: 'ready' } }: Changes = {}) {
  const rig = await createCliRig();
  const routes = monitoringRoutes({
    config: { environment: 'sandbox', metricsToken: undefined, ...config },
    store: { ...rig.store, ...store },
    fundingService: {
      maxConcurrentLeads: () => 32,
      readiness: (operation) => (operation === 'create-lead' ? readiness : { kind: 'ready' }),
    },
    counters: new Counters(),
    clock: rig.time.clock,
    isDraining: () => false,
  });
  const app = new Hono()
    .route('/', routes)
    .onError((error, c) => toProblemResponse(c as never, error));
  const scrape = async () => {
    const text = await readMetrics({ app } as never);
    refuseCanaries(text);
    return text;
  };
  return { ...rig, app, scrape };
}

function expectLines(text: string, ...lines: readonly string[]): void {
  const all = text.split('\n');
  expect(lines.filter((line) => !all.includes(`funding_${line}`))).toEqual([]);
}

describe('the gauges of the store', () => {
  it('count rows by kind and state', async () => {
    const rig = await open();
    await rig.add(first);
    await rig.recordResult(accepted);
    await rig.addAttachment('d1');
    await rig.add(second);
    rig.time.advance(90_000);
    const text = await rig.scrape();
    expectLines(
      text,
      'store_rows{kind="application",state="accepted"} 1',
      'store_rows{kind="application",state="held"} 0',
      'store_rows{kind="document",state="received"} 1',
      'store_rows{kind="contact",state="receiving"} 0',
      'store_oldest_waiting_seconds{kind="application"} 90',
      'store_oldest_waiting_seconds{kind="contact"} 0',
      'lead_limit 32',
    );
    expect(text).not.toContain('kind="document",state="unconfirmed"');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('show each alarm until it has ended', async () => {
    const rig = await open();
    await rig.add();
    await rig.recordResult(held);
    expectLines(
      await rig.scrape(),
      'alarms{alarm="application-held"} 1',
      'alarms{alarm="application-unconfirmed"} 0',
    );
    await rig.store.retryHeld();
    rig.time.advance(5_000);
    expectLines(
      await rig.scrape(),
      'alarms{alarm="application-held"} 0',
      'store_rows{kind="application",state="held"} 0',
    );
  });

  it('count events for the webhook', async () => {
    const rig = await open();
    const webhook = { name: 'webhook', target: '' } as const;
    await rig.store.registerEventConsumers([webhook]);
    await rig.add();
    await rig.recordResult(accepted);
    const claim = await rig.store.claimEvent(webhook, 60_000);
    await rig.store.recordEventGivenUp(claim!, 'http-500');
    const text = await rig.scrape();
    expectLines(
      text,
      'events_pending{consumer="webhook"} 1',
      'events_pending{consumer="hook"} 0',
      'events_given_up{consumer="webhook"} 1',
      'alarms{alarm="events-given-up"} 1',
      'event_attempts_total{result="sent"} 0',
    );
    expect(text).toMatch(/funding_events_oldest_pending_seconds\{consumer="webhook"\} \d/);
  });

  it.each([
    [{ kind: 'ready' }, 0],
    [{ kind: 'half-open' }, 0.5],
    [{ kind: 'unavailable', retryAfterMs: 9 }, 1],
  ] as const)('show the breaker of an operation that is %j', async (readiness, value) => {
    const { scrape } = await open({ readiness });
    expectLines(
      await scrape(),
      `breaker_open{operation="create-lead"} ${value}`,
      'breaker_open{operation="upload-file"} 0',
    );
  });

  it('are left out while the store is unavailable', async () => {
    let isBroken = false;
    let counts = 0;
    const check = async () => {
      if (isBroken) throw new Error('sandbox-password');
    };
    const countStates = async () => {
      counts += 1;
      await check();
      return [];
    };
    const { scrape, time } = await open({ store: { check, countStates } });
    expect(await scrape()).toContain('funding_alarms{');
    isBroken = true;
    time.advance(1_000);
    const text = await scrape();
    expectLines(text, 'store_ready 0', 'origin_gate_refusals_total{reason="origin-not-listed"} 0');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toMatch(/^funding_(alarms|store_rows|store_oldest_waiting_seconds)\{/m);
    isBroken = false;
    time.advance(999);
    expectLines(await scrape(), 'store_ready 0');
    time.advance(1);
    const recovered = await scrape();
    expectLines(recovered, 'store_ready 1');
    expect(recovered).toContain('funding_alarms{');
    expect(counts).toBe(4);
  });
});

describe('the counters', () => {
  it('count refusals of the origin gate', async () => {
    const bff = await openBff({ delivers: false });
    expectLines(
      await readMetrics(bff),
      'origin_gate_refusals_total{reason="origin-not-listed"} 0',
      'session_refusals_total{reason="unknown-password"} 0',
      'sessions_presented_total 0',
    );
    await bff.openBrowser('https://evil.example').send('GET', apiPaths.session);
    for (const method of ['GET', 'POST', 'GET']) await bff.browser.send(method, apiPaths.session);
    const [name = ''] = bff.browser.cookies.keys();
    bff.browser.cookies.set(name, 'garbage');
    await bff.browser.send('GET', apiPaths.session);
    expectLines(
      await readMetrics(bff),
      'origin_gate_refusals_total{reason="origin-not-listed"} 1',
      'session_refusals_total{reason="invalid"} 1',
      'sessions_presented_total 2',
    );
  });

  it('count calls to the funding service, and deliveries', async () => {
    expectLines(
      await readMetrics(await openApplied()),
      'calls_total{operation="create-lead",outcome="accepted"} 1',
      'calls_total{operation="create-lead",outcome="unknown"} 0',
      'call_duration_seconds_count{operation="create-lead"} 1',
      'deliveries_total{kind="application",state="accepted"} 1',
    );
  });
});

describe('the access to /metrics', () => {
  it('needs the token only, not the headers of the API', async () => {
    const { app, logLines } = await openBff({ variables: { METRICS_TOKEN: token } });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.request('/metrics', { headers });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await app.request('/metrics')).status).toBe(401);
    expect((await app.request('/metrics', { method: 'POST' })).status).toBe(405);
    expect(logLines.join('')).not.toContain(token);
  });

  it.each(['staging', 'production'] as const)(
    'does not exist in %s without METRICS_TOKEN',
    async (environment) => {
      const { app } = await open({ config: { environment } });
      const answer = await app.request('/metrics');
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    },
  );

  it.each(['sandbox', 'production'] as const)('requires the token in %s', async (environment) => {
    const { app } = await open({ config: { environment, metricsToken: token } });
    const ask = (authorization?: string) =>
      app.request('/metrics', { headers: authorization ? { authorization } : {} });
    expect((await ask(`Bearer ${token}`)).status).toBe(200);
    expect((await ask(`bearer ${token}`)).status).toBe(200);
    for (const wrong of [undefined, token, 'Bearer', `Bearer ${token}x`, `Basic ${token}`]) {
      const answer = await ask(wrong);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await answer.text()).not.toContain('funding_');
    }
  });
});
