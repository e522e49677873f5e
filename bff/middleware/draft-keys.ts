// The key of the answers that an applicant keeps on a device. The BFF derives it from a session key and a cookie, and stores nothing.

import { hkdfSync, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { DraftKey } from '../../shared/api/draft-key.ts';
import type { Config } from '../config/config.ts';
import type { BffEnv } from './context.ts';
import { readCookies, toCookieHash, writeCookie } from './cookies.ts';

/** The form names this time to applicants (`device.keep` in widget/i18n). */
export const draftKeyLifetimeSeconds = 7 * 24 * 60 * 60;

const keyBytes = 32;
/** Changes when keys are derived in another way. Earlier answers are then lost. */
const derivation = 'funding-application draft key 1';
/** Id of the session key, end in epoch seconds, random id of 192 bits. */
const cookiePattern = /^(\d{1,6})\.(\d{10,11})\.([\w-]{32})$/;

interface DraftKeysOptions {
  /** If `publicOrigin` is `https:`, the cookie is `Secure` and has the prefix `__Host-Http-`. */
  readonly config: Pick<Config, 'sessionKeys' | 'publicOrigin' | 'basePath'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Throws if the rate limit refuses a new key. */
  readonly countNewKey: (c: Context<BffEnv>) => Promise<unknown>;
}

/** The origin gate has to run first. */
export interface DraftKeys {
  /** Returns the key of this page and browser, if there is one that has not expired. */
  find(c: Context<BffEnv>): DraftKey | undefined;
  /** Returns the same, or creates a key. An existing key keeps its end. */
  create(c: Context<BffEnv>): Promise<DraftKey>;
  /** Removes the cookie, so that nobody can derive the key again. */
  remove(c: Context<BffEnv>): void;
}

/** The parts of the cookie. */
interface Ticket {
  readonly keyId: string;
  readonly endsAt: number;
  readonly id: string;
}

/**
 * The cookie needs no seal: each of its parts and the page's origin go into the derivation, so that a changed cookie gives a key
 * that decrypts nothing.
 */
export function createDraftKeys({ config, clock, countNewKey }: DraftKeysOptions): DraftKeys {
  const { sessionKeys, publicOrigin, basePath } = config;
  const isSecure = publicOrigin.startsWith('https:');

  function toCookieName(c: Context<BffEnv>): string {
    const prefix = isSecure ? '__Host-Http-funding' : 'funding';
    return `${prefix}-draft-${toCookieHash(c.get('origin'), basePath)}`;
  }

  function derive(c: Context<BffEnv>, { keyId, endsAt, id }: Ticket): DraftKey | undefined {
    const sessionKey = sessionKeys.keys[keyId];
    const remainingSeconds = endsAt - clock() / 1000;
    if (sessionKey === undefined || remainingSeconds <= 0) return undefined;
    // No cookie of this BFF lasts longer.
    if (remainingSeconds > draftKeyLifetimeSeconds) return undefined;
    const info = JSON.stringify([derivation, c.get('origin'), keyId, endsAt, id]);
    const key = hkdfSync('sha256', Buffer.from(sessionKey, 'base64'), '', info, keyBytes);
    return {
      key: Buffer.from(key).toString('base64url'),
      expiresAt: new Date(endsAt * 1000).toISOString(),
    };
  }

  function find(c: Context<BffEnv>): DraftKey | undefined {
    const [cookie, ...others] = readCookies(c, toCookieName(c));
    // It is unknown which of several cookies the BFF set.
    if (cookie === undefined || others.length > 0) return undefined;
    const [, keyId, endsAt, id] = cookiePattern.exec(cookie) ?? [];
    if (keyId === undefined || endsAt === undefined || id === undefined) return undefined;
    return derive(c, { keyId, endsAt: Number(endsAt), id });
  }

  function write(c: Context<BffEnv>, value: string, maxAge: number): void {
    writeCookie(c, { name: toCookieName(c), value, maxAge, isSecure });
  }

  return {
    find,

    async create(c) {
      const existing = find(c);
      if (existing) return existing;
      await countNewKey(c);
      const endsAt = Math.floor(clock() / 1000) + draftKeyLifetimeSeconds;
      const id = randomBytes(24).toString('base64url');
      const created = derive(c, { keyId: sessionKeys.currentId, endsAt, id });
      if (!created) throw new RangeError('There is no session key to derive a draft key from.');
      write(c, `${sessionKeys.currentId}.${endsAt}.${id}`, draftKeyLifetimeSeconds);
      return created;
    },

    remove: (c) => write(c, '', 0),
  };
}
