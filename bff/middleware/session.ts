// The browser's session: a sealed session ID in a cookie or a session token. Its row, which can be revoked, is added with its first
// application, so that starting a session writes nothing.

import { hash, randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { sealData, unsealData } from 'iron-session';
import * as z from 'zod/mini';
import { type HandoffState, handoffLifetime } from '../../shared/api/handoff.ts';
import { apiHeaders, apiPaths, apiResponseHeaders } from '../../shared/api/paths.ts';
import type { ProblemCode } from '../../shared/api/problem-codes.ts';
import { sessionLifetime } from '../../shared/api/session-lifetime.ts';
import type { Config } from '../config/config.ts';
import type { KeyList } from '../config/environment-reader.ts';
import type { RateLimitedLog, RefusalEvent } from '../logging/rate-limited-log.ts';
import { AppError } from '../runtime/app-error.ts';
import { toHandoffState } from '../store/handoffs.ts';
import type { HandoffRow, NewSession, SessionRow, Store } from '../store/store.ts';
import type { ActiveSession, BffEnv } from './context.ts';
import { readCookies, toCookieHash, writeCookie } from './cookies.ts';
import type { Counters } from './counters.ts';

/** Routes below `/v1` that need no session: the public configuration, the start of a session, and the key of a draft. */
const sessionlessRoutes = new Set([
  `GET ${apiPaths.configuration}`,
  `POST ${apiPaths.session}`,
  // A draft outlives the session. Its key depends on a cookie of its own.
  ...['GET', 'POST', 'DELETE'].map((method) => `${method} ${apiPaths.draftKey}`),
]);

/** The same for a phone: its session starts with the claim of a handoff. */
const sessionlessPhoneRoutes = new Set([
  `GET ${apiPaths.configuration}`,
  `POST ${apiPaths.handoffClaim}`,
]);

/** Routes that only a phone may use. */
const phoneOnlyRoutes = new Set([
  `POST ${apiPaths.handoffClaim}`,
  `POST ${apiPaths.handoffConfirm}`,
]);

/** Routes that a phone may use only after it has picked the number. */
const connectedRoutes = new Set([
  `GET ${apiPaths.documents}`,
  `POST ${apiPaths.documents}`,
  `POST ${apiPaths.documentCategory}`,
  `POST ${apiPaths.documentRemoval}`,
]);

/** All routes that a phone may use. A new route is closed to phones. */
const phoneRoutes = new Set([
  ...phoneOnlyRoutes,
  ...connectedRoutes,
  `GET ${apiPaths.configuration}`,
  `GET ${apiPaths.handoff}`,
  `DELETE ${apiPaths.handoff}`,
]);

/** The problems of ended handoffs, by their state. */
const handoffProblems: Readonly<Partial<Record<HandoffState, ProblemCode>>> = {
  expired: 'handoff-expired',
  'wrong-number': 'handoff-wrong-number',
  declined: 'handoff-declined',
  revoked: 'handoff-revoked',
  ended: 'handoff-ended',
};

/**
 * - `invalid`, `unknown-password`, `expired`: iron-session refused the seal, or the session's time is over.
 * - `revoked`: the session was ended, or it needs a row and has none.
 * - `other-origin`: a page of another origin started the session.
 * - `other-transport`: the seal of a cookie was sent as a session token, or the reverse.
 * - `other-scope`: a phone session was presented as an application session, or the reverse.
 * - `several-cookies`: the request has more than one session cookie.
 * - `two-sessions`: the cookie and the session token belong to different sessions.
 */
export const sessionRefusals = [
  'invalid',
  'unknown-password',
  'expired',
  'revoked',
  'other-origin',
  'other-transport',
  'other-scope',
  'several-cookies',
  'two-sessions',
] as const;

type SessionRefusal = (typeof sessionRefusals)[number];

export type SessionEvent = RefusalEvent<'session-refused', SessionRefusal>;

interface SessionsOptions {
  readonly store: Pick<
    Store,
    'findSession' | 'findApplication' | 'endSession' | 'findPhoneHandoff' | 'extendHandoff'
  >;
  /** If `publicOrigin` is `https:`, the cookie is `Secure` and has the prefix `__Host-Http-`. */
  readonly config: Pick<Config, 'sessionKeys' | 'publicOrigin' | 'basePath'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Throws if the rate limit refuses a new session. */
  readonly countNewSession: (c: Context<BffEnv>) => Promise<unknown>;
  readonly counters: Pick<Counters, 'countPresentedSession' | 'countSessionRefusal'>;
  readonly logRateLimited: RateLimitedLog<SessionEvent>;
}

export interface StartedSession {
  readonly session: ActiveSession;
  /** True if the request already had this session, so the browser keeps it. */
  readonly isProven: boolean;
  /** The new session token. The BFF returns it only in this response. */
  readonly handle?: string;
}

/** The origin gate has to run first. */
export interface Sessions {
  /**
   * Sets the request's session, or throws `session-missing`. Lets requests to routes that need no session pass. A request with the
   * header `apiHeaders.phone` uses phone sessions only, and all others application sessions only. Throws `forbidden-scope` if
   * the route is closed to them, and the problem of the handoff if it has ended.
   */
  readonly requireSession: MiddlewareHandler<BffEnv>;
  /**
   * Returns the session of this page and browser, or starts one with the given transport. An existing session keeps its
   * transport: a script must not be able to turn the cookie, which it cannot read, into a session token, which it can.
   */
  start(c: Context<BffEnv>, transport: SessionTransport): Promise<StartedSession>;
  /**
   * Starts a phone session.
   *
   * @param claim adds the row. If it throws, the response has no cookie.
   * @returns the session token, if that is the transport.
   */
  startPhone<Claimed>(
    c: Context<BffEnv>,
    transport: SessionTransport,
    claim: (row: NewSession) => Promise<Claimed>,
  ): Promise<{ readonly claimed: Claimed; readonly handle?: string }>;
  /** Revokes the session and removes its cookie. */
  end(c: Context<BffEnv>): Promise<void>;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { config, store, clock, counters, logRateLimited } = options;
  const { maxSeconds } = sessionLifetime;
  const seals = createSessionSeals(config.sessionKeys, maxSeconds, clock);
  const isSecure = config.publicOrigin.startsWith('https:');

  function toCookieName(c: Context<BffEnv>): string {
    return toSessionCookieName(c.get('origin'), config, readScope(c));
  }

  function write(c: Context<BffEnv>, value: string, maxAge: number): void {
    writeCookie(c, { name: toCookieName(c), value, maxAge, isSecure });
  }

  function refuse(c: Context<BffEnv>, reason: SessionRefusal): undefined {
    const event = 'session-refused';
    const requestId = c.get('requestId');
    counters.countSessionRefusal(reason);
    logRateLimited(`${event} ${reason}`, (refused) => ({ event, requestId, reason, refused }));
  }

  async function findPresented(c: Context<BffEnv>) {
    const token = readToken(c);
    const [seal, ...others] = readCookies(c, toCookieName(c));
    if (token !== undefined || seal !== undefined) counters.countPresentedSession();
    // It is unknown which of several cookies the BFF set.
    const isAmbiguous = others.length > 0;
    if (isAmbiguous) refuse(c, 'several-cookies');
    const byToken = token === undefined ? undefined : await find(c, token, 'handle');
    const byCookie = seal === undefined || isAmbiguous ? undefined : await find(c, seal, 'cookie');
    if (byToken && byCookie) {
      refuse(c, 'two-sessions');
      throw new AppError('session-missing');
    }
    return { hasToken: token !== undefined, byToken, byCookie };
  }

  /** Returns a function that extends the session and returns it. Returns `undefined` if the seal is refused. */
  async function find(c: Context<BffEnv>, seal: string, transport: SessionTransport) {
    const content = await seals.unseal(seal);
    if (typeof content === 'string') return refuse(c, content);
    if (content.t !== transport) return refuse(c, 'other-transport');
    if (content.o !== c.get('origin')) return refuse(c, 'other-origin');
    const stored = await store.findSession(toRowId(content.sid));
    const session = stored?.endedAt === undefined ? (stored ?? toAnonymous(content)) : undefined;
    if (session === undefined) return refuse(c, 'revoked');
    const scope = stored?.scope ?? 'application';
    if (scope !== readScope(c)) return refuse(c, 'other-scope');
    const { id, origin, createdAt } = session;
    if (scope === 'upload') {
      return async () => findPhoneSession({ id, origin, createdAt }, transport);
    }
    const application = stored?.application;
    const hasApplication = application !== undefined && application.state !== 'rejected';
    const expiresAt = toExpiry(content, createdAt, hasApplication);
    if (expiresAt <= clock()) return refuse(c, 'expired');
    const active = { id, origin, createdAt, expiresAt, transport, application };

    return async function extend(): Promise<ActiveSession> {
      const isRecent = clock() / 1000 - content.iat < sessionLifetime.renewAfterSeconds;
      if (isRecent) return active;
      const renewed = createContent(content.sid, content.o, transport);
      const newSeal = await seals.seal(renewed);
      if (transport === 'cookie') write(c, newSeal, maxSeconds);
      else c.header(apiResponseHeaders.session, newSeal);
      return { ...active, expiresAt: toExpiry(renewed, createdAt, hasApplication) };
    };
  }

  async function findPhoneSession(
    session: NewSession,
    transport: SessionTransport,
  ): Promise<ActiveSession> {
    const found = await requireActiveHandoff(session.id, options);
    const handoff = found.state === 'connected' ? await store.extendHandoff(found, clock()) : found;
    const application = await store.findApplication(handoff.applicationId);
    // The erasure also deletes the handoff, but may have happened after it was read.
    if (!application || application.erasedAt !== undefined) throw new AppError('handoff-ended');
    return { ...session, expiresAt: handoff.expiresAt, transport, application, handoff };
  }

  function createContent(
    sid: string,
    origin: string,
    t: SessionTransport,
    lifetimeSeconds: number = sessionLifetime.idleSeconds[t],
  ): SealContent {
    const iat = Math.floor(clock() / 1000);
    return { v: 1, sid, iat, exp: iat + lifetimeSeconds, o: origin, t };
  }

  /** Sets the cookie of a new session, or returns its session token. */
  async function issue(
    c: Context<BffEnv>,
    content: SealContent,
    maxAge: number,
  ): Promise<{ readonly handle?: string }> {
    const seal = await seals.seal(content);
    if (content.t === 'handle') return { handle: seal };
    write(c, seal, maxAge);
    return {};
  }

  return {
    async requireSession(c, next) {
      const route = `${c.req.method} ${c.req.path}`;
      const isPhone = readScope(c) === 'upload';
      // The page for phones is the BFF's own. Scripts of host pages must not use a phone session.
      const isOpenToPhone = phoneRoutes.has(route) && c.get('siteRelation') === 'same-origin';
      if (isPhone && !isOpenToPhone) throw new AppError('forbidden-scope');
      if ((isPhone ? sessionlessPhoneRoutes : sessionlessRoutes).has(route)) return next();
      const { hasToken, byToken, byCookie } = await findPresented(c);
      // A request with a session token does not use its cookie, even if the token is refused.
      const extend = hasToken ? byToken : byCookie;
      if (!extend) throw new AppError('session-missing');
      const session = await extend();
      const isAllowed = session.handoff
        ? session.handoff.state === 'connected' || !connectedRoutes.has(route)
        : !phoneOnlyRoutes.has(route);
      if (!isAllowed) throw new AppError('forbidden-scope');
      c.set('session', session);
      await next();
    },

    async start(c, transport) {
      const { byToken, byCookie } = await findPresented(c);
      const extend = byToken ?? byCookie;
      if (extend) return { session: await extend(), isProven: true };
      await options.countNewSession(c);
      const origin = c.get('origin');
      const createdAt = clock();
      const sid = `${createRandomId()}.${createdAt}`;
      const content = createContent(sid, origin, transport);
      const expiresAt = toExpiry(content, createdAt, false);
      return {
        session: {
          id: toRowId(sid),
          origin,
          createdAt,
          expiresAt,
          transport,
          application: undefined,
        },
        isProven: false,
        ...(await issue(c, content, maxSeconds)),
      };
    },

    async startPhone(c, transport, claim) {
      const origin = c.get('origin');
      // Without the time, so that the session is refused once its row is gone.
      const sid = createRandomId();
      const claimed = await claim({ id: toRowId(sid), origin, createdAt: clock() });
      // The store knows when the phone session ends. The seal only has to last as long.
      const lifetimeSeconds = handoffLifetime.maxSeconds;
      const content = createContent(sid, origin, transport, lifetimeSeconds);
      return { claimed, ...(await issue(c, content, lifetimeSeconds)) };
    },

    async end(c) {
      const session = c.get('session');
      await store.endSession(session, clock());
      if (session.transport === 'cookie') write(c, '', 0);
    },
  };
}

/** Finds the handoff of a phone session. Throws its problem if it has ended. */
export async function requireActiveHandoff(
  phoneSessionId: string,
  { store, clock }: Pick<SessionsOptions, 'store' | 'clock'>,
): Promise<HandoffRow> {
  const handoff = await store.findPhoneHandoff(phoneSessionId);
  // The application was erased, together with its handoffs.
  if (!handoff) throw new AppError('handoff-ended');
  const problem = findHandoffProblem(handoff, clock());
  if (problem !== undefined) throw new AppError(problem);
  return handoff;
}

/** The problem of a handoff that has ended; `undefined` while it is active. */
export function findHandoffProblem(handoff: HandoffRow, at: number): ProblemCode | undefined {
  return handoffProblems[toHandoffState(handoff, at)];
}

function readScope(c: Context<BffEnv>): SessionRow['scope'] {
  return c.req.header(apiHeaders.phone) === '1' ? 'upload' : 'application';
}

/** Ignores other schemes: a reverse proxy before a test environment may use `Basic` for itself. */
function readToken(c: Context<BffEnv>): string | undefined {
  return /^Funding +(.*)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

function createRandomId(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * The session of a seal without a row: nobody has submitted an application with it. Returns `undefined` if the session needs a row,
 * because its ID has no time: it belongs to a phone.
 */
function toAnonymous({ sid, o: origin }: SealContent): NewSession | undefined {
  const createdAt = readStartTime(sid);
  return createdAt === undefined ? undefined : { id: toRowId(sid), origin, createdAt };
}

/**
 * Hashed, so that nobody who reads the store can derive a session ID from it. The start time comes first, because three indexes of
 * the store begin with this ID: new rows are then on the same pages, and a commit writes a third less.
 */
function toRowId(sid: string): string {
  const hashed = hash('sha256', sid, 'base64url');
  const createdAt = readStartTime(sid);
  return createdAt === undefined ? hashed : `${createdAt.toString(36)}.${hashed}`;
}

/** Epoch milliseconds; `undefined` if the ID has no time. */
function readStartTime(sid: string): number | undefined {
  const createdAt = /\.(\d+)$/.exec(sid)?.[1];
  return createdAt === undefined ? undefined : Number(createdAt);
}

/**
 * Epoch milliseconds. Whether an application exists comes from the store and not from the seal, because the response that
 * would carry the new seal can get lost.
 */
function toExpiry({ exp }: SealContent, createdAt: number, hasApplication: boolean): number {
  const maxExpiry = createdAt + sessionLifetime.maxSeconds * 1000;
  return hasApplication ? maxExpiry : Math.min(exp * 1000, maxExpiry);
}

/**
 * Without `Secure`, browsers reject the prefix `__Host-Http-`, and Safari sends no `Secure` cookie to http://localhost. A phone
 * session has another name, because somebody may have an application on `/apply` in the same browser.
 */
export function toSessionCookieName(
  origin: string,
  { publicOrigin, basePath }: Pick<Config, 'publicOrigin' | 'basePath'>,
  scope: SessionRow['scope'] = 'application',
): string {
  const isSecure = publicOrigin.startsWith('https:');
  const prefix = isSecure ? '__Host-Http-funding' : 'funding-session';
  return `${prefix}${scope === 'upload' ? '-phone' : ''}-${toCookieHash(origin, basePath)}`;
}

/** `handle` is the wire name of the session token, for browsers that do not store the cookie. */
export const sessionTransports = ['cookie', 'handle'] as const;

export type SessionTransport = (typeof sessionTransports)[number];

/**
 * The sealed content: version, session ID, time of issue, time when the session expires without use, the page's origin, and the
 * transport. Times are epoch seconds, because iron-session rejects dates. The ID of an application session is random and ends with
 * the epoch milliseconds of its creation. That of a phone session has no time.
 */
const contentSchema = z.strictObject({
  v: z.literal(1),
  sid: z.string(),
  iat: z.int(),
  exp: z.int(),
  o: z.string(),
  t: z.enum(sessionTransports),
});

export type SealContent = z.infer<typeof contentSchema>;

interface SessionSeals {
  seal(content: SealContent): Promise<string>;
  unseal(seal: string): Promise<SealContent | SessionRefusal>;
}

/**
 * iron-session accepts several spellings of one seal: it ignores text after the `~`, and two bits of the last character before
 * it. The pattern allows one spelling, so that every changed seal is refused.
 */
const sealPattern = /^Fe26\.2\*\d{1,6}(?:\*[\w-]+){5}\*[\w-]{42}[AEIMQUYcgkosw048]~2$/;

/** How long the content of a seal is remembered. */
const rememberMs = 60_000;
/** About 500 bytes each. The oldest are forgotten. */
const maxRemembered = 10_000;

/**
 * Seals with the current key, and unseals with each of the keys. Remembers the contents of recent seals, because unsealing takes
 * longer than the rest of a short request. The caller checks the times, the origin, and the row of each request.
 *
 * @param ttl seconds after which a seal is refused. No session may last longer.
 * @param clock epoch milliseconds.
 */
export function createSessionSeals(
  { keys, currentId }: KeyList,
  ttl: number,
  clock: () => number,
): SessionSeals {
  const key = keys[currentId];
  if (key === undefined) throw new RangeError('There is no session key to seal with.');
  // With several keys, iron-session would seal with the highest ID.
  const sealOptions = { password: { [currentId]: key }, ttl };
  const unsealOptions = { password: { ...keys }, ttl };
  /** By the hash of the seal, oldest first. The seal would keep the whole header in memory that it is a part of. */
  const remembered = new Map<string, { readonly content: SealContent; readonly until: number }>();

  function remember(sealHash: string, content: SealContent): void {
    remembered.delete(sealHash);
    remembered.set(sealHash, { content, until: clock() + rememberMs });
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
  }

  return {
    async seal(content) {
      const seal = await sealData(content, sealOptions);
      remember(toSealHash(seal), content);
      return seal;
    },

    async unseal(seal) {
      let reason: SessionRefusal = 'invalid';
      if (!sealPattern.test(seal)) return reason;
      const sealHash = toSealHash(seal);
      const known = remembered.get(sealHash);
      if (known && clock() < known.until) return known.content;
      const unsealed = await unsealData(seal, {
        ...unsealOptions,
        onUnsealError: (found) => {
          reason = found;
        },
      });
      const content = contentSchema.safeParse(unsealed).data;
      if (content) remember(sealHash, content);
      return content ?? reason;
    },
  };
}

function toSealHash(seal: string): string {
  return hash('sha256', seal, 'base64url');
}
