// `/v1/application`: submits the application of the session, and returns its status. No request names an application.

import { hash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import {
  type ApplicationStatus,
  applicationStatusSchema,
} from '../../shared/api/application-status.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import {
  addressSchema,
  type Application,
  createApplicationSchema,
} from '../../shared/application/application.ts';
import type { Locale, RequirableField } from '../../shared/application/lists.ts';
import type { AcceptedConsent, Consent } from '../../shared/application/consent.ts';
import { fieldPatterns } from '../../shared/application/fields.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { Config } from '../config/config.ts';
import { type EnrichLead, partnerFields, type PartnerFields } from '../config/hooks.ts';
import { type ConsentSetting, pickLocale, type Settings, toText } from '../config/settings.ts';
import type { FundingService } from '../funding-service/funding-service.ts';
import { readPartnerField, toLead } from '../funding-service/lead.ts';
import { readObject } from '../funding-service/responses.ts';
import type { Log } from '../logging/log.ts';
import {
  type BotCheckOptions,
  type ChallengeFailedEvent,
  checkForBots,
  maxTokenLength,
} from '../middleware/bot-checks.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import { createId, isUuid } from '../runtime/ids.ts';
import { withTimeout } from '../runtime/timers.ts';
import { type ApplicationCipher, MissingDataKeyError } from '../store/encryption.ts';
import type {
  ApplicationRow,
  AttachmentRow,
  ConsentRow,
  NewApplication,
  Store,
} from '../store/store.ts';
import { componentRef, deliveryResponses, describeSchema, header, json } from './openapi.ts';
import { readJson } from './request-body.ts';
import type { RouteDependencies, SubmissionDependencies } from './route-dependencies.ts';

const maxBytes = 64 * 1024;

/** The applicant waits for the response meanwhile, and nothing is stored yet. */
const enrichTimeoutMs = 3_000;

/**
 * The partner's `enrichLead` hook failed, and the BFF sends the application without its fields. `fields` names the fields with
 * a value that the funding service does not accept.
 */
export interface EnrichmentFailedEvent {
  readonly event: 'enrichment-failed';
  readonly reference: string;
  readonly reason: 'unanswered' | 'threw' | 'unusable';
  readonly fields?: readonly string[];
  readonly error?: unknown;
}

export interface ApplicationRoutesOptions
  extends SubmissionDependencies, Omit<BotCheckOptions, keyof SubmissionDependencies> {
  readonly enrichLead: EnrichLead | undefined;
  readonly log: Log<EnrichmentFailedEvent | ChallengeFailedEvent>;
}

export function applicationRoutes(options: ApplicationRoutesOptions): Hono<BffEnv> {
  const { config, store, delivery, clock } = options;
  const schema = toApplicationSchema(config.settings, clock);

  return new Hono<BffEnv>()
    .post('/', describeSubmit(schema, config.settings), async (c) => {
      const idempotencyKey = readIdempotencyKey(c);
      const body = await readJson(c, schema, maxBytes, options);
      const { id } = await submit(c, idempotencyKey, body, options);
      await delivery.waitForResult({ kind: 'application', id }, options.getResultTimeoutMs());
      const application = await store.findApplication(id);
      if (!application) throw new RangeError('The store has lost an application');
      if (application.state === 'rejected') throw createRejectedError(application);
      const code = application.state === 'accepted' ? 201 : 202;
      return c.json(viewApplication(application, options), code);
    })
    .get('/', describeRead, async (c) => {
      const { application } = c.get('session');
      if (!application) throw new AppError('application-missing');
      return c.json(viewApplication(application, options));
    });
}

type ApplicationSchema = ReturnType<typeof toApplicationSchema>;

/** @param clock epoch milliseconds. */
export function toApplicationSchema(settings: Settings, clock: () => number) {
  return createApplicationSchema({
    fundingReasons: settings.fundingReasons.map(({ value }) => value),
    businessTypes: settings.businessTypes.map(({ value }) => value),
    creditScores: settings.creditScores.map(({ value }) => value),
    requiredFields: settings.requiredFields,
    fundingNeed: settings.fundingNeed,
    now: () => new Date(clock()),
  });
}

