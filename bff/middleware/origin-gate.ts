// Stands in front of every /v1 route and refuses what no page of the partner can have sent; GET included, since it returns personal data.

import type { Context, MiddlewareHandler } from 'hono';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import type { BffEnv, SiteRelation } from './context.ts';
import { LoggedRefusal } from './errors.ts';
import { hasBody } from './close-connection.ts';

export const gateRefusals = [
  'origin-not-listed',
  'origin-unknown',
  'fetch-site',
  'fetch-mode',
  'preflight',
  'method',
  'header-missing',
  'content-type',
] as const;

export type GateRefusal = (typeof gateRefusals)[number];

export interface OriginGateOptions {
  /** Exact origins of pages on the BFF's site; no pattern, no suffix. */
  readonly allowedOrigins: readonly string[];
  /** Exact origins of pages on other sites. */
  readonly crossSiteOrigins: readonly string[];
  /** The BFF's own origin: its own pages may ask as well. */
  readonly publicOrigin: string;
  /** The methods that the route at this path accepts; none for a path without a route. */
  readonly listMethods: (path: string) => readonly string[];
  readonly onRefusal: (requestId: string, reason: GateRefusal) => void;
}

/** The methods of the API. HEAD is not among them: no client needs it, and Hono would answer it like a GET. */
const methods = ['GET', 'POST', 'DELETE'];
const headers: readonly string[] = ['authorization', 'content-type', ...Object.values(apiHeaders)];
const exposedHeaders = ['retry-after', 'x-request-id', ...Object.values(apiResponseHeaders)];
const preflightSeconds = '600';

/** Where a body is something else than JSON. */
const bodyTypes: Readonly<Record<string, string>> = {
  [apiPaths.documents]: 'application/octet-stream',
};

/** What `Sec-Fetch-Site` may say of a page by where it stands: never `none`, and no farther away than it was listed. */
const sitesByMode: Readonly<Record<SiteRelation, readonly string[]>> = {
  'same-origin': ['same-origin'],
  'same-site': ['same-origin', 'same-site'],
  'cross-site': ['same-origin', 'same-site', 'cross-site'],
};

interface Asking {
  readonly origin: string;
  readonly mode: SiteRelation;
}

/**
 * Hono's `csrf()` looks at form posts only and `cors()` never blocks; this gate lets pass only what meets all of: a listed
 * origin, consistent Fetch Metadata, our own header (which forces a preflight), an accepted content type
 * (OAuth 2.0 for Browser-Based Apps, section 6.1.3.3; ASVS 5.0, 3.5.1 to 3.5.3 and 3.5.8).
 */
export function originGate(options: OriginGateOptions): MiddlewareHandler<BffEnv> {
  const modes = toModes(options);

  function refuse(
    c: Context<BffEnv>,
    code:
      | 'origin-refused'
      | 'header-missing'
      | 'unsupported-media-type'
      | 'method-not-allowed'
      | 'not-found',
    reason: GateRefusal,
  ): never {
    options.onRefusal(c.get('requestId'), reason);
    throw new LoggedRefusal(code);
  }

  return async function originGate(c, next) {
    c.header('vary', 'Origin', { append: true });
    const asking = findAsking(c, options.publicOrigin, modes);
    if (typeof asking === 'string') return refuse(c, 'origin-refused', asking);
    const isPreflight = c.req.method === 'OPTIONS';
    if (isPreflight && !isOurPreflight(c)) return refuse(c, 'origin-refused', 'preflight');
    if (asking.mode !== 'same-origin') allowOrigin(c, asking.origin);
    if (isPreflight) return answerPreflight(c);

    const accepted = options.listMethods(c.req.path);
    if (accepted.length > 0 && !accepted.includes(c.req.method)) {
      // RFC 9110, section 15.5.6: a 405 names the methods of this resource, not those of the whole API.
      c.header('allow', accepted.join(', '));
      return refuse(c, 'method-not-allowed', 'method');
    }
    if (!methods.includes(c.req.method)) return refuse(c, 'not-found', 'method');
    if (c.req.header(apiHeaders.request) !== '1') {
      return refuse(c, 'header-missing', 'header-missing');
    }
    if (!hasAcceptedContentType(c)) return refuse(c, 'unsupported-media-type', 'content-type');
    c.set('origin', asking.origin);
    c.set('mode', asking.mode);
    return next();
  };
}

/** The own origin counts as that, also when it is listed. */
function toModes(options: OriginGateOptions): ReadonlyMap<string, SiteRelation> {
  return new Map<string, SiteRelation>([
    ...options.crossSiteOrigins.map((origin) => [origin, 'cross-site'] as const),
    ...options.allowedOrigins.map((origin) => [origin, 'same-site'] as const),
    [options.publicOrigin, 'same-origin'],
  ]);
}

/** The page that asks, or why nobody believes that it is one of ours. */
function findAsking(
  c: Context<BffEnv>,
  publicOrigin: string,
  modes: ReadonlyMap<string, SiteRelation>,
): Asking | GateRefusal {
  const named = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const fetchMode = c.req.header('sec-fetch-mode');
  // Browsers leave Origin out of a same-origin GET only; without either header nobody vouches for the sender.
  if (named === undefined && site !== 'same-origin') return 'origin-unknown';
  const origin = named ?? publicOrigin;
  const mode = modes.get(origin);
  if (mode === undefined) return 'origin-not-listed';
  if (site !== undefined && !sitesByMode[mode].includes(site)) return 'fetch-site';
  if (fetchMode !== undefined && fetchMode !== 'cors' && fetchMode !== 'same-origin') {
    return 'fetch-mode';
  }
  return { origin, mode };
}

function allowOrigin(c: Context<BffEnv>, origin: string): void {
  c.header('access-control-allow-origin', origin);
  c.header('access-control-allow-credentials', 'true');
  c.header('access-control-expose-headers', exposedHeaders.join(', '));
}

/** Asks for nothing but methods and headers of the contract (Fetch standard, "CORS-preflight fetch"). */
function isOurPreflight(c: Context<BffEnv>): boolean {
  const method = c.req.header('access-control-request-method');
  const asked = (c.req.header('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  return (
    method !== undefined &&
    methods.includes(method) &&
    asked.every((name) => headers.includes(name))
  );
}

function answerPreflight(c: Context<BffEnv>): Response {
  c.header('access-control-allow-methods', methods.join(', '));
  c.header('access-control-allow-headers', headers.join(', '));
  c.header('access-control-max-age', preflightSeconds);
  return c.body(null, 204);
}

function hasAcceptedContentType(c: Context<BffEnv>): boolean {
  const type = c.req.header('content-type');
  if (type === undefined) return !hasBody(c);
  const essence = type.split(';', 1)[0]?.trim().toLowerCase();
  return essence === (bodyTypes[c.req.path] ?? 'application/json');
}
