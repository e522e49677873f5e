// Reading a JSON body: limits of size, strict parsing, and validation.

import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import { readJson } from '../../../bff/routes/request-body.ts';
import { createManualTime } from '../../support/manual-time.ts';

const maxBytes = 50_000;

describe('readJson', () => {
  it.each([2, 16_384, 40_000, maxBytes])('reads a body of %i chunks of one byte', async (bytes) => {
    const text = 'The quick brown fox. '.repeat(3_000).slice(0, bytes - 2);
    expect(await read(byteByByte(`"${text}"`), z.string())).toBe(text);
  });

  it('reads chunks of very different sizes', async () => {
    const parts = ['"', 'a'.repeat(10), 'b'.repeat(45_000), 'c'.repeat(4_900), '"'];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(Buffer.from(part));
        controller.close();
      },
    });
    expect(await read(body, z.string())).toBe(parts.slice(1, -1).join(''));
  });

  it('rejects a body with one byte more than the limit', async () => {
    const body = byteByByte(`"${'x'.repeat(maxBytes - 1)}"`);
    await expect(read(body, z.string())).rejects.toThrow('too-large');
  });

  it('returns what the schema accepts', async () => {
    const schema = z.looseObject({ name: z.string() });
    expect(await read('{"name":"Dana","more":[1]}', schema)).toEqual({ name: 'Dana', more: [1] });
  });

  it.each(['{"name":"Dana"', '{"name":"Dana","name":"Rosa"}'])('rejects %s', async (text) => {
    await expect(read(text, z.looseObject({}))).rejects.toThrow('invalid-request');
  });
});

/** All chunks share one byte of memory, so that a chunk that was not copied is wrong. */
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

async function read(body: BodyInit, schema: z.ZodMiniType): Promise<unknown> {
  const time = createManualTime();
  let result: unknown;
  let failure: unknown;
  const app = new Hono<BffEnv>()
    .post('/', async (c) => {
      result = await readJson(c, schema, maxBytes, time);
      return c.body(null, 204);
    })
    .onError((error, c) => {
      failure = error;
      return c.body(null, 500);
    });
  await app.request('/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  if (failure !== undefined) throw failure;
  return result;
}
