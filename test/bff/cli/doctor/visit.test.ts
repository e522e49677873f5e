// The doctor's requests over real sockets: certificates, early answers, and why nothing arrived.

import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { createVisit, type Arrived } from '../../../../bff/cli/doctor/visit.ts';
import { createSelfSigned } from '../../../support/self-signed.ts';
import { listen, listenRaw, type Listening } from '../../../support/servers.ts';

const endsAt = Date.UTC(2049, 5, 1);

describe('a visit', () => {
  let server: Listening | undefined;

  afterEach(() => server?.close());

  async function listenSecure({ certificate, key } = createSelfSigned(endsAt)): Promise<string> {
    server = await listen(
      createSecureServer(
        { cert: certificate, key },
        (_request, response) => void response.end('x'),
      ),
    );
    return server.url.replace('http://127.0.0.1', 'https://localhost');
  }

  it('tells until when the certificate is valid', async () => {
    const own = createSelfSigned(endsAt);
    const url = await listenSecure(own);
    const answer = await createVisit(own.certificate)({ method: 'GET', url, headers: {} });
    expect(answer).toMatchObject({ kind: 'arrived', status: 200, certificateEndsAt: endsAt });
  });

  it.each([
    ['nobody has signed', endsAt, false, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['has expired', Date.UTC(2021, 0, 1), true, 'CERT_HAS_EXPIRED'],
  ])('goes no further where the certificate is one that %s', async (_what, end, isKnown, code) => {
    const own = createSelfSigned(end);
    const url = await listenSecure(own);
    const visit = createVisit(isKnown ? own.certificate : undefined);
    expect(await visit({ method: 'GET', url, headers: {} })).toEqual({ kind: 'lost', code });
  });

  it('goes no further where the certificate is for another name', async () => {
    const own = createSelfSigned(endsAt);
    const url = (await listenSecure(own)).replace('localhost', '127.0.0.1');
    const answer = await createVisit(own.certificate)({ method: 'GET', url, headers: {} });
    expect(answer).toEqual({ kind: 'lost', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('hears an answer that comes before its body is sent, and sends no more', async () => {
    let received = 0;
    server = await listenRaw((socket) => {
      socket.on('data', (piece) => {
        received += piece.byteLength;
      });
      socket.once('data', () => socket.write('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nno'));
    });
    const body = new Uint8Array(64 * 1024 * 1024);
    const request = { method: 'POST', url: server.url, headers: {}, body };
    const answer = await createVisit()(request);
    expect(answer).toMatchObject({ kind: 'arrived', status: 413 });
    expect((answer as Arrived).bytes.toString()).toBe('no');
    expect(received).toBeLessThan(body.byteLength / 2);
  });

  it('joins what is repeated, and keeps cookies apart', async () => {
    server = await listen(
      createServer((_request, response) => {
        response.appendHeader('Access-Control-Allow-Origin', ['a', 'b']);
        response.appendHeader('Set-Cookie', ['c=1', 'd=2']);
        response.end();
      }),
    );
    const answer = await createVisit()({ method: 'GET', url: server.url, headers: {} });
    const { headers } = answer as Arrived;
    expect(headers.get('access-control-allow-origin')).toBe('a, b');
    expect(headers.getSetCookie()).toEqual(['c=1', 'd=2']);
  });

  it.each([
    ['closes at once', '', 'ECONNRESET'],
    [
      'ends in the midst of its answer',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab',
      'ECONNRESET',
    ],
    ['speaks something else', 'SSH-2.0-OpenSSH\r\n', 'HPE_INVALID_CONSTANT'],
  ])('says by a code that the other side %s', async (_what, text, code) => {
    server = await listenRaw((socket) => socket.once('data', () => socket.end(text)));
    const answer = await createVisit()({ method: 'GET', url: server.url, headers: {} });
    expect(answer).toEqual({ kind: 'lost', code });
  });

  it('says by a code that nobody answers in time, and that nobody listens', async () => {
    server = await listenRaw(() => undefined);
    const request = { method: 'GET', url: server.url, headers: {}, timeoutMs: 20 };
    expect(await createVisit()(request)).toEqual({ kind: 'lost', code: 'TIMEOUT' });
    await server.close();
    expect(await createVisit()(request)).toEqual({ kind: 'lost', code: 'ECONNREFUSED' });
  });

  it('reads 4 MiB of an answer and no more', async () => {
    server = await listen(
      createServer((_request, response) => void response.end(Buffer.alloc(4 * 1024 * 1024 + 1))),
    );
    const answer = await createVisit()({ method: 'GET', url: server.url, headers: {} });
    expect(answer).toEqual({ kind: 'lost', code: 'ANSWER_TOO_LARGE' });
  });
});
