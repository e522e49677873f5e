// The browser's session: a sealed id in a cookie or a handle, and a store row that can be revoked.

import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { apiResponseHeaders } from '../../shared/api/paths.ts';
import { AppError } from '../runtime/app-error.ts';
import type { Keys } from '../config/environment-reader.ts';
import type { Store, SessionRow } from '../store/store.ts';
import type { BffEnv, ActiveSession } from './context.ts';
import {
  createSessionCookie,
  createSessionSeals,
  type SealContent,
  type SessionTransport,
} from './session-cookie.ts';

/**
 * Until an application is filed. Afterwards only the day counts: finding one's statements may take the afternoon. A handle is
 * shorter, since scripts can read it (OWASP ASVS 5.0, 7.3.1).
 */
const idleSeconds = { cookie: 60 * 60, handle: 30 * 60 } as const;
const absoluteSeconds = 24 * 60 * 60;
const absoluteMs = absoluteSeconds * 1000;
/** A used session gets a new seal at most this often. */
const renewAfterSeconds = 10 * 60;

/**
 * `other-transport`: a cookie's seal came as a handle or the other way round. `several-cookies`: more than one of our name.
 * `two-sessions`: cookie and handle open different ones.
 */
export const sessionRefusals = [
  'invalid',
  'unknown-password',
  'expired',
  'revoked',
  'other-origin',
  'other-transport',
  'several-cookies',
  'two-sessions',
] as const;

export type SessionRefusal = (typeof sessionRefusals)[number];

export interface SessionsOptions {
  readonly store: Store;
  readonly keys: Keys;
  /** Of the key that seals. */
  readonly keyId: string;
  /** The BFF's own origin; over https the cookie is `Secure` and carries the strictest prefix. */
  readonly publicOrigin: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** 128 random bits as text. */
  readonly createSessionId: () => string;
  /** Throws when no other session may begin for this request. */
  readonly beforeNew: (c: Context<BffEnv>) => Promise<void>;
  /** A request came with a session, living or not. */
  readonly onPresented: () => void;
  readonly onRefusal: (requestId: string, reason: SessionRefusal) => void;
}

export interface StartedSession {
  readonly session: ActiveSession;
  /** The request itself came with this session: what carries it comes back. */
  readonly isProven: boolean;
  /** Told once, to the browser that asked for it. */
  readonly handle?: string;
}

export interface Sessions {
  /** Lets pass requests with a living session, and sets it; otherwise `session-missing`. */
  readonly middleware: MiddlewareHandler<BffEnv>;
  /**
   * The living session of this browser on this page, or a new one that travels as asked for. A living one keeps its own way:
   * script must not turn a cookie it cannot read into a handle that it can carry away.
   */
  begin(c: Context<BffEnv>, transport: SessionTransport): Promise<StartedSession>;
  /** Revokes the session and takes its cookie back. */
  end(c: Context<BffEnv>): Promise<void>;
}

