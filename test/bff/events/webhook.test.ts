// Webhooks from a BFF to a real server, which verifies them with the library of the specification.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { createWebhookSender } from '../../../bff/events/send-webhook.ts';
import {
  createUndiciTransport,
  type TransportResponse,
} from '../../../bff/funding-service/transport.ts';
import { webhookEventSchema, type WebhookEvent } from '../../../shared/api/webhook-event.ts';
import type { StatusEvent } from '../../../bff/config/hooks.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { contactRequest } from '../../support/applications.ts';
import { type Listening, listen } from '../../support/servers.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import {
  canaries,
  canaryAddress,
  canaryApplication,
  canaryDocuments,
  canaryReport,
  canarySettings,
  createCanarySearch,
} from '../../support/canaries.ts';

const secretOf = (seed: number): string =>
  `whsec_${Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 37 + seed) % 256)).toString('base64')}`;

interface Call {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

let receiver: Listening;
let calls: Call[];
/** How the receiver answers the next calls. Default: 204. */
let answers: Respond[];

const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    response.writeHead(code, headers).end('{"ignored":true}');

beforeEach(async () => {
  calls = [];
  answers = [];
  receiver = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = request.headers as Record<string, string>;
        const id = headers['webhook-id'] ?? '';
        calls.push({ id, headers, body: Buffer.concat(chunks).toString() });
        (answers.shift() ?? status(204))(request, response);
      });
    }),
  );
  return () => receiver.close();
});

function verify({ body, headers }: Call, secret = secretOf(1)): WebhookEvent {
  return webhookEventSchema.parse(new Webhook(secret).verify(body, headers));
}

