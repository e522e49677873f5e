// The path below which the BFF is mounted, such as `/funding`: the routes do not contain it.

import { getPath } from 'hono/utils/url';

/** The first segments of all paths that the BFF answers. */
const ownSegments: ReadonlySet<string> = new Set([
  'v1',
  'widget',
  'page',
  'apply',
  'phone',
  'livez',
  'readyz',
  'metrics',
  'openapi.json',
]);

/**
 * Returns the function with which Hono reads the path of a request. It removes the base path. Some proxies and frameworks have
 * removed it already, so a path without it is accepted too.
 */
export function createPathReader(basePath: string): (request: Request) => string {
  if (basePath === '') return getPath;
  return (request) => withoutBasePath(getPath(request), basePath) ?? getPath(request);
}

/**
 * True if the request is for the BFF and not for another route of the host.
 *
 * @param target the path and query of the request, with the base path.
 */
export function isOwnTarget(target: string, basePath: string): boolean {
  const path = withoutBasePath(target.split('?', 1)[0] ?? '', basePath);
  return path !== undefined && ownSegments.has(path.split('/', 2)[1] ?? '');
}

function withoutBasePath(path: string, basePath: string): string | undefined {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}
