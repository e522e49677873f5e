// The sealed session (iron-session) and its cookie: the name, and the attributes for each kind of page.

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { sealData, unsealData } from 'iron-session';
import * as z from 'zod/mini';
import type { Keys } from '../config/environment-reader.ts';
import type { BffEnv } from './context.ts';

/** The name and attributes of the cookie depend on the page, so the origin gate has to run first. */
export interface SessionCookie {
  /** Returns the seals of all cookies with this name. Another page or host can have set a second one. */
  read(c: Context<BffEnv>): readonly string[];
  write(c: Context<BffEnv>, seal: string): void;
  /** Sends the attributes of `write` too. Without them, browsers do not delete the cookie. */
  remove(c: Context<BffEnv>): void;
}

/** @param isSecure whether browsers reach the BFF over HTTPS. */
export function createSessionCookie(isSecure: boolean, maxAgeSeconds: number): SessionCookie {
  const toName = (c: Context<BffEnv>) => toSessionCookieName(c.get('origin'), isSecure);

  function set(c: Context<BffEnv>, value: string, maxAge: number): void {
    const common = { path: '/', httpOnly: true, maxAge } as const;
    // Pages of other sites keep only partitioned cookies, which must be Secure. Over HTTP, browsers accept them from localhost.
    const attributes =
      c.get('siteRelation') === 'cross-site'
        ? ({ ...common, secure: true, sameSite: 'None', partitioned: true } as const)
        : ({ ...common, secure: isSecure, sameSite: 'Strict' } as const);
    setCookie(c, toName(c), value, attributes);
  }

  return {
    read(c) {
      const prefix = `${toName(c)}=`;
      return (c.req.header('cookie') ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(prefix))
        .map((pair) => pair.slice(prefix.length));
    },
    write: (c, seal) => set(c, seal, maxAgeSeconds),
    remove: (c) => set(c, '', 0),
  };
}

/**
 * The name ends in a hash of the page's origin, because two host pages of one partner have separate sessions. Without `Secure`,
 * browsers reject the prefix `__Host-Http-`, and Safari sends no `Secure` cookie to http://localhost.
 */
export function toSessionCookieName(origin: string, isSecure: boolean): string {
  const hash = createHash('sha256').update(origin).digest('hex');
  return `${isSecure ? '__Host-Http-funding' : 'funding-session'}-${hash.slice(0, 8)}`;
}

/** `handle` is the wire name of the session token, for browsers that do not store the cookie. */
export const sessionTransports = ['cookie', 'handle'] as const;

export type SessionTransport = (typeof sessionTransports)[number];

/**
 * The sealed content: version, session ID, time of issue, time when the session expires without use, the page's origin, and the
 * transport. Times are epoch seconds, because iron-session rejects dates. A cookie's seal has no `t`, so that BFF versions
 * without session tokens can read it, and their seals count as cookies.
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

export interface SessionSeals {
  seal(content: SealContent): Promise<string>;
  unseal(seal: string): Promise<SealContent | SealRefusal>;
}

/**
 * iron-session accepts several spellings of one seal: it ignores text after the `~`, and two bits of the last character before
 * it. The pattern allows one spelling, so that every changed seal is refused.
 */
const sealPattern = /^Fe26\.2\*\d{1,6}(?:\*[\w-]+){5}\*[\w-]{42}[AEIMQUYcgkosw048]~2$/;

/**
 * Seals with the key `keyId`, and unseals with each of the keys.
 *
 * @param ttl seconds after which a seal is refused.
 */
export function createSessionSeals(keys: Keys, keyId: string, ttl: number): SessionSeals {
  const key = keys[keyId];
  if (key === undefined) throw new RangeError('keyId names no session key');
  // With several keys, iron-session would seal with the highest ID.
  const sealOptions = { password: { [keyId]: key }, ttl };
  const unsealOptions = { password: { ...keys }, ttl };

  return {
    seal: ({ t, ...rest }) => sealData(t === 'cookie' ? rest : { ...rest, t }, sealOptions),

    async unseal(seal) {
      let reason: SealRefusal = 'invalid';
      if (!sealPattern.test(seal)) return reason;
      const unsealed = await unsealData(seal, {
        ...unsealOptions,
        onUnsealError: (found) => {
          reason = found;
        },
      });
      return contentSchema.safeParse(unsealed).data ?? reason;
    },
  };
}
