// Caddy and nginx with the files of examples/deployment, before a built BFF.

import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idleTimeoutMs } from '../../../bff/routes/request-body.ts';
import { apiHeaders, apiPaths, apiResponseHeaders } from '../../../shared/api/paths.ts';
import { createBrowser, toUploadHeaders } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startProcess, type TestProcess } from '../../support/bff-process.ts';
import { createTextPdf } from '../../support/files/pdf.ts';
import { findFreePorts } from '../../support/free-port.ts';
import { startSandboxServer, type SandboxServer } from '../../support/sandbox-server.ts';
import { unlimited } from '../../support/unlimited.ts';
import { clientAddress, createHttpsSender, type HttpsSender } from './https-sender.ts';
import { type Edge, type EdgeName, edgeNames, edgePrograms, startEdge } from './proxies.ts';
import { waitLimitMs } from '../../support/time-limit.ts';

const root = join(import.meta.dirname, '../../..');
const mebibyte = 1024 * 1024;
const settings = {
  documents: { undoSeconds: 0, maxBytes: 25 * mebibyte, maxTotalBytes: 100 * mebibyte },
  limits: unlimited,
};
/** On the site of the proxy. */
const origin = 'https://localhost:8080';
const tooLarge = new Uint8Array(25 * mebibyte + 1);
const application = createApplication({}, { campaignId: undefined });

