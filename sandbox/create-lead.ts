// Create Lead (spec, operation 2).

import * as z from 'zod/mini';
import { isCalendarDate } from '../shared/application/fields.ts';
import { stateCodes } from '../shared/application/states.ts';
import {
  isAddressField,
  leadAddressSchema,
  leadSchema,
  type Lead,
} from '../shared/funding-service/lead.ts';
import type { CreateLeadResponse } from '../shared/funding-service/operations.ts';
import { checkPartnerAccess } from './authentication.ts';
import {
  createErrorResult,
  isMissing,
  isObject,
  parseObject,
  type OperationRequest,
  type OperationResult,
} from './operation.ts';
import {
  findTaggedError,
  maxOutageRejections,
  readTags,
  toOutcome,
  type Tag,
} from './scenarios.ts';
import { createRecordId, type LeadRecord, type SandboxContext } from './state.ts';

export function createLead(request: OperationRequest, context: SandboxContext): OperationResult {
  const accessError = checkPartnerAccess('create-lead', request.headers, context);
  if (accessError) return createErrorResult(accessError);
  const fields = parseObject(request.body);
  if (!fields) return createErrorResult('create-lead/malformed-json');
  const reference = typeof fields.ID === 'string' ? { referenceId: fields.ID } : {};

  const parsed = parseLead(fields);
  if (parsed.kind !== 'valid') {
    const row =
      parsed.kind === 'missing'
        ? 'create-lead/missing-required-field'
        : 'create-lead/invalid-field-value';
    return createErrorResult(row, { ...reference, subject: parsed.field });
  }
  const { ID: id, Company: company } = parsed.lead;
  // The error does not contain the ApplicationID of the earlier lead, because the spec promises only a text.
  if (context.state.applicationIdsByReference.has(id)) {
    return createErrorResult('create-lead/duplicate-id', reference);
  }
  const tags = readTags(company);
  const taggedError = findTaggedError(tags, 'create-lead');
  if (taggedError) return createErrorResult(taggedError, { ...reference, subject: 'Company' });
  if (tags.includes('outage') && !hasOutagePassed(id, context)) {
    return { kind: 'gateway-error', status: 503 };
  }

  const record = storeLead(request, parsed, tags, context);
  const { applicationId } = record;
  if (tags.includes('lost answer')) return { kind: 'gateway-error', status: 504, applicationId };
  const response: CreateLeadResponse = {
    IsSuccessful: true,
    ResponseText: 'Application created successfully.',
    ApplicationID: applicationId,
    ReferenceID: record.referenceId,
    pURL: record.trackingUrl,
  };
  return { kind: 'success', applicationId, body: { ...response } };
}

function hasOutagePassed(id: string, { state }: SandboxContext): boolean {
  const rejections = state.outageRejections.get(id) ?? 0;
  if (rejections >= maxOutageRejections) return true;
  state.outageRejections.set(id, rejections + 1);
  return false;
}

function storeLead(
  request: OperationRequest,
  { lead, ignoredFields }: ValidLead,
  tags: readonly Tag[],
  { clock, randomBytes, state }: SandboxContext,
): LeadRecord {
  const applicationId = createRecordId('lead', randomBytes);
  const createdAtMs = clock.now();
  const record: LeadRecord = {
    applicationId,
    referenceId: lead.ID,
    trackingUrl: `${request.origin}/apply/${applicationId}`,
    createdAtMs,
    lead,
    receivedText: request.body,
    ignoredFields,
    tags,
    outcome: toOutcome(tags),
    customOffers: undefined,
    contactPreference: tags.includes('do not contact') ? 'do-not-contact' : 'contact-allowed',
    owner: 'New applications',
    history: [{ atMs: createdAtMs, event: 'Application received' }],
  };
  state.leads.set(applicationId, record);
  state.applicationIdsByReference.set(lead.ID, applicationId);
  return record;
}

interface ValidLead {
  readonly kind: 'valid';
  readonly lead: Lead;
  readonly ignoredFields: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.core.$ZodType>>;

const dateSchema = z.optional(z.string().check(z.refine(isCalendarDate)));
const timestamp = () => z.iso.datetime({ offset: true, local: true });

const strictAddressSchema = z.extend(leadAddressSchema, {
  State: z.string().check(z.refine((code) => stateCodes.some((known) => known === code))),
});

/**
 * The wire schema plus checks that a real service would make of the documented formats: dates and states that exist, an at sign
 * in an email address, any usual form of ISO 8601. It checks no numeric bounds, because the spec shows none.
 */
const strictLeadSchema = z.extend(leadSchema, {
  BusinessAddress: strictAddressSchema,
  HomeAddress: strictAddressSchema,
  ContactEmail: z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/)),
  BirthDay: dateSchema,
  InceptionDate: dateSchema,
  SignatureTimestamp: z.optional(timestamp()),
  CreatedAt: timestamp(),
});

/**
 * Checks the required fields first, in the order of the spec's table, and then the values. A null optional field counts as absent.
 * A field of an address is named with its parent: `BusinessAddress.City`.
 */
function parseLead(
  fields: Fields,
): ValidLead | { readonly kind: 'missing' | 'invalid'; readonly field: string } {
  const missing = findMissing(leadSchema.shape, fields);
  if (missing !== undefined) return { kind: 'missing', field: missing };
  const ignoredFields: string[] = [];
  const known = pickKnownFields(leadSchema.shape, fields, '', ignoredFields);
  const parsed = strictLeadSchema.safeParse(known);
  if (parsed.success) return { kind: 'valid', lead: parsed.data, ignoredFields };
  return { kind: 'invalid', field: parsed.error.issues[0]?.path.join('.') ?? '' };
}

function findMissing(shape: Shape, fields: Fields): string | undefined {
  for (const [name, schema] of Object.entries(shape)) {
    if (schema._zod.optin === 'optional') continue;
    const value = fields[name];
    if (isMissing(value)) return name;
    if (!isAddressField(name) || !isObject(value)) continue;
    const missing = findMissing(leadAddressSchema.shape, value);
    if (missing !== undefined) return `${name}.${missing}`;
  }
  return undefined;
}

function pickKnownFields(shape: Shape, fields: Fields, prefix: string, ignored: string[]): Fields {
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(shape, name)) {
      ignored.push(prefix + name);
    } else if (isAddressField(name) && isObject(value)) {
      known[name] = pickKnownFields(leadAddressSchema.shape, value, `${name}.`, ignored);
    } else if (value !== null) {
      known[name] = value;
    }
  }
  return known;
}
