// Each answer of an application at its limits and just beyond them, and signatures.

import { describe, expect, it } from 'vitest';
import {
  createApplicationSchema,
  type ApplicationRules,
} from '../../../shared/application/application.ts';
import { toFieldErrors } from '../../../shared/application/field-errors.ts';
import { isCalendarDate } from '../../../shared/application/fields.ts';
import { applyChange, readGroupedRows } from '../../support/grouped-rows.ts';

const rules: ApplicationRules = {
  fundingReasons: ['Equipment'],
  businessTypes: ['LLC'],
  creditScores: ['720+'],
  requiredFields: [],
  now: () => new Date('2026-11-20T12:00:00Z'),
};
const address = { street: '100 Main St', city: 'Austin', state: 'TX', zip: '78701' };
const business = {
  name: 'Rosa’s Bakery LLC',
  type: 'LLC',
  industry: 'Food & Beverage',
  address,
  annualRevenue: 480_000,
  foundedMonth: 3,
  foundedYear: 2017,
};
const owner = {
  firstName: 'Rosa',
  lastName: 'Núñez',
  email: 'rosa@example.com',
  phone: '5125550134',
  homeAddress: { ...address },
  creditScore: '720+',
};
const application = {
  fundingNeed: { amount: 75_000, reason: 'Equipment' },
  business,
  owner,
  consents: [{ id: 'terms', version: '1' }],
  signature: { name: 'Rosa Nunez' },
};

function errorsOf(value: unknown, changes: Partial<ApplicationRules> = {}) {
  const schema = createApplicationSchema({ ...rules, ...changes });
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : toFieldErrors(parsed.error.issues);
}

describe('application schema', () => {
  it('accepts an application without the optional fields', () => {
    expect(errorsOf(application)).toEqual([]);
  });

  it('accepts every optional field', () => {
    const full = {
      ...application,
      business: { ...business, foundedDay: 31, employees: 0, taxId: '123456789' },
      owner: {
        ...owner,
        birthDate: '1985-04-27',
        ssn: '219099999',
        ownershipPercent: 100,
        otherManagers: false,
      },
      campaignId: 'spring',
    };
    expect(createApplicationSchema(rules).parse(full)).toEqual(full);
  });

  it.each([
    ['birthDate', '/owner/birthDate'],
    ['ssn', '/owner/ssn'],
    ['taxId', '/business/taxId'],
    ['ownershipPercent', '/owner/ownershipPercent'],
    ['employees', '/business/employees'],
  ] as const)('requires %s if the partner configures it', (field, pointer) => {
    expect(errorsOf(application, { requiredFields: [field] })).toEqual([
      { pointer, code: 'required' },
    ]);
  });

  it.each(readGroupedRows('application-answers.txt'))('%s: %s', (change, code) => {
    const [changed, path] = applyChange(application, change);
    const pointer = `/${path.replaceAll('.', '/')}`;
    expect(errorsOf(changed)).toEqual(code === 'accepted' ? [] : [{ pointer, code }]);
  });

  it('rejects null in place of a part with required fields', () => {
    const errors = errorsOf({ ...application, owner: null }, { requiredFields: ['ssn'] });
    expect(errors).toEqual([{ pointer: '/owner', code: expect.any(String) }]);
  });

  it('accepts at most 20 consents', () => {
    const consents = Array.from({ length: 20 }, (_none, index) => ({
      id: `c${index}`,
      version: '1',
    }));
    expect(errorsOf({ ...application, consents })).toEqual([]);
    const [error] = errorsOf({
      ...application,
      consents: [...consents, { id: 'x', version: '1' }],
    });
    expect(error?.pointer).toBe('/consents');
  });

  it('reports an unknown key at its parent', () => {
    const unknown = { ...owner, 'secret-219-09-9999': 'x' };
    expect(errorsOf({ ...application, owner: unknown })).toEqual([
      { pointer: '/owner', code: 'unknown-field' },
    ]);
  });
});

it.each([
  ['1799-12-31', false],
  ['1800-01-01', true],
  ['1900-02-29', false],
])('isCalendarDate of %s is %s', (date, expected) => {
  expect(isCalendarDate(date)).toBe(expected);
});