describe('createWebhookSender', () => {
  const event: WebhookEvent = {
    type: 'application.accepted',
    timestamp: '2026-11-20T10:00:00.000Z',
    data: {
      reference: '0199c0de-0000-7000-8000-000000000001',
      shortReference: '000-001',
      environment: 'sandbox',
      sequence: 2,
      status: 'accepted',
    },
  };

  async function send(secrets = [secretOf(1)], timeouts = {}) {
    const plain = createUndiciTransport();
    const sender = createWebhookSender({
      webhook: { url: `${receiver.url}?token=1`, secrets },
      transport: (request) => plain({ ...request, timeouts: { ...request.timeouts, ...timeouts } }),
      clock: Date.now,
    });
    try {
      return await sender('evt_1', event, AbortSignal.timeout(60_000));
    } finally {
      await plain.close();
    }
  }

  it('posts JSON with the headers of the specification', async () => {
    expect(await send()).toEqual({ kind: 'sent' });
    const [call] = calls;
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/) as unknown,
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/) as unknown,
    });
    expect(verify(call!)).toEqual(event);
    expect(() => verify({ ...call!, body: call!.body.replace('accepted', 'rejected') })).toThrow(
      'No matching signature',
    );
  });

  it('signs with each secret, so that the receiver can change its own', async () => {
    await send([secretOf(2), secretOf(1)]);
    for (const seed of [1, 2]) expect(verify(calls[0]!, secretOf(seed))).toEqual(event);
    expect(() => verify(calls[0]!, secretOf(3))).toThrow('No matching signature');
  });

  it.each([
    ['any 2xx', status(299), { kind: 'sent' }],
    [
      'a redirect',
      status(308, { location: '/elsewhere' }),
      { kind: 'failed', outcome: 'http-308' },
    ],
    ['an error', status(500), { kind: 'failed', outcome: 'http-500', retryAfterMs: undefined }],
    ['429', status(429, { 'retry-after': '7' }), { outcome: 'http-429', retryAfterMs: 7_000 }],
    ['503', status(503, { 'retry-after': '60' }), { outcome: 'http-503', retryAfterMs: 60_000 }],
    ['410', status(410), { kind: 'gone', outcome: 'http-410' }],
    ['a reset', (request: IncomingMessage) => request.socket.destroy(), { kind: 'failed' }],
  ] as const)('understands %s', async (_name, respond, expected) => {
    answers.push(respond);
    expect(await send()).toMatchObject(expected);
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['has no end', (response: ServerResponse) => response.writeHead(200).write('{')],
    ['does not begin', () => undefined],
    [
      'is slow',
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('fails when the response %s', async (_name, respond) => {
    answers.push((_request, response) => respond(response));
    expect(await send(undefined, { totalMs: 200 })).toMatchObject({ kind: 'failed' });
  });

  it('fails when nothing listens', async () => {
    await receiver.close();
    expect(await send()).toEqual({ kind: 'failed', outcome: 'ECONNREFUSED' });
  });
});

describe('the webhooks of a BFF', () => {
  let bff: TestBff;

  afterEach(() => bff.close());

  const start = (more: Partial<Parameters<typeof startBff>[0]> = {}) =>
    startBff({
      settings: canarySettings,
      variables: { WEBHOOK_URL: receiver.url, WEBHOOK_SECRETS: secretOf(1) },
      ...more,
    });

  /** Without the time, which differs from that of the test. */
  function listBodies(): WebhookEvent[] {
    return calls.map(({ body }) => webhookEventSchema.parse(JSON.parse(body)));
  }

  async function sendAll(): Promise<void> {
    await bff.delivery.runDue();
    await bff.statusEvents.runDue();
  }

  it('tell the states of an application', async () => {
    bff = await start({
      settings: { ...canarySettings, lead: { allowedCampaignIds: ['spring-2026'] } },
    });
    await bff.statusEvents.runDue();
    const application = { ...canaryApplication, campaignId: 'spring-2026' };
    const { reference } = (await bff.openBrowser().apply(application)).json;
    await sendAll();
    await bff.store.erase(String(reference));
    await sendAll();
    const [received, accepted, erased] = listBodies();
    expect(received).toMatchObject({
      type: 'application.received',
      data: { reference, status: 'received', sequence: 1, campaignId: 'spring-2026' },
    });
    expect(accepted).toMatchObject({
      type: 'application.accepted',
      data: {
        reference,
        environment: 'sandbox',
        sequence: 2,
        applicationId: expect.stringMatching(/./) as unknown,
      },
    });
    expect(erased).toMatchObject({ type: 'application.erased', data: { sequence: 3 } });
    expect(calls).toHaveLength(3);
  });

  it('contain no personal data and no secret', async () => {
    const statuses: StatusEvent[] = [];
    bff = await start({
      clientAddress: canaryAddress,
      onStatus: (event) => void statuses.push(event),
    });
    await bff.statusEvents.runDue();
    const browser = bff.openBrowser();
    expect((await browser.apply(canaryApplication)).status).toBe(201);
    for (const { name, content } of canaryDocuments) {
      expect((await browser.upload(content, name)).status).toBe(201);
    }
    for (const [path, body] of [
      [apiPaths.assetReport, canaryReport],
      [apiPaths.contact, contactRequest],
    ] as const) {
      expect((await browser.send('POST', path, body)).status).toBeLessThan(300);
    }
    await sendAll();
    await bff.store.erase(listBodies()[0]!.data.reference);
    await sendAll();
    const texts = calls.map(({ body, headers }) => `${body}\n${JSON.stringify(headers)}`);
    expect(
      listBodies()
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual([
      'application.accepted',
      'application.erased',
      'application.received',
      'bank_report.accepted',
      'contact_request.accepted',
      'document.accepted',
      'document.accepted',
    ]);
    expect(createCanarySearch(canaries).find(...texts, ...bff.logLines)).toEqual([]);
    expect(createCanarySearch(canaries).find(JSON.stringify(statuses))).toEqual([]);
    const secret = createCanarySearch([
      { name: 'secret', value: secretOf(1).slice('whsec_'.length) },
    ]);
    expect(secret.find(...texts, ...bff.logLines)).toEqual([]);
    expect(statuses.map(({ type }) => type)).toEqual(listBodies().map(({ type }) => type));
  });

  it('contain no personal data when applications and events fail', async () => {
    bff = await start({ clientAddress: canaryAddress });
    await bff.statusEvents.runDue();
    const applicationJson = JSON.stringify(canaryApplication);
    const leak: Respond = (_request, response) =>
      response.writeHead(500, { 'x-given': canaryApplication.owner.ssn }).end(applicationJson);
    const away: Respond = (request) => request.socket.destroy();
    const answer = (code: number, body: object): TransportResponse => ({
      kind: 'response',
      status: code,
      headers: { 'x-given': canaryApplication.owner.ssn },
      text: JSON.stringify({ ...body, given: canaryApplication }),
    });
    /** @param mark Makes the sandbox refuse the application. */
    const apply = (mark = '') => {
      const { business } = canaryApplication;
      const name = `${business.name}${mark}`;
      return bff.openBrowser().apply({ ...canaryApplication, business: { ...business, name } });
    };

    await apply(' [create-lead/invalid-field-value]');
    // The sandbox has the lead, and refuses its ID from then on.
    bff.faults.push({ path: '/creditapp', result: answer(504, {}), isProcessed: true });
    await apply();
    // A refusal after an attempt whose outcome is unknown.
    bff.faults.push({ path: '/creditapp', result: answer(504, {}) });
    await apply(' [create-lead/missing-required-field]');
    bff.time.advance(60_000);
    await bff.delivery.runDue();
    for (let days = 0; days < 5; days += 1) {
      // The first event fails until it is given up.
      answers = days < 4 ? Array.from({ length: 9 }, (_, index) => (index % 2 ? leak : away)) : [];
      await sendAll();
      bff.time.advance(25 * 3_600_000);
    }
    await sendAll();
    answers.push(status(410));
    await apply(' of another business');
    await sendAll();

    const types = listBodies().map(({ type }) => type);
    for (const kind of ['received', 'rejected', 'unconfirmed', 'held']) {
      expect(types).toContain(`application.${kind}`);
    }
    const names = new Set(bff.logLines.map((line): unknown => JSON.parse(line).event));
    for (const name of ['failed', 'given-up', 'sent']) {
      expect(names).toContain(`status-event-${name}`);
    }
    for (const name of ['paused', 'resumed', 'stopped']) {
      expect(names).toContain(`status-events-${name}`);
    }
    const texts = calls.map(({ body, headers }) => `${body}\n${JSON.stringify(headers)}`);
    expect(createCanarySearch(canaries).find(...texts, ...bff.logLines)).toEqual([]);
    const givenUp = await bff.store.listGivenUpEvents(100);
    expect(givenUp.length).toBeGreaterThan(0);
    expect(createCanarySearch(canaries).find(JSON.stringify(givenUp))).toEqual([]);
  });

  it('repeat an event with the same id and body until it is taken', async () => {
    bff = await start();
    await bff.statusEvents.runDue();
    await bff.openBrowser().apply(canaryApplication);
    await bff.delivery.runDue();
    answers.push(status(500), status(302, { location: receiver.url }));
    await bff.statusEvents.runDue();
    bff.time.advance(5_000);
    await bff.statusEvents.runDue();
    bff.time.advance(300_000);
    await bff.statusEvents.runDue();
    const [first, ...others] = calls;
    expect(others.slice(0, 2).map(({ id }) => id)).toEqual([first!.id, first!.id]);
    expect(others.slice(0, 2).map(({ body }) => body)).toEqual([first!.body, first!.body]);
    expect(listBodies().map(({ data }) => data.sequence)).toEqual([1, 1, 1, 2]);
    const metrics = await (await bff.app.request('/metrics')).text();
    expect(metrics).toContain('funding_event_attempts_total{result="sent"} 2\n');
    expect(metrics).toContain('funding_event_attempts_total{result="failed"} 2\n');
  });
});