function readIdempotencyKey(c: Context<BffEnv>): string {
  const key = c.req.header(apiHeaders.idempotencyKey)?.toLowerCase() ?? '';
  if (!isUuid(key)) throw new AppError('idempotency-key-missing');
  return key;
}

/** Stores the application and has the delivery worker send it, unless an earlier request stored it already. */
async function submit(
  c: Context<BffEnv>,
  idempotencyKey: string,
  body: Application,
  options: ApplicationRoutesOptions,
): Promise<ApplicationRow> {
  const { config, store, delivery, encryption, rateLimits } = options;
  const session = c.get('session');
  const canonicalBody = toCanonicalJson(body);

  /** Throws if the data key of the stored application is missing. After erasure, nothing is left to compare. */
  function isSame({ id, key, fingerprint, erasedAt }: ApplicationRow): boolean {
    if (erasedAt !== undefined) return false;
    return encryption.unwrapKey(id, key).fingerprint(canonicalBody) === fingerprint;
  }

  /** An application of another session that cannot be decrypted must not block this one. */
  function isReadableAndSame(stored: ApplicationRow): boolean {
    try {
      return isSame(stored);
    } catch (error) {
      if (error instanceof MissingDataKeyError) return false;
      throw error;
    }
  }

  const stored = await store.findOrMoveApplication(session, idempotencyKey, isReadableAndSame);
  if (stored && !isSame(stored)) throw new AppError('idempotency-key-reused');
  if (stored) return stored;

  const consents = checkConsents(config.settings, body.consents);
  checkCampaign(body, config.settings);
  await checkForBots(c, options);
  const refund = await rateLimits.countApplication(c);
  let isAdded = false;
  try {
    const submission = { idempotencyKey, body, canonicalBody, consents };
    const [row, consentRows] = await createRows(c, submission, options);
    const result = await delivery.addApplication((leaseMs) =>
      store.addApplication(row, consentRows, isReadableAndSame, leaseMs),
    );
    isAdded = result.kind === 'added';
    if (!isAdded && !isSame(result.application)) {
      const isSameKey = result.kind === 'same-key';
      throw new AppError(isSameKey ? 'idempotency-key-reused' : 'application-exists');
    }
    return result.application;
  } finally {
    if (!isAdded) await refund();
  }
}

/** JSON with sorted property names. A retry may send its properties in another order. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(sortProperties(value));
}

/** Faster than a replacer of `JSON.stringify`. */
function sortProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortProperties);
  const object = readObject(value);
  if (!object) return value;
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(object).sort()) sorted[name] = sortProperties(object[name]);
  return sorted;
}

function checkCampaign({ campaignId }: Application, { lead }: Settings): void {
  if (campaignId === undefined || lead.allowedCampaignIds.includes(campaignId)) return;
  throw new AppError('invalid-request', {
    errors: [{ pointer: '/campaignId', code: 'not-in-list' }],
  });
}

interface Submission {
  readonly idempotencyKey: string;
  readonly body: Application;
  /** See `toCanonicalJson`. */
  readonly canonicalBody: string;
  readonly consents: readonly ShownConsent[];
}

