// The default settings: translated, valid, and marked as placeholders.

import { describe, expect, it } from 'vitest';
import defaults from '../../../bff/config/default-settings.json' with { type: 'json' };
import { defaultSettings, isPlaceholder, parseSettings } from '../../../bff/config/settings.ts';

const { consents, creditScores } = defaults;

describe('the default settings', () => {
  it('translate every text into each language that they offer', () => {
    const { locales, fundingReasons, businessTypes, documents, ...settings } = defaultSettings();
    const parts = [...fundingReasons, ...businessTypes, ...documents.checklist];
    const labels = [...parts, ...settings.consents].map(({ label }) => label);
    const texts = [...labels, ...settings.consents.map(({ text }) => text)];
    for (const locale of locales.filter((offered) => offered !== 'en')) {
      const untranslated = texts.filter((text) => [undefined, text.en].includes(text[locale]));
      expect(untranslated, locale).toEqual([]);
    }
  });

  it('list credit scores as figures, without a judgment', () => {
    const labels = creditScores.flatMap(({ label }) => [label.en, label.es]);
    const figures = /^(\d{3}–\d{3}|720 and above|720 o más|Below 550|Menos de 550)$/;
    expect(labels.filter((label) => !figures.test(label))).toEqual([]);
  });

  it('are a valid settings file', () => {
    const settings = defaultSettings();
    expect(settings).toMatchObject(defaults);
    expect(parseSettings(JSON.stringify(defaults))).toEqual({ settings });
  });

  it('mark every consent as a placeholder in each of its languages', () => {
    const written = consents.flatMap(({ text, ...consent }) =>
      Object.values(text).map((en) => ({ ...consent, version: '2026-11', text: { en } })),
    );
    expect(written.filter((consent) => !isPlaceholder(consent))).toEqual([]);
  });

  it('do not require the contact consent', () => {
    expect(consents.find(({ id }) => id === 'contact')?.required).toBe(false);
  });
});

describe('isPlaceholder', () => {
  const [draft] = consents;
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
    expect(isPlaceholder({ ...written, label: { en: 'Terms', es } })).toBe(true);
  });
});
