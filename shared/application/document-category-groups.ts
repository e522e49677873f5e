// The groups in which an applicant finds a document category; apart from the list, so that a browser need not load that.

export const documentCategoryGroups = [
  'bank-statements',
  'identity',
  'financials',
  'ownership',
  'debt',
  'lender',
  'other',
] as const;

export type DocumentCategoryGroup = (typeof documentCategoryGroups)[number];
