// A configuration response of the BFF, for tests of the widget.

import type { Configuration } from '../../shared/api/configuration.ts';

/** Contains the fewest choices, consents, and limits that the tests need. */
export function createConfiguration(changes: Partial<Configuration> = {}): Configuration {
  return {
    environment: 'sandbox',
    partnerName: 'Millstone Supply Co.',
    locales: ['en', 'es'],
    locale: 'en',
    fundingReasons: [
      { value: 'Equipment', label: 'Equipment' },
      { value: 'Working Capital', label: 'Working capital' },
    ],
    businessTypes: [
      { value: 'LLC', label: 'Limited liability company (LLC)' },
      { value: 'Corporation', label: 'Corporation' },
    ],
    creditScores: [
      { value: '720+', label: '720 or higher' },
      { value: '600-719', label: '600 to 719' },
    ],
    requiredFields: [],
    consents: [
      {
        id: 'terms',
        version: '1',
        label: 'I agree to the terms',
        text: 'The terms.',
        required: true,
      },
      {
        id: 'contact',
        version: '2',
        label: 'You may call me',
        text: 'About calls.',
        required: false,
      },
    ],
    documents: {
      maxBytes: 1000,
      maxFiles: 4,
      maxTotalBytes: 4000,
      extensions: ['pdf', 'jpg', 'jpeg', 'png'],
      categories: [
        { id: 'bank-statements-jan', label: 'Bank statement, January', group: 'bank-statements' },
        { id: 'drivers-license', label: 'Driver’s license', group: 'identity' },
      ],
      checklist: [
        {
          id: 'statements',
          label: 'Two bank statements',
          categories: ['bank-statements-jan'],
          count: 2,
        },
        { id: 'identity', label: 'Photo ID', categories: ['drivers-license'], count: 1 },
      ],
    },
    bankConnection: 'demonstration',
    creditCheckNotice: '',
    challenge: null,
    handoff: false,
    offers: { showMonthlyRate: false, showCentsOnTheDollar: false, notQualifiedNotice: '' },
    support: { phone: '512-555-0199' },
    ...changes,
  };
}
