// `GET /widget/…`: the built widget and its earlier versions, for pages of any origin.

import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import type { BffEnv } from '../middleware/context.ts';
import { allowAnyOrigin } from '../middleware/response-headers.ts';
import type { WidgetFile, WidgetFolder } from '../config/widget-folder.ts';
import { delay, type StartTimer } from '../runtime/timers.ts';

const basePath = '/widget/';

/** Files that another process may serve already: of a version, and chunks of any version. */
const versionedPath = /^(?:\d+\.\d+\.\d+[\w.+-]*|chunks)\/./;
/** Between two searches for new versions in the archive. */
const searchIntervalMs = 1_000;

/** `serveStatic` takes .ts for a video, and leaves out the charset of JSON. */
const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
};

export interface WidgetRoutesOptions {
  readonly widget: Pick<WidgetFolder, 'directory' | 'archive' | 'files'>;
  /** The rate limit of one IP address. */
  readonly limit: MiddlewareHandler<BffEnv>;
  readonly clock: () => number;
  readonly startTimer: StartTimer;
}

export function widgetRoutes({
  widget,
  limit,
  clock,
  startTimer,
}: WidgetRoutesOptions): Hono<BffEnv> {
  const { directory, archive, files } = widget;
  const createSender = (root: string) =>
    serveStatic<BffEnv>({
      root,
      precompressed: true,
      rewriteRequestPath: (path) => files.get(path.slice(basePath.length))?.path ?? '',
    });
  const sendOwnFile = createSender(directory);
  const sendArchivedFile = createSender(archive?.directory ?? directory);
  const times = { clock, startTimer };
  const findNewVersions =
    archive && atMostOncePer(searchIntervalMs, archive.findNewVersions, times);

  async function findFile(name: string): Promise<WidgetFile | undefined> {
    const known = files.get(name);
    if (known || !findNewVersions || !versionedPath.test(name)) return known;
    // If the archive cannot be read, the file is not found.
    await findNewVersions().catch(() => undefined);
    return files.get(name);
  }

  return new Hono<BffEnv>().get('/*', allowAnyOrigin, limit, async (c) => {
    const name = c.req.path.slice(basePath.length);
    // Reads no file of an unknown name, because anybody can request any number of them.
    const file = await findFile(name);
    if (file === undefined) return c.notFound();

    const etag = `"${file.integrity}"`;
    // If-None-Match may contain a list, and weak tags (RFC 9110, section 13.1.2). The hash of a file is unique.
    const sendFile = file.directory === directory ? sendOwnFile : sendArchivedFile;
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

/**
 * Calls `run` at most once per interval. A call resolves after a run that began later than the call, so that its result cannot be
 * older. All calls of an interval wait for the same run.
 */
function atMostOncePer(
  intervalMs: number,
  run: () => Promise<void>,
  { clock, startTimer }: Pick<WidgetRoutesOptions, 'clock' | 'startTimer'>,
): () => Promise<void> {
  let next: Promise<void> | undefined;
  let startedAt = -Infinity;

  async function start(): Promise<void> {
    const waitMs = Math.min(intervalMs, startedAt + intervalMs - clock());
    await (waitMs > 0 ? delay(waitMs, startTimer) : undefined);
    next = undefined;
    startedAt = clock();
    await run();
  }

  return () => (next ??= start());
}
