// Finding an industry by what is typed.

import { describe, expect, it } from 'vitest';
import { industries } from '../../../shared/application/industries.ts';
import {
  findIndustries,
  industryOptions,
  toIndustryLabel,
  toIndustryValue,
} from '../../../widget/fields/industry-search.ts';

const labelsOf = (query: string) => findIndustries(query).map(({ label }) => label);

describe('findIndustries', () => {
  it('offers all 67 for an empty query', () => {
    expect(findIndustries('  ')).toHaveLength(67);
  });

  it('puts what begins with the query first, then words that do, then the rest', () => {
    expect(labelsOf('auto')).toEqual(['Auto Parts/Tires', 'Auto Repair', 'Auto Sales']);
    expect(labelsOf('re').slice(0, 3)).toEqual(['Real Estate', 'Recreation', 'Retail']);
    expect(labelsOf('care')[0]).toBe('Care Providers');
    expect(labelsOf('care')).toContain('Healthcare');
  });

  it('looks past signs and case', () => {
    expect(labelsOf('FOOD and')).toEqual([]);
    expect(labelsOf('food beverage')).toEqual(['Food & Beverage']);
    expect(labelsOf('doctors')).toEqual(['Doctor’s Office']);
  });
});

describe('labels and values', () => {
  it('every label leads back to its exact value', () => {
    expect(industryOptions.map(({ label }) => toIndustryValue(label))).toEqual([...industries]);
  });

  it('the service’s own spelling is understood and shown corrected', () => {
    expect(toIndustryValue('convenient stores')).toBe('Convenient Stores');
    expect(toIndustryLabel('Convenient Stores')).toBe('Convenience Stores');
  });

  it('an unknown text stays as it is, for the check to refuse', () => {
    expect(toIndustryValue(' Piracy ')).toBe('Piracy');
  });
});
