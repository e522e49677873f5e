// The test data of the run. Every record says that it is a test, and no value can belong to a person or a business.

import { readFileSync } from 'node:fs';
import { toLead, type LeadSettings } from '../bff/funding-service/lead.ts';
import type { Application } from '../shared/application/application.ts';
import { isAddressField, leadSchema } from '../shared/funding-service/lead.ts';

/** The mark in the business name of every lead and in the content of every document. */
export const testMark = 'TEST - do not process';

/** The lines that the operator confirms. */
export const testDataLines: readonly string[] = [
  `Business name    ${testMark} (conformance)`,
  'Owner            Conformance Test, 1 Test Street, Portland, ME 04101',
  'E-mail, phone    conformance-test@example.com, 202-555-0100 (reserved for fiction)',
  'SSN, EIN         987654321, 001234567 (never issued)',
  'Addresses        192.0.2.1 (reserved for documentation)',
];

const address = { street: '1 Test Street', city: 'Portland', state: 'ME', zip: '04101' } as const;

/** Values that the specification does not show. The first of each list is the one that is sent by default. */
export interface ChosenValues {
  readonly BusinessType: string;
  readonly CreditScore: string;
  readonly LoanReason: string;
}

function createApplication(chosen: ChosenValues): Application {
  return {
    fundingNeed: { amount: 50_000, reason: chosen.LoanReason },
    business: {
      name: `${testMark} (conformance)`,
      type: chosen.BusinessType,
      industry: 'Consulting',
      address,
      annualRevenue: 500_000,
      foundedMonth: 3,
      foundedDay: 20,
      foundedYear: 2015,
      employees: 5,
      taxId: '001234567',
    },
    owner: {
      firstName: 'Conformance',
      lastName: 'Test',
      email: 'conformance-test@example.com',
      phone: '2025550100',
      homeAddress: address,
      birthDate: '1980-01-01',
      // The Social Security Administration issues no number that begins with 9.
      ssn: '987654321',
      creditScore: chosen.CreditScore,
      ownershipPercent: 100,
      otherManagers: false,
    },
    consents: [],
    signature: { name: 'Conformance Test' },
  };
}

export interface LeadOptions {
  readonly id: string;
  readonly now: Date;
  readonly chosen: ChosenValues;
  readonly settings: LeadSettings;
}

/** The lead that the BFF itself would send, with every optional field but `Files`. */
export function createFullLead({ id, now, chosen, settings }: LeadOptions): TestLead {
  return {
    ...toLead(
      createApplication(chosen),
      { id, createdAt: now, signedAt: now, clientAddress: '192.0.2.1' },
      { campaignId: 'conformance-test', outcomeId: 'conformance-test', ...settings },
      {
        IndustryNaics: '541611',
        BusinessTypeByIndustry: 'Consulting',
        NumberOfOffers: '0',
      },
    ),
  };
}

/** A lead of the wire, or a deliberately wrong one. */
export type TestLead = Readonly<Record<string, unknown>>;

export const requiredLeadFields: readonly string[] = Object.entries(leadSchema.shape)
  .filter(([, schema]) => schema._zod.optin !== 'optional')
  .map(([name]) => name);

export const addressFields = requiredLeadFields.filter(isAddressField);

export function createMinimalLead(options: LeadOptions): TestLead {
  const full = createFullLead(options);
  return Object.fromEntries(requiredLeadFields.map((name) => [name, full[name]]));
}

export function omit(lead: TestLead, path: string): TestLead {
  const [name = '', part] = path.split('.');
  const { [name]: value, ...rest } = lead;
  if (part === undefined) return rest;
  return { ...rest, [name]: omit(value as TestLead, part) };
}

/** A complete report in the form of aggregation providers, with invented content. */
export function createAssetReport(id: string, now: Date): Readonly<Record<string, unknown>> {
  const date = now.toISOString().slice(0, 10);
  return {
    report: {
      asset_report_id: id,
      client_report_id: 'conformance-test',
      date_generated: now.toISOString(),
      days_requested: 30,
      items: [
        {
          institution_name: `${testMark} (invented bank)`,
          accounts: [
            {
              account_id: 'conformance-test-account',
              name: testMark,
              official_name: testMark,
              type: 'depository',
              subtype: 'checking',
              mask: '0000',
              days_available: 30,
              balances: { current: 1_000, available: 1_000 },
              owners: [
                {
                  names: ['Conformance Test'],
                  emails: [
                    { data: 'conformance-test@example.com', primary: true, type: 'primary' },
                  ],
                },
              ],
              historical_balances: [{ date, current: 1_000 }],
              transactions: [
                { transaction_id: 'conformance-1', amount: -250, date, name: testMark },
                { transaction_id: 'conformance-2', amount: 100, date, name: testMark },
              ],
            },
          ],
        },
      ],
    },
  };
}

/** A PDF of exactly this size, or of its smallest size. The page says that it is a test. */
export function createPdf(bytes = 0): Buffer {
  const content = `BT /F1 18 Tf 72 720 Td (${testMark} \\(conformance\\)) Tj ET`;
  const build = (padding: number): string => {
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      // Spaces after the operators of the page show nothing.
      `<</Length ${content.length + padding}>>\nstream\n${content}${' '.repeat(padding)}\nendstream`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ];
    let text = '%PDF-1.7\n';
    const offsets = objects.map((body, index) => {
      const offset = text.length;
      text += `${index + 1} 0 obj\n${body}\nendobj\n`;
      return `${String(offset).padStart(10, '0')} 00000 n \n`;
    });
    const start = text.length;
    return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  };
  // The digits of the lengths and offsets grow with the padding, so the second estimate can be off by a few bytes as well.
  let padding = 0;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    padding = Math.max(0, padding + bytes - build(padding).length);
  }
  return Buffer.from(build(padding), 'latin1');
}

const folder = new URL('./files/', import.meta.url);

/** Content for an extension of `documents.extensions`; `undefined` if there is no sample. */
export function createSample(extension: string): Buffer | undefined {
  switch (extension) {
    case 'pdf':
      return createPdf();
    case 'jpg':
    case 'jpeg':
      return readFileSync(new URL('test.jpg', folder));
    case 'png':
      return readFileSync(new URL('test.png', folder));
    case 'txt':
      return Buffer.from(`${testMark}\n`);
    case 'csv':
      return Buffer.from(`note\n${testMark}\n`);
    default:
      return undefined;
  }
}

/**
 * An ApplicationID of the same form that belongs to no lead. The ids of CRM platforms have a prefix for the kind of record, and their
 * last three characters encode the capitals of the first fifteen.
 */
export function toUnknownId(applicationId: string | undefined): string {
  const id = applicationId ?? '00Q000000000001';
  const [, prefix, check] = /^([A-Za-z0-9]{3})[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/.exec(id) ?? [];
  if (prefix === undefined) return id.replaceAll(/[A-Za-z0-9]/g, '0');
  const base = `${prefix}000000000000`;
  if (applicationId !== undefined && check === undefined) return base;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';
  const characters = [0, 5, 10].map((start) => {
    const capitals = Array.from(base.slice(start, start + 5), (letter, bit) =>
      /[A-Z]/.test(letter) ? 1 << bit : 0,
    );
    return alphabet.charAt(capitals.reduce((sum, bit) => sum | bit, 0));
  });
  return base + characters.join('');
}
