// Valid settings: localized texts, limits, and consents with links. wrong-configuration.test.ts has the invalid ones.

import { describe, expect, it } from 'vitest';
import defaults from '../../../bff/config/default-settings.json' with { type: 'json' };
import {
  defaultSettings,
  describeUntranslatedTexts,
  isPlaceholder,
  listUntranslatedTexts,
  parseSettings,
  pickLocale,
  settingsSchema,
  toText,
} from '../../../bff/config/settings.ts';
import { validateBySchema } from './config-source.ts';

const rent = { en: 'Rent', es: 'Alquiler' };
const terms = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };
const line = { id: 'tax', label: 'Tax return', categories: ['business-tax-return'], count: 1 };
const url = 'https://www.partner.test/terms';

describe('parseSettings', () => {
  const reason = (label: unknown) => ({ fundingReasons: [{ value: 'Rent', label }] });
  const withLinks = (links: unknown) => ({ consents: [{ ...terms, links }] });
  const hidden = {
    checklist: [{ ...line, categories: ['psf'] }],
    showInternalCategories: ['psf'],
  };
  const notice = { label: { en: 'Privacy', es: 'Privacidad' }, url: { en: url, es: `${url}?v=2` } };

  it.each<[object, object?]>([
    [{}, { locales: ['en', 'es'], fundingNeed: {} }],
    [{ locales: ['es'] }],
    [{ locales: ['en-US', 'ES-mx'] }, { locales: ['en', 'es'] }],
    [reason('Equipment'), reason({ en: 'Equipment' })],
    [reason(rent)],
    [reason({ en: 'Rent' })],
    [{ offers: { notQualifiedNotice: rent } }],
    [{ fundingNeed: { minimum: 5_000 } }],
    [{ serviceTexts: { duplicate: ['^already'] } }],
    [{ fundingNeed: { minimum: 5_000, maximum: 5_000 } }],
    [{ documents: { checklist: [] } }],
    [{ documents: hidden }, { documents: { checklist: [{ categories: ['psf'] }] } }],
    [{ documents: { inspection: { timeoutSeconds: 30, memoryMegabytes: 256, processes: 1 } } }],
    [{ retention: { recordDays: 2, undeliveredDays: 4, rejectedDays: 0, evidenceDays: 4 } }],
    [
      withLinks([{ label: 'Terms', url }, notice]),
      withLinks([{ label: { en: 'Terms' }, url: { en: url } }, notice]),
    ],
    [withLinks([notice, notice, notice, notice, notice])],
  ])('reads %j', (settings, expected = settings) => {
    expect(validateBySchema(settings)).toBe(true);
    expect(parseSettings(JSON.stringify(settings))).toMatchObject({
      settings: toExpected(expected),
    });
  });

  /** Other members of the consent are not compared. */
  function toExpected(settings: object): object {
    return JSON.parse(JSON.stringify(settings), (key, value: unknown) =>
      key === 'consents' ? (value as { links: unknown }[]).map(({ links }) => ({ links })) : value,
    );
  }

  it.each([
    'https://partner.example',
    'https://partner.example:8443/terms.pdf',
    'https://xn--trminos-bya.example/términos',
    'http://localhost:8080/terms',
    'http://127.0.0.1/terms',
  ])('accepts a link to %s', (link) => {
    const links = [{ label: 'Terms', url: link }];
    expect(parseSettings(JSON.stringify(withLinks(links)))).toHaveProperty('settings');
  });

  it.each([
    'Terms: https://partner.example/terms',
    'The terms.\nTerms: https://partner.example/terms',
    'The terms.\n\nTerms: https://partner.example/terms\nPrint them.',
    'The terms.\n\nRead https://partner.example/terms',
  ])('accepts a consent with the text %j', (text) => {
    const consents = [{ ...terms, text }];
    expect(parseSettings(JSON.stringify({ consents }))).toHaveProperty('settings');
  });
});

it.each([
  [['en', 'es'], 'es', 'es'],
  [['en', 'es'], 'ES', 'es'],
  [['en', 'es'], 'es-MX', 'es'],
  [['en', 'es'], undefined, 'en'],
  [['en', 'es'], '', 'en'],
  [['en', 'es'], 'espanol', 'en'],
  [['en', 'es'], 'constructor', 'en'],
  [['es', 'en'], 'xx', 'es'],
  [['es'], 'en', 'es'],
] as const)('pickLocale picks from %j for %o: %s', (offered, asked, expected) => {
  expect(pickLocale(offered, asked)).toBe(expected);
});

it('toText falls back to English for a missing translation', () => {
  expect(toText(rent, 'es')).toBe('Alquiler');
  expect(toText({ en: 'Rent' }, 'es')).toBe('Rent');
});

describe('listUntranslatedTexts', () => {
  it('finds nothing in the defaults', () => {
    expect(listUntranslatedTexts(defaultSettings())).toEqual([]);
    expect(describeUntranslatedTexts(defaultSettings())).toBeUndefined();
  });

  it('finds every text that applicants read', () => {
    const settings = settingsSchema.parse({
      fundingReasons: [
        { value: 'Rent', label: rent },
        { value: 'Truck', label: 'Truck' },
      ],
      consents: [{ ...terms, label: rent, text: rent, links: [{ label: 'Terms', url }] }],
      documents: { checklist: [line] },
      offers: { notQualifiedNotice: 'The creditor is …' },
      creditCheckNotice: 'Applying does not affect …',
    });
    expect(listUntranslatedTexts(settings)).toEqual([
      'fundingReasons.1.label (es)',
      'consents.0.links.0.label (es)',
      'documents.checklist.0.label (es)',
      'offers.notQualifiedNotice (es)',
      'creditCheckNotice (es)',
    ]);
    expect(listUntranslatedTexts({ ...settings, locales: ['en'] })).toEqual([]);
  });

  it('finds the first five for the operator', () => {
    const fundingReasons = Array.from({ length: 7 }, () => ({ value: 'a', label: 'A' }));
    expect(describeUntranslatedTexts(settingsSchema.parse({ fundingReasons }))).toMatch(
      /Translate fundingReasons\.0\.label \(es\), .*4\.label \(es\), and 2 more\.$/,
    );
  });
});

describe('the default settings', () => {
  const { consents, creditScores } = defaults;

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
    expect(consents.find(({ id }) => id === 'contact')?.required).toBe(false);
  });

  it('mark every consent as a placeholder in each of its languages', () => {
    const written = consents.flatMap(({ text, ...consent }) =>
      Object.values(text).map((en) => ({ ...consent, version: '2026-11', text: { en } })),
    );
    expect(written.filter((consent) => !isPlaceholder(consent))).toEqual([]);
  });
});

it('isPlaceholder finds a default version, and a mark in any language', () => {
  const [draft] = defaults.consents;
  const { en, es } = draft!.text;
  const own = { ...draft!, version: '2026-11', text: { en: 'Terms.', es: 'Condiciones.' } };
  expect(isPlaceholder(own)).toBe(false);
  expect(isPlaceholder({ ...own, text: { en: 'Terms.' } })).toBe(false);
  for (const changes of [
    { version: 'placeholder-2' },
    { text: { ...own.text, en } },
    { text: { ...own.text, es } },
    { label: { en: 'Terms', es } },
  ]) {
    expect(isPlaceholder({ ...own, ...changes })).toBe(true);
  }
});
