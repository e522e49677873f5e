import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../bff/config/settings.ts';
import {
  type LeadContext,
  type LeadSettings,
  toApplicationPointer,
  toLead,
} from '../../../bff/funding-service/lead.ts';
import type { Application } from '../../../shared/application/application.ts';
import { leadSchema } from '../../../shared/funding-service/lead.ts';
import leads from '../../fixtures/leads.json' with { type: 'json' };
import { createFullApplication, createMinimalApplication } from '../../support/applications.ts';

const context: LeadContext = {
  id: '0199a0b1-0000-7000-8000-00000000000a',
  createdAt: new Date('2026-05-04T10:00:01Z'),
  signedAt: new Date('2026-05-04T10:00:00Z'),
  clientAddress: '203.0.113.9',
};
const settings: LeadSettings = { ...defaultSettings().lead, leadSource: 'Harbor Partners' };

describe('toLead', () => {
  const application = createFullApplication();
  const partnerSettings = { ...settings, campaignId: 'default', outcomeId: 'out-1' };

  it('fills every field if everything is known', () => {
    const lead = toLead(application, context, partnerSettings, leads.partner);
    expect(lead).toEqual(leads.all);
    expect(Object.keys(lead).sort()).toEqual(Object.keys(leadSchema.shape).sort());
  });

  it('leaves out fields without a value', () => {
    const unknownAddress = { ...context, clientAddress: undefined };
    const lead = toLead(createMinimalApplication(), unknownAddress, settings);
    expect(lead).toStrictEqual(leads.required);
  });

  it('keeps zero and false', () => {
    const business = { ...application.business, annualRevenue: 0, employees: 0 };
    const owner = { ...application.owner, otherManagers: false, ownershipPercent: 0 };
    expect(toLead({ ...application, business, owner }, context, settings)).toMatchObject({
      AnnualRevenue: 0,
      NumberOfEmployees: 0,
      OtherManagers: false,
      OwnershipPct: 0,
    });
  });

  it('uses the campaign of the settings if the page names none', () => {
    const lead = toLead(createMinimalApplication(), context, partnerSettings);
    expect(lead.CampaignID).toBe('default');
  });

  it.each([
    ['number', 3, '3'],
    ['number', 12, '12'],
    ['two-digit', 3, '03'],
    ['two-digit', 11, '11'],
    ['name', 3, 'March'],
    ['short-name', 9, 'Sep'],
  ] as const)('writes FoundedMonth as %s: month %i', (foundedMonthFormat, month, expected) => {
    const lead = toLead(foundedOn(2019, month), context, { ...settings, foundedMonthFormat });
    expect(lead.FoundedMonth).toBe(expected);
  });

  it.each([
    ['years', 2020, 2, '6'],
    ['years', 2025, 6, '0'],
    ['months', 2020, 2, '75'],
    ['years-and-months', 2020, 2, '6 years 3 months'],
    ['years-and-months', 2025, 4, '1 year 1 month'],
    ['years-and-months', 2026, 5, '0 years 0 months'],
  ] as const)('writes BusinessAge as %s: %i-%i', (businessAgeFormat, year, month, expected) => {
    const lead = toLead(foundedOn(year, month), context, { ...settings, businessAgeFormat });
    expect(lead.BusinessAge).toBe(expected);
  });

  it.each([
    ['years ago', foundedOn(2019, 3), 86],
    ['this month', foundedOn(2026, 5), 0],
    ['less than a month ago', foundedOn(2026, 4, 5), 0],
    ['a month ago', foundedOn(2026, 4, 4), 1],
    ['last year', foundedOn(2025, 12), 5],
    ['later this month', foundedOn(2026, 5, 31), 0],
  ])('counts whole months in business: founded %s', (_name, founded, expected) => {
    expect(toLead(founded, context, settings).TimeInBusinessMonths).toBe(expected);
  });

  it("prefers the hook's values, in the partner's six fields only", () => {
    // A hook is JavaScript: it may return anything.
    const enrichment: object = { CampaignID: 'hook', OutcomeID: null, LoanAmount: 1, Extra: 'x' };
    const lead = toLead(application, context, partnerSettings, enrichment);
    expect(lead).toMatchObject({ CampaignID: 'hook', OutcomeID: 'out-1', LoanAmount: 75_000 });
    expect(lead).not.toHaveProperty('Extra');
  });

  it('throws on a value that the wire format does not allow', () => {
    const business = { ...application.business, industry: 'Alchemy' };
    expect(() => toLead({ ...application, business }, context, settings)).toThrow('Industry');
  });
});

describe('toApplicationPointer', () => {
  it.each<[string, string | undefined]>([
    ['annualrevenue', '/business/annualRevenue'],
    ['BusinessAddress', '/business/address/street'],
    ['BusinessAddress.Address', '/business/address/street'],
    ['BusinessAddress.City', '/business/address/city'],
    ['HomeAddress.State', '/owner/homeAddress/state'],
    ['HomeAddress.Zip', '/owner/homeAddress/zip'],
    ['HomeAddress.Other', '/owner/homeAddress/street'],
    ['ContactPhone', '/owner/phone'],
    ['SignatureName', '/signature/name'],
    ['FoundedMonth', '/business/foundedMonth'],
    ['TimeInBusinessMonths', '/business/foundedYear'],
    ['BusinessAge', '/business/foundedYear'],
    ['InceptionDate', '/business/foundedYear'],
    ['LeadSource', undefined],
    ['City', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('maps %s to %s', (field, pointer) => {
    expect(toApplicationPointer(field)).toBe(pointer);
  });

  it('returns every field that the applicant enters, except the founding day', () => {
    const { fundingNeed, business, owner, signature } = createFullApplication();
    const entered = Object.entries({ fundingNeed, business, owner, signature }).flatMap(
      ([section, fields]) =>
        Object.entries(fields).map(
          ([name, value]) => `/${section}/${name}${typeof value === 'object' ? '/street' : ''}`,
        ),
    );
    const pointers = Object.keys(leadSchema.shape).flatMap(
      (field) => toApplicationPointer(field) ?? [],
    );
    expect(new Set([...pointers, '/business/foundedDay'])).toEqual(new Set(entered));
  });
});

function foundedOn(foundedYear: number, foundedMonth: number, foundedDay?: number): Application {
  const application = createMinimalApplication();
  const founded = { foundedYear, foundedMonth, ...(foundedDay ? { foundedDay } : {}) };
  return { ...application, business: { ...application.business, ...founded } };
}
