// The checks of a submitted lead: what is missing, what is invalid, what the spec does not know.

import * as z from 'zod/mini';
import { isCalendarDate } from '../shared/application/fields.ts';
import { stateCodes } from '../shared/application/states.ts';
import { leadAddressSchema, leadSchema, type Lead } from '../shared/funding-service/lead.ts';
import { isMissing, isObject } from './operation.ts';

export type LeadReading =
  | { readonly kind: 'missing'; readonly field: string }
  | { readonly kind: 'invalid'; readonly field: string }
  | { readonly kind: 'valid'; readonly lead: Lead; readonly ignoredFields: readonly string[] };

type Fields = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.core.$ZodType>>;

const addressFields = ['BusinessAddress', 'HomeAddress'] as const;

const dateSchema = z.optional(z.string().check(z.refine(isCalendarDate)));
const timestamp = () => z.iso.datetime({ offset: true, local: true });

const acceptedAddressSchema = z.extend(leadAddressSchema, {
  State: z.string().check(z.refine((code) => stateCodes.some((known) => known === code))),
});

/**
 * The wire schema with the checks that a real service would make of the documented formats: days that exist, states that
 * exist, an at sign in an e-mail address, ISO 8601 in any of its usual forms. Numeric bounds are not documented, so none is checked.
 */
const acceptedLeadSchema = z.extend(leadSchema, {
  BusinessAddress: acceptedAddressSchema,
  HomeAddress: acceptedAddressSchema,
  ContactEmail: z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/)),
  BirthDay: dateSchema,
  InceptionDate: dateSchema,
  SignatureTimestamp: z.optional(timestamp()),
  CreatedAt: timestamp(),
});

/**
 * Reads a lead as the service does: required fields first, in the order of the spec's table, then the values. A field of an
 * address is named with its parent, as in `BusinessAddress.City`. A null optional field is the same as none.
 */
export function readLead(fields: Fields): LeadReading {
  const missing = findMissing(leadSchema.shape, fields);
  if (missing !== undefined) return { kind: 'missing', field: missing };
  const ignoredFields: string[] = [];
  const known = pickKnown(leadSchema.shape, fields, '', ignoredFields);
  const parsed = acceptedLeadSchema.safeParse(known);
  if (parsed.success) return { kind: 'valid', lead: parsed.data, ignoredFields };
  return { kind: 'invalid', field: parsed.error.issues[0]?.path.join('.') ?? '' };
}

/** Relies on the schema's keys standing in the order of the spec's table. */
function findMissing(shape: Shape, fields: Fields): string | undefined {
  for (const [name, schema] of Object.entries(shape)) {
    if (schema._zod.optin === 'optional') continue;
    const value = fields[name];
    if (isMissing(value)) return name;
    if (!isAddressField(name) || !isObject(value)) continue;
    const inside = findMissing(leadAddressSchema.shape, value);
    if (inside !== undefined) return `${name}.${inside}`;
  }
  return undefined;
}

function pickKnown(shape: Shape, fields: Fields, parent: string, ignored: string[]): Fields {
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(shape, name)) {
      ignored.push(parent + name);
    } else if (isAddressField(name) && isObject(value)) {
      known[name] = pickKnown(leadAddressSchema.shape, value, `${name}.`, ignored);
    } else if (value !== null) {
      known[name] = value;
    }
  }
  return known;
}

function isAddressField(name: string): boolean {
  return addressFields.some((field) => field === name);
}
