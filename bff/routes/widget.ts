// `GET /widget/…`: the files of the built widget and of the versions kept beside it, for pages of any origin.

import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import type { BffEnv } from '../middleware/context.ts';
import { allowAnyOrigin } from '../middleware/security-headers.ts';
import type { WidgetFolder } from '../config/widget-folder.ts';

const basePath = '/widget/';

/** Where the library's own type does not fit: TypeScript is not a video. */
const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
};

/** @param limit counts the requests of an address. */
export function widgetRoutes(
  { directory, files }: Pick<WidgetFolder, 'directory' | 'files'>,
  limit: MiddlewareHandler<BffEnv>,
): Hono<BffEnv> {
  const sendFile = serveStatic<BffEnv>({
    root: directory,
    precompressed: true,
    rewriteRequestPath: (path) => files.get(path.slice(basePath.length))?.path ?? '',
  });

  return new Hono<BffEnv>().get('/*', allowAnyOrigin(), limit, async (c) => {
    const name = c.req.path.slice(basePath.length);
    const file = files.get(name);
    // Before the file system is asked: anybody can send any number of unknown names.
    if (file === undefined) return c.notFound();

    const etag = `"${file.integrity}"`;
    // Alone, in a list, or weak (RFC 9110, 13.1.2): no other file has this hash.
    const isKnown = c.req.header('if-none-match')?.includes(etag) === true;
    const response = isKnown ? c.body(null, 304) : await sendFile(c, async () => undefined);
    // It was there at the start and has been removed since.
    if (!response) return c.notFound();

    const { headers } = response;
    headers.set(
      'cache-control',
      file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    // Weak, because one hash stands for the compressed forms as well.
    headers.set('etag', `W/${etag}`);
    // Also on the plain form, or a cache would hand it to everybody.
    headers.set('vary', 'Accept-Encoding');
    // The hash is the validator: the file's time differs between machines that serve the same content.
    headers.delete('last-modified');
    const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)];
    if (type !== undefined && !isKnown) headers.set('content-type', type);
    return response;
  });
}
