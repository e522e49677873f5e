// The 40 document categories: our stable id, the service's exact spelling, and a group to find it in.

import type { DocumentCategoryGroup } from './document-category-groups.ts';

/**
 * `wire` is what the funding service accepts, misspellings included (spec, "Allowed document categories"); what people
 * read stands in `document-category-labels.ts`. `internal` categories are written by the lender's own staff and stay hidden
 * from applicants unless the partner's settings list them.
 */
export interface DocumentCategory {
  readonly id: string;
  readonly wire: string;
  readonly group: DocumentCategoryGroup;
  readonly internal?: true;
}

export const documentCategories = [
  { id: 'bank-statements-jan', wire: 'Bank Statements - Jan', group: 'bank-statements' },
  { id: 'bank-statements-feb', wire: 'Bank Statements - Feb', group: 'bank-statements' },
  { id: 'bank-statements-mar', wire: 'Bank Statements - Mar', group: 'bank-statements' },
  { id: 'bank-statements-apr', wire: 'Bank Statements - Apr', group: 'bank-statements' },
  { id: 'bank-statements-may', wire: 'Bank Statements - May', group: 'bank-statements' },
  { id: 'bank-statements-jun', wire: 'Bank Statements - Jun', group: 'bank-statements' },
  { id: 'bank-statements-jul', wire: 'Bank Statements - Jul', group: 'bank-statements' },
  { id: 'bank-statements-aug', wire: 'Bank Statements - Aug', group: 'bank-statements' },
  { id: 'bank-statements-sept', wire: 'Bank Statements - Sept', group: 'bank-statements' },
  { id: 'bank-statements-oct', wire: 'Bank Statements - Oct', group: 'bank-statements' },
  { id: 'bank-statements-nov', wire: 'Bank Statements - Nov', group: 'bank-statements' },
  { id: 'bank-statements-dec', wire: 'Bank Statements - Dec', group: 'bank-statements' },
  { id: 'signed-application', wire: 'Signed Application', group: 'ownership' },
  { id: 'drivers-license', wire: "Driver's License", group: 'identity' },
  { id: 'voided-check', wire: 'Voided Check', group: 'bank-statements' },
  { id: 'proof-of-citizenship', wire: 'Proof of Citizenship', group: 'identity' },
  { id: 'bank-statements', wire: 'Bank Statements', group: 'bank-statements' },
  {
    id: 'month-to-date-bank-statements',
    wire: 'Month to Date Bank Statement(s)',
    group: 'bank-statements',
  },
  { id: 'business-tax-return', wire: 'Business Tax Return', group: 'financials' },
  { id: 'tax-return-extension', wire: 'Tax Return Extenstion', group: 'financials' },
  {
    id: 'profit-and-loss',
    wire: 'Year to Date Profit & Loss and Balance Sheet',
    group: 'financials',
  },
  { id: 'aging-report', wire: 'Cuurent Aging AR and AP Report', group: 'financials' },
  { id: 'wip-report', wire: 'WIP Report', group: 'financials' },
  { id: 'proof-of-ownership', wire: 'Proof of Ownership', group: 'ownership' },
  { id: 'operating-agreement', wire: 'Operating Agreement', group: 'ownership' },
  { id: 'purchase-agreement', wire: 'Purchase Agreement', group: 'ownership' },
  { id: 'ein-letter', wire: 'EIN Letter', group: 'ownership' },
  { id: 'utility-bill', wire: 'Utility Bill', group: 'identity' },
  { id: 'proof-of-good-standing', wire: 'Proof of Good Standing with the SOS', group: 'ownership' },
  { id: 'tax-lien-payment-plan', wire: 'Tax Lien Payment Plan', group: 'debt' },
  { id: 'ucc-filings', wire: 'Documentation on UCC Filing(s)', group: 'debt' },
  { id: 'zero-balance-letter', wire: 'Zero Balance letter', group: 'debt' },
  { id: 'payoff-letter', wire: 'Payoff Letter', group: 'debt' },
  { id: 'merchant-interview', wire: 'Merchant Interview', group: 'lender', internal: true },
  { id: 'signed-contracts', wire: 'Signed Contracts', group: 'lender', internal: true },
  {
    id: 'bank-verification',
    wire: 'Bank Verification -Aggregator',
    group: 'lender',
    internal: true,
  },
  { id: 'funding-call', wire: 'Funding Call', group: 'lender', internal: true },
  { id: 'other', wire: 'Other', group: 'other' },
  { id: 'psf', wire: 'PSF', group: 'lender', internal: true },
  { id: 'bank-letter', wire: 'Bank Letter', group: 'bank-statements' },
] as const satisfies readonly DocumentCategory[];

export type DocumentCategoryId = (typeof documentCategories)[number]['id'];

export const documentCategoryIds: readonly DocumentCategoryId[] = documentCategories.map(
  ({ id }) => id,
);

/** The categories an applicant may choose: internal ones only where they are among `shown`. */
export function listOpenCategories(
  shown: readonly DocumentCategoryId[],
): readonly (DocumentCategory & { readonly id: DocumentCategoryId })[] {
  return documentCategories.filter(
    (category) => !('internal' in category) || shown.includes(category.id),
  );
}

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
