// Reads a JSON request body, with limits of size and time.

import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { toFieldErrors } from '../../shared/application/field-errors.ts';
import { IncompleteBodyError, readBody } from '../documents/read-upload.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import { parseStrictJson } from '../runtime/json.ts';
import type { RouteDependencies } from './route-dependencies.ts';

/** Maximum wait for the whole body. */
const timeoutMs = 30_000;

type TimeDependencies = Pick<RouteDependencies, 'clock' | 'startTimer'>;

/** Throws `invalid-request`, with the fields that do not match, unless the body is JSON that the schema accepts. */
export async function readJson<Schema extends z.ZodMiniType>(
  c: Context<BffEnv>,
  schema: Schema,
  maxBytes: number,
  options: TimeDependencies,
): Promise<z.infer<Schema>> {
  const json = parseStrictJson(await readBytes(c, maxBytes, options));
  if (json === undefined) throw new AppError('invalid-request');
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid-request', { errors: toFieldErrors(parsed.error.issues) });
}

/** Throws `too-large`, or `invalid-request` if the client disconnects or sends too slowly. */
async function readBytes(
  c: Context<BffEnv>,
  maxBytes: number,
  { clock, startTimer }: TimeDependencies,
): Promise<Uint8Array> {
  const announcedBytes = Number(c.req.header('content-length') ?? maxBytes);
  if (announcedBytes > maxBytes) throw new AppError('too-large');
  const { body } = c.req.raw;
  if (body === null) return new Uint8Array(0);
  // A client that sends slowly must not take a permit from other requests.
  const permit = c.get('permit');
  permit?.release();
  const timeouts = { clock, startTimer, idleTimeoutMs: timeoutMs, totalTimeoutMs: timeoutMs };
  // One buffer for all data: each stored part of one byte would take some hundred bytes of memory.
  const received = Buffer.alloc(announcedBytes > 0 ? announcedBytes : maxBytes);
  let bytes = 0;
  try {
    for await (const data of readBody(body, timeouts)) {
      if (bytes + data.byteLength > received.byteLength) throw new AppError('too-large');
      received.set(data, bytes);
      bytes += data.byteLength;
    }
  } catch (error) {
    throw error instanceof IncompleteBodyError ? new AppError('invalid-request') : error;
  }
  permit?.acquire();
  return received.subarray(0, bytes);
}
