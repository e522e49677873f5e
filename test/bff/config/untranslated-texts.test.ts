// Which texts of the settings applicants read in another language than the form's.

import { describe, expect, it } from 'vitest';
import {
  defaultSettings,
  describeUntranslatedTexts,
  listUntranslatedTexts,
  settingsSchema,
} from '../../../bff/config/settings.ts';

const label = { en: 'Rent', es: 'Alquiler' };
const line = { id: 'tax', label: 'Tax return', categories: ['business-tax-return'], count: 1 };
const link = { label: 'Terms', url: 'https://www.example.com/terms' };
const consent = { id: 'terms', version: '1', label, text: label, required: true, links: [link] };

describe('the texts that are not translated', () => {
  it('are none of ours', () => {
    expect(listUntranslatedTexts(defaultSettings())).toEqual([]);
    expect(describeUntranslatedTexts(defaultSettings())).toBeUndefined();
  });

  it('are found wherever applicants read', () => {
    expect(list({})).toEqual([
      'fundingReasons.1.label (es)',
      'consents.0.links.0.label (es)',
      'documents.checklist.0.label (es)',
      'offers.notQualifiedNotice (es)',
    ]);
  });

  it('are none where the form speaks English only', () => {
    expect(list({ locales: ['en'] })).toEqual([]);
  });

  it('are named in one sentence, the first of them', () => {
    const fundingReasons = Array.from({ length: 7 }, () => ({ value: 'a', label: 'A' }));
    expect(describeUntranslatedTexts(settingsSchema.parse({ fundingReasons }))).toMatch(
      /: fundingReasons\.0\.label \(es\), .*4\.label \(es\) and 2 more\.$/,
    );
  });
});

function list(changes: object): readonly string[] {
  return listUntranslatedTexts(
    settingsSchema.parse({
      fundingReasons: [
        { value: 'Rent', label },
        { value: 'Truck', label: 'Truck' },
      ],
      consents: [consent],
      documents: { checklist: [line] },
      offers: { notQualifiedNotice: 'The creditor is …' },
      ...changes,
    }),
  );
}
