// `/v1/application`: file an application, and ask where it stands.

import { type Context, Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { applicationStatusSchema } from '../../shared/api/application-status.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import {
  addressSchema,
  type Application,
  type ApplicationSchemas,
  createApplicationSchemas,
  type RequirableField,
} from '../../shared/application/application.ts';
import { fieldPatterns } from '../../shared/application/fields.ts';
import type { Config } from '../config/config.ts';
import type { Settings } from '../config/settings.ts';
import { type LeadSettings, readPartnerField, toLead } from '../funding-service/lead.ts';
import type { Log } from '../logging/log.ts';
import type { RateLimitedLog } from '../logging/rate-limited-log.ts';
import { isChallengeRefusal, toKnownVerdict } from '../middleware/bot-challenge.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { BffEnv } from '../middleware/context.ts';
import type { Counters } from '../middleware/counters.ts';
import { LoggedRefusal } from '../middleware/errors.ts';
import type { Refund, RateLimits } from '../middleware/rate-limits.ts';
import { AppError } from '../runtime/app-error.ts';
import type { Ids } from '../runtime/ids.ts';
import { withTimeout } from '../runtime/timers.ts';
import { type Encryption, toLeadAad, MissingDataKeyError } from '../store/encryption.ts';
import type {
  ApplicationRow,
  ConsentRow,
  IsSameApplication,
  Store,
  NewApplication,
} from '../store/store.ts';
import { checkConsents, type ReadConsent, toConsentRow } from './consents.ts';
import type { WaitOptions } from './current-application.ts';
import { readJson, type TimeOptions, toFormTimeouts } from './request-body.ts';
import { viewApplication, type ViewOptions } from './views.ts';
import { componentRef, describeSchema, json } from './openapi.ts';
import {
  partnerFields,
  type PartnerFields,
  type Challenge,
  type ChallengeFailure,
  type ChallengeRefusal,
  type ChallengeVerdict,
  type EnrichLead,
} from '../config/hooks.ts';

const maxBytes = 64 * 1024;

/** The log writes at most one event per minute for each reason. `refused` counts the refusals since the previous event. */
export interface ChallengeRefusedEvent {
  readonly event: 'challenge-refused';
  readonly requestId: string;
  readonly reason: ChallengeRefusal;
  readonly refused: number;
}

export type ApplicationEvent =
  /** The challenge provider gave no usable answer. The BFF accepts no application while this lasts. */
  | {
      readonly event: 'challenge-failed';
      readonly requestId: string;
      readonly reason: ChallengeFailure;
    }
  /**
   * The partner's `enrichLead` hook failed, and the BFF sends the application without its fields. `fields` names the fields
   * with a value that the funding service does not take.
   */
  | {
      readonly event: 'enrichment-failed';
      readonly reference: string;
      readonly reason: 'unanswered' | 'threw' | 'unusable';
      readonly fields?: readonly string[];
      readonly error?: unknown;
    };

export interface AdmissionOptions extends TimeOptions {
  readonly config: Config;
  readonly rateLimits: RateLimits;
  readonly counters: Counters;
  /** An application needs a token of this challenge. `undefined` turns the challenge off. */
  readonly challenge: Challenge | undefined;
  readonly findClientAddress: FindClientAddress;
  readonly log: Log<ApplicationEvent>;
  readonly logRateLimited: RateLimitedLog<ChallengeRefusedEvent>;
}

export interface SubmitOptions extends WaitOptions, TimeOptions {
  readonly config: Config;
  readonly encryption: Encryption;
  readonly ids: Ids;
  readonly enrichLead: EnrichLead | undefined;
  readonly log: Log<ApplicationEvent>;
}

export interface ApplicationRoutesOptions extends AdmissionOptions, SubmitOptions, ViewOptions {}

export function applicationRoutes(options: ApplicationRoutesOptions): Hono<BffEnv> {
  const limits = { maxBytes, timeouts: toFormTimeouts(options) };
  const { schema, submit } = createSubmitApplication(options);
  const admit = createAdmission(options);

  return new Hono<BffEnv>()
    .post('/', describeSubmit(schema, options.config.settings), async (c) => {
      const application = await submit({
        sessionId: c.get('session').row.id,
        idempotencyKey: readIdempotencyKey(c),
        application: await readJson(c, schema, limits),
        address: options.findClientAddress(c),
        admit: () => admit(c),
      });
      if (application.state === 'rejected') {
        throw new AppError('application-rejected', { errors: application.errors });
      }
      const status = viewApplication(application, options);
      return c.json(status, status.status === 'accepted' ? 201 : 202);
    })
    .get('/', describeRead, async (c) => {
      const application = await options.store.findCurrentApplication(c.get('session').row.id);
      if (!application) throw new AppError('application-missing');
      return c.json(viewApplication(application, options));
    });
}

