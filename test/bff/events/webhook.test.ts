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
import { startBff, type TestBff, type TestBffOptions } from '../../support/bff.ts';
import {
  canaries,
  canaryAddress,
  canaryApplication,
  canaryDocuments,
  canaryReport,
  canarySettings,
  createCanarySearch,
} from '../../support/canaries.ts';
import { strongKey } from '../config/config-source.ts';

const secretOf = (seed: number): string => `whsec_${strongKey(seed)}`;

interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    response.writeHead(code, headers).end('{"ignored":true}');
const reset: Respond = (request) => request.socket.destroy();

let receiver: Listening;
let calls: Call[];
/** How the receiver answers the next calls. Default: 204. */
let answers: Respond[];

beforeEach(async () => {
  calls = [];
  answers = [];
  receiver = await listen(
    createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        calls.push({ headers: request.headers as Record<string, string>, body });
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

  async function send(secrets = [secretOf(1)]) {
    const plain = createUndiciTransport();
    const sender = createWebhookSender({
      webhook: { url: `${receiver.url}?token=1`, secrets },
      async transport(request) {
        expect(request.timeouts).toEqual({ headersMs: 15_000, bodyMs: 15_000, totalMs: 15_000 });
        return plain(request);
      },
      clock: Date.now,
    });
    const result = await sender('evt_1', event, AbortSignal.timeout(60_000));
    await plain.close();
    return result;
  }

  it('posts JSON with the headers of the specification', async () => {
    expect(await send()).toEqual({ kind: 'sent' });
    const [call] = calls as [Call];
    expect(call.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/) as unknown,
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/) as unknown,
    });
    expect(verify(call)).toEqual(event);
    const changed = { ...call, body: call.body.replace('accepted', 'rejected') };
    expect(() => verify(changed)).toThrow('No matching signature');
  });

  it('signs with each secret, so that the receiver can change its own', async () => {
    await send([secretOf(2), secretOf(1)]);
    for (const seed of [1, 2]) expect(verify(calls[0]!, secretOf(seed))).toEqual(event);
    expect(() => verify(calls[0]!, secretOf(3))).toThrow('No matching signature');
  });

  it.each<[string, Respond, object]>([
    ['any 2xx', status(299), { kind: 'sent' }],
    ['a redirect', status(308, { location: '/x' }), { kind: 'failed', outcome: 'http-308' }],
    ['an error', status(500), { kind: 'failed', outcome: 'http-500', retryAfterMs: undefined }],
    ['429', status(429, { 'retry-after': '7' }), { outcome: 'http-429', retryAfterMs: 7_000 }],
    ['410', status(410), { kind: 'gone', outcome: 'http-410' }],
    ['a reset', reset, { kind: 'failed' }],
  ])('understands %s', async (_name, respond, expected) => {
    answers.push(respond);
    expect(await send()).toMatchObject(expected);
    expect(calls).toHaveLength(1);
  });

  it('fails when nothing listens', async () => {
    await receiver.close();
    expect(await send()).toEqual({ kind: 'failed', outcome: 'ECONNREFUSED' });
  });
});

