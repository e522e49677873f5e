// The client over real connections that fail: the outcome depends on where the failure happened.

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

describe('a call is not-sent', () => {
  it('if the connection is refused', async () => {
    const { url, close } = await listen(createNetServer());
    await close();
    expect(await send(url)).toMatchObject({ outcome: 'not-sent', failure: 'ECONNREFUSED' });
  });

  it('if the name does not exist', async () => {
    expect(await send('http://no-such-host.invalid')).toMatchObject({ outcome: 'not-sent' });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['the connection is reset before TLS', (socket) => void socket.resetAndDestroy()],
    ['the response is not TLS', (socket) => void socket.end('220 mail.example\r\n')],
  ])('if %s', async (_name, greet) => {
    const { url } = await raw(greet);
    expect(await send(toHttps(url))).toMatchObject({ outcome: 'not-sent' });
  });

  it('if the TLS handshake times out', async () => {
    const { url } = await raw(() => undefined);
    expect(await send(toHttps(url), { connectTimeoutMs: 20 })).toMatchObject({
      outcome: 'not-sent',
      failure: 'UND_ERR_CONNECT_TIMEOUT',
    });
  });

  it('if the TLS handshake fails', async () => {
    const { url } = await kept(listen(createTlsServer()));
    expect(await send(toHttps(url))).toMatchObject({ outcome: 'not-sent' });
  });
});

describe('a call is unknown', () => {
  it('if the connection is reset before the server reads', async () => {
    const { url } = await raw((socket) => void socket.resetAndDestroy());
    expect(['unknown', 'not-sent']).toContain((await send(url))?.outcome);
  });

  it('if the connection is reset during the request', async () => {
    const { url } = await raw((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    const leadJson = JSON.stringify({ ID: id, Company: 'too long for one go'.repeat(500_000) });
    expect(await send(url, { leadJson })).toMatchObject({ outcome: 'unknown' });
  });

  it.each<[string, RequestListener, object, Partial<TransportTimeouts>?]>([
    ['the connection is reset', ({ socket }) => void socket.resetAndDestroy(), {}],
    [
      'no response comes',
      () => undefined,
      { failure: 'UND_ERR_HEADERS_TIMEOUT' },
      { headersMs: 20 },
    ],
    [
      'the response takes longer than the total timeout',
      (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(drip));
      },
      { failure: 'TimeoutError' },
      { totalMs: 500 },
    ],
    [
      'the response is incomplete',
      ({ socket }, response) => {
        response.writeHead(200, { 'Content-Length': created.length });
        response.write(created.slice(0, -9), () => socket.end());
      },
      { failure: 'UND_ERR_SOCKET' },
    ],
    ['a gateway responds with 502', answering(502, ''), { status: 502 }],
    ['a gateway responds with 504 and a page', answering(504, page), { status: 504 }],
    ['the response is empty', answering(200, ''), { status: 200 }],
    ['the response is a page', answering(200, page), { status: 200 }],
    ['the response is a list', answering(200, `["${leadId}"]`), { status: 200 }],
    ['the id is an object', answering(200, '{"ApplicationID":{"id":"1"}}'), { status: 200 }],
  ])('if the request arrived and %s', async (_name, answer, details, timeouts = {}) => {
    const { url, seen } = await kept(listenRecording(answer));
    expect(await send(url, { timeouts })).toMatchObject({ outcome: 'unknown', ...details });
    expect(seen.map(({ text }) => text)).toEqual([lead]);
  });
});

describe('a response is used', () => {
  it('if it is a late 401', async () => {
    const { url, seen } = await kept(
      listenRecording((_request, response) => {
        if (seen.length === 1) setImmediate(() => response.writeHead(401).end());
        else response.end(created);
      }),
    );
    expect(await send(url)).toMatchObject({ outcome: 'accepted' });
    expect(seen.map(({ text }) => text)).toEqual([lead, lead]);
  });

  it('if it comes before the request was read', async () => {
    const { url } = await kept(listen(createHttpServer(answering(413, ''))));
    expect(await send(url)).toMatchObject({ outcome: 'refused', reason: 'too-large' });
  });

  it('for a lead after the connection of an earlier lead broke', async () => {
    const { url } = await servingOncePerConnection();
    const { service } = connect(url);
    const kinds: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      kinds.push((await service.contactUser(leadId)).kind);
      // The client reuses the connection only after this turn.
      await nextTurn();
      kinds.push((await service.createLead(lead, id)).kind);
    }
    // The connection of the first lead breaks during the second one. Later leads open new connections.
    expect(kinds).toEqual(['accepted', 'accepted', 'unknown', 'unknown', 'accepted', 'accepted']);
  });
});

interface Circumstances {
  readonly leadJson?: string;
  readonly timeouts?: Partial<TransportTimeouts>;
  readonly connectTimeoutMs?: number;
}

/** The log event of a Create Lead call. */
async function send(url: string, { leadJson = lead, ...circumstances }: Circumstances = {}) {
  const { service, events } = connect(url, circumstances);
  await service.createLead(leadJson, id);
  return events.find((event) => event.event === 'call-ended');
}

function connect(url: string, { timeouts = {}, connectTimeoutMs = 10_000 }: Circumstances = {}) {
  const transport = createUndiciTransport({ connectTimeoutMs, timeouts, recentMs: 10_000 });
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

/** Keeps connections alive, but closes each one at its second request. */
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

/** Closes the server after the test. */
async function kept<Server extends Listening>(opening: Promise<Server>): Promise<Server> {
  const server = await opening;
  closers.push(server.close);
  return server;
}