const statusSchema = describeSchema('ApplicationStatus', applicationStatusSchema, {
  status:
    '`received`: stored, not accepted yet. `confirming`: the funding service may have it, but its response was lost. `accepted`: the funding service has it. `rejected`: see `errors`. Another application may be submitted.',
  reference: 'The reference that an applicant can quote.',
  receivedAt: { format: 'date-time' },
  delayed: 'Whether delivery takes longer than usual.',
  trackingUrl: {
    format: 'uri',
    description: 'A page of the funding service that shows the progress.',
  },
  errors: 'The fields that the funding service rejected, if it named them.',
});

const describeRead = describeRoute({
  summary: 'Read the status of the application',
  description: 'Returns at once, without a request to the funding service.',
  responses: { 200: { description: 'The status.', ...json(statusSchema) } },
});

function describeSubmit(schema: ApplicationSchemas['application'], settings: Settings) {
  return describeRoute({
    summary: 'Submit an application',
    description:
      'A session has one application. After a lost response, send the same body with the same key, and the BFF answers for the application it has. A form that is submitted too fast after the start of its session fails with 429 (`too-soon`).',
    parameters: [
      {
        in: 'header',
        name: apiHeaders.idempotencyKey,
        required: true,
        description: 'A UUID that the client creates for one set of answers and repeats with it.',
        schema: { type: 'string', format: 'uuid' },
      },
      {
        in: 'header',
        name: apiHeaders.challenge,
        description:
          'The token of the solved challenge. Required if `challenge` in the configuration is not `null`.',
        schema: { type: 'string', maxLength: maxTokenLength },
      },
      {
        in: 'header',
        name: apiHeaders.honeypot,
        description: 'Do not send it. It marks a form whose honeypot field was filled in.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, ...json(describeApplication(schema, settings)) },
    responses: {
      201: { description: 'The funding service accepted it.', ...json(statusSchema) },
      202: { description: 'The BFF stored it and will deliver it.', ...json(statusSchema) },
    },
  });
}

describeSchema('Address', addressSchema, {
  state: componentRef('schemas/State'),
  zip: {
    pattern: fieldPatterns.zip.source,
    description: 'Five digits, or nine as in `12345-6789`.',
  },
});

function describeApplication(
  schema: ApplicationSchemas['application'],
  { requiredFields }: Settings,
): ApplicationSchemas['application'] {
  const listRequired = (...fields: RequirableField[]) =>
    fields.filter((field) => requiredFields.includes(field));
  return describeSchema('Application', schema, {
    'fundingNeed.amount': 'Whole US dollars.',
    'fundingNeed.reason': componentRef('schemas/FundingReason'),
    business: { required: listRequired('employees', 'taxId') },
    'business.type': componentRef('schemas/BusinessType'),
    'business.industry': componentRef('schemas/Industry'),
    'business.annualRevenue': 'Whole US dollars.',
    'business.foundedDay': 'A day of the founding month, if known.',
    'business.foundedYear': 'Not in the future, together with `foundedMonth`.',
    'business.taxId': {
      pattern: fieldPatterns.ein.source,
      description: 'Employer Identification Number: nine digits.',
    },
    owner: { required: listRequired('birthDate', 'ssn', 'ownershipPercent') },
    'owner.firstName': 'Contains at least one letter.',
    'owner.lastName': 'Contains at least one letter.',
    'owner.phone': {
      pattern: fieldPatterns.phone.source,
      description: 'A North American number: ten digits.',
    },
    'owner.birthDate': {
      format: 'date',
      description: '`YYYY-MM-DD`. The owner is at least 18 years old.',
    },
    'owner.ssn': {
      pattern: fieldPatterns.ssn.source,
      description: 'Social Security number: nine digits.',
    },
    'owner.creditScore': componentRef('schemas/CreditScore'),
    consents:
      'The consents that the applicant gave. Must include every `required` consent of the configuration.',
    'consents[].id': componentRef('schemas/ConsentId'),
    'consents[].version': 'The `version` of the consent in the configuration.',
    'consents[].locale': componentRef('schemas/Locale'),
    'signature.name': "Contains a word of the owner's last name.",
    campaignId: 'A campaign id that the operator allows.',
  });
}

function readIdempotencyKey(c: Context<BffEnv>): string {
  const key = c.req.header(apiHeaders.idempotencyKey)?.toLowerCase() ?? '';
  if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(key)) {
    throw new AppError('idempotency-key-missing');
  }
  return key;
}

export interface Submission {
  readonly sessionId: string;
  readonly idempotencyKey: string;
  readonly application: Application;
  /** The applicant's, if known. */
  readonly address: string | undefined;
  /** Throws unless it may be kept; not asked about one that was filed before. To be called back when it is not kept. */
  readonly admit: () => Promise<Refund>;
}

export interface SubmitApplication {
  readonly schema: ApplicationSchemas['application'];
  /** The application as it stands after a short wait for the service's answer. */
  submit(submission: Submission): Promise<ApplicationRow>;
}

/** The use case behind `POST /v1/application`, with the schema that this partner's settings make. */
export function createSubmitApplication(options: SubmitOptions): SubmitApplication {
  const { config, store, encryption, delivery, clock, ids } = options;
  const { settings } = config;
  const { leadSource = config.service.partnerName } = settings.lead;
  const leadSettings: LeadSettings = { ...settings.lead, leadSource };
  const { application: schema } = createApplicationSchemas({
    fundingReasons: settings.fundingReasons.map(({ value }) => value),
    businessTypes: settings.businessTypes.map(({ value }) => value),
    creditScores: settings.creditScores.map(({ value }) => value),
    requiredFields: settings.requiredFields,
    now: () => new Date(clock()),
  });

  async function submit(submission: Submission): Promise<ApplicationRow> {
    const { sessionId, idempotencyKey, application } = submission;
    const canonical = toCanonicalJson(application);
    const isSame = (earlier: ApplicationRow) => canHold(earlier, canonical);
    const earlier = await store.findOrMoveApplication(sessionId, idempotencyKey, isSame);
    if (earlier) return answerEarlier(earlier, 'same-key', canonical);

    const consents = checkConsents(settings, application.consents);
    checkCampaign(application, config);
    const { kind, application: kept } = await keep(submission, consents, isSame);
    if (kind !== 'added') return answerEarlier(kept, kind, canonical);
    delivery.wake();
    return waitForResult(kept.id);
  }

  async function keep(
    submission: Submission,
    consents: readonly ReadConsent[],
    isSame: IsSameApplication,
  ): ReturnType<Store['addApplication']> {
    const giveBack = await submission.admit();
    let isKept = false;
    try {
      const { row, consentRows } = await prepare(submission, consents);
      const result = await store.addApplication(row, consentRows, isSame);
      isKept = result.kind === 'added';
      return result;
    } finally {
      if (!isKept) await giveBack();
    }
  }

  async function prepare(
    { sessionId, idempotencyKey, application, address }: Submission,
    consents: readonly ReadConsent[],
  ): Promise<{ readonly row: NewApplication; readonly consentRows: readonly ConsentRow[] }> {
    const id = ids.createId();
    const receivedAt = clock();
    const { key, cipher } = encryption.createCipher(id);
    const at = new Date(receivedAt);
    const context = { id, createdAt: at, signedAt: at, clientAddress: address };
    const enrichment = await enrich(application, id, options);
    const lead = toLead(application, context, leadSettings, enrichment);
    const evidence = {
      applicationId: id,
      cipher,
      givenAt: receivedAt,
      address,
      createId: ids.createId,
    };
    return {
      row: {
        id,
        sessionId,
        idempotencyKey,
        fingerprint: cipher.fingerprint(toCanonicalJson(application)),
        key,
        encryptedLead: cipher.encrypt(toLeadAad(id), JSON.stringify(lead)),
        receivedAt,
      },
      consentRows: consents.map((consent) => toConsentRow(consent, evidence)),
    };
  }

  async function answerEarlier(
    earlier: ApplicationRow,
    kind: 'same-key' | 'other-active',
    canonical: string,
  ): Promise<ApplicationRow> {
    if (!holds(earlier, canonical)) {
      throw new AppError(kind === 'same-key' ? 'idempotency-key-reused' : 'application-exists');
    }
    return waitForResult(earlier.id);
  }

  /**
   * The fingerprint is keyed by the earlier application's own key, so it compares across sessions; with that key erased,
   * nobody can say any more what was filed.
   */
  function holds({ id, key, fingerprint, erasedAt }: ApplicationRow, canonical: string): boolean {
    return (
      erasedAt === undefined && encryption.unwrapKey(id, key).fingerprint(canonical) === fingerprint
    );
  }

  /** Another session's application whose data key is gone cannot be compared, and must not stand in this one's way. */
  function canHold(earlier: ApplicationRow, canonical: string): boolean {
    try {
      return holds(earlier, canonical);
    } catch (error) {
      if (error instanceof MissingDataKeyError) return false;
      throw error;
    }
  }

  async function waitForResult(id: string): Promise<ApplicationRow> {
    await delivery.waitForResult({ table: 'application', id }, options.getResultTimeoutMs());
    const application = await store.findApplication(id);
    if (!application) throw new RangeError('An application has vanished from the store');
    return application;
  }

  return { schema, submit };
}

function checkCampaign({ campaignId }: Application, { settings }: Config): void {
  if (campaignId === undefined || settings.lead.allowedCampaignIds.includes(campaignId)) return;
  throw new AppError('invalid-request', {
    errors: [{ pointer: '/campaignId', code: 'not-in-list' }],
  });
}

/** Somebody waits for an answer meanwhile, and nothing is kept yet. */
const patienceMs = 3_000;

/** Never throws; what the hook fails at is told to the operator, under the application's reference. */
export async function enrich(
  application: Application,
  reference: string,
  { enrichLead, startTimer, log }: Pick<SubmitOptions, 'enrichLead' | 'startTimer' | 'log'>,
): Promise<PartnerFields> {
  if (!enrichLead) return {};
  // A copy: what the applicant gave is not the hook's to change.
  const ask = (signal: AbortSignal) => enrichLead(structuredClone(application), signal);
  try {
    const fields = await withTimeout(patienceMs, startTimer, ask, 'unanswered' as const);
    if (fields !== 'unanswered') return pickUsable(fields, reference, log);
    log({ event: 'enrichment-failed', reference, reason: fields });
    return {};
  } catch (error) {
    log({ event: 'enrichment-failed', reference, reason: 'threw', error });
    return {};
  }
}

/** JavaScript of somebody else, so nothing is certain about it; a field it leaves out or does not know is `undefined` or `null`. */
function pickUsable(
  fields: PartnerFields | null | undefined,
  reference: string,
  log: Log<ApplicationEvent>,
): PartnerFields {
  // Each is looked at once: a getter may answer something else the next time.
  const given = partnerFields
    .map((name) => [name, fields?.[name] ?? undefined] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, readPartnerField(name, value)] as const);
  const unusable = given.filter(([, value]) => value === undefined).map(([name]) => name);
  if (unusable.length > 0) {
    log({ event: 'enrichment-failed', reference, reason: 'unusable', fields: unusable });
  }
  return Object.fromEntries(given);
}

