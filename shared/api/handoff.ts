// `/v1/handoff`: a phone uploads documents for an application that was begun on another device, the desktop.

import * as z from 'zod/mini';

/** The times of a handoff. docs/security/devices.md names them in "Continue on a phone". */
export const handoffLifetime = {
  /** Time for the phone to claim a handoff, and then again to pick the number. */
  pairingSeconds: 5 * 60,
  /** A connected phone is disconnected after this time without a request. */
  idleSeconds: 30 * 60,
  /** A claimed handoff ends after this time, and never later than the session of the desktop. */
  maxSeconds: 2 * 60 * 60,
} as const;

/**
 * `none`: the application has no handoff. `waiting`: no phone has claimed it. `claimed`: a phone has claimed it, and the number is
 * not picked yet. `connected`: the phone may upload. The others are ends: `expired` (nobody claimed it, or picked the number, in
 * time), `wrong-number`, `declined` ("I didn't start this"), `revoked` (by the desktop, by a newer handoff, or with the session
 * of the desktop), and `ended` (by the phone, or after the times of `handoffLifetime`).
 */
export const handoffStates = [
  'none',
  'waiting',
  'claimed',
  'connected',
  'expired',
  'wrong-number',
  'declined',
  'revoked',
  'ended',
] as const;

export type HandoffState = (typeof handoffStates)[number];

/** The response of `POST /v1/handoff`. */
export const handoffSchema = z.object({
  /** The BFF's page for phones, with the token in its fragment. Show it as a QR code. */
  url: z.string(),
  /** `XXXX-XXXX` in Crockford's Base32. The applicant types it on the BFF's page `/phone`. */
  code: z.string(),
  /** Two digits. Show it on the desktop only. */
  number: z.string(),
  /** ISO 8601. Until then, a phone can claim the handoff. */
  expiresAt: z.string(),
});

/** The response of `GET /v1/handoff` on the desktop. */
export const handoffStatusSchema = z.object({
  /** The state of the handoff. */
  state: z.enum(handoffStates),
  /** ISO 8601. When the current state ends by itself. Absent in `none` and after the end. */
  expiresAt: z.optional(z.string()),
});

/** The body of `POST /v1/handoff/claim`: one of `token` and `code`. */
export const handoffClaimRequestSchema = z.strictObject({
  /** The fragment of the URL, without `#`. */
  token: z.optional(z.string().check(z.maxLength(64))),
  /** The typed code. Case, spaces, and hyphens do not matter; O is read as 0, I and L as 1. */
  code: z.optional(z.string().check(z.maxLength(64))),
  /** Requests a session token, for browsers that do not store the cookie. */
  transport: z.optional(z.literal('handle')),
});

/** The response of `GET /v1/handoff` on the phone. An ended handoff answers with its problem code instead. */
export const phoneHandoffSchema = z.object({
  /** `claimed`: the applicant has to pick the number. `connected`: the phone may upload. */
  state: z.enum(['claimed', 'connected']),
  /** The partner's name, as applicants read it. */
  partnerName: z.string(),
  /** The reference of the application. */
  reference: z.string(),
  /** The business name without most of its letters. Absent once the BFF has erased it. */
  businessName: z.optional(z.string()),
  /** Three numbers of two digits. The desktop shows one of them. Absent once the phone is connected. */
  choices: z.optional(z.array(z.string())),
  /** ISO 8601. When the current state ends by itself. */
  expiresAt: z.string(),
});

/** The response of `POST /v1/handoff/claim`. */
export const handoffClaimSchema = z.object({
  ...phoneHandoffSchema.shape,
  /** The session token of the phone session, if the request asked for one. Send it as `Authorization: Funding <handle>`. */
  handle: z.optional(z.string()),
});

/** The body of `POST /v1/handoff/confirm`. */
export const handoffConfirmRequestSchema = z.strictObject({
  /** The number that the applicant picked. */
  number: z.string().check(z.regex(/^\d{2}$/)),
});

export type Handoff = z.infer<typeof handoffSchema>;
export type HandoffStatus = z.infer<typeof handoffStatusSchema>;
export type HandoffClaimRequest = z.infer<typeof handoffClaimRequestSchema>;
export type HandoffClaim = z.infer<typeof handoffClaimSchema>;
export type PhoneHandoff = z.infer<typeof phoneHandoffSchema>;
