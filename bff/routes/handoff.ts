// `/v1/handoff`: connects a phone to the application of a desktop. The desktop creates, watches, and revokes a handoff. The phone
// claims it, picks the number that the desktop shows, and may then upload documents.

import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import * as z from 'zod/mini';
import { crockfordDigits, readCrockford } from '../../shared/api/crockford.ts';
import {
  type HandoffClaim,
  type HandoffClaimRequest,
  handoffClaimRequestSchema,
  handoffClaimSchema,
  handoffConfirmRequestSchema,
  type Handoff,
  handoffSchema,
  handoffStates,
  type HandoffStatus,
  handoffStatusSchema,
  type PhoneHandoff,
  phoneHandoffSchema,
} from '../../shared/api/handoff.ts';
import { apiHeaders, pagePaths } from '../../shared/api/paths.ts';
import type { Log } from '../logging/log.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { Counters } from '../middleware/counters.ts';
import type { RateLimits } from '../middleware/rate-limits.ts';
import { findHandoffProblem, type Sessions } from '../middleware/session.ts';
import { AppError } from '../runtime/app-error.ts';
import { createId } from '../runtime/ids.ts';
import { deriveKey } from '../store/encryption.ts';
import { toHandoffState } from '../store/handoffs.ts';
import type { ApplicationRow, HandoffRow, HandoffSecret } from '../store/store.ts';
import { sessionLifetime } from '../../shared/api/session-lifetime.ts';
import { requireActiveApplication } from './application.ts';
import { describeSchema, header, json } from './openapi.ts';
import { readJson } from './request-body.ts';
import type { RouteDependencies } from './route-dependencies.ts';

const maxBytes = 512;
/** RFC 6750, section 5.2, asks for enough entropy: 128 bits cannot be guessed, so that a plain hash protects the token. */
const tokenBytes = 16;
const tokenPattern = /^[\w-]{22}$/;
const codeLength = 8;
const choiceCount = 3;

export type HandoffEvent =
  | {
      readonly event: 'handoff-changed';
      readonly reference: string;
      readonly state: HandoffRow['state'];
    }
  /** The applicant did not recognize the handoff, or picked a number that the desktop did not show. */
  | {
      readonly event: 'handoff-suspicious';
      readonly reference: string;
      readonly state: 'wrong-number' | 'declined';
    };

export interface HandoffRoutesOptions extends RouteDependencies {
  readonly sessions: Sessions;
  readonly rateLimits: RateLimits;
  readonly counters: Pick<Counters, 'countHandoff'>;
  readonly log: Log<HandoffEvent>;
  /** False if the BFF does not serve the page for phones. */
  readonly isOffered: boolean;
}

