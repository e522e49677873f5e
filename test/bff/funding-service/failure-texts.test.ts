import { describe, expect, it } from 'vitest';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import {
  classifyText,
  createTextPatterns,
  defaultTextPatterns,
} from '../../../bff/funding-service/failure-texts.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';

/** `authentication`, or a reason with the field that the text names. */
function classify(operation: PartnerOperation, text: string, patterns = defaultTextPatterns) {
  const refusal = classifyText(operation, text, patterns);
  if (refusal === 'authentication') return refusal;
  const { reason, field, ...others } = refusal;
  expect(others).toEqual({});
  return field === undefined ? reason : `${reason}: ${field}`;
}

describe('classifyText', () => {
  // The texts of the spec are in test/support/error-rows.ts. The file has others that a funding service may use.
  it.each([
    ...readGroupedRows('classified-texts.txt'),
    ['create-lead: ', 'unrecognized'],
    ['create-lead: Missing required field: ', 'unrecognized'],
  ])('%s is %s', (line, meaning) => {
    const [operation = '', ...text] = line.split(': ');
    expect(classify(operation as PartnerOperation, text.join(': '))).toBe(meaning);
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
