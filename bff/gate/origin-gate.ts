// Stands in front of every /v1 route and refuses what no page of the partner can have sent; GET included, since it returns personal data.

import type { Context, MiddlewareHandler } from 'hono';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { AppError } from '../app-error.ts';
import type { BffEnv } from './context.ts';
import { hasBody } from './unread-body.ts';

export const gateRefusals = [
  'origin-not-listed',
  'origin-unknown',
  'fetch-site',
  'fetch-mode',
  'preflight',
  'header-missing',
  'content-type',
] as const;

export type GateRefusal = (typeof gateRefusals)[number];

export interface OriginGateOptions {
  /** Exact origins; no pattern, no suffix. */
  readonly allowedOrigins: readonly string[];
  /** The BFF's own origin: its own pages may ask as well. */
  readonly publicOrigin: string;
  readonly onRefusal: (requestId: string, reason: GateRefusal) => void;
}

const allowedMethods = 'GET, POST, DELETE';
const allowedHeaders = ['content-type', ...Object.values(apiHeaders)].join(', ');
const preflightSeconds = '600';

/** Where a body is something else than JSON. */
const bodyTypes: Readonly<Record<string, string>> = {
  [apiPaths.documents]: 'application/octet-stream',
};

/**
 * Hono's `csrf()` looks at form posts only and `cors()` never blocks; this gate lets pass only what meets all of: a listed
 * origin, consistent Fetch Metadata, our own header (which forces a preflight), an accepted content type.
 */
export function originGate(options: OriginGateOptions): MiddlewareHandler<BffEnv> {
  return async function originGate(c, next) {
    c.header('vary', 'Origin', { append: true });
    const refusal = findOriginRefusal(c, options);
    if (refusal) refuse(c, options, 'origin-refused', refusal);
    const origin = c.req.header('origin') ?? options.publicOrigin;
    if (origin !== options.publicOrigin) allowOrigin(c, origin);

    if (c.req.method === 'OPTIONS') return answerPreflight(c, options);

    if (c.req.header(apiHeaders.request) !== '1') {
      refuse(c, options, 'header-missing', 'header-missing');
    }
    if (!hasAcceptedContentType(c)) refuse(c, options, 'unsupported-media-type', 'content-type');
    c.set('origin', origin);
    return next();
  };
}

function findOriginRefusal(
  c: Context<BffEnv>,
  { allowedOrigins, publicOrigin }: OriginGateOptions,
): GateRefusal | undefined {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  const mode = c.req.header('sec-fetch-mode');
  // Browsers leave Origin out of a same-origin GET only; without either header nobody vouches for the sender.
  if (origin === undefined && site !== 'same-origin') return 'origin-unknown';
  const isOwn = origin === undefined || origin === publicOrigin;
  if (!isOwn && !allowedOrigins.includes(origin)) return 'origin-not-listed';
  const sites = isOwn ? ['same-origin'] : ['same-origin', 'same-site'];
  if (site !== undefined && !sites.includes(site)) return 'fetch-site';
  if (mode !== undefined && mode !== 'cors' && mode !== 'same-origin') return 'fetch-mode';
  return undefined;
}

function allowOrigin(c: Context<BffEnv>, origin: string): void {
  c.header('access-control-allow-origin', origin);
  c.header('access-control-allow-credentials', 'true');
  c.header('access-control-expose-headers', 'retry-after, x-request-id');
}

function answerPreflight(c: Context<BffEnv>, options: OriginGateOptions): Response {
  if (c.req.header('access-control-request-method') === undefined) {
    refuse(c, options, 'method-not-allowed', 'preflight');
  }
  c.header('access-control-allow-methods', allowedMethods);
  c.header('access-control-allow-headers', allowedHeaders);
  c.header('access-control-max-age', preflightSeconds);
  return c.body(null, 204);
}

function hasAcceptedContentType(c: Context<BffEnv>): boolean {
  const type = c.req.header('content-type');
  if (type === undefined) return !hasBody(c);
  const essence = type.split(';', 1)[0]?.trim().toLowerCase();
  return essence === (bodyTypes[c.req.path] ?? 'application/json');
}

function refuse(
  c: Context<BffEnv>,
  options: OriginGateOptions,
  code: 'origin-refused' | 'header-missing' | 'unsupported-media-type' | 'method-not-allowed',
  reason: GateRefusal,
): never {
  options.onRefusal(c.get('requestId'), reason);
  throw new AppError(code);
}
