import { describe, expect, it } from 'vitest';
import { toLead, type LeadContext, type LeadSettings } from '../../../bff/funding-service/lead.ts';
import { leadSchema } from '../../../shared/funding-service/lead.ts';
import { createFullApplication, createMinimalApplication } from '../../support/applications.ts';

const context: LeadContext = {
  id: '0199a0b1-0000-7000-8000-00000000000a',
  createdAt: new Date('2026-05-04T10:00:01Z'),
  signedAt: new Date('2026-05-04T10:00:00Z'),
  clientAddress: '203.0.113.9',
};
const settings: LeadSettings = { leadSource: 'Harbor Partners' };

const requiredFields = {
  ID: context.id,
  AnnualRevenue: 640_000,
  BusinessAddress: { Address: '12 Wharf Street', City: 'Portland', State: 'ME', Zip: '04101' },
  BusinessType: 'LLC',
  Company: 'Harbor Bakery LLC',
  ContactEmail: 'dana@harborbakery.example',
  ContactFirstName: 'Dana',
  ContactLastName: 'Osei',
  ContactPhone: '2075550134',
  CreditScore: '680-719',
  FoundedMonth: '3',
  FoundedYear: '2019',
  HomeAddress: { Address: '8 Hill Road', City: 'Bangor', State: 'ME', Zip: '04401-1234' },
  Industry: 'Food & Beverage',
  LoanAmount: 75_000,
  LoanReason: 'Equipment',
  TimeInBusinessMonths: 86,
  CreatedAt: '2026-05-04T10:00:01.000Z',
  LeadSource: 'Harbor Partners',
  BusinessAge: '7',
  SignatureName: 'Dana Osei',
  SignatureTimestamp: '2026-05-04T10:00:00.000Z',
};

describe('toLead', () => {
  it('fills all 37 fields when everything is known', () => {
    const fields = {
      CampaignID: 'default',
      OutcomeID: 'out-1',
      IndustryNaics: '311811',
      BusinessTypeByIndustry: 'Bakery',
      NumberOfOffers: '0',
      Files: ['file-1'],
    };
    const lead = toLead(createFullApplication(), context, {
      ...settings,
      fields,
      allowedCampaignIds: ['spring-2026'],
    });
    expect(lead).toEqual({
      ...requiredFields,
      ...fields,
      CampaignID: 'spring-2026',
      TimeInBusinessMonths: 85,
      InceptionDate: '2019-03-20',
      NumberOfEmployees: 9,
      TaxId: '123456789',
      BirthDay: '1984-07-02',
      Ssn: '123456780',
      OwnershipPct: 60,
      OtherManagers: true,
      SignatureIp: '203.0.113.9',
      Ip: '203.0.113.9',
    });
    expect(Object.keys(lead)).toHaveLength(37);
    expect(Object.keys(lead).sort()).toEqual(Object.keys(leadSchema.shape).sort());
  });

  it('leaves out, not null, what is not known', () => {
    const lead = toLead(
      createMinimalApplication(),
      { ...context, clientAddress: undefined },
      settings,
    );
    expect(lead).toStrictEqual(requiredFields);
  });

  it('is the same text for the same input', () => {
    const write = () => JSON.stringify(toLead(createFullApplication(), context, settings));
    expect(write()).toBe(write());
  });

  it('keeps zero and false', () => {
    const application = createFullApplication();
    const lead = toLead(
      {
        ...application,
        business: { ...application.business, annualRevenue: 0, employees: 0 },
        owner: { ...application.owner, otherManagers: false, ownershipPercent: 0 },
      },
      context,
      settings,
    );
    expect(lead).toMatchObject({
      AnnualRevenue: 0,
      NumberOfEmployees: 0,
      OtherManagers: false,
      OwnershipPct: 0,
    });
  });

  it("leaves out a campaign of the page that the partner's settings do not allow", () => {
    const lead = toLead(createFullApplication(), context, {
      ...settings,
      allowedCampaignIds: ['summer-2026'],
    });
    expect(lead).not.toHaveProperty('CampaignID');
  });

  it('writes month and age in the configured forms', () => {
    const lead = toLead(createMinimalApplication(), context, {
      ...settings,
      foundedMonthFormat: 'name',
      businessAgeFormat: 'years-and-months',
    });
    expect(lead).toMatchObject({ FoundedMonth: 'March', BusinessAge: '7 years 2 months' });
  });

  it("lets the partner's hook go before page and settings, in its six fields only", () => {
    const enrichment = { CampaignID: 'hook', OutcomeID: null, LoanAmount: 1, Extra: 'x' };
    const lead = toLead(
      createFullApplication(),
      context,
      {
        ...settings,
        fields: { OutcomeID: 'out-1' },
        allowedCampaignIds: ['spring-2026'],
      },
      // A hook is JavaScript: it may answer with anything.
      enrichment as object,
    );
    expect(lead).toMatchObject({ CampaignID: 'hook', OutcomeID: 'out-1', LoanAmount: 75_000 });
    expect(lead).not.toHaveProperty('Extra');
  });

  it('throws on a value the wire cannot carry', () => {
    const application = createFullApplication();
    const business = { ...application.business, industry: 'Alchemy' };
    expect(() => toLead({ ...application, business }, context, settings)).toThrow('Industry');
  });
});