describe.each(edgeNames)('%s', (name: EdgeName) => {
  describe.skipIf(!edgePrograms[name])('before a BFF', () => {
    let folder: string;
    let sandbox: SandboxServer;
    let bffPort: number;
    let bff: TestProcess;
    let edge: Edge;
    let sender: HttpsSender;

    beforeAll(async () => {
      if (!existsSync(join(root, 'dist/bff'))) throw new Error('Run npm run build first.');
      folder = mkdtempSync(join(tmpdir(), 'funding-application-edge-'));
      writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
      sandbox = await startSandboxServer();
      const [free = 0, port = 0] = await findFreePorts(2);
      bffPort = free;
      edge = await startEdge(name, [bffPort], port);
      sender = createHttpsSender(edge);
      await startBff();
    });

    afterAll(async () => {
      await sender.close();
      await edge.stop();
      await stopBff();
      await sandbox.close();
      rmSync(folder, { recursive: true });
    });

    async function startBff(): Promise<void> {
      bff = startProcess({
        program: 'dist/bff/main.js',
        variables: {
          FUNDING_ENVIRONMENT: 'sandbox',
          FUNDING_SETTINGS: join(folder, 'settings.json'),
          DATABASE_URL: `file:${join(folder, 'store.db')}`,
          BFF_PORT: String(bffPort),
          PUBLIC_URL: edge.url,
          ALLOWED_ORIGINS: origin,
          TRUSTED_PROXIES: '127.0.0.1',
          ...sandbox.variables,
        },
      });
      await bff.ready(`http://localhost:${bffPort}/readyz`);
    }

    async function stopBff(): Promise<void> {
      bff.child.kill('SIGTERM');
      await bff.ended;
    }

    const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      sender.fetchBytes({ method: 'GET', path, headers, body: undefined });

    it('passes the tests of doctor', async () => {
      const authorityFile = join(folder, 'authority.crt');
      writeFileSync(authorityFile, edge.authority);
      const doctor = startProcess({
        program: 'dist/bff/main.js',
        arguments: ['doctor', '--origin', origin],
        variables: { PUBLIC_URL: edge.url, NODE_EXTRA_CA_CERTS: authorityFile },
      });
      expect(await doctor.exit, doctor.text()).toBe(0);
      expect(doctor.text()).not.toMatch(/^(failed|warning)/m);
    });

    it('speaks HTTP/2 over TLS', async () => {
      const socket = connect({
        port: edge.port,
        servername: 'localhost',
        ca: edge.authority,
        ALPNProtocols: ['h2', 'http/1.1'],
      });
      await once(socket, 'secureConnect');
      expect(socket.alpnProtocol).toBe('h2');
      socket.destroy();
    });

    it('redirects HTTP to HTTPS', async () => {
      const url = `http://localhost:${edge.httpPort}/apply?lang=es`;
      const response = await fetch(url, { redirect: 'manual' });
      expect(response.status).toBe(308);
      expect(response.headers.get('location')).toMatch(/^https:\/\/localhost.*\/apply\?lang=es$/);
    });

    it.each(['/apply', '/phone', '/livez'])('forwards %s with HSTS', async (path) => {
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    });

    it.each([
      '/metrics',
      '/readyz',
      '/',
      '/v1/../metrics',
      '/v1/%2e%2e/metrics',
      '/widget/..%2Fmetrics',
    ])('does not publish %s', async (path) => {
      const { status, bytes } = await get(path);
      expect(status).toBe(404);
      expect(bytes.toString()).not.toMatch(/ready|alive|funding_/);
    });

    it('passes on the files of the element as the build compressed them', async () => {
      const manifest = JSON.parse(
        readFileSync(join(root, 'dist/widget/manifest.json'), 'utf8'),
      ) as { version: string; hash: string };
      const path = `/widget/${manifest.version}-${manifest.hash}/funding-application.js`;
      const file = join(root, 'dist', path);
      const brotli = await get(path, { 'accept-encoding': 'gzip, br' });
      expect(brotli.headers.get('content-encoding')).toBe('br');
      expect(brotli.bytes.equals(readFileSync(`${file}.br`))).toBe(true);
      expect(brotli.headers.get('cache-control')).toContain('immutable');
      const plain = await get(path);
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(plain.bytes.equals(readFileSync(file))).toBe(true);
    });

    it('keeps the client from choosing its address', async () => {
      const browser = createBrowser({
        send: sender.send,
        origin,
        headers: {
          'x-forwarded-for': '203.0.113.9',
          forwarded: 'for=203.0.113.9',
          'x-real-ip': '203.0.113.9',
        },
      });
      expect(await browser.apply(application)).toMatchObject({ status: 201 });
      const response = await sandbox.app.request('/_sandbox/leads');
      const { leads } = (await response.json()) as { leads: readonly { lead: object }[] };
      expect(leads.map(({ lead }) => lead)).toContainEqual(
        expect.objectContaining({ Ip: clientAddress, SignatureIp: clientAddress }),
      );
    });

    it.each(['HTTP/2', 'HTTP/1.1'])('accepts a document of 20 MB over %s', async (protocol) => {
      const { send, close } = createHttpsSender(edge, protocol === 'HTTP/2');
      const browser = createBrowser({ send, origin });
      await browser.apply(application);
      const answer = await browser.upload(createTextPdf(`A scan over ${protocol}`, 20_000_000));
      expect(answer).toMatchObject({ status: 201, json: { status: 'delivered' } });
      await close();
    });

    it('passes on the error of the BFF over HTTP/1.1', async () => {
      const { send, close } = createHttpsSender(edge, false);
      const browser = createBrowser({ send, origin });
      await browser.apply(application);
      const answer = await browser.upload(tooLarge);
      expect(answer).toMatchObject({ status: 413, json: { code: 'document-too-large' } });
      expect(answer.headers.get(apiResponseHeaders.contractVersion)).toBe('1');
      await close();
    });

    // undici does not accept an HTTP/2 response before it has sent the whole request, as browsers do.
    it('passes on the error of the BFF over HTTP/2', async () => {
      const browser = createBrowser({ send: sender.send, origin });
      await browser.apply(application);
      const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
      const connection = connectHttp2(edge.url, { ca: edge.authority });
      const stream = connection.request({
        ':method': 'POST',
        ':path': apiPaths.documents,
        ...toUploadHeaders('scan.pdf', tooLarge.byteLength),
        [apiHeaders.request]: '1',
        origin,
        'sec-fetch-site': 'same-site',
        cookie,
      });
      const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      expect(answer[':status']).toBe(413);
      expect(answer[apiResponseHeaders.contractVersion]).toBe('1');
      expect(JSON.parse(await text(stream))).toMatchObject({ code: 'document-too-large' });
      connection.destroy();
    });

    it('survives a restart of the BFF while a page polls', async () => {
      const browser = createBrowser({ send: sender.send, origin });
      await browser.apply(application);
      await stopBff();
      const failed = await browser.send('GET', apiPaths.application);
      expect(failed.status).toBeOneOf([502, 503, 504]);
      expect(failed.json).toMatchObject({ type: 'about:blank', status: failed.status });
      expect(failed.headers.get('content-type')).toBe('application/problem+json');
      expect(failed.headers.get('retry-after')).toBe('5');
      expect(failed.headers.get('cache-control')).toBe('no-store');
      // The element takes a response without this header for a lost connection, and tries again.
      expect(failed.headers.get(apiResponseHeaders.contractVersion)).toBeNull();
      await startBff();
      await expect
        .poll(async () => (await browser.send('GET', apiPaths.application)).status, {
          timeout: waitLimitMs,
        })
        .toBe(200);
    });
  });

  it.skipIf(!edgePrograms[name])('sends requests to the other BFF when one is killed', async () => {
    const [first = 0, second = 0, port = 0] = await findFreePorts(3);
    // Stand for BFFs.
    const servers = [first, second].map((bffPort) =>
      createServer((_request, response) => response.end(String(bffPort))).listen(
        bffPort,
        '127.0.0.1',
      ),
    );
    const edge = await startEdge(name, [first, second], port);
    const { send, close } = createHttpsSender(edge);
    const ask = () => send({ method: 'GET', path: '/livez', headers: {}, body: undefined });
    const askOften = async () =>
      new Set((await Promise.all(Array.from({ length: 20 }, ask))).map(({ text }) => text));
    expect(await askOften()).toEqual(new Set([String(first), String(second)]));
    servers[0]!.close();
    servers[0]!.closeAllConnections();
    expect(await askOften()).toEqual(new Set([String(second)]));
    await close();
    await edge.stop();
    servers[1]!.close();
  });

  it.skipIf(!edgePrograms[name])('streams an upload while the client sends it', async () => {
    const [bffPort = 0, port = 0] = await findFreePorts(2);
    const arrived = Promise.withResolvers<string>();
    // Stands for the BFF, and reads the upload as it arrives.
    const server = createServer((request, response) => {
      request.on('data', (data: Buffer) => {
        if (request.method === 'POST') arrived.resolve(data.toString().slice(0, 5));
      });
      request.on('end', () => response.end('{}'));
    }).listen(bffPort, '127.0.0.1');
    const edge = await startEdge(name, [bffPort], port);
    const { send, close } = createHttpsSender(edge);
    const response = await send({
      method: 'POST',
      path: apiPaths.documents,
      headers: { ...toUploadHeaders('slow.pdf', 10), [apiHeaders.request]: '1' },
      body: (async function* sendSlowly() {
        yield Buffer.from('first');
        // Fails with the timeout of the test if the proxy waits for the whole body.
        expect(await arrived.promise).toBe('first');
        yield Buffer.from('again');
      })(),
    });
    expect(response.status).toBe(200);
    await close();
    await edge.stop();
    server.close();
  });
});

it('no proxy ends an upload before the BFF does', () => {
  const nginx = readFileSync(join(root, 'examples/deployment/nginx.conf'), 'utf8');
  const [, seconds] = /client_body_timeout (\d+)s;/.exec(nginx) ?? [];
  expect(Number(seconds) * 1000).toBeGreaterThan(idleTimeoutMs);
  // Caddy has no limit by default.
  const caddy = readFileSync(join(root, 'examples/deployment/Caddyfile'), 'utf8');
  expect(caddy).not.toContain('read_body');
});
