// What the listening server refuses before the app is asked, and what it does with bodies that are refused or never end.

import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve, type Serving } from '../../bff/server.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import { createRig, firstKey, pageOrigin, type Rig } from './bff-rig.ts';

const mebibyte = 1024 * 1024;

describe('a listening BFF', () => {
  let rig: Rig;
  let serving: Serving;

  beforeEach(async () => {
    rig = await createRig({ delivers: false });
    serving = await serve({ bff: rig, port: 0, drainMs: 0 });
  });

  afterEach(() => serving.stop());

  it('takes a head of 16 KB, and not a longer one', async () => {
    const head = (bytes: number) =>
      `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(bytes)}\r\n\r\n`;
    expect(await firstAnswer(head(15_000))).toContain('HTTP/1.1 200');
    expect(await firstAnswer(head(17_000))).toContain('HTTP/1.1 431');
  });

  it('ends a connection after a thousand requests', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let last = '';
    for (let count = 1; count <= 1_000; count += 1) last = await askOver(agent, count);
    agent.destroy();
    expect(last).toBe('close');
  });

  it('does not say what it is made of', async () => {
    const answer = await firstAnswer('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).not.toMatch(/^(server|x-powered-by):/im);
  });

  it('answers 413 before a body of 64 MiB, and the next client at once', async () => {
    await rig.openBrowser().send('POST', apiPaths.session);
    const socket = open();
    socket.write(await formHead(64 * mebibyte));
    expect(await nextText(socket)).toContain('HTTP/1.1 413');
    const ended = once(socket, 'close');
    const piece = Buffer.alloc(mebibyte, 0x20);
    for (let sent = 0; sent < 64 && socket.writable; sent += 1) socket.write(piece);
    expect((await fetch(`http://127.0.0.1:${serving.port}/livez`)).status).toBe(200);
    socket.destroy();
    await ended;
  });

  it('holds nothing of a form that announces no length and never ends', async () => {
    const socket = open();
    socket.write(await formHead(undefined));
    const answered = nextText(socket);
    const piece = Buffer.from(`4000\r\n${' '.repeat(0x4000)}\r\n`);
    for (let sent = 0; sent < 8; sent += 1) socket.write(piece);
    expect(await answered).toContain('HTTP/1.1 413');
    socket.destroy();
  });

  function open(): Socket {
    // Being cut off is what some of these have coming.
    return connect(serving.port, '127.0.0.1').on('error', () => undefined);
  }

  /** What comes back until the server says nothing more for now, which is one answer. */
  async function nextText(socket: Socket): Promise<string> {
    const [chunk] = await once(socket, 'data');
    return String(chunk).toLowerCase().replace('http/1.1', 'HTTP/1.1');
  }

  async function firstAnswer(head: string): Promise<string> {
    const socket = open();
    socket.write(head);
    const text = await nextText(socket);
    socket.destroy();
    return text;
  }

  async function askOver(agent: Agent, count: number): Promise<string> {
    const sent = request({ port: serving.port, host: '127.0.0.1', path: '/livez', agent }).end();
    const [response] = await once(sent, 'response');
    expect([count, response.statusCode]).toEqual([count, 200]);
    response.resume();
    await once(response, 'end');
    return response.headers.connection;
  }

  /** The head of an application whose body is yet to come; chunked when it has no length. */
  async function formHead(bytes: number | undefined): Promise<string> {
    const browser = rig.openBrowser();
    await browser.send('POST', apiPaths.session);
    const [[name, value] = []] = browser.cookies;
    const length = bytes === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
    return [
      `POST ${apiPaths.application} HTTP/1.1`,
      'Host: localhost',
      `Origin: ${pageOrigin}`,
      `Cookie: ${name}=${value}`,
      `Idempotency-Key: ${firstKey}`,
      'X-Funding-Request: 1',
      'Content-Type: application/json',
      length,
      '\r\n',
    ].join('\r\n');
  }
});
