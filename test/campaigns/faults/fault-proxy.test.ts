import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConnectionReuse,
  createUndiciTransport,
  type TransportResult,
  type UndiciTransport,
} from '../../../bff/funding-service/transport.ts';
import { listen, type Listening } from '../../support/servers.ts';
import { startFaultProxy, type FaultProxy, type Plan } from './fault-proxy.ts';

const answer = { text: '{"IsSuccessful":true}', status: 200 };
let service: Listening;
let received: string[];
let broken: number;
let proxy: FaultProxy;
let transport: UndiciTransport;
let plan: Plan;

beforeEach(async () => {
  received = [];
  broken = 0;
  plan = { kind: 'pass' };
  service = await listen(createServer((request, response) => void respond(request, response)));
  proxy = await startFaultProxy({ port: Number(new URL(service.url).port), choose: () => plan });
  transport = createUndiciTransport({
    timeouts: { headersMs: 300, bodyMs: 300, totalMs: 600 },
    recentMs: 10_000,
  });
});

afterEach(async () => {
  await transport.close();
  await proxy.close();
  await service.close();
});

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    broken += 1;
    return;
  }
  received.push(`${request.url} ${Buffer.concat(chunks).toString()}`);
  // Without Content-Length, so that Node sends chunks.
  if (request.url === '/chunked') response.write('{"IsSuccessful":');
  response.end(request.url === '/chunked' ? 'true}' : answer.text);
}

async function send(
  path = '/creditapp',
  reuse: ConnectionReuse = 'fresh',
): Promise<TransportResult> {
  const body = 'x'.repeat(4_000);
  const result = await transport({
    url: `${proxy.url}${path}`,
    headers: {},
    body,
    reuse,
  });
  // undici returns a connection to its pool after it has reported the result.
  await nextTurn();
  return result;
}

describe('a proxy without a fault', () => {
  it('returns the response on a reused connection', async () => {
    expect(await send('/creditapp', 'idle')).toMatchObject(answer);
    expect(await send('/creditapp', 'idle')).toMatchObject(answer);
    expect(received).toHaveLength(2);
  });

  it('reads chunked responses', async () => {
    expect(await send('/chunked')).toMatchObject(answer);
  });

  it('delays a response', async () => {
    plan = { kind: 'delay', ms: 60 };
    const startedAt = performance.now();
    expect(await send()).toMatchObject(answer);
    expect(performance.now() - startedAt).toBeGreaterThan(50);
  });
});

describe('a proxy with a fault', () => {
  it.each<[string, Plan, string, number]>([
    ['none of the request', { kind: 'cut-request', share: 0 }, 'interrupted', 0],
    ['half of the request', { kind: 'cut-request', share: 0.5 }, 'interrupted', 0],
    ['the whole request', { kind: 'cut-request', share: 1 }, 'interrupted', 1],
    ['none of the response', { kind: 'cut-answer', bytes: 0 }, 'interrupted', 1],
    ['twenty bytes of the response', { kind: 'cut-answer', bytes: 20 }, 'interrupted', 1],
    [
      'the response without its last byte, then nothing',
      { kind: 'stall-answer', bytes: 30 },
      'interrupted',
      1,
    ],
    ['nothing, without processing', { kind: 'stall', isProcessed: false }, 'interrupted', 0],
    ['nothing, after processing', { kind: 'stall', isProcessed: true }, 'interrupted', 1],
    ['too few bytes per second', { kind: 'drip', bytesPerSecond: 40 }, 'interrupted', 1],
    ['the response after the timeout', { kind: 'delay', ms: 900 }, 'interrupted', 1],
  ])('passes %s', async (_passed, chosen, kind, processed) => {
    plan = chosen;
    expect(await send()).toMatchObject({ kind });
    expect(received).toHaveLength(processed);
  });

  it('passes half of a request, which the service sees as aborted', async () => {
    plan = { kind: 'cut-request', share: 0.5 };
    await send();
    await expect.poll(() => broken).toBe(1);
  });

  it.each([false, true])(
    'sends its own response; processed by the service: %s',
    async (isProcessed) => {
      const text = 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 5\r\n\r\n<html';
      plan = { kind: 'answer', text, isProcessed };
      expect(await send()).toMatchObject({ kind: 'response', status: 502, text: '<html' });
      expect(received).toHaveLength(Number(isProcessed));
    },
  );

  it.each(['idle', 'recent'] as const)(
    'closes a kept-alive connection when it is reused (%s)',
    async (reuse) => {
      plan = { kind: 'reset-reused' };
      expect(await send('/creditapp', reuse)).toMatchObject(answer);
      expect(await send('/creditapp', reuse)).toMatchObject({ kind: 'interrupted' });
      expect(await send('/creditapp', reuse)).toMatchObject(answer);
      expect(received).toHaveLength(2);
    },
  );
});

it('a proxy refuses connections until it listens again on the same port', async () => {
  await proxy.refuse();
  expect(await send()).toMatchObject({ kind: 'not-sent', failure: 'ECONNREFUSED' });
  await proxy.listen();
  expect(await send()).toMatchObject(answer);
});

it('a proxy chooses the fault of each request by its path', async () => {
  const heads: object[] = [];
  const chooser = await startFaultProxy({
    port: Number(new URL(service.url).port),
    choose: (head) => {
      heads.push(head);
      return { kind: 'pass' };
    },
  });
  await transport({ url: `${chooser.url}/a`, headers: {}, body: undefined });
  await nextTurn();
  await transport({ url: `${chooser.url}/b`, headers: {}, body: undefined });
  await chooser.close();
  expect(heads).toEqual([
    { path: '/a', index: 0 },
    { path: '/b', index: 1 },
  ]);
});
