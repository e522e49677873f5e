// The cookies of a page: their names, their attributes, and how the BFF reads and sets them.

import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import type { BffEnv } from './context.ts';

/** Few, because the origin gate lets only allowed origins pass. */
const cookieHashes = new Map<string, string>();

/**
 * The first 8 digits of a hash. Two host pages of one partner have separate cookies, and so have two BFFs below different base paths
 * of one origin: their cookies have the path `/`, which the prefix `__Host-` requires (docs/decisions/0009).
 */
export function toCookieHash(origin: string, basePath: string): string {
  const subject = origin + basePath;
  const known = cookieHashes.get(subject);
  if (known !== undefined) return known;
  const digits = hash('sha256', subject, 'hex').slice(0, 8);
  cookieHashes.set(subject, digits);
  return digits;
}

/** Returns the values of all cookies with this name. Another page or host can have set a second one. */
export function readCookies(c: Context<BffEnv>, name: string): readonly string[] {
  const prefix = `${name}=`;
  return (c.req.header('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
}

interface PageCookie {
  readonly name: string;
  readonly value: string;
  /** Seconds. 0 removes the cookie. Browsers require the same attributes for that. */
  readonly maxAge: number;
  /** True if browsers use HTTPS. */
  readonly isSecure: boolean;
}

export function writeCookie(
  c: Context<BffEnv>,
  { name, value, maxAge, isSecure }: PageCookie,
): void {
  // Pages of other sites keep only partitioned cookies, which must be Secure. Over HTTP, browsers accept them from localhost.
  const attributes =
    c.get('siteRelation') === 'cross-site'
      ? ({ secure: true, sameSite: 'None', partitioned: true } as const)
      : ({ secure: isSecure, sameSite: 'Strict' } as const);
  setCookie(c, name, value, { path: '/', httpOnly: true, maxAge, ...attributes });
}
