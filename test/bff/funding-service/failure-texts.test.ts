import { describe, expect, it } from 'vitest';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import {
  classifyText,
  createTextPatterns,
  defaultTextPatterns,
} from '../../../bff/funding-service/failure-texts.ts';

/** `authentication`, or a reason with the field that the text names. */
function classify(operation: PartnerOperation, text: string, patterns = defaultTextPatterns) {
  const refusal = classifyText(operation, text, patterns);
  if (refusal === 'authentication') return refusal;
  const { reason, field, ...others } = refusal;
  expect(others).toEqual({});
  return field === undefined ? reason : `${reason}: ${field}`;
}

/** The texts of the spec are in test/support/error-rows.ts. These are others that a funding service may use. */
const texts: Readonly<Partial<Record<PartnerOperation, Readonly<Record<string, string[]>>>>> = {
  'create-lead': {
    'duplicate-id': [
      'Duplicate ID',
      'duplicate',
      'An application with this ID already exists.',
      'ID 0199 has already been submitted',
      'This lead was already received',
      'DUPLICATE_VALUE, duplicate value found: ID__c duplicates value',
      'Insert failed. First exception on row 0; first error: DUPLICATE_VALUE',
    ],
    authentication: [
      'Invalid token',
      'Invalid or expired token',
      'Expired access token.',
      'The access token is invalid',
      'Session expired or invalid',
      'INVALID_SESSION_ID',
      'Unauthorized',
    ],
    // A value that the applicant entered is not a statement of its own.
    'invalid-field: Company': [
      'Invalid value for Company: Duplicate Print & Copy LLC',
      'Invalid value for Company: Already Registered Goods LLC',
      'Invalid value for Company: Token Expired Inc',
      'Company is too long',
    ],
    'invalid-field: AnnualRevenue': [
      'Invalid value for AnnualRevenue: abc',
      'Invalid AnnualRevenue',
      'AnnualRevenue must be numeric',
      'The value of AnnualRevenue should be at least 0',
    ],
    'invalid-field: BusinessAddress.State': ['BusinessAddress.State is not valid'],
    'invalid-field: HomeAddress': ['Invalid value for field: HomeAddress'],
    'missing-field: AnnualRevenue': ['Missing required field: AnnualRevenue'],
    'missing-field: BusinessAddress.City': ['missing required  field:  BusinessAddress.City.'],
    'missing-field: Company': ['Missing required field "Company"'],
    'partner-headers-missing': ['Unknown PartnerId'],
    'request-malformed': [
      'Content-Type must be application/json',
      'Invalid Request Header. Something else.',
      'Unparsable JSON',
    ],
    unrecognized: [
      '',
      'Something unexpectedly odd',
      'Invalid data in the request',
      'Invalid value 123-45-6789 given',
      'Content-Type Services Inc is not a valid Company',
      'Application for Already Submitted Papers LLC failed',
      'Missing required fields: Company, Industry',
      'Missing required field: ',
      'Missing required field: 512 555 0134',
      'Missing required field: Company in the partner configuration',
      'Validation failed. Missing required field: Company',
    ],
  },
  'upload-file': {
    authentication: ['Error: Invalid or expired token'],
    'request-malformed': ['Error: Unsupported Content-Type'],
    'category-not-allowed': ['Category not allowed', 'Invalid category', 'Invalid category: Other'],
    'content-not-base64': ['Content is not valid Base64', 'Invalid base-64 content'],
    'application-not-found': ['Lead not found', 'leadId does not match an existing lead'],
  },
  // Patterns of one operation do not apply to another.
  'contact-user': { unrecognized: ['Duplicate'] },
  'asset-report': { unrecognized: ['Invalid category'] },
};

describe('classifyText', () => {
  const rows = Object.entries(texts).flatMap(([operation, meanings]) =>
    Object.entries(meanings).flatMap(([meaning, list]) =>
      list.map((text) => [operation as PartnerOperation, text, meaning] as const),
    ),
  );

  it.each(rows)('%s: %j is %s', (operation, text, meaning) => {
    expect(classify(operation, text)).toBe(meaning);
  });

  it('reads the first 2,000 characters', () => {
    const text = `${'Duplicate ID '.padEnd(2_000)}${'\0'.repeat(100_000)}`;
    expect(classify('create-lead', text)).toBe('duplicate-id');
    expect(classify('upload-file', `${'x'.repeat(2_000)} base64`)).toBe('unrecognized');
  });
});

describe('createTextPatterns', () => {
  it('uses the default patterns', () => {
    expect(createTextPatterns({})).toEqual(defaultTextPatterns);
  });

  it.each([
    [{ duplicate: ['doppelt'] }, 'Doppelt eingereicht', 'duplicate-id'],
    [{ duplicate: ['doppelt'] }, 'Duplicate ID', 'unrecognized'],
    [{ duplicate: ['default', 'doppelt'] }, 'Doppelt eingereicht', 'duplicate-id'],
    [{ duplicate: ['default', 'doppelt'] }, 'Duplicate ID', 'duplicate-id'],
    [{ invalidToken: ['^kein zutritt'] }, 'Kein Zutritt', 'authentication'],
    [{ invalidField: ['falsch: (?<field>\\w+)'] }, 'Falsch: Turnover', 'invalid-field: Turnover'],
    // A captured value that is no field name must not reach the log.
    [{ invalidField: ['falsch: (?<field>.+)'] }, 'Falsch: 123-45-6789', 'unrecognized'],
  ])('with the settings %j reads %j as %s', (settings, text, meaning) => {
    expect(classify('create-lead', text, createTextPatterns(settings))).toBe(meaning);
  });

  it.each([
    [{ leadNotFound: ['fehlt'] }, 'application-not-found'],
    [{ categoryNotAllowed: ['fehlt'] }, 'category-not-allowed'],
    [{ contentNotBase64: ['fehlt'] }, 'content-not-base64'],
  ])('applies %j to uploads', (settings, meaning) => {
    expect(classify('upload-file', 'Er fehlt', createTextPatterns(settings))).toBe(meaning);
  });
});
