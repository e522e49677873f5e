// The 40 document categories: our stable id, the service's exact spelling, the label people read, and a group to find it in.

import type { DocumentCategoryGroup } from './document-category-groups.ts';

/**
 * `wire` is what the funding service accepts, misspellings included (spec, "Allowed document categories"); `label` is
 * corrected for the screen. `internal` categories are written by the lender's own staff and stay hidden from applicants
 * unless the partner's settings list them.
 */
export interface DocumentCategory {
  readonly id: string;
  readonly wire: string;
  readonly label: string;
  readonly group: DocumentCategoryGroup;
  readonly internal?: true;
}

export const documentCategories = [
  {
    id: 'bank-statements-jan',
    wire: 'Bank Statements - Jan',
    label: 'Bank statement, January',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-feb',
    wire: 'Bank Statements - Feb',
    label: 'Bank statement, February',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-mar',
    wire: 'Bank Statements - Mar',
    label: 'Bank statement, March',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-apr',
    wire: 'Bank Statements - Apr',
    label: 'Bank statement, April',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-may',
    wire: 'Bank Statements - May',
    label: 'Bank statement, May',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-jun',
    wire: 'Bank Statements - Jun',
    label: 'Bank statement, June',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-jul',
    wire: 'Bank Statements - Jul',
    label: 'Bank statement, July',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-aug',
    wire: 'Bank Statements - Aug',
    label: 'Bank statement, August',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-sept',
    wire: 'Bank Statements - Sept',
    label: 'Bank statement, September',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-oct',
    wire: 'Bank Statements - Oct',
    label: 'Bank statement, October',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-nov',
    wire: 'Bank Statements - Nov',
    label: 'Bank statement, November',
    group: 'bank-statements',
  },
  {
    id: 'bank-statements-dec',
    wire: 'Bank Statements - Dec',
    label: 'Bank statement, December',
    group: 'bank-statements',
  },
  {
    id: 'signed-application',
    wire: 'Signed Application',
    label: 'Signed application',
    group: 'ownership',
  },
  { id: 'drivers-license', wire: "Driver's License", label: "Driver's license", group: 'identity' },
  { id: 'voided-check', wire: 'Voided Check', label: 'Voided check', group: 'bank-statements' },
  {
    id: 'proof-of-citizenship',
    wire: 'Proof of Citizenship',
    label: 'Proof of citizenship',
    group: 'identity',
  },
  {
    id: 'bank-statements',
    wire: 'Bank Statements',
    label: 'Bank statements, several months',
    group: 'bank-statements',
  },
  {
    id: 'month-to-date-bank-statements',
    wire: 'Month to Date Bank Statement(s)',
    label: 'Month-to-date bank statement',
    group: 'bank-statements',
  },
  {
    id: 'business-tax-return',
    wire: 'Business Tax Return',
    label: 'Business tax return',
    group: 'financials',
  },
  {
    id: 'tax-return-extension',
    wire: 'Tax Return Extenstion',
    label: 'Tax return extension',
    group: 'financials',
  },
  {
    id: 'profit-and-loss',
    wire: 'Year to Date Profit & Loss and Balance Sheet',
    label: 'Year-to-date profit and loss, and balance sheet',
    group: 'financials',
  },
  {
    id: 'aging-report',
    wire: 'Cuurent Aging AR and AP Report',
    label: 'Current accounts receivable and payable aging report',
    group: 'financials',
  },
  {
    id: 'wip-report',
    wire: 'WIP Report',
    label: 'Work-in-progress (WIP) report',
    group: 'financials',
  },
  {
    id: 'proof-of-ownership',
    wire: 'Proof of Ownership',
    label: 'Proof of ownership',
    group: 'ownership',
  },
  {
    id: 'operating-agreement',
    wire: 'Operating Agreement',
    label: 'Operating agreement',
    group: 'ownership',
  },
  {
    id: 'purchase-agreement',
    wire: 'Purchase Agreement',
    label: 'Purchase agreement',
    group: 'ownership',
  },
  { id: 'ein-letter', wire: 'EIN Letter', label: 'EIN letter from the IRS', group: 'ownership' },
  { id: 'utility-bill', wire: 'Utility Bill', label: 'Utility bill', group: 'identity' },
  {
    id: 'proof-of-good-standing',
    wire: 'Proof of Good Standing with the SOS',
    label: 'Proof of good standing with the Secretary of State',
    group: 'ownership',
  },
  {
    id: 'tax-lien-payment-plan',
    wire: 'Tax Lien Payment Plan',
    label: 'Tax lien payment plan',
    group: 'debt',
  },
  {
    id: 'ucc-filings',
    wire: 'Documentation on UCC Filing(s)',
    label: 'Documents about UCC filings',
    group: 'debt',
  },
  {
    id: 'zero-balance-letter',
    wire: 'Zero Balance letter',
    label: 'Zero balance letter',
    group: 'debt',
  },
  { id: 'payoff-letter', wire: 'Payoff Letter', label: 'Payoff letter', group: 'debt' },
  {
    id: 'merchant-interview',
    wire: 'Merchant Interview',
    label: 'Merchant interview',
    group: 'lender',
    internal: true,
  },
  {
    id: 'signed-contracts',
    wire: 'Signed Contracts',
    label: 'Signed contracts',
    group: 'lender',
    internal: true,
  },
  {
    id: 'bank-verification',
    wire: 'Bank Verification -Aggregator',
    label: 'Bank verification',
    group: 'lender',
    internal: true,
  },
  {
    id: 'funding-call',
    wire: 'Funding Call',
    label: 'Funding call',
    group: 'lender',
    internal: true,
  },
  { id: 'other', wire: 'Other', label: 'Something else', group: 'other' },
  { id: 'psf', wire: 'PSF', label: 'PSF', group: 'lender', internal: true },
  {
    id: 'bank-letter',
    wire: 'Bank Letter',
    label: 'Letter from your bank',
    group: 'bank-statements',
  },
] as const satisfies readonly DocumentCategory[];

export type DocumentCategoryId = (typeof documentCategories)[number]['id'];

export const documentCategoryIds: readonly DocumentCategoryId[] = documentCategories.map(
  ({ id }) => id,
);

/**
 * The wire value of a category. The aggregation provider's name stands inside one of them ("Bank Verification -<name>"),
 * so it comes from configuration; every other value is constant.
 */
export function toDocumentCategoryWire(id: DocumentCategoryId, aggregatorName: string): string {
  if (id === 'bank-verification') return `Bank Verification -${aggregatorName}`;
  const category = documentCategories.find((candidate) => candidate.id === id);
  if (!category) throw new RangeError('Unknown document category');
  return category.wire;
}