/** Encrypts the lead and the evidence of the consents with a new data key. */
async function createRows(
  c: Context<BffEnv>,
  { idempotencyKey, body, canonicalBody, consents }: Submission,
  options: ApplicationRoutesOptions,
): Promise<readonly [NewApplication, readonly ConsentRow[]]> {
  const { config, encryption, clock } = options;
  const receivedAt = clock();
  const id = createId(receivedAt);
  const address = options.findClientAddress(c);
  const { key, cipher } = encryption.createCipher(id);
  const at = new Date(receivedAt);
  const context = { id, createdAt: at, signedAt: at, clientAddress: address };
  const enrichment = await enrich(body, id, options);
  const { leadSource = config.service.partnerName } = config.settings.lead;
  const lead = toLead(body, context, { ...config.settings.lead, leadSource }, enrichment);
  const evidence = { applicationId: id, cipher, givenAt: receivedAt, address };
  const application = {
    id,
    session: c.get('session'),
    idempotencyKey,
    fingerprint: cipher.fingerprint(canonicalBody),
    key,
    encryptedLead: cipher.encrypt('lead', id, JSON.stringify(lead)),
    // The lead is erased when it is delivered, and a phone may show the name until the session ends.
    encryptedBusinessName: cipher.encrypt('businessName', id, maskName(body.business.name)),
    receivedAt,
    campaignId: toPublicCampaign(lead.CampaignID, config.settings),
  };
  return [application, consents.map((consent) => toConsentRow(consent, evidence))];
}

/** Events name the campaign. A value of the `enrichLead` hook that the settings do not have could be personal. */
function toPublicCampaign(id: string | undefined, { lead }: Settings): string | undefined {
  return [lead.campaignId, ...lead.allowedCampaignIds].find((known) => known === id);
}

const mask = '•';
const maxMaskedWords = 4;
const maxMaskedLetters = 6;

/** `Sunrise Bakery` becomes `Sunr••• Ba••••`: its applicant recognizes it, and somebody else cannot read it. */
function maskName(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, maxMaskedWords);
  return words
    .map((word, index) => {
      const letters = [...word];
      const shown = Math.min(index === 0 ? 4 : 2, Math.ceil(letters.length / 2));
      const hidden = Math.min(letters.length - shown, maxMaskedLetters);
      return letters.slice(0, shown).join('') + mask.repeat(hidden);
    })
    .join(' ');
}

/**
 * Calls the partner's `enrichLead` hook, and returns the fields that the funding service accepts. Never throws: if the hook fails, it
 * logs the failure and returns no fields.
 */
async function enrich(
  body: Application,
  reference: string,
  { enrichLead, startTimer, log }: ApplicationRoutesOptions,
): Promise<PartnerFields> {
  if (!enrichLead) return {};
  const event = 'enrichment-failed';
  // A copy, so that the hook cannot change the application.
  const call = (signal: AbortSignal) => enrichLead(structuredClone(body), signal);
  try {
    const fields = await withTimeout(enrichTimeoutMs, startTimer, call, 'unanswered' as const);
    if (fields === 'unanswered') {
      log({ event, reference, reason: fields });
      return {};
    }
    // The hook is not type-checked code of ours: any field may have any value. Each field is read once, because a getter may
    // return another value the next time.
    const given = partnerFields
      .map((name) => [name, fields?.[name] ?? undefined] as const)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, readPartnerField(name, value)] as const);
    const unusable = given.filter(([, value]) => value === undefined).map(([name]) => name);
    if (unusable.length > 0) log({ event, reference, reason: 'unusable', fields: unusable });
    return Object.fromEntries(given);
  } catch (error) {
    log({ event, reference, reason: 'threw', error });
    return {};
  }
}

type ConsentSettings = Pick<Settings, 'consents' | 'locales'>;

/** A consent in the language of the form. A text without a translation was shown in English. */
export interface ShownConsent extends Consent {
  readonly locale: Locale;
}

/** Returns each given consent once. Throws `consent-required` if a required one is missing, or if any has an outdated text. */
export function checkConsents(
  settings: ConsentSettings,
  given: readonly AcceptedConsent[],
): readonly ShownConsent[] {
  const shown = given.map((consent) => findShownConsent(settings, consent));
  const current = settings.consents.flatMap(
    ({ id }) => shown.find((consent) => consent?.id === id) ?? [],
  );
  const isMissing = settings.consents.some(
    ({ id, required }) => required && !current.some((consent) => consent.id === id),
  );
  if (isMissing || shown.includes(undefined)) {
    throw new AppError('consent-required', {
      errors: [{ pointer: '/consents', code: 'required' }],
    });
  }
  return current;
}

