import { describe, expect, it } from 'vitest';
import { createRecordId, isLeadId } from '../../sandbox/state.ts';

describe('createRecordId', () => {
  it('ends with a checksum of the capital letters', () => {
    // Zero bytes select the letter A. Capitals in places 3 to 5 of the first group give 28, which is encoded as 2.
    // Five capitals give 31, which is encoded as 5.
    expect(createRecordId('lead', (size) => new Uint8Array(size))).toBe('00QAAAAAAAAAAAA255');
  });
});

describe('isLeadId', () => {
  it('accepts a lead id with a valid checksum', () => {
    expect(isLeadId('00Q000000000000EAA')).toBe(true);
  });

  it.each([
    '',
    '00Q',
    '00QAAAAAAAAAAAA',
    '00qaaaaaaaaaaaa255',
    '001AAAAAAAAAAAA255',
    '00QAAAAAAAAAAA-255',
    '00QAAAAAAAAAAAA254',
  ])('rejects “%s”', (text) => {
    expect(isLeadId(text)).toBe(false);
  });
});
