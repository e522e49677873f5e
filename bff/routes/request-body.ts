// Reads request bodies of the API up to a limit, and JSON strictly.

import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type * as z from 'zod/mini';
import { toFieldErrors } from '../../shared/application/field-errors.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from '../gate/context.ts';

/** Longer bodies are `too-large`, as soon as that is known. */
export function limitBody(maxBytes: number): MiddlewareHandler<BffEnv> {
  return bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new AppError('too-large');
    },
  });
}

/** The body as text, exactly; `undefined` when it is no UTF-8. A byte order mark stays, and is then no JSON. */
export async function readText(c: Context<BffEnv>): Promise<string | undefined> {
  const bytes = await c.req.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** What the text says as JSON; `undefined`, which JSON cannot say, when it is none. */
export function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The body as the schema's type; otherwise `invalid-request` with the fields that do not fit. */
export async function readJson<Schema extends z.ZodMiniType>(
  c: Context<BffEnv>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const json = parseJson(await readText(c));
  if (json === undefined) throw new AppError('invalid-request');
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid-request', { errors: toFieldErrors(parsed.error.issues) });
}
