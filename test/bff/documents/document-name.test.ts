import { describe, expect, it } from 'vitest';
import { toDocumentName } from '../../../bff/documents/document-name.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';
import { findNameFaults, hostileNames } from '../../campaigns/hostile/hostile-names.ts';

describe('toDocumentName', () => {
  it.each(readGroupedRows('document-names.txt'))('converts %s to %s', (fileName, expected) => {
    const { name, extension } = toDocumentName(JSON.parse(fileName));
    const [expectedName = '', expectedExtension] = expected.split(/ (?=[^ ]*$)/);
    expect([name, extension || '-']).toEqual([JSON.parse(expectedName), expectedExtension]);
  });

  it.each([
    ['a'.repeat(200), 'a'.repeat(80)],
    ['a'.repeat(79) + '📄', 'a'.repeat(79)],
    ['a'.repeat(78) + '📄b', `${'a'.repeat(78)}📄`],
    ['a'.repeat(79) + ' b', 'a'.repeat(79)],
  ])('shortens %s to 80 characters', (fileName, name) => {
    expect(toDocumentName(`${fileName}.pdf`)).toEqual({ name, extension: 'pdf' });
  });

  it('removes unsafe characters from a name', () => {
    const names = hostileNames.map((name) => toDocumentName(`${name}.pdf`).name);
    expect(names.flatMap(findNameFaults)).toEqual([]);
  });

  it('does not change its own result', () => {
    const once = hostileNames.map((name) => toDocumentName(`${name}.pdf`));
    const twice = once.map(({ name }) => toDocumentName(`${name}.pdf`));
    expect(twice).toEqual(once);
  });
});