/** Sessions of one store; the origin gate has to stand before it. */
export function createSessions(options: SessionsOptions): Sessions {
  const { store, clock, keys, keyId, publicOrigin } = options;
  const seals = createSessionSeals({ keys, keyId, lifeSeconds: absoluteSeconds });
  const cookies = createSessionCookie({
    isSecure: publicOrigin.startsWith('https:'),
    maxAgeSeconds: absoluteSeconds,
  });

  function refuse(c: Context<BffEnv>, reason: SessionRefusal): undefined {
    options.onRefusal(c.get('requestId'), reason);
  }

  async function lookUp(c: Context<BffEnv>): Promise<PresentedSessions> {
    const handle = readHandle(c);
    const cookie = cookies.read(c);
    if (handle !== undefined || cookie !== 'none') options.onPresented();
    if (cookie === 'several') refuse(c, 'several-cookies');
    const byHandle = handle === undefined ? undefined : await find(c, handle, 'handle');
    const byCookie = typeof cookie === 'object' ? await find(c, cookie.seal, 'cookie') : undefined;
    if (byHandle && byCookie) {
      refuse(c, 'two-sessions');
      throw new AppError('session-missing');
    }
    return { hasHandle: handle !== undefined, byHandle, byCookie };
  }

  async function find(
    c: Context<BffEnv>,
    seal: string,
    transport: SessionTransport,
  ): Promise<FoundSession | undefined> {
    const opened = await seals.open(seal);
    if (opened.kind === 'refused') return refuse(c, opened.reason);
    const { content } = opened;
    if (content.t !== transport) return refuse(c, 'other-transport');
    if (content.o !== c.get('origin')) return refuse(c, 'other-origin');
    const row = await store.findSession(toRowId(content.sid));
    if (row === undefined || row.endedAt !== undefined) return refuse(c, 'revoked');
    const hasApplication = await hasLiveApplication(row);
    const expiresAt = toEnd(content, row, hasApplication);
    if (expiresAt <= clock()) return refuse(c, 'expired');
    return { content, living: { row, expiresAt, transport }, hasApplication };
  }

  /** A rejected one has nothing to come back to. */
  async function hasLiveApplication({ id }: SessionRow): Promise<boolean> {
    const application = await store.findCurrentApplication(id);
    return application !== undefined && application.state !== 'rejected';
  }

  function createContent(sid: string, origin: string, t: SessionTransport): SealContent {
    const iat = Math.floor(clock() / 1000);
    return { v: 1, sid, iat, exp: iat + idleSeconds[t], o: origin, t };
  }

  async function renewWhenOld(
    c: Context<BffEnv>,
    { content, living, hasApplication }: FoundSession,
  ): Promise<ActiveSession> {
    if (clock() / 1000 - content.iat < renewAfterSeconds) return living;
    const renewed = createContent(content.sid, content.o, content.t);
    const seal = await seals.seal(renewed);
    if (content.t === 'cookie') cookies.write(c, seal);
    else c.header(apiResponseHeaders.session, seal);
    return { ...living, expiresAt: toEnd(renewed, living.row, hasApplication) };
  }

  return {
    middleware: async function sessionGate(c, next) {
      const { hasHandle, byHandle, byCookie } = await lookUp(c);
      const found = hasHandle ? byHandle : byCookie;
      if (!found) throw new AppError('session-missing');
      c.set('session', await renewWhenOld(c, found));
      await next();
    },

    async begin(c, transport) {
      const { byHandle, byCookie } = await lookUp(c);
      const found = byHandle ?? byCookie;
      if (found) return { session: await renewWhenOld(c, found), isProven: true };
      await options.beforeNew(c);
      const origin = c.get('origin');
      const sid = options.createSessionId();
      const row: SessionRow = { id: toRowId(sid), origin, createdAt: clock(), endedAt: undefined };
      await store.addSession(row);
      const content = createContent(sid, origin, transport);
      const seal = await seals.seal(content);
      if (transport === 'cookie') cookies.write(c, seal);
      return {
        session: { row, expiresAt: toEnd(content, row, false), transport },
        isProven: false,
        ...(transport === 'handle' ? { handle: seal } : {}),
      };
    },

    async end(c) {
      const { row, transport } = c.get('session');
      await store.endSession(row.id, clock());
      if (transport === 'cookie') cookies.remove(c);
    },
  };
}

interface FoundSession {
  readonly content: SealContent;
  readonly living: ActiveSession;
  readonly hasApplication: boolean;
}

interface PresentedSessions {
  /** Then the cookie does not count, whatever becomes of the handle. */
  readonly hasHandle: boolean;
  readonly byHandle: FoundSession | undefined;
  readonly byCookie: FoundSession | undefined;
}

/** Other schemes are not ours: a proxy before a staging site may ask for one of its own. */
function readHandle(c: Context<BffEnv>): string | undefined {
  return /^Funding +(.*)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

/** The store holds no id that would open a session, should it be read by others. */
function toRowId(sid: string): string {
  return createHash('sha256').update(sid).digest('base64url');
}

/** Epoch milliseconds. Known to the store and not to the seal, since the answer to a filing may be lost. */
function toEnd({ exp }: SealContent, { createdAt }: SessionRow, hasApplication: boolean): number {
  const latest = createdAt + absoluteMs;
  return hasApplication ? latest : Math.min(exp * 1000, latest);
}