/** Returns `undefined` if the configuration never had this text, or has a newer version. */
export function findShownConsent(
  { consents, locales }: ConsentSettings,
  { id, version, locale = pickLocale(locales, undefined) }: AcceptedConsent,
): ShownConsent | undefined {
  const consent = consents.find(
    (candidate) => id === candidate.id && version === candidate.version,
  );
  const shownLocale = locales.find((offered) => offered === locale);
  return consent && shownLocale && { ...toConsent(consent, shownLocale), locale: shownLocale };
}

export function toConsent(consent: ConsentSetting, locale: Locale): Consent {
  const { links = [], label, text, ...rest } = consent;
  const toLink = (link: (typeof links)[number]) => ({
    label: toText(link.label, locale),
    url: toText(link.url, locale),
  });
  return {
    ...rest,
    label: toText(label, locale),
    text: toText(text, locale),
    ...(links.length > 0 ? { links: links.map(toLink) } : {}),
  };
}

interface ConsentEvidence extends Pick<ConsentRow, 'applicationId' | 'givenAt'> {
  readonly cipher: ApplicationCipher;
  /** The applicant's IP address, if known. */
  readonly address: string | undefined;
}

/** The row has the text of the consent as evidence that the applicant saw it. */
export function toConsentRow(
  consent: ShownConsent,
  { cipher, address, ...evidence }: ConsentEvidence,
): ConsentRow {
  const id = createId(evidence.givenAt);
  const text = toShownText(consent);
  return {
    ...evidence,
    id,
    consentId: consent.id,
    version: consent.version,
    text,
    textHash: hash('sha256', text, 'hex'),
    locale: consent.locale,
    encryptedAddress: address === undefined ? undefined : cipher.encrypt('address', id, address),
  };
}

/** The label of the check box, an empty line, and the text. Links follow after another empty line, one per line. */
function toShownText({ label, text, links = [] }: Consent): string {
  const lines = links.map((link) => `${link.label}: ${link.url}`).join('\n');
  return `${label}\n\n${text}${lines && `\n\n${lines}`}`;
}

/** Returns the session's application. Throws if there is none, or if the funding service rejected it. */
export function requireActiveApplication(c: Context<BffEnv>): ApplicationRow {
  const { application } = c.get('session');
  if (!application) throw new AppError('application-missing');
  if (application.state === 'rejected') throw createRejectedError(application);
  return application;
}

/** The error for an application that was rejected or erased after the request had found it. */
export async function createClosedError(store: Store, applicationId: string): Promise<AppError> {
  const application = await store.findApplication(applicationId);
  return application?.state === 'rejected'
    ? createRejectedError(application)
    : new AppError('application-missing');
}

function createRejectedError({ errors }: ApplicationRow): AppError {
  return new AppError('application-rejected', { errors });
}

export function viewApplication(
  application: ApplicationRow,
  { config, encryption, fundingService }: RouteDependencies,
): ApplicationStatus {
  const { id, key, state, receivedAt, finishedAt, errors, encryptedTrackingUrl } = application;
  const trackingUrl =
    encryptedTrackingUrl &&
    encryption.unwrapKey(id, key).decrypt('trackingUrl', id, encryptedTrackingUrl).toString();
  const safeUrl = toSafeTrackingUrl(trackingUrl, config);
  return {
    status: toStatus(state),
    reference: id,
    receivedAt: new Date(receivedAt).toISOString(),
    ...(state === 'accepted' && finishedAt !== undefined
      ? { acceptedAt: new Date(finishedAt).toISOString() }
      : {}),
    delayed: isDelayed(application, 'create-lead', fundingService),
    ...(safeUrl ? { trackingUrl: safeUrl } : {}),
    ...(state === 'rejected' ? { errors: [...errors] } : {}),
  };
}

function toStatus(state: ApplicationRow['state']): ApplicationStatus['status'] {
  if (state === 'accepted' || state === 'rejected') return state;
  // An application that was erased while this request waited counts as received. Later requests do not find it.
  return state === 'unconfirmed' ? 'confirming' : 'received';
}

