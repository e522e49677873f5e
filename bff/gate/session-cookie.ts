// The cookie that carries a session: its name, its attributes for each mode, and how it is read.

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import type { BffEnv } from './context.ts';

export interface SessionCookieOptions {
  /** Whether browsers reach the BFF over https. */
  readonly isSecure: boolean;
  readonly maxAgeSeconds: number;
}

/** `several`: another page or host has put one beside ours, and nobody can say which is which. */
export type PresentedCookie = { readonly kind: 'one'; readonly seal: string } | 'several' | 'none';

export interface SessionCookie {
  read(c: Context<BffEnv>): PresentedCookie;
  write(c: Context<BffEnv>, seal: string): void;
  /** A browser deletes a cookie only by the attributes it was set with. */
  remove(c: Context<BffEnv>): void;
}

/** The origin gate has to stand before it: name and attributes go by the page's origin and mode. */
export function createSessionCookie({
  isSecure,
  maxAgeSeconds,
}: SessionCookieOptions): SessionCookie {
  const toName = (c: Context<BffEnv>) => toSessionCookieName(c.get('origin'), isSecure);

  function set(c: Context<BffEnv>, value: string, maxAge: number): void {
    const fixed = { path: '/', httpOnly: true, maxAge } as const;
    // Only a partitioned cookie is left to pages of another site; on http too browsers take it from localhost alone.
    const attributes =
      c.get('mode') === 'cross-site'
        ? ({ ...fixed, secure: true, sameSite: 'None', partitioned: true } as const)
        : ({ ...fixed, secure: isSecure, sameSite: 'Strict' } as const);
    setCookie(c, toName(c), value, attributes);
  }

  return {
    read(c) {
      const start = `${toName(c)}=`;
      const [first, ...more] = (c.req.header('cookie') ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(start));
      if (first === undefined) return 'none';
      return more.length > 0 ? 'several' : { kind: 'one', seal: first.slice(start.length) };
    },
    write: (c, seal) => set(c, seal, maxAgeSeconds),
    remove: (c) => set(c, '', 0),
  };
}

/**
 * The cookie's name for the pages of one origin. It ends in a hash of the origin, because two pages of one partner keep a session
 * each and would overwrite each other's cookie under one name. Without `Secure`, browsers refuse the prefix `__Host-Http-`, and
 * Safari sends no `Secure` cookie to http://localhost.
 */
export function toSessionCookieName(origin: string, isSecure: boolean): string {
  const hash = createHash('sha256').update(origin).digest('hex');
  return `${isSecure ? '__Host-Http-funding' : 'funding-session'}-${hash.slice(0, 8)}`;
}
