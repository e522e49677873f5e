import { describe, expect, it } from 'vitest';
import { toApplicationPointer, toLead } from '../../../bff/funding-service/lead.ts';
import { createFullApplication } from '../../support/applications.ts';

describe('toApplicationPointer', () => {
  it.each<[string, string | undefined]>([
    ['AnnualRevenue', '/business/annualRevenue'],
    ['annualrevenue', '/business/annualRevenue'],
    ['BusinessAddress', '/business/address/street'],
    ['BusinessAddress.Address', '/business/address/street'],
    ['BusinessAddress.City', '/business/address/city'],
    ['HomeAddress.State', '/owner/homeAddress/state'],
    ['HomeAddress.Zip', '/owner/homeAddress/zip'],
    ['HomeAddress.Other', '/owner/homeAddress/street'],
    ['ContactPhone', '/owner/phone'],
    ['SignatureName', '/signature/name'],
    ['TimeInBusinessMonths', '/business/foundedYear'],
    ['ID', undefined],
    ['LeadSource', undefined],
    ['SignatureIp', undefined],
    ['CampaignID', undefined],
    ['Files', undefined],
    ['City', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%s stands at %s', (field, pointer) => {
    expect(toApplicationPointer(field)).toBe(pointer);
  });

  it('points into an application for every field the applicant gave', () => {
    const application = createFullApplication();
    const lead = toLead(
      application,
      { id: 'x', createdAt: new Date(), signedAt: new Date() },
      { leadSource: 'x' },
    );
    const pointers = Object.keys(lead).flatMap((field) => toApplicationPointer(field) ?? []);
    for (const pointer of pointers) {
      expect(resolve(application, pointer), pointer).toBeDefined();
    }
    expect(new Set(pointers).size).toBe(22);
  });
});

function resolve(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value);
}
