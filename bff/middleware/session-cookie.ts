// The cookie that carries a session: its name, its attributes for each mode, and how it is read.

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { sealData, unsealData } from 'iron-session';
import * as z from 'zod/mini';
import type { Keys } from '../config/environment-reader.ts';
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

/** `handle`: in the widget's memory, for browsers that keep no cookie of ours. */
export const sessionTransports = ['cookie', 'handle'] as const;

export type SessionTransport = (typeof sessionTransports)[number];

/**
 * Times are epoch seconds, because iron-session refuses dates; `exp` is when the session ends without use; `o` is the origin of
 * the page that began it; `t` how it travels. A cookie's seal leaves `t` out, as all did before there were handles: so it opens
 * whichever of the two versions sealed it, and whichever reads it.
 */
const contentSchema = z.strictObject({
  v: z.literal(1),
  sid: z.string(),
  iat: z.int(),
  exp: z.int(),
  o: z.string(),
  t: z._default(z.enum(sessionTransports), 'cookie'),
});

export type SealContent = z.infer<typeof contentSchema>;

export type SealRefusal = 'invalid' | 'unknown-password' | 'expired';

export type OpenedSeal =
  | { readonly kind: 'opened'; readonly content: SealContent }
  | { readonly kind: 'refused'; readonly reason: SealRefusal };

export interface SessionSeals {
  seal(content: SealContent): Promise<string>;
  open(text: string): Promise<OpenedSeal>;
}

export interface SessionSealOptions {
  /** All of them open. */
  readonly keys: Keys;
  /** Of the one that seals. */
  readonly keyId: string;
  /** Age at which no seal opens any more, whatever stands in it. */
  readonly lifeSeconds: number;
}

/**
 * One spelling a seal, or its text could not be told from a changed one: iron-session takes whatever stands behind the `~` for
 * a remark, and of the last letter of the code before it (32 bytes in base64url) it reads four of the six bits.
 */
const shape = /^Fe26\.2\*\d{1,6}(?:\*[\w-]+){5}\*[\w-]{42}[AEIMQUYcgkosw048]~2$/;

export function createSessionSeals({ keys, keyId, lifeSeconds }: SessionSealOptions): SessionSeals {
  const secret = keys[keyId];
  if (secret === undefined) throw new RangeError('There is no session key of that id');
  // iron-session seals with the highest id it is given.
  const sealing = { password: { [keyId]: secret }, ttl: lifeSeconds };
  const opening = { password: { ...keys }, ttl: lifeSeconds };

  return {
    seal: ({ t, ...rest }) => sealData(t === 'cookie' ? rest : { ...rest, t }, sealing),

    async open(text) {
      if (!shape.test(text)) return { kind: 'refused', reason: 'invalid' };
      let reason: SealRefusal = 'invalid';
      const unsealed = await unsealData(text, {
        ...opening,
        onUnsealError: (found) => {
          reason = found;
        },
      });
      const parsed = contentSchema.safeParse(unsealed);
      return parsed.success
        ? { kind: 'opened', content: parsed.data }
        : { kind: 'refused', reason };
    },
  };
}