const maxTokenLength = 8_192;
const challengePatienceMs = 5_000;
const challengeRetryAfterSeconds = 10;

/**
 * Throws unless the application may be kept. Nothing has been stored by then, and nothing is lost: what stands in the way is
 * told with a code of its own, and the same answers may be sent again under the same key. To be called back when it was not
 * kept in the end: the limits count what is kept.
 */
export type Admit = (c: Context<BffEnv>) => Promise<Refund>;

/** OWASP API Security Top 10 2023, API6: the form is public, so that programs find it as well. */
export function createAdmission(options: AdmissionOptions): Admit {
  const { config, rateLimits, challenge, clock, startTimer, log, logRateLimited, counters } =
    options;
  const minimumMs = config.settings.limits.minimumFillSeconds * 1000;

  function requireTime(c: Context<BffEnv>): void {
    const leftMs = c.get('session').row.createdAt + minimumMs - clock();
    // More than the whole time: the clock was set back, and nobody knows how long it took.
    if (leftMs <= 0 || leftMs > minimumMs) return;
    counters.countBotCheckFailure('too-soon');
    throw new AppError('too-soon', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }

  async function requireProof(c: Context<BffEnv>, asked: Challenge): Promise<void> {
    const requestId = c.get('requestId');
    const token = c.req.header(apiHeaders.challenge) ?? '';
    const isToken = token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token);
    const verdict = isToken ? await verify(c, asked, token) : 'token-missing';
    if (verdict === 'passed') return;
    if (isChallengeRefusal(verdict)) {
      counters.countBotCheckFailure('challenge');
      logRateLimited(`challenge-refused ${verdict}`, (refused) => ({
        event: 'challenge-refused',
        requestId,
        reason: verdict,
        refused,
      }));
      throw new LoggedRefusal('challenge-required');
    }
    counters.countBotCheckFailure('challenge-unavailable');
    log({ event: 'challenge-failed', requestId, reason: verdict });
    throw new AppError('challenge-unavailable', {
      retryAfterSeconds: challengeRetryAfterSeconds,
    });
  }

  /** The request keeps its place meanwhile, so it must not hang on somebody else's provider. */
  async function verify(
    c: Context<BffEnv>,
    asked: Challenge,
    token: string,
  ): Promise<ChallengeVerdict> {
    const address = options.findClientAddress(c);
    const ask = (signal: AbortSignal) => asked.verify(token, address, signal);
    const late = 'unreachable' as const;
    return toKnownVerdict(await withTimeout(challengePatienceMs, startTimer, ask, late));
  }

  return async function admit(c) {
    if (c.req.header(apiHeaders.honeypot) !== undefined) {
      counters.countBotCheckFailure('honeypot');
      throw new AppError('automation-suspected');
    }
    requireTime(c);
    if (challenge) await requireProof(c, challenge);
    return rateLimits.countApplication(c);
  };
}

/** Values that are `undefined` are left out, as JSON does. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(
      Object.entries(member).sort(([first], [second]) => (first < second ? -1 : 1)),
    );
  });
}
