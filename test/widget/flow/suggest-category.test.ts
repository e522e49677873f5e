// What the names of real files say about them, and what they leave open.

import { describe, expect, it } from 'vitest';
import { documentCategories } from '../../../shared/application/document-categories.ts';
import { suggestCategory } from '../../../widget/flow/suggest-category.ts';

const categories = documentCategories
  .filter((category) => !('internal' in category))
  .map(({ id }) => id);

/** Names as banks, scanners, telephones and people give them, with the category that is wanted; empty where no guess is. */
const wanted: readonly (readonly [string, string])[] = [
  ['2026-03 Chase statement.pdf', 'bank-statements-mar'],
  ['stmt_mar.pdf', 'bank-statements-mar'],
  ['BofA_03312026.pdf', 'bank-statements-mar'],
  ['estado de cuenta marzo.pdf', 'bank-statements-mar'],
  ['eStmt_2026-09-30.pdf', 'bank-statements-sept'],
  ['20260831-statements-4471-.pdf', 'bank-statements-aug'],
  ['Statement_Oct 2026.PDF', 'bank-statements-oct'],
  ['WellsFargo 073126.pdf', 'bank-statements-jul'],
  ['Estado-de-Cuenta-Septiembre-2026.pdf', 'bank-statements-sept'],
  ['estado_cuenta_12-2025.pdf', 'bank-statements-dec'],
  ['Business Checking - November 30, 2026.pdf', 'bank-statements-nov'],
  ['bank statement june.pdf', 'bank-statements-jun'],
  ['TD Bank Feb 2026.pdf', 'bank-statements-feb'],
  ['October.pdf', 'bank-statements-oct'],
  ['Sept 2026.pdf', 'bank-statements-sept'],
  ['AcctStmt_202605.pdf', 'bank-statements-may'],
  ['Mercury statement 2026-04.pdf', 'bank-statements-apr'],
  ['CITI_01-31-2026.pdf', 'bank-statements-jan'],
  ['Bank Statements Jul Aug Sep.pdf', 'bank-statements'],
  ['statements.pdf', 'bank-statements'],
  ['Chase5529_Activity_20261119.CSV', 'month-to-date-bank-statements'],
  ['MTD transactions.pdf', 'month-to-date-bank-statements'],
  ['drivers-license-photo.jpg', 'drivers-license'],
  ["Rosa's driver's license (front).jpeg", 'drivers-license'],
  ['DL front.png', 'drivers-license'],
  ['license.jpg', 'drivers-license'],
  ['licencia de conducir.jpg', 'drivers-license'],
  ['passport.jpg', 'proof-of-citizenship'],
  ['voided check.png', 'voided-check'],
  ['VoidCheck_Chase.pdf', 'voided-check'],
  ['cheque anulado.jpg', 'voided-check'],
  ['2025 Form 1120S.pdf', 'business-tax-return'],
  ['1065_2024_final.pdf', 'business-tax-return'],
  ['2025_Schedule_C.pdf', 'business-tax-return'],
  ['2024 Tax Return - Nunez Bakery LLC.pdf', 'business-tax-return'],
  ['declaracion de impuestos 2025.pdf', 'business-tax-return'],
  ['Form 7004 extension 2025.pdf', 'tax-return-extension'],
  ['P&L 2026 YTD.pdf', 'profit-and-loss'],
  ['Balance Sheet 09-30-2026.pdf', 'profit-and-loss'],
  ['Profit and Loss Jan-Sep 2026.xlsx', 'profit-and-loss'],
  ['estado de resultados 2026.pdf', 'profit-and-loss'],
  ['AR Aging Summary.pdf', 'aging-report'],
  ['WIP report Q3.pdf', 'wip-report'],
  ['Articles of Organization.pdf', 'proof-of-ownership'],
  ['2025 Schedule K-1 (1065).pdf', 'proof-of-ownership'],
  ['Operating Agreement signed.pdf', 'operating-agreement'],
  ['IRS_CP575_EIN.pdf', 'ein-letter'],
  ['EIN letter 147C.pdf', 'ein-letter'],
  ['Certificate of Good Standing.pdf', 'proof-of-good-standing'],
  ['UCC-1 termination.pdf', 'ucc-filings'],
  ['OnDeck payoff letter.pdf', 'payoff-letter'],
  ['Zero Balance Letter - Kabbage.pdf', 'zero-balance-letter'],
  ['IRS installment agreement.pdf', 'tax-lien-payment-plan'],
  ['ConEd electric bill.pdf', 'utility-bill'],
  ['Commercial Lease 2024-2029.pdf', 'other'],
  ['debt schedule.xlsx', 'other'],
  ['Business License 2026.pdf', 'other'],
  ['IMG_2041.jpg', ''],
  ['scan.pdf', ''],
  ['Scan 2026-03-14.pdf', ''],
  ['20260318_142233.jpg', ''],
  ['WhatsApp Image 2026-03-14 at 10.22.31.jpeg', ''],
  ['document (3).pdf', ''],
  ['bank statement.pdf', ''],
  ['statement_1234.pdf', ''],
  ['Statement 2026-04-02.pdf', ''],
  ['Statement Feb 27 to Mar 28 2026.pdf', ''],
  ['Amex card statement March.pdf', ''],
  ['Auto loan statement 2026-03.pdf', ''],
  ['Marco Mayorga.pdf', ''],
  ['image.jpg', ''],
];

describe('the name of a file', () => {
  it.each(wanted)('“%s” suggests “%s”', (name, category) => {
    expect(suggestCategory(name, categories)).toBe(category);
  });

  it('suggests only what the applicant may choose', () => {
    expect(suggestCategory('voided check.png', ['drivers-license'])).toBe('');
  });
});
