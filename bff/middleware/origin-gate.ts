// The origin gate: refuses every `/v1` request that an allowed page cannot have sent. It includes GET, which returns personal data.

import type { Context, Hono, MiddlewareHandler } from 'hono';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import type { Config } from '../config/config.ts';
import type { RateLimitedLog, RefusalEvent } from '../logging/rate-limited-log.ts';
import { hasBody } from './response-headers.ts';
import type { BffEnv, SiteRelation } from './context.ts';
import type { Counters } from './counters.ts';
import { LoggedRefusal } from './errors.ts';

export const originRefusals = [
  'origin-not-listed',
  'origin-unknown',
  'fetch-site',
  'fetch-mode',
  'preflight',
  'method',
  'header-missing',
  'content-type',
] as const;

type OriginRefusal = (typeof originRefusals)[number];

export type OriginGateEvent = RefusalEvent<'origin-gate-refused', OriginRefusal>;

interface OriginGateOptions {
  /** The origin gate reads the methods of the app's routes at the first request. */
  readonly app: Hono<BffEnv>;
  readonly config: Pick<Config, 'publicOrigin' | 'allowedOrigins' | 'crossSiteOrigins'>;
  readonly counters: Pick<Counters, 'countOriginRefusal'>;
  readonly logRateLimited: RateLimitedLog<OriginGateEvent>;
}

/** HEAD is missing on purpose: no client needs it, and Hono would run the GET handler. */
const methods = ['GET', 'POST', 'DELETE'];
const headers: readonly string[] = ['authorization', 'content-type', ...Object.values(apiHeaders)];
const exposedHeaders = ['retry-after', 'x-request-id', ...Object.values(apiResponseHeaders)].join(
  ', ',
);
const preflightMaxAgeSeconds = '600';

/**
 * Routes that need no request header, so that a page can preload them (docs/decisions/0006). They change nothing, use no session,
 * and answer all allowed pages the same.
 */
export const preloadedRoutes: ReadonlySet<string> = new Set([`GET ${apiPaths.configuration}`]);

/** The content types of routes that do not accept JSON. */
const bodyTypes: Readonly<Record<string, string>> = {
  [apiPaths.documents]: 'application/octet-stream',
};

/** The values of `Sec-Fetch-Site` that are consistent with the configured relation of an origin. */
const fetchSites: Readonly<Record<SiteRelation, readonly string[]>> = {
  'same-origin': ['same-origin'],
  'same-site': ['same-origin', 'same-site'],
  'cross-site': ['same-origin', 'same-site', 'cross-site'],
};

/**
 * Hono's `csrf()` checks only form posts, and `cors()` never blocks a request. The origin gate requires all of these: an allowed
 * origin, consistent Fetch Metadata, the request header of the API (which forces a preflight), and an accepted content type
 * (OAuth 2.0 for Browser-Based Apps, section 6.1.3.3; ASVS 5.0, 3.5.1 to 3.5.3 and 3.5.8).
 */
export function originGate(options: OriginGateOptions): MiddlewareHandler<BffEnv> {
  const { app, config, counters, logRateLimited } = options;
  const siteRelations = toSiteRelations(config);
  let methodsByPath: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  function refuse(c: Context<BffEnv>, code: ProblemCode, reason: OriginRefusal): never {
    const event = 'origin-gate-refused';
    const requestId = c.get('requestId');
    counters.countOriginRefusal(reason);
    logRateLimited(`${event} ${reason}`, (refused) => ({ event, requestId, reason, refused }));
    throw new LoggedRefusal(code);
  }

  return async function originGate(c, next) {
    c.header('vary', 'Origin', { append: true });
    const page = findPage(c, config.publicOrigin, siteRelations);
    if (typeof page === 'string') return refuse(c, 'origin-refused', page);
    const isPreflight = c.req.method === 'OPTIONS';
    if (isPreflight && !isAllowedPreflight(c)) return refuse(c, 'origin-refused', 'preflight');
    if (page.siteRelation !== 'same-origin') allowOrigin(c, page.origin);
    if (isPreflight) return answerPreflight(c);

    methodsByPath ??= groupMethods(app);
    const accepted = methodsByPath.get(c.req.path);
    if (accepted && !accepted.has(c.req.method)) {
      // RFC 9110, section 15.5.6: Allow lists the methods of this resource.
      c.header('allow', [...accepted].join(', '));
      return refuse(c, 'method-not-allowed', 'method');
    }
    if (!methods.includes(c.req.method)) return refuse(c, 'not-found', 'method');
    const isPreloaded = preloadedRoutes.has(`${c.req.method} ${c.req.path}`);
    if (!isPreloaded && c.req.header(apiHeaders.request) !== '1') {
      return refuse(c, 'header-missing', 'header-missing');
    }
    if (!hasAcceptedContentType(c)) return refuse(c, 'unsupported-media-type', 'content-type');
    c.set('origin', page.origin);
    c.set('siteRelation', page.siteRelation);
    return next();
  };
}

