import { describe, expect, it } from 'vitest';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import {
  classifyText,
  createTextPatterns,
  defaultTextPatterns,
  type Refusal,
} from '../../../bff/funding-service/failure-texts.ts';

type Meaning = Refusal | 'authentication';

describe('classifyText', () => {
  it.each<[PartnerOperation, string, Meaning]>([
    ['create-lead', 'Duplicate ID', { reason: 'duplicate-id' }],
    ['create-lead', 'An application with this ID already exists.', { reason: 'duplicate-id' }],
    ['create-lead', 'ID 0199 has already been submitted', { reason: 'duplicate-id' }],
    ['create-lead', 'This lead was already received', { reason: 'duplicate-id' }],
    [
      'create-lead',
      'DUPLICATE_VALUE, duplicate value found: ID__c duplicates value',
      { reason: 'duplicate-id' },
    ],
    // A repeated company name is not a statement.
    [
      'create-lead',
      'Invalid value for Company: Duplicate Print & Copy LLC',
      { reason: 'invalid-field', field: 'Company' },
    ],
    [
      'create-lead',
      'Invalid value for Company: Already Registered Goods LLC',
      { reason: 'invalid-field', field: 'Company' },
    ],
    ['create-lead', 'Content-Type Services Inc is not a valid Company', { reason: 'unrecognized' }],
    [
      'create-lead',
      'Application for Already Submitted Papers LLC failed',
      { reason: 'unrecognized' },
    ],
    ['create-lead', 'Content-Type must be application/json', { reason: 'request-malformed' }],
    ['create-lead', 'Invalid token', 'authentication'],
    ['create-lead', 'Invalid or expired token', 'authentication'],
    ['create-lead', 'Expired access token.', 'authentication'],
    ['create-lead', 'The access token is invalid', 'authentication'],
    ['create-lead', 'Session expired or invalid', 'authentication'],
    ['create-lead', 'INVALID_SESSION_ID', 'authentication'],
    ['create-lead', 'Unauthorized', 'authentication'],
    ['upload-file', 'Error: Invalid or expired token', 'authentication'],
    [
      'create-lead',
      'Invalid value for AnnualRevenue: abc',
      { reason: 'invalid-field', field: 'AnnualRevenue' },
    ],
    [
      'create-lead',
      'AnnualRevenue must be numeric',
      { reason: 'invalid-field', field: 'AnnualRevenue' },
    ],
    [
      'create-lead',
      'BusinessAddress.State is not valid',
      { reason: 'invalid-field', field: 'BusinessAddress.State' },
    ],
    [
      'create-lead',
      'Invalid value for field: HomeAddress',
      { reason: 'invalid-field', field: 'HomeAddress' },
    ],
    ['create-lead', 'Invalid data in the request', { reason: 'unrecognized' }],
    [
      'create-lead',
      'Invalid value for Company: Token Expired Inc',
      { reason: 'invalid-field', field: 'Company' },
    ],
    ['create-lead', 'Invalid PartnerName or PartnerId', { reason: 'partner-headers-missing' }],
    ['create-lead', 'Invalid Request Header. Something else.', { reason: 'request-malformed' }],
    ['create-lead', 'Malformed JSON', { reason: 'request-malformed' }],
    ['upload-file', 'Error: Unsupported Content-Type', { reason: 'request-malformed' }],
    ['create-lead', 'Something unexpectedly odd', { reason: 'unrecognized' }],
    ['create-lead', '', { reason: 'unrecognized' }],
    ['upload-file', 'Error: Category is not allowed', { reason: 'category-not-allowed' }],
    ['upload-file', 'Invalid category', { reason: 'category-not-allowed' }],
    ['upload-file', 'Content is not valid Base64', { reason: 'content-not-base64' }],
    ['upload-file', 'Invalid base-64 content', { reason: 'content-not-base64' }],
    ['upload-file', 'Lead not found', { reason: 'application-not-found' }],
    ['upload-file', 'leadId does not match an existing lead', { reason: 'application-not-found' }],
    ['upload-file', 'No lead was found for leadId', { reason: 'application-not-found' }],
    ['upload-file', 'Invalid value for field: ext', { reason: 'unrecognized' }],
    // Patterns of one operation do not apply to another.
    ['contact-user', 'Duplicate', { reason: 'unrecognized' }],
    ['asset-report', 'Invalid category', { reason: 'unrecognized' }],
  ])('%s: %s', (operation, text, expected) => {
    expect(classifyText(operation, text, defaultTextPatterns)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['Missing required field: AnnualRevenue', 'AnnualRevenue'],
    ['missing required field:  BusinessAddress.City.', 'BusinessAddress.City'],
    ['Missing required field "Company"', 'Company'],
  ])('finds the field in %j', (text, field) => {
    expect(classifyText('create-lead', text, defaultTextPatterns)).toEqual({
      reason: 'missing-field',
      field,
    });
  });

  it.each([
    'Missing required fields: Company, Industry',
    'Missing required field: ',
    'Missing required field: 512 555 0134',
    'Missing required field: Company in the partner configuration',
    'Validation failed. Missing required field: Company',
  ])('finds no field in %j', (text) => {
    expect(classifyText('create-lead', text, defaultTextPatterns)).toEqual({
      reason: 'unrecognized',
    });
  });

  it('returns no value of the text', () => {
    const text = 'Invalid value 123-45-6789 given';
    expect(classifyText('create-lead', text, defaultTextPatterns)).toEqual({
      reason: 'unrecognized',
    });
  });
});

describe('createTextPatterns', () => {
  it('uses the default patterns', () => {
    expect(createTextPatterns({})).toEqual(defaultTextPatterns);
  });

  it('replaces a default list with the list of the settings', () => {
    const patterns = createTextPatterns({
      duplicate: ['doppelt'],
      invalidToken: ['^kein zutritt'],
    });
    const classify = (text: string) => classifyText('create-lead', text, patterns);
    expect(classify('Doppelt eingereicht')).toEqual({ reason: 'duplicate-id' });
    expect(classify('Kein Zutritt')).toBe('authentication');
    expect(classify('Duplicate ID')).toEqual({ reason: 'unrecognized' });
  });

  it('keeps the default list for the entry "default"', () => {
    const patterns = createTextPatterns({ duplicate: ['default', '^doppelt'] });
    const classify = (text: string) => classifyText('create-lead', text, patterns);
    expect(classify('Doppelt eingereicht')).toEqual({ reason: 'duplicate-id' });
    expect(classify('Duplicate ID')).toEqual({ reason: 'duplicate-id' });
  });

  it('ignores a captured value that is not a field name', () => {
    const patterns = createTextPatterns({ invalidField: ['falsch: (?<field>.+)'] });
    expect(classifyText('create-lead', 'Falsch: 123-45-6789', patterns)).toEqual({
      reason: 'unrecognized',
    });
  });

  it('uses the group "field" of a pattern', () => {
    const patterns = createTextPatterns({ invalidField: ['falsch: (?<field>\\w+)'] });
    expect(classifyText('create-lead', 'Falsch: Turnover', patterns)).toEqual({
      reason: 'invalid-field',
      field: 'Turnover',
    });
  });
});
