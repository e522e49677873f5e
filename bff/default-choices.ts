// Choices and consents a partner starts with: usual for small businesses in the US; the service documents none of them.

import type { Choice } from '../shared/api/configuration.ts';
import { contactConsentId, type Consent } from '../shared/application/consent.ts';

export const defaultFundingReasons: readonly Choice[] = [
  { value: 'Working Capital', label: 'Working capital' },
  { value: 'Expansion', label: 'Growing or opening a location' },
  { value: 'Equipment', label: 'Equipment or vehicles' },
  { value: 'Inventory', label: 'Inventory' },
  { value: 'Payroll', label: 'Payroll or hiring' },
  { value: 'Marketing', label: 'Marketing' },
  { value: 'Remodeling', label: 'Remodeling or repairs' },
  { value: 'Debt Refinancing', label: 'Refinancing debt' },
  { value: 'Business Purchase', label: 'Buying a business' },
  { value: 'Taxes', label: 'Taxes' },
  { value: 'Other', label: 'Something else' },
];

export const defaultBusinessTypes: readonly Choice[] = [
  { value: 'Sole Proprietorship', label: 'Sole proprietorship' },
  { value: 'LLC', label: 'Limited liability company (LLC)' },
  { value: 'Corporation', label: 'C corporation' },
  { value: 'S Corporation', label: 'S corporation' },
  { value: 'Partnership', label: 'General partnership' },
  { value: 'Limited Partnership', label: 'Limited partnership (LP)' },
  { value: 'Limited Liability Partnership', label: 'Limited liability partnership (LLP)' },
  { value: 'Professional Corporation', label: 'Professional corporation or PLLC' },
  { value: 'Non-Profit', label: 'Nonprofit' },
  { value: 'Other', label: 'Something else' },
];

export const defaultCreditScores: readonly Choice[] = [
  { value: '720+', label: 'Excellent (720 or higher)' },
  { value: '680-719', label: 'Good (680 to 719)' },
  { value: '640-679', label: 'Fair (640 to 679)' },
  { value: '600-639', label: 'Below average (600 to 639)' },
  { value: '550-599', label: 'Poor (550 to 599)' },
  { value: 'Below 550', label: 'Very poor (below 550)' },
];

/** Stands at the head of every text that a partner's counsel has yet to write; `production` refuses it. */
export const placeholderMark = '[Placeholder – replace before production]';

export const defaultConsents: readonly Consent[] = [
  {
    id: 'credit-authorization',
    version: 'placeholder-1',
    label: 'I authorize a review of my credit and business information.',
    text: `${placeholderMark} By checking this box I give written instructions under the Fair Credit Reporting Act to obtain my consumer report and information about my business, now and while this application is open, to decide on my request for funding.`,
    required: true,
  },
  {
    id: 'electronic-records',
    version: 'placeholder-1',
    label: 'I agree to receive records electronically and to sign by typing my name.',
    text: `${placeholderMark} I agree to receive disclosures and records electronically, I can open and keep them, and I may ask for paper copies or withdraw this consent at any time by contacting support.`,
    required: true,
  },
  {
    id: 'terms',
    version: 'placeholder-1',
    label: 'I confirm that my answers are true, and I accept the terms and the privacy notice.',
    text: `${placeholderMark} I am authorized to apply for this business, everything I gave is true and complete to the best of my knowledge, and I accept the terms of use and the privacy notice.`,
    required: true,
  },
  {
    id: contactConsentId,
    version: 'placeholder-1',
    label: 'Lenders may call or text me about this application.',
    text: `${placeholderMark} I agree that the lender and its representatives may call and text me at the number I gave, also by automated means, about this application. Consent is not a condition of applying, and I may withdraw it at any time.`,
    required: false,
  },
];
