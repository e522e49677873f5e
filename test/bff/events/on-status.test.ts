// The hook `onStatus`: order, retries, and its own progress beside the webhook. Also the example of a hook module.

import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Hooks, OnStatus, StatusEvent } from '../../../bff/config/hooks.ts';
import { canaryApplication, canarySettings } from '../../support/canaries.ts';
import { listen } from '../../support/servers.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';

let bff: TestBff;

afterEach(() => bff.close());

/** A BFF with an accepted application, whose events are not sent yet. */
async function start(onStatus: OnStatus, variables = {}): Promise<string> {
  bff = await startBff({ settings: canarySettings, variables, onStatus });
  await bff.statusEvents.runDue();
  const { reference } = (await bff.openBrowser().apply(canaryApplication)).json;
  await bff.delivery.runDue();
  return String(reference);
}

async function serve(listener: RequestListener) {
  const server = await listen(createServer(listener));
  onTestFinished(() => server.close());
  return server;
}

describe('onStatus', () => {
  it.each<[string, string, () => void | Promise<void>]>([
    [
      'throws',
      'threw',
      () => {
        throw new Error('canary');
      },
    ],
    ['rejects', 'threw', () => Promise.reject(new Error('canary'))],
    ['takes too long', 'timeout', () => new Promise(() => undefined)],
  ])('gets an event again, before later ones, if it %s', async (_how, outcome, fail) => {
    const events: StatusEvent[] = [];
    let signal: AbortSignal | undefined;
    const reference = await start((event, given) => {
      signal = given;
      events.push(structuredClone(event));
      // The hook gets a copy that it may change.
      event.data.sequence = 7;
      return events.length > 1 ? undefined : fail();
    });
    const run = bff.statusEvents.runDue();
    await until(() => events.length === 1);
    if (outcome === 'timeout') bff.time.advance(15_000);
    await run;
    expect(signal?.aborted).toBe(outcome === 'timeout');
    bff.time.advance(5_000);
    await bff.statusEvents.runDue();
    const received = { id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as unknown };
    expect(events).toMatchObject([
      { ...received, type: 'application.received', data: { reference, sequence: 1 } },
      events[0],
      { type: 'application.accepted', data: { reference, sequence: 2 } },
    ]);
    const line = bff.logLines.find((text) => text.includes('status-event-failed'));
    expect(line).toContain(`"outcome":"${outcome}"`);
    expect(line).not.toContain('canary');
  });
});

describe('the example of a hook module', () => {
  it('tells a CRM each state, and again if the CRM fails', async () => {
    const calls: unknown[] = [];
    const crm = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        calls.push([request.method, request.url, JSON.parse(body)]);
        response.writeHead(calls.length === 1 ? 503 : 204).end();
      });
    });
    vi.stubEnv('CRM_URL', crm.origin);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { onStatus }: Hooks = await import('../../../examples/hooks/hooks.ts');
    const reference = await start(onStatus!);
    await bff.statusEvents.runDue();
    bff.time.advance(5_000);
    await bff.statusEvents.runDue();
    const received = ['PUT', `/deals/${reference}`, { status: 'received', sequence: 1 }];
    const accepted = ['PUT', `/deals/${reference}`, { status: 'accepted', sequence: 2 }];
    expect(calls).toMatchObject([received, received, accepted]);
  });
});
