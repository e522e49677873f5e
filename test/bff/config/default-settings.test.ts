// The default settings: translated, valid, and marked as placeholders.

import { describe, expect, it } from 'vitest';
import {
  defaultBusinessTypes,
  defaultChecklist,
  defaultConsents,
  defaultCreditScores,
  defaultFundingReasons,
} from '../../../bff/config/default-settings.ts';
import { isPlaceholder, parseSettings } from '../../../bff/config/settings.ts';

const choices = [...defaultFundingReasons, ...defaultBusinessTypes, ...defaultCreditScores];

describe('the default settings', () => {
  it('have Spanish texts', () => {
    const labels = [...choices, ...defaultConsents, ...defaultChecklist].map(({ label }) => label);
    const texts = [...labels, ...defaultConsents.map(({ text }) => text)];
    expect(texts.filter(({ en, es }) => es === undefined || es === en)).toEqual([]);
  });

  it('are valid settings', () => {
    const settings = JSON.stringify({
      fundingReasons: defaultFundingReasons,
      consents: defaultConsents,
      documents: { checklist: defaultChecklist },
    });
    expect(parseSettings(settings)).toMatchObject({ settings: { consents: defaultConsents } });
  });

  it('do not require the contact consent', () => {
    const contact = defaultConsents.find(({ id }) => id === 'contact');
    expect(contact?.required).toBe(false);
  });
});

describe('isPlaceholder', () => {
  const [draft] = defaultConsents;
  const written = { ...draft!, version: '2026-11', text: { en: 'Terms.', es: 'Condiciones.' } };

  it('is false for a text of the partner', () => {
    expect(isPlaceholder(written)).toBe(false);
    expect(isPlaceholder({ ...written, text: { en: 'Terms.' } })).toBe(false);
  });

  it('is true for a default version or a mark in any language', () => {
    expect(isPlaceholder({ ...written, version: 'placeholder-2' })).toBe(true);
    const { en, es } = draft!.text;
    expect(isPlaceholder({ ...written, text: { ...written.text, en } })).toBe(true);
    expect(isPlaceholder({ ...written, text: { ...written.text, es } })).toBe(true);
    expect(isPlaceholder({ ...written, label: { en: 'Terms', es: es! } })).toBe(true);
  });
});
