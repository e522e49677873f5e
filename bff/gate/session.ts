// The browser's session: a sealed cookie that holds a random id and times, and a journal row that can be revoked.

import { createHash } from 'node:crypto';
import { getIronSession, webCookies, type IronSession, type SessionOptions } from 'iron-session';
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
import { AppError } from '../app-error.ts';
import type { Keys } from '../config-reader.ts';
import type { Journal, SessionRow } from '../journal/journal.ts';
import type { BffEnv, LivingSession } from './context.ts';

const idleSeconds = 60 * 60;
const absoluteMs = 24 * 60 * 60 * 1000;
/** A used session gets a new cookie at most this often. */
const renewAfterSeconds = 10 * 60;

/** Times are epoch seconds, because iron-session refuses dates; `o` is the origin of the page that began the session. */
const sealedSchema = z.strictObject({
  v: z.literal(1),
  sid: z.string(),
  iat: z.int(),
  exp: z.int(),
  o: z.string(),
});

type Sealed = z.infer<typeof sealedSchema>;

export type SessionRefusal =
  'invalid' | 'unknown-password' | 'expired' | 'revoked' | 'other-origin';

export interface SessionGateOptions {
  readonly journal: Journal;
  readonly keys: Keys;
  /** The BFF's own origin; over https the cookie is `Secure` and carries the strictest prefix. */
  readonly publicOrigin: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** 128 random bits as text. */
  readonly createSessionId: () => string;
  readonly onRefusal: (requestId: string, reason: SessionRefusal) => void;
}

export interface SessionGate {
  /** Lets pass requests with a living session, and sets it; otherwise `session-missing`. */
  readonly middleware: MiddlewareHandler<BffEnv>;
  /** The living session of this browser on this page, or a new one; sets the cookie. */
  begin(c: Context<BffEnv>): Promise<LivingSession>;
  /** Revokes the session and takes the cookie back. */
  end(c: Context<BffEnv>): Promise<void>;
}

export function createSessionGate(options: SessionGateOptions): SessionGate {
  const { journal, clock } = options;
  const ironOptions = toIronOptions(options);

  async function open(c: Context<BffEnv>): Promise<OpenedCookie> {
    const headers = new Headers();
    const iron = await getIronSession<Sealed>(webCookies(c.req.raw, headers), {
      ...ironOptions,
      onUnsealError: (reason) => options.onRefusal(c.get('requestId'), reason),
    });
    return { iron, headers };
  }

  async function find(
    c: Context<BffEnv>,
    { iron }: OpenedCookie,
  ): Promise<FoundSession | undefined> {
    const sealed = sealedSchema.safeParse({ ...iron });
    if (!sealed.success) return undefined;
    const row = await journal.findSession(toRowId(sealed.data.sid));
    const refusal = findRefusal(sealed.data, row, c.get('origin'), clock());
    if (refusal !== undefined || row === undefined) {
      options.onRefusal(c.get('requestId'), refusal ?? 'revoked');
      return undefined;
    }
    return { sealed: sealed.data, row };
  }

  async function issue(
    c: Context<BffEnv>,
    cookie: OpenedCookie,
    sid: string,
    row: SessionRow,
  ): Promise<LivingSession> {
    const iat = Math.floor(clock() / 1000);
    const sealed = { v: 1, sid, iat, exp: iat + idleSeconds, o: row.origin } as const;
    await Object.assign(cookie.iron, sealed).save();
    copyCookies(cookie.headers, c);
    return toLiving(sealed, row);
  }

  return {
    middleware: async function sessionGate(c, next) {
      const cookie = await open(c);
      const found = await find(c, cookie);
      if (!found) throw new AppError('session-missing');
      const { sealed, row } = found;
      const isOld = clock() / 1000 - sealed.iat >= renewAfterSeconds;
      c.set('session', isOld ? await issue(c, cookie, sealed.sid, row) : toLiving(sealed, row));
      await next();
    },

    async begin(c) {
      const cookie = await open(c);
      const found = await find(c, cookie);
      if (found) return issue(c, cookie, found.sealed.sid, found.row);
      const sid = options.createSessionId();
      const row: SessionRow = {
        id: toRowId(sid),
        origin: c.get('origin'),
        createdAt: clock(),
        endedAt: undefined,
      };
      await journal.addSession(row);
      return issue(c, cookie, sid, row);
    },

    async end(c) {
      await journal.endSession(c.get('session').row.id, clock());
      const cookie = await open(c);
      cookie.iron.destroy();
      copyCookies(cookie.headers, c);
    },
  };
}

interface OpenedCookie {
  readonly iron: IronSession<Sealed>;
  readonly headers: Headers;
}

interface FoundSession {
  readonly sealed: Sealed;
  readonly row: SessionRow;
}

/** With `@hono/node-server`, cookies that iron-session writes to `c.res` itself are never sent. */
function copyCookies(headers: Headers, c: Context<BffEnv>): void {
  for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true });
}

/** The journal holds no id that would open a session, should it be read by others. */
function toRowId(sid: string): string {
  return createHash('sha256').update(sid).digest('base64url');
}

function findRefusal(
  sealed: Sealed,
  row: SessionRow | undefined,
  origin: string,
  now: number,
): SessionRefusal | undefined {
  if (sealed.exp * 1000 <= now) return 'expired';
  if (row === undefined || row.endedAt !== undefined) return 'revoked';
  if (row.createdAt + absoluteMs <= now) return 'expired';
  if (sealed.o !== origin) return 'other-origin';
  return undefined;
}

function toLiving(sealed: Sealed, row: SessionRow): LivingSession {
  return { row, expiresAt: Math.min(sealed.exp * 1000, row.createdAt + absoluteMs) };
}

function toIronOptions({ keys, publicOrigin }: SessionGateOptions): SessionOptions {
  const secure = publicOrigin.startsWith('https:');
  return {
    // Browsers refuse the prefix without Secure, and Safari sends no Secure cookie to http://localhost.
    cookieName: secure ? '__Host-Http-funding' : 'funding-session',
    password: { ...keys },
    ttl: idleSeconds,
    cookieOptions: { secure, httpOnly: true, sameSite: 'strict', path: '/' },
  };
}