/** The BFF's own origin stays `same-origin` if the configuration lists it too. */
function toSiteRelations(config: OriginGateOptions['config']): ReadonlyMap<string, SiteRelation> {
  return new Map<string, SiteRelation>([
    ...config.crossSiteOrigins.map((origin) => [origin, 'cross-site'] as const),
    ...config.allowedOrigins.map((origin) => [origin, 'same-site'] as const),
    [config.publicOrigin, 'same-origin'],
  ]);
}

/** The routes below `/v1` have no path parameters, so the request's path is the key. */
function groupMethods({ routes }: Hono<BffEnv>): ReadonlyMap<string, ReadonlySet<string>> {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    if (method === 'ALL') continue;
    methodsByPath.set(path, (methodsByPath.get(path) ?? new Set()).add(method));
  }
  return methodsByPath;
}

/** Returns the page that sent the request, or why it cannot be an allowed page. */
function findPage(
  c: Context<BffEnv>,
  publicOrigin: string,
  siteRelations: ReadonlyMap<string, SiteRelation>,
): { readonly origin: string; readonly siteRelation: SiteRelation } | OriginRefusal {
  const header = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const fetchMode = c.req.header('sec-fetch-mode');
  // Browsers omit Origin only in a same-origin GET. Without both headers, the sender is unknown.
  if (header === undefined && site !== 'same-origin') return 'origin-unknown';
  const origin = header ?? publicOrigin;
  const siteRelation = siteRelations.get(origin);
  if (siteRelation === undefined) return 'origin-not-listed';
  if (site !== undefined && !fetchSites[siteRelation].includes(site)) return 'fetch-site';
  if (fetchMode !== undefined && fetchMode !== 'cors' && fetchMode !== 'same-origin') {
    return 'fetch-mode';
  }
  return { origin, siteRelation };
}

function allowOrigin(c: Context<BffEnv>, origin: string): void {
  c.header('access-control-allow-origin', origin);
  c.header('access-control-allow-credentials', 'true');
  c.header('access-control-expose-headers', exposedHeaders);
}

/** True if the preflight requests only methods and headers of the API (Fetch standard, "CORS-preflight fetch"). */
function isAllowedPreflight(c: Context<BffEnv>): boolean {
  const method = c.req.header('access-control-request-method');
  const requested = (c.req.header('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  return (
    method !== undefined &&
    methods.includes(method) &&
    requested.every((name) => headers.includes(name))
  );
}

function answerPreflight(c: Context<BffEnv>): Response {
  c.header('access-control-allow-methods', methods.join(', '));
  c.header('access-control-allow-headers', headers.join(', '));
  c.header('access-control-max-age', preflightMaxAgeSeconds);
  return c.body(null, 204);
}

function hasAcceptedContentType(c: Context<BffEnv>): boolean {
  const type = c.req.header('content-type');
  if (type === undefined) return !hasBody(c);
  const essence = type.split(';', 1)[0]?.trim().toLowerCase();
  return essence === (bodyTypes[c.req.path] ?? 'application/json');
}
