// The contract's schemas as JSON Schema, from the very ones that requests and answers are checked by; what zod cannot write down is added here.

import * as z from 'zod/mini';
import { applicationStatusSchema } from '../../shared/api/application-status.ts';
import { assetReportSchema } from '../../shared/api/asset-report.ts';
import { configurationSchema } from '../../shared/api/configuration.ts';
import { contactAnswerSchema, contactRequestSchema } from '../../shared/api/contact.ts';
import {
  assetReportStatusSchema,
  documentListSchema,
  documentStatusSchema,
} from '../../shared/api/documents.ts';
import { offersSchema } from '../../shared/api/offers.ts';
import { problemSchema } from '../../shared/api/problem.ts';
import { sessionRequestSchema, sessionSchema } from '../../shared/api/session.ts';
import { createApplicationSchemas } from '../../shared/application/application.ts';
import { industries } from '../../shared/application/industries.ts';
import { stateCodes } from '../../shared/application/states.ts';
import type { Settings } from '../settings.ts';

const schemas = {
  Configuration: configurationSchema,
  SessionRequest: sessionRequestSchema,
  Session: sessionSchema,
  ApplicationStatus: applicationStatusSchema,
  Offers: offersSchema,
  ContactRequest: contactRequestSchema,
  ContactAnswer: contactAnswerSchema,
  DocumentStatus: documentStatusSchema,
  DocumentList: documentListSchema,
  AssetReport: assetReportSchema,
  AssetReportStatus: assetReportStatusSchema,
  Problem: problemSchema,
} as const;

export type SchemaName = keyof typeof schemas | 'Application';
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One for each name; the application's with this partner's own choices. */
export function createJsonSchemas(
  settings: Pick<Settings, 'fundingReasons' | 'businessTypes' | 'creditScores' | 'requiredFields'>,
): Readonly<Record<SchemaName, JsonSchema>> {
  const rules = {
    fundingReasons: settings.fundingReasons.map(({ value }) => value),
    businessTypes: settings.businessTypes.map(({ value }) => value),
    creditScores: settings.creditScores.map(({ value }) => value),
    requiredFields: settings.requiredFields,
  };
  const { application } = createApplicationSchemas({ ...rules, now: () => new Date() });
  const withAdditions = toJsonSchema(application, listAdditions(rules));
  const others = Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]);
  // `Object.fromEntries` forgets the names.
  return { ...Object.fromEntries(others), Application: withAdditions } as Record<
    SchemaName,
    JsonSchema
  >;
}

type Additions = ReadonlyMap<string, JsonSchema>;

/** Of objects as they come in: what a later version adds to an answer is no mistake of it. */
function toJsonSchema(schema: z.core.$ZodType, additions: Additions = new Map()): JsonSchema {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, {
    io: 'input',
    override({ path, jsonSchema }) {
      // The range of whole numbers in JavaScript, which says nothing about ours.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const names = path.filter((_step, index) => path[index - 1] === 'properties');
      const addition = additions.get(names.join('/'));
      if (addition && path.at(-2) === 'properties') Object.assign(jsonSchema, addition);
    },
  });
  return written;
}

/** By the place in the application: what its checks ask for beyond type and length. */
function listAdditions({
  fundingReasons,
  businessTypes,
  creditScores,
  requiredFields,
}: {
  readonly fundingReasons: readonly string[];
  readonly businessTypes: readonly string[];
  readonly creditScores: readonly string[];
  readonly requiredFields: readonly string[];
}): Additions {
  const day = { format: 'date', description: 'As `YYYY-MM-DD`.' };
  const nineDigits = { pattern: String.raw`^\d{9}$` };
  const zip = { pattern: String.raw`^\d{5}(-\d{4})?$` };
  const required = (field: string, schema: JsonSchema): JsonSchema =>
    requiredFields.includes(field)
      ? { ...schema, description: 'This partner requires it.' }
      : schema;
  return new Map<string, JsonSchema>([
    ['fundingNeed/reason', { enum: fundingReasons }],
    ['business/type', { enum: businessTypes }],
    ['business/industry', { enum: industries }],
    ['business/address/state', { enum: stateCodes }],
    ['business/address/zip', zip],
    ['business/employees', required('employees', {})],
    ['business/taxId', required('taxId', nineDigits)],
    ['owner/phone', { pattern: String.raw`^\d{10}$` }],
    ['owner/homeAddress/state', { enum: stateCodes }],
    ['owner/homeAddress/zip', zip],
    ['owner/birthDate', { ...day, ...required('birthDate', {}) }],
    ['owner/ssn', required('ssn', nineDigits)],
    ['owner/creditScore', { enum: creditScores }],
    ['owner/ownershipPercent', required('ownershipPercent', {})],
    ['signature/name', { description: "Holds a word of the owner's last name." }],
  ]);
}
