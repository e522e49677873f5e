import { describe, expect, it } from 'vitest';
import {
  createApplicationSchema,
  isSignedBy,
  type ApplicationRules,
} from '../../../shared/application/application.ts';
import { toFieldErrors } from '../../../shared/application/field-errors.ts';

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
  homeAddress: address,
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

const withBusiness = (changes: object) => ({
  ...application,
  business: { ...business, ...changes },
});
const withOwner = (changes: object) => ({ ...application, owner: { ...owner, ...changes } });

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

  it.each([
    [{ fundingNeed: { amount: 0, reason: 'Equipment' } }, '/fundingNeed/amount', 'too-small'],
    [{ fundingNeed: { amount: 1e9, reason: 'Equipment' } }, '/fundingNeed/amount', 'too-large'],
    [{ fundingNeed: { amount: 1.5, reason: 'Equipment' } }, '/fundingNeed/amount', 'not-a-number'],
    [{ fundingNeed: { amount: '1', reason: 'Equipment' } }, '/fundingNeed/amount', 'not-a-number'],
    [{ fundingNeed: { amount: 1, reason: '' } }, '/fundingNeed/reason', 'required'],
    [{ fundingNeed: { amount: 1, reason: 'Yacht' } }, '/fundingNeed/reason', 'not-in-list'],
    [withBusiness({ name: '   ' }), '/business/name', 'required'],
    [withBusiness({ name: 'x'.repeat(256) }), '/business/name', 'too-long'],
    [withBusiness({ name: 'a\u0000b' }), '/business/name', 'invalid'],
    [withBusiness({ industry: 'Piracy' }), '/business/industry', 'not-in-list'],
    [withBusiness({ address: { ...address, zip: '7870' } }), '/business/address/zip', 'zip'],
    [
      withBusiness({ address: { ...address, state: 'XX' } }),
      '/business/address/state',
      'not-in-list',
    ],
    [withBusiness({ foundedMonth: 13 }), '/business/foundedMonth', 'too-large'],
    [withBusiness({ foundedMonth: 2, foundedDay: 30 }), '/business/foundedDay', 'date'],
    [
      withBusiness({ foundedYear: 2026, foundedMonth: 12 }),
      '/business/foundedYear',
      'date-in-future',
    ],
    [withBusiness({ foundedYear: 17 }), '/business/foundedYear', 'too-small'],
    [withBusiness({ taxId: '001234567' }), '/business/taxId', 'ein'],
    [withOwner({ lastName: '-' }), '/owner/lastName', 'invalid'],
    [withBusiness({ name: 'Bakery \u202eCLL' }), '/business/name', 'invalid'],
    [withBusiness({ name: 'Bakery \ud800 LLC' }), '/business/name', 'invalid'],
    [withBusiness({ name: 'Bakery\u2028LLC' }), '/business/name', 'invalid'],
    [withOwner({ email: 'rosa@bakery' }), '/owner/email', 'email'],
    [withOwner({ email: 'ro\u0000sa@bakery.example' }), '/owner/email', 'email'],
    [withOwner({ email: 'ro\u202esa@bakery.example' }), '/owner/email', 'email'],
    [withOwner({ email: 'rosa bakery@example.com' }), '/owner/email', 'email'],
    [withOwner({ phone: '0125550134' }), '/owner/phone', 'phone'],
    [withOwner({ phone: '512555013' }), '/owner/phone', 'phone'],
    [withOwner({ ssn: '000123456' }), '/owner/ssn', 'ssn'],
    [withOwner({ ssn: '666123456' }), '/owner/ssn', 'ssn'],
    [withOwner({ ssn: '912123456' }), '/owner/ssn', 'ssn'],
    [withOwner({ ssn: '219009999' }), '/owner/ssn', 'ssn'],
    [withOwner({ ssn: '219090000' }), '/owner/ssn', 'ssn'],
    [withOwner({ birthDate: '1985-02-30' }), '/owner/birthDate', 'date'],
    [withOwner({ birthDate: '1906-11-19' }), '/owner/birthDate', 'date'],
    [withOwner({ birthDate: '2026-11-21' }), '/owner/birthDate', 'date-in-future'],
    [withOwner({ birthDate: '2008-11-21' }), '/owner/birthDate', 'too-young'],
    [withOwner({ ownershipPercent: 101 }), '/owner/ownershipPercent', 'too-large'],
    [{ signature: { name: 'Somebody Else' } }, '/signature/name', 'name-mismatch'],
  ])('rejects %j at %s', (changes, pointer, code) => {
    expect(errorsOf({ ...application, ...changes })).toEqual([{ pointer, code }]);
  });

  it.each([
    withBusiness({ annualRevenue: 0 }),
    withBusiness({ foundedMonth: 1 }),
    withBusiness({ foundedMonth: 12 }),
    withBusiness({ foundedDay: 1 }),
    withBusiness({ foundedYear: 1800 }),
    withBusiness({ foundedYear: 2026, foundedMonth: 11 }),
    withBusiness({ foundedYear: 2024, foundedMonth: 2, foundedDay: 29 }),
    withBusiness({ employees: 10_000_000 }),
    withOwner({ ownershipPercent: 0 }),
    withOwner({ ownershipPercent: 100 }),
    { ...application, campaignId: 'x'.repeat(100) },
  ])('accepts a value at a limit: case %#', (value) => {
    expect(errorsOf(value)).toEqual([]);
  });

  it.each([
    [withBusiness({ annualRevenue: -1 }), '/business/annualRevenue', 'too-small'],
    [withBusiness({ foundedMonth: 0 }), '/business/foundedMonth', 'too-small'],
    [withBusiness({ foundedDay: 0 }), '/business/foundedDay', 'too-small'],
    [withBusiness({ foundedYear: 1799 }), '/business/foundedYear', 'too-small'],
    [withBusiness({ foundedYear: 2027 }), '/business/foundedYear', 'date-in-future'],
    [
      withBusiness({ foundedYear: 2027, foundedMonth: 1 }),
      '/business/foundedYear',
      'date-in-future',
    ],
    [withBusiness({ employees: -1 }), '/business/employees', 'too-small'],
    [withBusiness({ employees: 10_000_001 }), '/business/employees', 'too-large'],
    [withBusiness({ foundedYear: 10_000 }), '/business/foundedYear', 'too-large'],
    [withBusiness({ foundedDay: 32 }), '/business/foundedDay', 'too-large'],
    [withOwner({ birthDate: '2026-11-20' }), '/owner/birthDate', 'too-young'],
    [withOwner({ ownershipPercent: -1 }), '/owner/ownershipPercent', 'too-small'],
    [withOwner({ otherManagers: 'no' }), '/owner/otherManagers', 'invalid'],
    [{ ...application, campaignId: 'x'.repeat(101) }, '/campaignId', 'too-long'],
  ])('rejects a value beyond a limit: case %#', (value, pointer, code) => {
    expect(errorsOf(value)).toEqual([{ pointer, code }]);
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

  it('accepts applicants from 18 to 120 years', () => {
    expect(errorsOf(withOwner({ birthDate: '2008-11-20' }))).toEqual([]);
    expect(errorsOf(withOwner({ birthDate: '1906-11-20' }))).toEqual([]);
  });

  it('reports an unknown key at its parent', () => {
    const errors = errorsOf(withOwner({ 'secret-219-09-9999': 'x' }));
    expect(errors).toEqual([{ pointer: '/owner', code: 'unknown-field' }]);
  });
});

describe('isSignedBy', () => {
  it.each([
    ['Rosa Núñez', 'Nunez', true],
    ['R. NUNEZ', 'Núñez', true],
    ['Mary O’Hara', "O'Hara", true],
    ['Soren Sorensen', 'Sørensen', true],
    ['J. Strauss', 'Strauß', true],
    ['Maria Garcia', 'García López', true],
    ['John Smith', 'Smith Jr.', true],
    ['John Smithson Jr', 'Miller Jr.', false],
    ['Ana Dordevic', 'Đorđević', true],
    ['Jan Walesa', 'Wałęsa', true],
    ['Kari Naess', 'Næss', true],
    ['Guy Coeur', 'Cœur', true],
    ['Ayse Isik', 'Işık', true],
    ['John Smithson Sr', 'Miller Sr.', false],
    ['John Smithson II', 'Miller II', false],
    ['John Smithson III', 'Miller III', false],
    ['John Smithson IV', 'Miller IV', false],
    ['Ana DeLaCruz', 'de la Cruz', true],
    ['Li X', 'X', true],
    ['Rosa', 'Núñez', false],
  ])('compares %j with %j', (signature, lastName, expected) => {
    expect(isSignedBy(signature, lastName)).toBe(expected);
  });
});
