// `GET /widget/…`: the built widget and its earlier versions, for pages of any origin.

import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import type { BffEnv } from '../middleware/context.ts';
import { allowAnyOrigin } from '../middleware/response-headers.ts';
import type { WidgetFolder } from '../config/widget-folder.ts';

const basePath = '/widget/';

/** `serveStatic` takes .ts for a video, and leaves out the charset of JSON. */
const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
};

/** @param limit the rate limit of one IP address. */
export function widgetRoutes(
  { directory, files }: Pick<WidgetFolder, 'directory' | 'files'>,
  limit: MiddlewareHandler<BffEnv>,
): Hono<BffEnv> {
  const sendFile = serveStatic<BffEnv>({
    root: directory,
    precompressed: true,
    rewriteRequestPath: (path) => files.get(path.slice(basePath.length))?.path ?? '',
  });

  return new Hono<BffEnv>().get('/*', allowAnyOrigin, limit, async (c) => {
    const name = c.req.path.slice(basePath.length);
    const file = files.get(name);
    // Does not touch the file system, because anybody can request any number of unknown names.
    if (file === undefined) return c.notFound();

    const etag = `"${file.integrity}"`;
    // If-None-Match may contain a list, and weak tags (RFC 9110, section 13.1.2). The hash of a file is unique.
    const isKnown = c.req.header('if-none-match')?.includes(etag) === true;
    const response = isKnown ? c.body(null, 304) : await sendFile(c, async () => undefined);
    // The file was removed after the start.
    if (!response) return c.notFound();

    const { headers } = response;
    headers.set(
      'cache-control',
      file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    // Weak, because the compressed forms have the same hash.
    headers.set('etag', `W/${etag}`);
    // On the uncompressed form too, or a cache would send it to all browsers.
    headers.set('vary', 'Accept-Encoding');
    // The file time differs between servers with the same content. The hash is the only validator.
    headers.delete('last-modified');
    const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)];
    if (type !== undefined && !isKnown) headers.set('content-type', type);
    return response;
  });
}
