// `GET /widget/…`: the built widget and the versions of it that are kept, to be loaded by a page of any origin.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono, type Context } from 'hono';
import type { BffEnv } from '../gate/context.ts';
import { widgetSecurityHeaders } from '../gate/headers.ts';
import { toWidgetManifest, type WidgetFolder, type WidgetManifest } from '../widget-folder.ts';

interface Found {
  readonly content: Buffer;
  /** As in the manifest and in `integrity` of a page. */
  readonly hash: string;
  /** Whether this address will never have another content. */
  readonly isFinal: boolean;
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
export function widgetRoutes({ directory }: Pick<WidgetFolder, 'directory'>): Hono<BffEnv> {
  return new Hono<BffEnv>().get('/*', widgetSecurityHeaders(), async (c) => {
    const path = c.req.path.slice('/widget/'.length);
    const mediaType = toMediaType(path);
    const found = mediaType === undefined ? undefined : await find(path);
    if (mediaType === undefined || found === undefined) return c.notFound();
    c.header('cache-control', found.isFinal ? immutable : 'no-cache');
    return answer(c, found, mediaType);
  });

  async function find(path: string): Promise<Found | undefined> {
    if (!path.includes('/')) return findIn(directory, path, undefined);
    const built = await readManifest(directory);
    if (path.startsWith(chunks)) {
      return (await findIn(directory, path, built)) ?? findKeptChunk(path);
    }
    const version = path.slice(0, path.indexOf('/'));
    const file = path.slice(version.length + 1);
    if (version === built?.version) return findIn(directory, file, built);
    const folder = join(directory, version);
    return findIn(folder, file, await readManifest(folder));
  }

  /**
   * While processes are replaced one after the other, a page's first file may come from one release and its chunks be asked of
   * the other. Their names hold a hash of their content, so that it does not matter which version has them.
   */
  async function findKeptChunk(path: string): Promise<Found | undefined> {
    let failure: unknown;
    for (const name of (await ifThere(readdir(directory))) ?? []) {
      const folder = join(directory, name);
      try {
        const found = await findIn(folder, path, await readManifest(folder));
        if (found) return found;
      } catch (error) {
        // Told below: what cannot be read must not hide what another version has.
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  }
}

/**
 * Nothing where the manifest of its folder lists another content: it is being copied just now, or was replaced, and whoever
 * keeps files for a year would keep that. What is not listed is there, but is asked for anew each time.
 */
async function findIn(
  folder: string,
  file: string,
  manifest: WidgetManifest | undefined,
): Promise<Found | undefined> {
  const content = await ifThere(readFile(join(folder, file)));
  if (content === undefined) return undefined;
  const hash = `sha384-${createHash('sha384').update(content).digest('base64')}`;
  const listed = manifest?.files.find((one) => one.file === file)?.integrity;
  if (listed !== undefined && listed !== hash) return undefined;
  return { content, hash, isFinal: listed === hash };
}

async function readManifest(folder: string): Promise<WidgetManifest | undefined> {
  const text = await ifThere(readFile(join(folder, 'manifest.json'), 'utf8'));
  return text === undefined ? undefined : toWidgetManifest(text);
}

function answer(c: Context<BffEnv>, { content, hash }: Found, mediaType: string): Response {
  const etag = `"${hash}"`;
  c.header('etag', etag);
  // Alone, in a list, or weak, as proxies make it that compress (RFC 9110, 13.1.2): nothing else holds this hash.
  if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304);
  return c.body(new Uint8Array(content), 200, { 'content-type': mediaType });
}

/** Names of letters, digits, `_`, `-` and inner dots only, at most two folders deep: nothing that leaves the folder can be written so. */
function toMediaType(file: string): string | undefined {
  const name = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*`;
  const match = new RegExp(`^(?:${name}/){0,2}${name}\\.([a-z0-9]+)$`).exec(file);
  return match?.[1] === undefined ? undefined : mediaTypes[match[1]];
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
