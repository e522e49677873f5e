// The client over real connections that break: what an attempt counts as is decided by where it broke.

import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createNetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import type { FundingServiceEvent } from '../../../bff/funding-service/funding-service.ts';
import {
  createUndiciTransport,
  type TransportTimeouts,
} from '../../../bff/funding-service/transport.ts';
import { listen, listenRaw, listenRecording, type Listening } from '../../support/servers.ts';
import { createClientConfig, id, leadId, successes } from './client-set-up.ts';

const lead = JSON.stringify({ ID: id });
const created = JSON.stringify(successes['create-lead']);
const page = '<html><body>Gateway</body></html>';
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('nothing was sent', () => {
  it('when the connection is refused', async () => {
    const { url, close } = await listen(createNetServer());
    await close();
    expect(await send(url)).toMatchObject({ outcome: 'not-sent', failure: 'ECONNREFUSED' });
  });

  it('when the name does not exist', async () => {
    expect(await send('http://no-such-host.invalid')).toMatchObject({ outcome: 'not-sent' });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['the connection is reset before TLS', (socket) => void socket.resetAndDestroy()],
    ['something else than TLS comes back', (socket) => void socket.end('220 mail.example\r\n')],
  ])('when %s', async (_name, greet) => {
    const { url } = await raw(greet);
    expect(await send(toHttps(url))).toMatchObject({ outcome: 'not-sent' });
  });

  it('when TLS is never answered', async () => {
    const { url } = await raw(() => undefined);
    expect(await send(toHttps(url), { connectTimeoutMs: 20 })).toMatchObject({
      outcome: 'not-sent',
      failure: 'UND_ERR_CONNECT_TIMEOUT',
    });
  });

  it('when both sides cannot agree on TLS', async () => {
    const { url } = await kept(listen(createTlsServer()));
    expect(await send(toHttps(url))).toMatchObject({ outcome: 'not-sent' });
  });
});

describe('nobody knows whether it was processed', () => {
  it('when the connection is reset before a byte is read, unless that was told while connecting', async () => {
    const { url } = await raw((socket) => void socket.resetAndDestroy());
    expect(['unknown', 'not-sent']).toContain((await send(url))?.outcome);
  });

  it('when the connection is reset midway in the request', async () => {
    const { url } = await raw((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    const leadJson = JSON.stringify({ ID: id, Company: 'too long for one go'.repeat(500_000) });
    expect(await send(url, { leadJson })).toMatchObject({ outcome: 'unknown' });
  });

  it.each<[string, RequestListener, object, Partial<TransportTimeouts>?]>([
    ['the connection is reset', ({ socket }) => void socket.resetAndDestroy(), {}],
    ['no answer comes', () => undefined, { failure: 'UND_ERR_HEADERS_TIMEOUT' }, { headersMs: 20 }],
    [
      'the answer drips on beyond the whole time given',
      (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(drip));
      },
      { failure: 'TimeoutError' },
      { totalMs: 500 },
    ],
    [
      'the answer is cut off',
      ({ socket }, response) => {
        response.writeHead(200, { 'Content-Length': created.length });
        response.write(created.slice(0, -9), () => socket.end());
      },
      { failure: 'UND_ERR_SOCKET' },
    ],
    ['a gateway answers 502', answering(502, ''), { status: 502 }],
    ['a gateway answers 504 with a page', answering(504, page), { status: 504 }],
    ['the answer is empty', answering(200, ''), { status: 200 }],
    ['the answer is a page', answering(200, page), { status: 200 }],
    ['the answer is a list', answering(200, `["${leadId}"]`), { status: 200 }],
    ['the id is no text', answering(200, '{"ApplicationID":{"id":"1"}}'), { status: 200 }],
  ])('when the request has arrived and %s', async (_name, answer, details, timeouts = {}) => {
    const { url, seen } = await kept(listenRecording(answer));
    expect(await send(url, { timeouts })).toMatchObject({ outcome: 'unknown', ...details });
    expect(seen.map(({ text }) => text)).toEqual([lead]);
  });
});

describe('the answer counts', () => {
  it('when it is a late 401: the same bytes go out once more', async () => {
    const { url, seen } = await kept(
      listenRecording((_request, response) => {
        if (seen.length === 1) setImmediate(() => response.writeHead(401).end());
        else response.end(created);
      }),
    );
    expect(await send(url)).toMatchObject({ outcome: 'accepted' });
    expect(seen.map(({ text }) => text)).toEqual([lead, lead]);
  });

  it('when it comes before the request was read', async () => {
    const { url } = await kept(listen(createHttpServer(answering(413, ''))));
    expect(await send(url)).toMatchObject({ outcome: 'refused', reason: 'too-large' });
  });

  it('for a lead also when the service ends connections that it had left open', async () => {
    const { url } = await servingOncePerConnection();
    const { service } = connect(url);
    const kinds: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      kinds.push((await service.contactUser(leadId)).kind);
      // Only then is the connection taken up again.
      await nextTurn();
      kinds.push((await service.createLead(lead, id)).kind);
    }
    expect(kinds).toEqual(['accepted', 'accepted', 'unknown', 'accepted']);
  });
});

interface Circumstances {
  readonly leadJson?: string;
  readonly timeouts?: Partial<TransportTimeouts>;
  readonly connectTimeoutMs?: number;
}

/** How Create Lead ended, as the log tells it. */
async function send(url: string, { leadJson = lead, ...circumstances }: Circumstances = {}) {
  const { service, events } = connect(url, circumstances);
  await service.createLead(leadJson, id);
  return events.find((event) => event.event === 'call-ended');
}

function connect(url: string, { timeouts = {}, connectTimeoutMs = 10_000 }: Circumstances = {}) {
  const transport = createUndiciTransport({ connectTimeoutMs, timeouts });
  closers.push(transport.close);
  const events: FundingServiceEvent[] = [];
  const service = createFundingService({
    config: createClientConfig({}, url),
    transport,
    tokens: {
      get: () => Promise.resolve({ kind: 'token', token: 'A' }),
      renew: () => Promise.resolve({ kind: 'token', token: 'B' }),
      confirm: () => undefined,
      pausedUntil: () => 0,
    },
    clock: () => 0,
    onEvent: (event) => void events.push(event),
  });
  return { service, events };
}

function answering(status: number, body: string): RequestListener {
  return (_request, response) => void response.writeHead(status).end(body);
}

/** Promises to keep connections, and drops each one when its second request comes. */
function servingOncePerConnection(): Promise<Listening> {
  const used = new WeakSet<Socket>();
  const server = createHttpServer(({ socket, url }, response) => {
    if (used.has(socket)) {
      socket.destroy();
      return;
    }
    used.add(socket);
    const operation = url?.endsWith('/contactUser') ? 'contact-user' : 'create-lead';
    response.end(JSON.stringify(successes[operation]));
  });
  return kept(listen(server));
}

function raw(onSocket: (socket: Socket) => void): Promise<Listening> {
  return kept(listenRaw(onSocket));
}

function toHttps(url: string): string {
  return url.replace('http:', 'https:');
}

/** Closed after the test. */
async function kept<Server extends Listening>(opening: Promise<Server>): Promise<Server> {
  const server = await opening;
  closers.push(server.close);
  return server;
}
