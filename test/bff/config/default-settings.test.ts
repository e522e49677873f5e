// What a partner starts with: whole in every language, and nothing that could pass for a text of counsel's.

import { describe, expect, it } from 'vitest';
import {
  defaultBusinessTypes,
  defaultChecklist,
  defaultConsents,
  defaultCreditScores,
  defaultFundingReasons,
  isPlaceholder,
} from '../../../bff/config/default-settings.ts';
import { parseSettings } from '../../../bff/config/settings.ts';

const choices = [...defaultFundingReasons, ...defaultBusinessTypes, ...defaultCreditScores];

describe('the defaults', () => {
  it('are written in Spanish too', () => {
    const labels = [...choices, ...defaultConsents, ...defaultChecklist].map(({ label }) => label);
    const texts = [...labels, ...defaultConsents.map(({ text }) => text)];
    expect(texts.filter(({ en, es }) => es === undefined || es === en)).toEqual([]);
  });

  it('are what settings may say', () => {
    const settings = JSON.stringify({
      fundingReasons: defaultFundingReasons,
      consents: defaultConsents,
      documents: { checklist: defaultChecklist },
    });
    expect(parseSettings(settings)).toMatchObject({ settings: { consents: defaultConsents } });
  });

  it('never make calls a condition of applying', () => {
    const contact = defaultConsents.find(({ id }) => id === 'contact');
    expect(contact?.required).toBe(false);
  });
});

describe('isPlaceholder', () => {
  const [draft] = defaultConsents;
  const written = { ...draft!, version: '2026-11', text: { en: 'Terms.', es: 'Condiciones.' } };

  it('takes what counsel wrote', () => {
    expect(isPlaceholder(written)).toBe(false);
    expect(isPlaceholder({ ...written, text: { en: 'Terms.' } })).toBe(false);
  });

  it('sees a version of ours, and a mark that was left in either language', () => {
    expect(isPlaceholder({ ...written, version: 'placeholder-2' })).toBe(true);
    const { en, es } = draft!.text;
    expect(isPlaceholder({ ...written, text: { ...written.text, en } })).toBe(true);
    expect(isPlaceholder({ ...written, text: { ...written.text, es } })).toBe(true);
    expect(isPlaceholder({ ...written, label: { en: 'Terms', es: es! } })).toBe(true);
  });
});