describe('the webhooks of a BFF', () => {
  let bff: TestBff;

  afterEach(() => bff.close());

  async function start(more: TestBffOptions = {}): Promise<void> {
    const variables = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRETS: secretOf(1) };
    bff = await startBff({ settings: canarySettings, variables, ...more });
    await bff.statusEvents.runDue();
  }

  const listEvents = () => calls.map(({ body }) => webhookEventSchema.parse(JSON.parse(body)));
  const listTypes = () => listEvents().map(({ type }) => type);
  /** Everything that left the BFF, except for what went to the funding service. */
  const listTexts = () => [
    ...calls.map(({ body, headers }) => `${body}\n${JSON.stringify(headers)}`),
    ...bff.logLines,
  ];
  const findCanaries = (...texts: string[]) => createCanarySearch(canaries).find(...texts);

  async function sendAll(): Promise<void> {
    await bff.delivery.runDue();
    await bff.statusEvents.runDue();
  }

  it('tell the states of an application', async () => {
    const lead = { allowedCampaignIds: ['spring-2026'] };
    await start({ settings: { ...canarySettings, lead } });
    const application = { ...canaryApplication, campaignId: 'spring-2026' };
    const { reference } = (await bff.openBrowser().apply(application)).json;
    await sendAll();
    await bff.store.erase(String(reference));
    await sendAll();
    const applicationId = expect.stringMatching(/./) as unknown;
    const received = { reference, status: 'received', sequence: 1, campaignId: 'spring-2026' };
    const accepted = { reference, environment: 'sandbox', sequence: 2, applicationId };
    expect(listEvents()).toMatchObject([
      { type: 'application.received', data: received },
      { type: 'application.accepted', data: accepted },
      { type: 'application.erased', data: { sequence: 3 } },
    ]);
  });

  it('contain no personal data and no secret', async () => {
    const statuses: StatusEvent[] = [];
    const onStatus = (event: StatusEvent) => void statuses.push(event);
    await start({ clientAddress: canaryAddress, onStatus });
    const browser = bff.openBrowser();
    expect((await browser.apply(canaryApplication)).status).toBe(201);
    for (const { name, content } of canaryDocuments) {
      expect((await browser.upload(content, name)).status).toBe(201);
    }
    await browser.send('POST', apiPaths.assetReport, canaryReport);
    await browser.send('POST', apiPaths.contact, contactRequest);
    await sendAll();
    await bff.store.erase(listEvents()[0]!.data.reference);
    await sendAll();
    expect(listTypes().toSorted()).toEqual([
      'application.accepted',
      'application.erased',
      'application.received',
      'bank_report.accepted',
      'contact_request.accepted',
      'document.accepted',
      'document.accepted',
    ]);
    expect(statuses.map(({ type }) => type)).toEqual(listTypes());
    expect(findCanaries(...listTexts(), JSON.stringify(statuses))).toEqual([]);
    const secret = { name: 'secret', value: strongKey(1) };
    expect(createCanarySearch([secret]).find(...listTexts())).toEqual([]);
  });

  it('contain no personal data when applications and events fail', async () => {
    await start({ clientAddress: canaryAddress });
    const leaked = { 'x-given': canaryApplication.owner.ssn };
    const leak: Respond = (_request, response) =>
      response.writeHead(500, leaked).end(JSON.stringify(canaryApplication));
    const text = JSON.stringify({ given: canaryApplication });
    const result: TransportResponse = { kind: 'response', status: 504, headers: leaked, text };
    /** @param mark Makes the sandbox refuse the application. */
    const apply = (mark = '') => {
      const { business } = canaryApplication;
      const name = `${business.name}${mark}`;
      return bff.openBrowser().apply({ ...canaryApplication, business: { ...business, name } });
    };

    await apply(' [create-lead/invalid-field-value]');
    // The sandbox has the lead, and refuses its ID from then on.
    bff.faults.push({ path: '/creditapp', result, isProcessed: true });
    await apply();
    // A refusal after an attempt whose outcome is unknown.
    bff.faults.push({ path: '/creditapp', result });
    await apply(' [create-lead/missing-required-field]');
    bff.time.advance(60_000);
    await bff.delivery.runDue();
    for (let days = 0; days < 5; days += 1) {
      // The first event fails until it is given up.
      answers = days < 4 ? Array.from({ length: 9 }, (_, index) => (index % 2 ? leak : reset)) : [];
      await sendAll();
      bff.time.advance(25 * 3_600_000);
    }
    await sendAll();
    answers.push(status(410));
    await apply(' of another business');
    await sendAll();

    const states = ['received', 'rejected', 'unconfirmed', 'held'];
    const types = states.map((state) => `application.${state}`);
    expect(listTypes()).toEqual(expect.arrayContaining(types));
    const names = bff.logLines.map((line): unknown => JSON.parse(line).event);
    const sendings = ['failed', 'given-up', 'sent'].map((name) => `status-event-${name}`);
    const phases = ['paused', 'resumed', 'stopped'].map((name) => `status-events-${name}`);
    expect(names).toEqual(expect.arrayContaining([...sendings, ...phases]));
    const givenUp = await bff.store.listGivenUpEvents(100);
    expect(givenUp.length).toBeGreaterThan(0);
    expect(findCanaries(...listTexts(), JSON.stringify(givenUp))).toEqual([]);
  });

  it('repeat an event with the same id and body until it is taken', async () => {
    await start();
    await bff.openBrowser().apply(canaryApplication);
    await bff.delivery.runDue();
    answers.push(status(500), status(302, { location: receiver.url }));
    for (const delayMs of [0, 5_000, 300_000]) {
      bff.time.advance(delayMs);
      await bff.statusEvents.runDue();
    }
    const sent = calls.map(({ headers, body }) => [headers['webhook-id'], body]);
    expect(sent.slice(1, 3)).toEqual([sent[0], sent[0]]);
    expect(listEvents().map(({ data }) => data.sequence)).toEqual([1, 1, 1, 2]);
    const metrics = await (await bff.app.request('/metrics')).text();
    expect(metrics).toContain('funding_event_attempts_total{result="sent"} 2\n');
    expect(metrics).toContain('funding_event_attempts_total{result="failed"} 2\n');
  });
});
