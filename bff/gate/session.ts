// The browser's session: a sealed cookie that holds a random id and times, and a journal row that can be revoked.

import { createHash } from 'node:crypto';
import { getIronSession, webCookies, type IronSession, type SessionOptions } from 'iron-session';
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
import { AppError } from '../app-error.ts';
import type { Keys } from '../config-reader.ts';
import type { Journal } from '../journal/journal.ts';
import type { SessionRow } from '../journal/records.ts';
import type { BffEnv, LivingSession } from './context.ts';

/** Until an application is filed. Afterwards only the day counts: finding one's statements may take the afternoon. */
const idleSeconds = 60 * 60;
const absoluteSeconds = 24 * 60 * 60;
const absoluteMs = absoluteSeconds * 1000;
/** A used session gets a new cookie at most this often. */
const renewAfterSeconds = 10 * 60;

/** Times are epoch seconds, because iron-session refuses dates; `exp` is when the session ends without use; `o` is the origin of the page that began the session. */
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

/** Sessions of one journal; the origin gate has to stand before it. */
export function createSessionGate(options: SessionGateOptions): SessionGate {
  const { journal, clock } = options;

  async function open(c: Context<BffEnv>): Promise<OpenedCookie> {
    const headers = new Headers();
    const iron = await getIronSession<Sealed>(webCookies(c.req.raw, headers), {
      ...toIronOptions(options, c.get('origin')),
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
    const hasApplication = row !== undefined && (await hasLiveApplication(row));
    const expiresAt = row === undefined ? 0 : toEnd(sealed.data, row, hasApplication);
    const refusal = findRefusal(sealed.data, row, c.get('origin'), expiresAt <= clock());
    if (refusal !== undefined || row === undefined) {
      options.onRefusal(c.get('requestId'), refusal ?? 'revoked');
      return undefined;
    }
    return { sealed: sealed.data, living: { row, expiresAt }, hasApplication };
  }

  /** A rejected one has nothing to come back to. */
  async function hasLiveApplication({ id }: SessionRow): Promise<boolean> {
    const application = await journal.findCurrentApplication(id);
    return application !== undefined && application.state !== 'rejected';
  }

  async function issue(
    c: Context<BffEnv>,
    cookie: OpenedCookie,
    { sid, row, hasApplication }: IssuedSession,
  ): Promise<LivingSession> {
    const iat = Math.floor(clock() / 1000);
    const sealed = { v: 1, sid, iat, exp: iat + idleSeconds, o: row.origin } as const;
    await Object.assign(cookie.iron, sealed).save();
    copyCookies(cookie.headers, c);
    return { row, expiresAt: toEnd(sealed, row, hasApplication) };
  }

  function issueAgain(c: Context<BffEnv>, cookie: OpenedCookie, found: FoundSession) {
    const { sealed, living, hasApplication } = found;
    return issue(c, cookie, { sid: sealed.sid, row: living.row, hasApplication });
  }

  return {
    middleware: async function sessionGate(c, next) {
      const cookie = await open(c);
      const found = await find(c, cookie);
      if (!found) throw new AppError('session-missing');
      const isOld = clock() / 1000 - found.sealed.iat >= renewAfterSeconds;
      c.set('session', isOld ? await issueAgain(c, cookie, found) : found.living);
      await next();
    },

    async begin(c) {
      const cookie = await open(c);
      const found = await find(c, cookie);
      if (found) return issueAgain(c, cookie, found);
      const sid = options.createSessionId();
      const row: SessionRow = {
        id: toRowId(sid),
        origin: c.get('origin'),
        createdAt: clock(),
        endedAt: undefined,
      };
      await journal.addSession(row);
      return issue(c, cookie, { sid, row, hasApplication: false });
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
  readonly living: LivingSession;
  readonly hasApplication: boolean;
}

interface IssuedSession {
  readonly sid: string;
  readonly row: SessionRow;
  readonly hasApplication: boolean;
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
  isOver: boolean,
): SessionRefusal | undefined {
  if (row === undefined || row.endedAt !== undefined) return 'revoked';
  if (isOver) return 'expired';
  if (sealed.o !== origin) return 'other-origin';
  return undefined;
}

/** Epoch milliseconds. Known to the journal and not to the cookie, since the answer to a filing may be lost. */
function toEnd({ exp }: Sealed, { createdAt }: SessionRow, hasApplication: boolean): number {
  const latest = createdAt + absoluteMs;
  return hasApplication ? latest : Math.min(exp * 1000, latest);
}

/** Two pages of one partner keep a session each; under one name each would throw out the other's. */
function toMark(origin: string): string {
  return createHash('sha256').update(origin).digest('hex').slice(0, 8);
}

function toIronOptions(
  { keys, publicOrigin }: SessionGateOptions,
  pageOrigin: string,
): SessionOptions {
  const secure = publicOrigin.startsWith('https:');
  return {
    // Browsers refuse the prefix without Secure, and Safari sends no Secure cookie to http://localhost.
    cookieName: `${secure ? '__Host-Http-funding' : 'funding-session'}-${toMark(pageOrigin)}`,
    password: { ...keys },
    ttl: absoluteSeconds,
    cookieOptions: { secure, httpOnly: true, sameSite: 'strict', path: '/' },
  };
}
