// Reading a body into memory, however it is cut.

import { Hono, type Context } from 'hono';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { readJson, readText, type BodyLimits } from '../../../bff/routes/request-body.ts';
import { createManualTime } from '../manual-time.ts';

const maxBytes = 50_000;

describe('the text of a body', () => {
  it.each([0, 1, 16_384, 16_385, 40_000, maxBytes])(
    'is whole when %i bytes come one by one, and keeps none of the chunks',
    async (bytes) => {
      const text = 'The quick brown fox. '.repeat(3_000).slice(0, bytes);
      expect(await read(byteByByte(text))).toBe(text);
    },
  );

  it('is whole when a chunk is larger than twice what came before', async () => {
    const parts = ['a'.repeat(10), 'b'.repeat(45_000), 'c'.repeat(4_990)];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(Buffer.from(part));
        controller.close();
      },
    });
    expect(await read(body)).toBe(parts.join(''));
  });

  it('is too large with one byte more than it may have', async () => {
    await expect(read(byteByByte('x'.repeat(maxBytes + 1)))).rejects.toThrow('too-large');
  });
});

describe('the JSON of a body', () => {
  const schema = z.looseObject({ name: z.string() });

  it('is what the schema takes', async () => {
    expect(await send('{"name":"Dana","more":[1]}')).toEqual({ name: 'Dana', more: [1] });
  });

  it.each([
    '{"name":"Dana"',
    '{"name":"Dana","name":"Rosa"}',
    '{"name":"Dana","__proto__":{"isAdmin":true}}',
    `{"name":"Dana","more":${'['.repeat(40)}${']'.repeat(40)}}`,
    '{"name":"Dana","more":1e999}',
  ])('is refused whole: %s', async (text) => {
    await expect(send(text)).rejects.toThrow('invalid-request');
  });

  const send = (text: string) => handle(text, (c, limits) => readJson(c, schema, limits));
});

/** All chunks share one byte of memory, so that a chunk that is kept and not copied shows. */
function byteByByte(text: string): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(1);
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === text.length) return controller.close();
        chunk[0] = text.charCodeAt(sent);
        sent += 1;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}

function read(body: ReadableStream<Uint8Array>): Promise<string | undefined> {
  return handle(body, readText);
}

async function handle<Result>(
  body: BodyInit,
  readBody: (c: Context<BffEnv>, limits: BodyLimits) => Promise<Result>,
): Promise<Result> {
  const { clock, startTimer } = createManualTime();
  const results: Result[] = [];
  let failure: unknown;
  const app = new Hono<BffEnv>()
    .post('/', async (c) => {
      results.push(
        await readBody(c, { maxBytes, timeouts: { clock, startTimer, idleTimeoutMs: 1_000 } }),
      );
      return c.body(null, 204);
    })
    .onError((error, c) => {
      failure = error;
      return c.body(null, 500);
    });
  await app.request('/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  if (failure !== undefined) throw failure;
  return results[0]!;
}
