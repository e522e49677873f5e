// What a browser holds of its session: a sealed random id, times, the origin of the page, and how it travels.

import { sealData, unsealData } from 'iron-session';
import * as z from 'zod/mini';
import type { Keys } from '../config-reader.ts';

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
