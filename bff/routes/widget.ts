// `GET /widget/…`: the built widget, to be loaded by a page of any origin.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono, type Context } from 'hono';
import type { BffEnv } from '../gate/context.ts';
import { widgetSecurityHeaders } from '../gate/headers.ts';

export interface WidgetOptions {
  /** The folder of the built widget. */
  readonly directory: string;
  /** Below `/widget/<version>/` the same files may be kept for ever. */
  readonly version: string;
}

const immutable = 'public, max-age=31536000, immutable';

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** How systems say that a path leads to no file. */
const nothingThere: ReadonlySet<unknown> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG']);

export function widgetRoutes({ directory, version }: WidgetOptions): Hono<BffEnv> {
  const prefix = `${version}/`;

  return new Hono<BffEnv>().get('/*', widgetSecurityHeaders(), async (c) => {
    const path = c.req.path.slice('/widget/'.length);
    const isVersioned = path.startsWith(prefix);
    const file = isVersioned ? path.slice(prefix.length) : path;
    const mediaType = toMediaType(file);
    const content = mediaType === undefined ? undefined : await readFileIfThere(directory, file);
    if (mediaType === undefined || content === undefined) return c.notFound();
    // The names of chunks carry a hash of their content.
    const isKept = isVersioned || file.startsWith('chunks/');
    c.header('cache-control', isKept ? immutable : 'no-cache');
    return answer(c, content, mediaType);
  });
}

function answer(c: Context<BffEnv>, content: Buffer, mediaType: string): Response {
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  c.header('etag', etag);
  if (c.req.header('if-none-match') === etag) return c.body(null, 304);
  return c.body(new Uint8Array(content), 200, { 'content-type': mediaType });
}

/** Names of letters, digits, `_`, `-` and inner dots only, at most one folder deep: nothing that leaves the folder can be written so. */
function toMediaType(file: string): string | undefined {
  const name = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*`;
  const match = new RegExp(`^(?:${name}/)?${name}\\.([a-z0-9]+)$`).exec(file);
  return match?.[1] === undefined ? undefined : mediaTypes[match[1]];
}

async function readFileIfThere(directory: string, file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(directory, file));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (nothingThere.has(code)) return undefined;
    throw error;
  }
}