export function handoffRoutes(options: HandoffRoutesOptions): Hono<BffEnv> {
  const { config, store, sessions, rateLimits, clock } = options;
  // A database without its keys reveals no code, although a code has only 40 bits.
  const codeKey = deriveKey(config, 'handoff codes');
  const hashCode = (code: string) => createHmac('sha256', codeKey).update(code).digest('base64url');

  function report({ applicationId: reference }: HandoffRow, state: HandoffRow['state']): void {
    options.counters.countHandoff(state);
    const isSuspicious = state === 'wrong-number' || state === 'declined';
    options.log(
      isSuspicious
        ? { event: 'handoff-suspicious', reference, state }
        : { event: 'handoff-changed', reference, state },
    );
  }

  return new Hono<BffEnv>()
    .post('/', describeCreate, async (c) => {
      if (!options.isOffered) throw new AppError('not-found');
      const application = requireActiveApplication(c);
      await rateLimits.countHandoff(c);
      const token = randomBytes(tokenBytes).toString('base64url');
      const code = createCode();
      const choices = createChoices();
      const number = choices[randomInt(choiceCount)] ?? '';
      const { id: sessionId, createdAt } = c.get('session');
      const handoff = await store.addHandoff(
        {
          id: createId(clock()),
          applicationId: application.id,
          sessionId,
          tokenHash: hashToken(token),
          codeHash: hashCode(code),
          number,
          choices,
          endsAt: createdAt + sessionLifetime.maxSeconds * 1000,
        },
        clock(),
      );
      if (!handoff) throw new AppError('application-missing');
      report(handoff, 'waiting');
      const created: Handoff = {
        url: `${config.publicUrl}${pagePaths.phone}#${token}`,
        code: `${code.slice(0, 4)}-${code.slice(4)}`,
        number,
        expiresAt: toIso(handoff.expiresAt),
      };
      return c.json(created, 201);
    })
    .get('/', describeRead, async (c) => {
      const { application, handoff } = c.get('session');
      if (application && handoff) return c.json(viewForPhone(handoff, application, options));
      return c.json(viewForDesktop(await findLatest(c, options), clock()));
    })
    .delete('/', describeEnd, async (c) => {
      const { handoff } = c.get('session');
      if (handoff) {
        const state = handoff.state === 'connected' ? 'ended' : 'declined';
        if (await store.endHandoff(handoff.id, state)) report(handoff, state);
      } else {
        const latest = await findLatest(c, options);
        const isActive = latest && findHandoffProblem(latest, clock()) === undefined;
        if (isActive && (await store.endHandoff(latest.id, 'revoked'))) report(latest, 'revoked');
      }
      return c.body(null, 204);
    })
    .post('/claim', describeClaim, async (c) => {
      const body = await readJson(c, handoffClaimRequestSchema, maxBytes, options);
      await rateLimits.countHandoffClaim(c);
      const secret = readSecret(body, hashCode);
      // Successful claims are taken back, because several applicants can share the address of an office.
      const refund = 'codeHash' in secret ? await rateLimits.countHandoffCode(c) : undefined;
      const transport = body.transport ?? 'cookie';
      const { claimed, handle } = await sessions.startPhone(c, transport, async (row) => {
        const { isClaimed, handoff } = await store.claimHandoff(secret, row);
        if (isClaimed && handoff) return handoff;
        throw new AppError(toClaimProblem(handoff, clock()));
      });
      await refund?.();
      report(claimed, 'claimed');
      const application = await store.findApplication(claimed.applicationId);
      if (!application) throw new AppError('handoff-ended');
      const view: HandoffClaim = {
        ...viewForPhone(claimed, application, options),
        ...(handle === undefined ? {} : { handle }),
      };
      return c.json(view);
    })
    .post('/confirm', describeConfirm, async (c) => {
      const { number } = await readJson(c, handoffConfirmRequestSchema, maxBytes, options);
      const { handoff } = c.get('session');
      if (!handoff) throw new AppError('forbidden-scope');
      // A repeated request whose first response was lost.
      if (handoff.state === 'connected') return c.body(null, 204);
      const confirmed = await store.confirmHandoff(handoff.id, number, clock());
      if (!confirmed) throw new AppError('handoff-ended');
      if (confirmed.state !== handoff.state) report(confirmed, confirmed.state);
      const problem = findHandoffProblem(confirmed, clock());
      if (problem !== undefined) throw new AppError(problem);
      return c.body(null, 204);
    });
}

