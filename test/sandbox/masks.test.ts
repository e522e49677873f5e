import { describe, expect, it } from 'vitest';
import { mask, maskJson, toSecretField } from '../../sandbox/masks.ts';

describe('masks', () => {
  it.each(['Ssn', 'SSN', 'ssn', 'Tax_Id', 'birthDay'])('cover the field %s', (name) => {
    expect(toSecretField(name)).toBeDefined();
  });

  it('keep four characters of a number', () => {
    expect(mask('Ssn', '219099999')).toBe('•••••9999');
    expect(mask('Ssn', '21909')).toBe('•••••••••');
    expect(mask('BirthDay', '1985-04-27')).toBe('•••••••••');
  });

  it('cover nested fields of a JSON text', () => {
    const text = JSON.stringify({ Ssn: '219099999', owner: { TaxId: 123456789 }, Files: [] });
    expect(maskJson(text)).toBe('{"Ssn":"•••••9999","owner":{"TaxId":"•••••6789"},"Files":[]}');
    expect(maskJson(text, new Set(['Ssn']))).toContain('"219099999"');
  });

  it('show nothing of a text that is not JSON', () => {
    expect(maskJson('{"Ssn":"219099999"')).toBeUndefined();
  });
});
