import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentCategories } from '../../../shared/application/document-categories.ts';
import { suggestCategory } from '../../../widget/documents/suggest-category.ts';

const categories = documentCategories
  .filter((category) => !('internal' in category))
  .map(({ id }) => id);

/** File names of banks, scanners, phones, and people below their category. `none`: no suggestion. */
const file = new URL('../../fixtures/document-names/names.txt', import.meta.url);
const examples = readFileSync(file, 'utf8')
  .trim()
  .split(/\n(?! )/)
  .flatMap((group) => {
    const [category = '', ...names] = group.split('\n');
    return names.map((name) => [name.trim(), category === 'none' ? '' : category] as const);
  });

describe('suggestCategory', () => {
  it('has 100 examples', () => {
    expect(examples.length).toBeGreaterThan(100);
  });

  it.each(examples)('reads “%s” as “%s”', (name, category) => {
    expect(suggestCategory(name, categories)).toBe(category);
  });

  it('suggests only categories that the applicant may choose', () => {
    expect(suggestCategory('voided check.png', ['drivers-license'])).toBe('');
  });
});