/** True if an attempt failed, an operator has to act, or the funding service is known to be unavailable. */
export function isDelayed(
  { state, attempts }: ApplicationRow | AttachmentRow,
  operation: PartnerOperation,
  fundingService: FundingService,
): boolean {
  if (state === 'received') return fundingService.readiness(operation).kind !== 'ready';
  return state === 'waiting' || state === 'held' || (state === 'sending' && attempts > 1);
}

/** Common limit of browsers and servers. */
const maxUrlLength = 2_048;

/**
 * Returns `undefined` unless the scheme is https (or http in the sandbox) and the host is one of the partner's `trackingHosts`
 * or, without that setting, the host of the funding service.
 */
export function toSafeTrackingUrl(
  text: string | undefined,
  { environment, settings, service }: Config,
): string | undefined {
  if (text === undefined || text.length > maxUrlLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isSafeScheme =
    url.protocol === 'https:' || (environment === 'sandbox' && url.protocol === 'http:');
  const hosts = settings.trackingHosts ?? [new URL(service.baseUrl).host];
  const hasCredentials = url.username !== '' || url.password !== '';
  return isSafeScheme && hosts.includes(url.host) && !hasCredentials ? url.href : undefined;
}

const statusSchema = describeSchema('ApplicationStatus', applicationStatusSchema, {
  status:
    '`received`: stored, not accepted yet. `confirming`: the funding service may have it, but its response was lost. `accepted`: the funding service has it. `rejected`: see `errors`. Another application may be submitted.',
  reference: 'The reference that an applicant can quote.',
  receivedAt: { format: 'date-time' },
  acceptedAt: {
    format: 'date-time',
    description: 'When the funding service accepted the application. Absent before that.',
  },
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

function describeSubmit(schema: ApplicationSchema, settings: Settings) {
  return describeRoute({
    summary: 'Submit an application',
    description:
      'A session has one application. After a lost response, send the same body with the same key, and the BFF answers for the application it has. A form that is submitted too fast after the start of its session fails with 429 (`too-soon`).',
    parameters: [
      header(
        apiHeaders.idempotencyKey,
        'A UUID that the client creates for one set of answers and repeats with it.',
        { type: 'string', format: 'uuid' },
        { required: true },
      ),
      header(
        apiHeaders.challenge,
        'The token of the solved challenge. Required if `challenge` in the configuration is not `null`.',
        { type: 'string', maxLength: maxTokenLength },
      ),
      header(
        apiHeaders.honeypot,
        'Do not send it. It marks a form whose honeypot field was filled in.',
        { type: 'string' },
      ),
    ],
    requestBody: { required: true, ...json(describeApplication(schema, settings)) },
    responses: deliveryResponses(statusSchema),
  });
}

function pattern(name: keyof typeof fieldPatterns, description: string) {
  return { pattern: fieldPatterns[name].source, description };
}

describeSchema('Address', addressSchema, {
  state: componentRef('schemas/State'),
  zip: pattern('zip', 'Five digits, or nine as in `12345-6789`.'),
});

/** Fields without a note are in the OpenAPI document too: a note only adds what the schema does not express. */
function describeApplication(
  schema: ApplicationSchema,
  { requiredFields }: Settings,
): ApplicationSchema {
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
    'business.taxId': pattern('ein', 'Employer Identification Number: nine digits.'),
    owner: { required: listRequired('birthDate', 'ssn', 'ownershipPercent') },
    'owner.firstName': 'Contains at least one letter.',
    'owner.lastName': 'Contains at least one letter.',
    'owner.email': pattern('email', 'An email address with a dot in its domain.'),
    'owner.phone': pattern('phone', 'A North American number: ten digits.'),
    'owner.birthDate': {
      format: 'date',
      description: '`YYYY-MM-DD`. The owner is at least 18 years old.',
    },
    'owner.ssn': pattern('ssn', 'Social Security number: nine digits.'),
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
