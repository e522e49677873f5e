// A hostile funding service cannot make the BFF send secrets elsewhere, or fill its memory.

import { createServer, type RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createFundingService } from '../../../bff/funding-service/client.ts';
import type { FundingServiceEvent } from '../../../bff/funding-service/funding-service.ts';
import { createUndiciTransport } from '../../../bff/funding-service/transport.ts';
import { listen, listenRecording, type Listening } from '../../support/servers.ts';
import { createTestConfig } from '../../support/bff.ts';
import { until } from '../../support/manual-time.ts';
import { partnerOperations } from '../../../shared/funding-service/operations.ts';
import { calls, leadId } from './client-set-up.ts';

const secrets = { token: '00D-secret-token', password: 'secret-password' };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('a redirect to another host', () => {
  it.each([301, 302, 303, 307, 308])('with %i is followed by no operation', async (status) => {
    const elsewhere = await kept(listenRecording());
    const { service, seen } = await connect((request, response) => {
      if (request.url?.endsWith('/token')) return grantToken(response);
      return void response.writeHead(status, { Location: elsewhere.url }).end();
    });
    for (const operation of partnerOperations) await calls[operation](service);
    expect(seen.length).toBeGreaterThan(partnerOperations.length);
    expect(elsewhere.seen).toEqual([]);
  });

  it.each([302, 307])('with %i is not followed by a login', async (status) => {
    const elsewhere = await kept(listenRecording());
    const { service, seen } = await connect((_request, response) => {
      response.writeHead(status, { Location: elsewhere.url }).end();
    });
    expect(await service.contactUser(leadId)).toEqual({ kind: 'not-sent' });
    expect(seen).toHaveLength(1);
    expect(elsewhere.seen).toEqual([]);
  });

  it('through instance_url is ignored', async () => {
    const elsewhere = await kept(listenRecording());
    const { service, events } = await connect((request, response) => {
      if (request.url?.endsWith('/token')) return grantToken(response, elsewhere.url);
      return void response.end(JSON.stringify({ IsSuccessful: true }));
    });
    expect((await service.contactUser(leadId)).kind).toBe('accepted');
    expect(elsewhere.seen).toEqual([]);
    expect(events.map(({ event }) => event)).toContain('instance-url-ignored');
  });
});

describe('a Set-Cookie header', () => {
  it('is ignored', async () => {
    const { service, seen } = await connect((request, response) => {
      response.setHeader('Set-Cookie', ['sid=1; Path=/', 'BrowserId=2; Path=/; Secure']);
      if (request.url?.endsWith('/token')) return grantToken(response);
      return void response.end(JSON.stringify({ IsSuccessful: true }));
    });
    await service.contactUser(leadId);
    await service.contactUser(leadId);
    expect(seen).toHaveLength(3);
    const names = seen.flatMap((request) => request.names.map((name) => name.toLowerCase()));
    expect(names).not.toContain('cookie');
  });
});

describe('an endless response', () => {
  it('is read up to the limit', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    let written = 0;
    let isClosed = false;
    const { url } = await kept(
      listen(
        createServer((_request, response) => {
          response.on('close', () => {
            isClosed = true;
          });
          const write = (): void => {
            while (written < 100 && !response.destroyed) {
              written += 1;
              if (!response.write(megabyte)) return void response.once('drain', write);
            }
            response.end();
          };
          write();
        }),
      ),
    );
    const transport = createTransport();
    const result = await transport({ url, headers: {}, body: '{}' });
    expect(result).toEqual({ kind: 'interrupted', failure: 'RESPONSE_TOO_LARGE' });
    await until(() => isClosed);
    // Four were read. The others are in the buffers of both sides.
    expect(written).toBeLessThan(40);
  });

  it.each([
    ['headers', 'X-Long: ', 100_000],
    ['header lines', 'X-Many: 1\r\n', 10_000],
  ])('is interrupted if it has endless %s', async (_name, line, times) => {
    const { url } = await kept(
      listen(
        createServer((request) => {
          request.socket.write('HTTP/1.1 200 OK\r\n');
          request.socket.end(`${line.repeat(times)}\r\n\r\n`);
        }),
      ),
    );
    const result = await createTransport()({ url, headers: {}, body: '{}' });
    expect(result.kind).toBe('interrupted');
  });

  it('is not decompressed', async () => {
    const { url } = await kept(
      listen(
        createServer((_request, response) => {
          response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('not even packed');
        }),
      ),
    );
    const result = await createTransport()({ url, headers: {}, body: '{}' });
    expect(result).toMatchObject({ kind: 'response', text: 'not even packed' });
  });
});

describe('an error on our side', () => {
  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['a header that cannot be written', { ApplicationID: 'a\r\nb' }, 6],
    ['a token that cannot be written', { Authorization: `Bearer ${secrets.token}\n` }, 6],
    ['a body of another length', {}, 7],
  ])('contains no secret: %s', async (_name, headers, bytes) => {
    const { url } = await kept(listenRecording());
    const body = { bytes, open: () => streamOf(secrets.password) };
    const sending = createTransport()({
      url,
      headers: { Authorization: `Bearer ${secrets.token}`, ...headers },
      body,
    });
    const error: unknown = await sending.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const shown = inspect(error, { depth: 20, showHidden: true });
    for (const secret of Object.values(secrets)) expect(shown).not.toContain(secret);
  });
});

async function connect(answer: RequestListener) {
  const { url, seen } = await kept(listenRecording(answer));
  const { origin } = new URL(url);
  const events: FundingServiceEvent[] = [];
  const service = createFundingService({
    config: createTestConfig({}, { FUNDING_AUTH_URL: origin, FUNDING_BASE_URL: `${origin}/rest` }),
    transport: createTransport(),
    clock: Date.now,
    onEvent: (event) => void events.push(event),
  });
  return { service, seen, events };
}

function grantToken(response: Parameters<RequestListener>[1], instanceUrl?: string): void {
  response.end(JSON.stringify({ access_token: secrets.token, instance_url: instanceUrl }));
}

function createTransport() {
  const transport = createUndiciTransport();
  closers.push(transport.close);
  return transport;
}

async function* streamOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Closes the server after the test. */
async function kept<Server extends Listening>(opening: Promise<Server>): Promise<Server> {
  const server = await opening;
  closers.push(server.close);
  return server;
}
