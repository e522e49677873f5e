// Compares the lists and fields of `shared` with copies of the spec's tables in test/fixtures.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  documentCategories,
  documentCategoryIds,
  listApplicantCategories,
  toDocumentCategoryWire,
} from '../../shared/application/document-categories.ts';
import { industries } from '../../shared/application/industries.ts';
import { locales } from '../../shared/application/lists.ts';
import { stateCodes, states } from '../../shared/application/states.ts';
import { leadAddressSchema, leadSchema } from '../../shared/funding-service/lead.ts';
import { toAssetReportPath } from '../../shared/funding-service/operations.ts';
import { preApprovalOfferSchema } from '../../shared/funding-service/pre-approval.ts';
import leadFields from '../fixtures/lead-fields.json' with { type: 'json' };

const labels = documentCategories.map(({ label }) => label);

describe('industries', () => {
  it('match the spec’s list of 67 exactly', () => {
    expect(industries).toHaveLength(67);
    expect(toLines(industries)).toBe(readFixture('industries.txt'));
  });
});

describe('document categories', () => {
  it('match the spec’s list of 40 exactly', () => {
    expect(documentCategories).toHaveLength(40);
    expect(toLines(documentCategories.map(({ wire }) => wire))).toBe(
      readFixture('document-categories.txt'),
    );
  });

  it.each([
    ['tax-return-extension', 'Tax Return Extenstion', 'Tax return extension'],
    [
      'aging-report',
      'Cuurent Aging AR and AP Report',
      'Current accounts receivable and payable aging report',
    ],
  ] as const)('have a corrected label for the wire value of %s', (...expected) => {
    const [id] = expected;
    const label = documentCategories.find((category) => category.id === id)?.label.en;
    expect([id, toDocumentCategoryWire(id, 'Aggregator'), label]).toEqual(expected);
  });

  it('have unique ids plus unique labels', () => {
    expect(new Set(documentCategoryIds).size).toBe(40);
    for (const locale of locales) {
      expect(new Set(labels.map((label) => label[locale].toLowerCase())).size).toBe(40);
    }
  });

  it('offer applicants 35, plus the internal ones that are configured', () => {
    expect(listApplicantCategories([])).toHaveLength(35);
    const shown = listApplicantCategories(['psf', 'other']).map(({ id }) => id);
    expect(shown).toHaveLength(36);
    expect(shown).toContain('psf');
  });
});

describe('leadSchema', () => {
  const schema = z.toJSONSchema(leadSchema);

  it('has the fields of the spec’s table in its order', () => {
    expect(toFields(schema)).toEqual(leadFields);
  });

  it('rejects unknown fields', () => {
    expect(schema.additionalProperties).toBe(false);
  });

  it('requires the four strings of an address', () => {
    expect(toFields(z.toJSONSchema(leadAddressSchema))).toEqual(
      ['Address', 'City', 'State', 'Zip'].map((name) => ({ name, type: 'string', required: true })),
    );
  });
});

describe('preApprovalOfferSchema', () => {
  it('has the 15 fields of the spec', () => {
    const names = Object.keys(preApprovalOfferSchema.shape);
    expect(names).toHaveLength(15);
    expect(toLines(names)).toBe(readFixture('offer-fields.txt'));
  });

  it('has the types of the spec', () => {
    const texts = new Set(['OfferId', 'Product', 'Payment_Frequency', 'Funding_Disclosures']);
    for (const { name, type } of toFields(z.toJSONSchema(preApprovalOfferSchema))) {
      expect([name, type]).toEqual([name, texts.has(name) ? 'string' : 'number']);
    }
  });
});

describe('states', () => {
  it('are 59 unique two-letter codes', () => {
    expect(new Set(stateCodes).size).toBe(59);
    expect(states).toHaveLength(59);
    expect(stateCodes.filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
    expect(new Set(states.map(({ name }) => name)).size).toBe(59);
  });

  it('include DC, the territories, military addresses', () => {
    expect(stateCodes).toEqual(
      expect.arrayContaining(['DC', 'AS', 'GU', 'MP', 'PR', 'VI', 'AA', 'AE', 'AP']),
    );
  });
});

describe('the aggregation provider’s name', () => {
  const aggregatorName = 'Acme Link';
  it('completes exactly one document category', () => {
    const changed = documentCategories.filter(
      ({ id, wire }) => toDocumentCategoryWire(id, aggregatorName) !== wire,
    );
    expect(changed.map(({ id }) => id)).toEqual(['bank-verification']);
    expect(toDocumentCategoryWire('bank-verification', aggregatorName)).toBe(
      'Bank Verification -Acme Link',
    );
  });

  it('is the first segment of the asset report path, in lowercase', () => {
    expect(toAssetReportPath('Aggregator')).toBe('/aggregator/asset-report/');
    expect(toAssetReportPath(aggregatorName)).toBe('/acme%20link/asset-report/');
  });
});

function readFixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
}

function toLines(values: readonly string[]): string {
  return `${values.join('\n')}\n`;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Describes the properties of a schema in the format of the spec's tables. */
function toFields({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: toTypeName(property),
    required: required.includes(name),
  }));
}

function toTypeName(property: JsonSchema | boolean | undefined): string {
  if (typeof property !== 'object') return 'anything';
  const { type, items } = property;
  if (type === 'array') return `array of ${toTypeName(Array.isArray(items) ? true : items)}`;
  const isAddress = Object.keys(property.properties ?? {}).join() === 'Address,City,State,Zip';
  return isAddress ? 'object (Address)' : String(type);
}