function createCode(): string {
  const pick = () => crockfordDigits[randomInt(crockfordDigits.length)];
  return Array.from({ length: codeLength }, pick).join('');
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Different numbers from 10 to 99, in random order. */
function createChoices(): string[] {
  const choices = new Set<string>();
  while (choices.size < choiceCount) choices.add(String(randomInt(10, 100)));
  return [...choices];
}

/** Throws `handoff-not-found` for a token or code that no handoff can have. */
function readSecret(
  { token, code }: HandoffClaimRequest,
  hashCode: (code: string) => string,
): HandoffSecret {
  if ((token === undefined) === (code === undefined)) throw new AppError('invalid-request');
  if (token !== undefined && tokenPattern.test(token)) return { tokenHash: hashToken(token) };
  const typed = readCrockford(code ?? '', codeLength);
  if (typed !== undefined) return { codeHash: hashCode(typed) };
  throw new AppError('handoff-not-found');
}

function toClaimProblem(handoff: HandoffRow | undefined, at: number) {
  if (!handoff) return 'handoff-not-found';
  if (handoff.state === 'revoked') return 'handoff-revoked';
  return handoff.phoneSessionId === undefined && toHandoffState(handoff, at) === 'expired'
    ? 'handoff-expired'
    : 'handoff-claimed';
}

async function findLatest(
  c: Context<BffEnv>,
  { store }: HandoffRoutesOptions,
): Promise<HandoffRow | undefined> {
  const { application } = c.get('session');
  return application && store.findLatestHandoff(application.id);
}

function viewForDesktop(handoff: HandoffRow | undefined, at: number): HandoffStatus {
  if (!handoff) return { state: 'none' };
  const hasEnded = findHandoffProblem(handoff, at) !== undefined;
  return {
    state: toHandoffState(handoff, at),
    ...(hasEnded ? {} : { expiresAt: toIso(handoff.expiresAt) }),
  };
}

function viewForPhone(
  handoff: HandoffRow,
  { id, key, encryptedBusinessName }: ApplicationRow,
  { config, encryption }: HandoffRoutesOptions,
): PhoneHandoff {
  const businessName =
    encryptedBusinessName &&
    encryption.unwrapKey(id, key).decrypt('businessName', id, encryptedBusinessName).toString();
  const isConnected = handoff.state === 'connected';
  return {
    state: isConnected ? 'connected' : 'claimed',
    partnerName: config.settings.page.name ?? config.service.partnerName,
    reference: id,
    ...(businessName === undefined ? {} : { businessName }),
    ...(isConnected ? {} : { choices: handoff.choices }),
    expiresAt: toIso(handoff.expiresAt),
  };
}

function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

describeSchema('Handoff', handoffSchema, {
  url: {
    format: 'uri',
    description: 'The page for the phone, with the token in its fragment. Show it as a QR code.',
  },
  code: 'The same in letters and digits, to be typed on the page.',
  number: 'Two digits. Show it on the desktop only: the phone asks for it.',
  expiresAt: { format: 'date-time', description: 'A phone can claim the handoff until then.' },
});
const notes = {
  state: { enum: handoffStates, description: 'See the guide.' },
  expiresAt: {
    format: 'date-time',
    description: 'When the state ends by itself. Absent after the end.',
  },
} as const;
describeSchema('HandoffStatus', handoffStatusSchema, notes);
const phoneNotes = {
  expiresAt: notes.expiresAt,
  reference: 'The reference of the application.',
  businessName:
    'The name of the business without most of its letters. Absent once the BFF has erased it.',
  choices: 'Show these numbers. The desktop shows one of them. Absent once connected.',
} as const;
describeSchema('PhoneHandoff', phoneHandoffSchema, phoneNotes);
describeSchema('HandoffClaim', handoffClaimSchema, {
  ...phoneNotes,
  handle: 'The session token of the phone, if the request asked for one.',
});
describeSchema('HandoffClaimRequest', handoffClaimRequestSchema, {
  token: 'The fragment of the URL. Send either `token` or `code`.',
  code: 'The typed code. Case, spaces, and hyphens do not matter.',
  transport: '`handle`: send the session in the header `Authorization` instead of a cookie.',
});
describeSchema('HandoffConfirmRequest', handoffConfirmRequestSchema, {
  number: 'The number that the applicant picked.',
});

const phoneHeader = header(
  apiHeaders.phone,
  'Always `1` on the phone. The request then uses the phone session.',
  { type: 'string', enum: ['1'] },
);

const describeCreate = describeRoute({
  summary: 'Create a handoff to a phone',
  description:
    'Lets one phone upload documents for the application of the session. Revokes the earlier handoff. A phone has five minutes to claim it.',
  responses: { 201: { description: 'The handoff.', ...json(handoffSchema) } },
});

const describeRead = describeRoute({
  summary: 'Read the state of the handoff',
  description:
    'On the desktop, the latest handoff of the application: poll it while it is active. On the phone, its own handoff.',
  parameters: [phoneHeader],
  responses: {
    200: {
      description: 'The state: `PhoneHandoff` for a phone session.',
      ...json(z.union([handoffStatusSchema, phoneHandoffSchema])),
    },
  },
});

const describeEnd = describeRoute({
  summary: 'End the handoff',
  description:
    'On the desktop, disconnects the phone. On the phone, ends its session, or declines it before the number is picked.',
  parameters: [phoneHeader],
  responses: { 204: { description: 'The handoff has ended.' } },
});

const describeClaim = describeRoute({
  summary: 'Claim a handoff on a phone',
  description:
    'Starts a phone session for the first phone that sends the token or the code. Only pages of the BFF’s own origin can claim.',
  security: [],
  parameters: [{ ...phoneHeader, required: true }],
  requestBody: { required: true, ...json(handoffClaimRequestSchema) },
  responses: {
    200: { description: 'The phone session has started.', ...json(handoffClaimSchema) },
  },
});

const describeConfirm = describeRoute({
  summary: 'Pick the number on the phone',
  description:
    'Connects the phone if the desktop shows this number. A wrong number ends the handoff.',
  parameters: [{ ...phoneHeader, required: true }],
  requestBody: { required: true, ...json(handoffConfirmRequestSchema) },
  responses: { 204: { description: 'The phone may upload documents.' } },
});
