// GET and HEAD requests with a body, over a real port.

import { connect } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../support/servers.ts';
import { openBff, type OpenBff } from '../open-bff.ts';

describe('closeAfterUnreadBody', () => {
  let bff: OpenBff;
  let port: number;

  beforeEach(async () => {
    bff = await openBff();
    const server = await listen(createAdaptorServer({ fetch: bff.app.fetch }));
    onTestFinished(server.close);
    port = server.port;
  });

  it.each([
    ['GET /livez', 'Content-Length: 10', '200 OK'],
    ['HEAD /livez', 'Content-Length: 10', '200 OK'],
    ['GET /livez', 'Transfer-Encoding: chunked', '200 OK'],
    ['GET /nowhere', 'Content-Length: 10', '404 Not Found'],
    ['GET /v1/session', 'Content-Length: 10', '403 Forbidden'],
  ])('closes the connection after %s with %s', async (line, header, status) => {
    const text = await exchange(`${line} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
    expect(text).toContain(`HTTP/1.1 ${status}`);
    expect(text.toLowerCase()).toContain('connection: close');
  });

  it('keeps the connection after a GET without a body', async () => {
    for (const headers of [new Headers(), new Headers({ 'content-length': '0' })]) {
      const answer = await bff.app.request('/livez', { headers });
      expect(answer.headers.get('connection')).toBeNull();
    }
  });

  /** Sends only the headers. Returns everything that the server sends until it closes the connection. */
  function exchange(head: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(head));
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.once('end', () => resolve(text));
      socket.once('error', reject);
    });
  }
});
