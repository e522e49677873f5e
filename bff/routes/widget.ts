// `GET /widget/…`: the built widget and the versions of it that are kept, to be loaded by a page of any origin.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono, type Context } from 'hono';
import type { BffEnv } from '../gate/context.ts';
import { widgetSecurityHeaders } from '../gate/headers.ts';

export interface WidgetOptions {
  /** The folder of the built widget; in it, named by their version, folders of others that are kept. */
  readonly directory: string;
  /** Of the built widget, which is also found below `/widget/<version>/`. */
  readonly version: string;
}

const chunks = 'chunks/';
const immutable = 'public, max-age=31536000, immutable';

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  // Licences and types, for people.
  txt: 'text/plain; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
};

/** How systems say that a path leads to no file. */
const nothingThere: ReadonlySet<unknown> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG']);

/** Files are read anew each time, so that a version can be put there while the process runs. */
export function widgetRoutes({ directory, version }: WidgetOptions): Hono<BffEnv> {
  const prefix = `${version}/`;

  return new Hono<BffEnv>().get('/*', widgetSecurityHeaders(), async (c) => {
    const path = c.req.path.slice('/widget/'.length);
    const mediaType = toMediaType(path);
    const content = mediaType === undefined ? undefined : await findFile(path);
    if (mediaType === undefined || content === undefined) return c.notFound();
    // The address of whatever stands in a folder holds a version, or a hash of its content.
    c.header('cache-control', path.includes('/') ? immutable : 'no-cache');
    return answer(c, content, mediaType);
  });

  async function findFile(path: string): Promise<Buffer | undefined> {
    const file = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    const content = await readFileIfThere(directory, file);
    return content === undefined && path.startsWith(chunks) ? findKeptChunk(path) : content;
  }

  /**
   * While processes are replaced one after the other, a page's first file may come from one release and its chunks be asked of
   * the other. Their names hold a hash of their content, so that it does not matter which version has them.
   */
  async function findKeptChunk(path: string): Promise<Buffer | undefined> {
    for (const folder of (await ifThere(readdir(directory))) ?? []) {
      const content = await readFileIfThere(directory, join(folder, path));
      if (content !== undefined) return content;
    }
    return undefined;
  }
}

function answer(c: Context<BffEnv>, content: Buffer, mediaType: string): Response {
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  c.header('etag', etag);
  if (c.req.header('if-none-match') === etag) return c.body(null, 304);
  return c.body(new Uint8Array(content), 200, { 'content-type': mediaType });
}

/** Names of letters, digits, `_`, `-` and inner dots only, at most two folders deep: nothing that leaves the folder can be written so. */
function toMediaType(file: string): string | undefined {
  const name = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*`;
  const match = new RegExp(`^(?:${name}/){0,2}${name}\\.([a-z0-9]+)$`).exec(file);
  return match?.[1] === undefined ? undefined : mediaTypes[match[1]];
}

function readFileIfThere(directory: string, file: string): Promise<Buffer | undefined> {
  return ifThere(readFile(join(directory, file)));
}

async function ifThere<Content>(reading: Promise<Content>): Promise<Content | undefined> {
  try {
    return await reading;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (nothingThere.has(code)) return undefined;
    throw error;
  }
}
