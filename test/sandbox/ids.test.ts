import { describe, expect, it } from 'vitest';
import { createRecordId, isLeadId } from '../../sandbox/ids.ts';

describe('record ids', () => {
  it('carry the case guard that platforms of this shape use', () => {
    // Zero bytes choose the letter A. Capitals in places 3 to 5 of the first five are 28, the digit 2; in all of five, 31.
    const id = createRecordId('lead', (size) => new Uint8Array(size));
    expect(id).toBe('00QAAAAAAAAAAAA255');
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
  ])('do not take “%s” for a lead’s', (text) => {
    expect(isLeadId(text)).toBe(false);
  });
});
