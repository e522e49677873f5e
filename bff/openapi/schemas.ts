// The component schemas of the OpenAPI document: generated from the zod schemas that the BFF and the widget use, then completed
// with this partner's choices and with the rules that zod does not express as JSON Schema.

import * as z from 'zod/mini';
import { applicationStatusSchema } from '../../shared/api/application-status.ts';
import { bankReportSchema } from '../../shared/api/bank-report.ts';
import { configurationSchema } from '../../shared/api/configuration.ts';
import {
  bankReportStatusSchema,
  contactResponseSchema,
  contactRequestSchema,
  contactStatusSchema,
  documentListSchema,
  documentStatusSchema,
} from '../../shared/api/attachments.ts';
import { offerSchema, offersSchema } from '../../shared/api/offers.ts';
import { problemSchema } from '../../shared/api/problems.ts';
import { sessionRequestSchema, sessionSchema } from '../../shared/api/session.ts';
import { addressSchema, createApplicationSchemas } from '../../shared/application/application.ts';
import { consentSchema } from '../../shared/application/consent.ts';
import { listApplicantCategories } from '../../shared/application/document-categories.ts';
import { fieldErrorSchema } from '../../shared/application/field-errors.ts';
import { industries } from '../../shared/application/industries.ts';
import { stateCodes } from '../../shared/application/states.ts';
import type { Settings } from '../config/settings.ts';
import { listAdditions } from './schema-additions.ts';

const zodSchemas = {
  Configuration: configurationSchema,
  Consent: consentSchema,
  SessionRequest: sessionRequestSchema,
  Session: sessionSchema,
  Address: addressSchema,
  ApplicationStatus: applicationStatusSchema,
  Offer: offerSchema,
  Offers: offersSchema,
  ContactRequest: contactRequestSchema,
  ContactAnswer: contactResponseSchema,
  ContactStatus: contactStatusSchema,
  DocumentStatus: documentStatusSchema,
  DocumentList: documentListSchema,
  AssetReport: bankReportSchema,
  AssetReportStatus: bankReportStatusSchema,
  FieldError: fieldErrorSchema,
  Problem: problemSchema,
} as const;

/** Lists of values that a request may contain. The configuration offers the same values, so both refer to one schema. */
const listNames = [
  'Locale',
  'FundingReason',
  'BusinessType',
  'CreditScore',
  'Industry',
  'State',
  'ConsentId',
  'DocumentCategory',
  'DocumentExtension',
] as const;

type ListName = (typeof listNames)[number];

export type SchemaName = keyof typeof zodSchemas | 'Application' | ListName;
export type JsonSchema = Readonly<Record<string, unknown>>;
export type ToReference = (name: SchemaName) => { readonly $ref: string };
export type SchemaSettings = Pick<
  Settings,
  | 'locales'
  | 'fundingReasons'
  | 'businessTypes'
  | 'creditScores'
  | 'requiredFields'
  | 'consents'
  | 'documents'
>;

/** JSON Schema 2020-12 for each name. */
export function createJsonSchemas(
  settings: SchemaSettings,
): Readonly<Record<SchemaName, JsonSchema>> {
  const { application } = createApplicationSchemas({
    ...toChoices(settings),
    requiredFields: settings.requiredFields,
    now: () => new Date(),
  });
  const schemas = generate({ ...zodSchemas, Application: application });
  for (const [path, addition] of Object.entries(listAdditions(toReference))) {
    addTo(findSchema(schemas, path), addition);
  }
  for (const [path, names] of Object.entries(listRequired(settings.requiredFields))) {
    const schema = findSchema(schemas, path);
    schema.required = [...new Set([...toList(schema.required), ...names])];
  }
  // Every name is a key of the one or the other; `Object.fromEntries` does not keep the key type.
  return { ...schemas, ...createLists(settings) } as Record<SchemaName, JsonSchema>;
}

export const toReference: ToReference = (name) => ({ $ref: `#/components/schemas/${name}` });

function toChoices(settings: SchemaSettings) {
  return {
    fundingReasons: settings.fundingReasons.map(({ value }) => value),
    businessTypes: settings.businessTypes.map(({ value }) => value),
    creditScores: settings.creditScores.map(({ value }) => value),
  };
}

type MutableSchema = Record<string, unknown>;

function generate(
  sources: Readonly<Record<string, z.core.$ZodType>>,
): Record<string, MutableSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(sources)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    // Objects of an answer accept unknown members, because later versions may add some.
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      // The range of a safe integer in JavaScript is no rule of the contract.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // `z.catch` reads like a default. The widget uses it for codes of later versions; an answer always has its code.
      delete jsonSchema.default;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [
      name,
      schema,
    ]),
  );
}

function createLists(settings: SchemaSettings): Record<ListName, JsonSchema> {
  const choices = toChoices(settings);
  const categories = listApplicantCategories(settings.documents.showInternalCategories);
  return {
    Locale: toEnum('A language of the form.', settings.locales),
    FundingReason: toEnum(
      'A purpose of the loan that this partner offers.',
      choices.fundingReasons,
    ),
    BusinessType: toEnum('A legal form that this partner offers.', choices.businessTypes),
    CreditScore: toEnum('A credit score range that this partner offers.', choices.creditScores),
    Industry: toEnum('An industry that the funding service accepts.', industries),
    State: toEnum('A US state or territory.', stateCodes),
    ConsentId: toEnum(
      'A consent that this partner asks for.',
      settings.consents.map(({ id }) => id),
    ),
    DocumentCategory: toEnum(
      'A category that an applicant may choose for a document.',
      categories.map(({ id }) => id),
    ),
    DocumentExtension: toEnum(
      'A file extension that this partner accepts, in lower case and without a dot.',
      settings.documents.extensions,
    ),
  };
}

/** JSON Schema does not allow an `enum` without values. */
function toEnum(description: string, values: readonly string[]): JsonSchema {
  return { type: 'string', description, ...(values.length > 0 ? { enum: values } : {}) };
}

/** Members that are required beyond the zod schemas: those partners require, and those only earlier versions left out. */
function listRequired(
  requiredFields: SchemaSettings['requiredFields'],
): Readonly<Record<string, readonly string[]>> {
  const among = (...names: readonly SchemaSettings['requiredFields'][number][]) =>
    names.filter((name) => requiredFields.includes(name));
  return {
    Configuration: ['locale', 'challenge'],
    'Configuration/documents': ['maxTotalBytes', 'checklist'],
    Session: ['isProven'],
    'Application/business': among('employees', 'taxId'),
    'Application/owner': among('birthDate', 'ssn', 'ownershipPercent'),
  };
}

function findSchema(schemas: Readonly<Record<string, MutableSchema>>, path: string): MutableSchema {
  const keys = path.split('/').flatMap((step, index) => {
    const own = step.endsWith('[]') ? [step.slice(0, -2), 'items'] : [step];
    return index === 0 ? own : ['properties', ...own];
  });
  let found: unknown = schemas;
  for (const key of keys) found = isSchema(found) ? found[key] : undefined;
  if (!isSchema(found)) throw new RangeError(`No schema at ${path}`);
  return found;
}

function addTo(schema: MutableSchema, addition: JsonSchema): void {
  if ('$ref' in addition) for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, addition);
}

function isSchema(value: unknown): value is MutableSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
