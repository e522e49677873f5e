// The settings file: localized texts, limits, consents with links, and the problems of invalid values.

import { describe, expect, it } from 'vitest';
import {
  defaultSettings,
  describeUntranslatedTexts,
  listUntranslatedTexts,
  parseSettings,
  pickLocale,
  type Settings,
  settingsSchema,
  toText,
} from '../../../bff/config/settings.ts';
import { locales } from '../../../shared/application/lists.ts';
import { listProblems, production } from './config-source.ts';

const consent = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };
const line = { id: 'tax', label: 'Tax return', categories: ['business-tax-return'], count: 1 };

describe('parseSettings', () => {
  it('offers English and Spanish by default', () => {
    expect(defaultSettings().locales).toEqual(['en', 'es']);
    expect(read({ locales: ['es'] }).locales).toEqual(['es']);
    expect(read({ locales: ['en-US', 'ES-mx'] }).locales).toEqual(['en', 'es']);
  });

  it('accepts texts in one or several languages', () => {
    const label = { en: 'Truck', es: 'Camión' };
    const fundingReasons = [
      { value: 'Equipment', label: 'Equipment' },
      { value: 'Truck', label },
      { value: 'Rent', label: { en: 'Rent' } },
    ];
    expect(read({ fundingReasons }).fundingReasons).toEqual([
      { value: 'Equipment', label: { en: 'Equipment' } },
      { value: 'Truck', label },
      { value: 'Rent', label: { en: 'Rent' } },
    ]);
    const offers = { notQualifiedNotice: { en: 'Write to us.', es: 'Escríbanos.' } };
    expect(read({ offers }).offers).toMatchObject(offers);
  });

  it.each([
    [{}, {}],
    [{ minimum: 5_000 }, { minimum: 5_000 }],
    [
      { minimum: 5_000, maximum: 5_000 },
      { minimum: 5_000, maximum: 5_000 },
    ],
  ])('accepts the range of the funding need %j', (fundingNeed, expected) => {
    expect(read({ fundingNeed }).fundingNeed).toEqual(expected);
  });

  it.each([
    [{ minimum: 0 }, 'fundingNeed.minimum must be at least 1'],
    [
      { minimum: 1.5 },
      'fundingNeed.minimum must be a whole number, without quotation marks, units, and separators, such as 5000',
    ],
    [{ maximum: 1_000_000_000 }, 'fundingNeed.maximum must be at most 999999999'],
    [{ minimum: 500, maximum: 499 }, 'fundingNeed.maximum must be at least minimum'],
  ])('refuses the range of the funding need %j', (fundingNeed, problem) => {
    expect(parseSettings(JSON.stringify({ fundingNeed }))).toEqual({ problems: [problem] });
  });

  it('accepts an empty checklist', () => {
    expect(read({ documents: { checklist: [] } }).documents.checklist).toEqual([]);
  });

  it('accepts an internal category that applicants can use', () => {
    const checklist = [{ ...line, categories: ['psf'] }];
    const documents = { checklist, showInternalCategories: ['psf'] };
    expect(read({ documents }).documents.checklist).toMatchObject([{ categories: ['psf'] }]);
  });

  it('reads the limits of the inspection', () => {
    const generous = { timeoutSeconds: 15, memoryMegabytes: 1_024, processes: 2 };
    expect(defaultSettings().documents.inspection).toEqual(generous);
    const small = { timeoutSeconds: 30, memoryMegabytes: 256, processes: 1 };
    expect(read({ documents: { inspection: small } }).documents.inspection).toEqual(small);
  });

  const texts = 'must be a text, or texts such as {"en": "…", "es": "…"}';
  const known = locales.join(', ');
  const cases: [string, object, string][] = [
    ['an unknown language', { locales: ['en', 'xx'] }, `locales.1 must be one of ${known}`],
    ['a language twice', { locales: ['en', 'en-US'] }, 'locales must not repeat a language'],
    ['a region of another language', { locales: ['xx-CA'] }, `locales.0 must be one of ${known}`],
    ['no language', { locales: [] }, 'locales must not be empty'],
    ['a number as text', withReason(7), `fundingReasons.0.label ${texts}`],
    ['a missing text', withReason(undefined), 'fundingReasons.0.label is missing. Add it'],
    ['an empty text', withReason(''), 'fundingReasons.0.label must not be empty'],
    [
      'a timeout longer than the connection',
      { documents: { inspection: { timeoutSeconds: 31 } } },
      'documents.inspection.timeoutSeconds must be at most 30',
    ],
    [
      'too little memory to start a process',
      { documents: { inspection: { memoryMegabytes: 255 } } },
      'documents.inspection.memoryMegabytes must be at least 256',
    ],
    [
      'too little memory for the largest document',
      {
        documents: {
          maxBytes: 100 * 1024 * 1024,
          maxTotalBytes: 100 * 1024 * 1024,
          inspection: { memoryMegabytes: 400 },
        },
      },
      'documents.inspection.memoryMegabytes must be at least 128 MiB plus four times maxBytes',
    ],
    [
      'no process',
      { documents: { inspection: { processes: 0 } } },
      'documents.inspection.processes must be at least 1',
    ],
    [
      'an unknown limit',
      { documents: { inspection: { threads: 2 } } },
      'documents.inspection.threads is not a setting. Remove it',
    ],
    [
      'an empty translation',
      withReason({ en: 'Rent', es: '' }),
      'fundingReasons.0.label.es must not be empty',
    ],
    [
      'a text without English',
      withReason({ es: 'Alquiler' }),
      'fundingReasons.0.label.en is missing. Add it',
    ],
    [
      'a text in an unknown language',
      withReason({ en: 'Rent', xx: 'Rent' }),
      'fundingReasons.0.label.xx is not a setting. Remove it',
    ],
    [
      'a consent label that is too long',
      { consents: [{ ...consent, label: { en: 'Terms', es: 'x'.repeat(301) } }] },
      'consents.0.label.es must be at most 300 characters',
    ],
    ['a consent twice', { consents: [consent, consent] }, 'consents must not repeat an id'],
    [
      'a required contact consent',
      { consents: [consent, { ...consent, id: 'contact' }] },
      'consents.1.required must be false: consent to calls is never a condition of applying (47 CFR 64.1200)',
    ],
    [
      'a checklist item that applicants cannot complete',
      { documents: { checklist: [line, { ...line, id: 'b', categories: ['other', 'psf'] }] } },
      'documents.checklist.1.categories.1 must be a category for applicants. Add it to showInternalCategories',
    ],
    [
      'a repeated checklist item',
      { documents: { checklist: [line, line] } },
      'documents.checklist must not repeat an id',
    ],
    [
      'a color with a name',
      { page: { accent: 'teal' } },
      'page.accent must be a color of six hexadecimal digits, such as #0b5c66',
    ],
    [
      'an accent that is too light for the background',
      { page: { accent: '#777777', background: '#fbf7f0' } },
      'page.accent must be darker: its contrast with the background must be 4.5:1',
    ],
    [
      'a dark background',
      { page: { background: '#8a8a8a' } },
      'page.background must be lighter: the contrast of the text #1f1c18 must be 7:1',
    ],
    [
      'a font that is not in the list',
      { page: { font: 'Comic Sans MS' } },
      'page.font must be one of system, humanist, geometric, grotesque, serif, old-style, slab',
    ],
    ['a name of two lines', { page: { name: 'Rosa\nLLC' } }, 'page.name must be one line'],
    [
      'a link with a script',
      { page: { homeUrl: { en: 'javascript:alert(1)' } } },
      'page.homeUrl.en must be an https URL with a lowercase host, without spaces and a user name, such as https://www.example.com/terms',
    ],
    [
      'a limit of codes that is off',
      { limits: { handoffCodesPerHourPerAddress: 0 } },
      'limits.handoffCodesPerHourPerAddress must be at least 1',
    ],
    [
      'a delivery without concurrent calls',
      { delivery: { maxConcurrent: 0 } },
      'delivery.maxConcurrent must be at least 1',
    ],
    [
      'too many concurrent deliveries',
      { delivery: { maxConcurrent: 257 } },
      'delivery.maxConcurrent must be at most 256',
    ],
    [
      'a checklist item without categories',
      { documents: { checklist: [{ ...line, categories: [] }] } },
      'documents.checklist.0.categories must not be empty',
    ],
  ];

  it.each(cases)('reports the path of %s', (_name, settings, problem) => {
    expect(parseSettings(JSON.stringify(settings))).toEqual({ problems: [problem] });
  });

  it('reports all problems of a text without its value', () => {
    const label = { en: '', es: 'canary', xx: 'canary' };
    const problems = parseSettings(JSON.stringify(withReason(label)));
    expect(problems).toEqual({
      problems: [
        'fundingReasons.0.label.en must not be empty',
        'fundingReasons.0.label.xx is not a setting. Remove it',
      ],
    });
  });
});

function read(settings: object): Settings {
  const result = parseSettings(JSON.stringify(settings));
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.settings;
}

function withReason(label: unknown): object {
  return { fundingReasons: [{ value: 'Rent', label }] };
}

const terms = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };
// A host of the project's examples would be refused in production.
const good = { label: 'Terms of use', url: 'https://www.partner.test/terms' };

describe('links of a consent', () => {
  it('accept one or several languages', () => {
    const each = {
      label: { en: 'Privacy notice', es: 'Aviso de privacidad' },
      url: {
        en: 'https://partner.example/privacy',
        es: 'https://partner.example/es/privacy?v=2#a',
      },
    };
    expect(parseLinks([good, each])).toMatchObject({
      settings: {
        consents: [{ links: [{ label: { en: good.label }, url: { en: good.url } }, each] }],
      },
    });
  });

  it.each([
    'https://partner.example',
    'https://partner.example:8443/terms.pdf',
    'https://xn--trminos-bya.example/términos',
    'http://localhost:8080/terms',
    'http://127.0.0.1/terms',
  ])('accept %s', (url) => {
    expect(parseLinks([{ ...good, url }])).toHaveProperty('settings');
  });

  it.each([
    'javascript:alert(1)//https://partner.example/',
    'data:text/html,<p>Terms</p>',
    'http://partner.example/terms',
    'http://localhost.partner.example/terms',
    'http://127.partner.example/terms',
    'ftp://partner.example/terms',
    '//partner.example/terms',
    '/terms',
    'https://user@partner.example/terms',
    'https://user:word@partner.example/terms',
    'https://www.bank.example@partner.example/terms',
    String.raw`https://partner.example\@bank.example/terms`,
    'https:partner.example/terms',
    'https:///partner.example/terms',
    ' https://partner.example/terms',
    'https://partner.example/terms of use',
    'https://partner.example/te\nrms',
    'https://partner.example/\u{202e}smret',
    'https://Partner.example/terms',
    '',
  ])('do not accept %j', (url) => {
    expect(parseLinks([good, { ...good, url }])).toEqual({
      problems: [
        'consents.0.links.1.url must be an https URL with a lowercase host, without spaces and a user name, such as https://www.example.com/terms',
      ],
    });
  });

  it('report all problems with their paths', () => {
    const links = [
      { label: '', url: good.url },
      { label: { en: 'Terms', es: 'Dos\nlíneas' }, url: { en: good.url, es: 'data:,' } },
      { label: 'x'.repeat(301), url: `https://partner.example/${'x'.repeat(2000)}` },
      { ...good, title: 'Terms' },
      { label: 'Terms' },
    ];
    expect(parseLinks(links)).toEqual({
      problems: [
        'consents.0.links.0.label must not be empty',
        'consents.0.links.1.label.es must be one line',
        expect.stringMatching(/^consents\.0\.links\.1\.url\.es must be an https URL/),
        'consents.0.links.2.label must be at most 300 characters',
        'consents.0.links.2.url must be at most 2000 characters',
        'consents.0.links.3.title is not a setting. Remove it',
        'consents.0.links.4.url is missing. Add it',
      ],
    });
  });

  it('are at most five', () => {
    expect(parseLinks([good, good, good, good, good])).toHaveProperty('settings');
    expect(parseLinks([good, good, good, good, good, good])).toEqual({
      problems: ['consents.0.links must be at most 5 entries'],
    });
  });

  it('lead to this machine only in the sandbox', () => {
    const local = { label: 'Terms', url: { en: good.url, es: 'http://localhost:8080/es/terms' } };
    const refused = [
      'FUNDING_SETTINGS links to this machine in consents.0.links.1.url. Use a public URL.',
    ];
    expect(listIn('sandbox', [good, local])).toEqual([]);
    expect(listIn('staging', [good, local])).toEqual(refused);
    expect(listIn('production', [good, local])).toEqual(refused);
    const elsewhere = { ...good, url: 'https://127.partner.test/terms' };
    expect(listIn('staging', [good, elsewhere])).toEqual([]);
  });

  it.each(['homeUrl', 'privacyUrl'])(
    'of page.%s lead to this machine only in the sandbox',
    (name) => {
      const page = { [name]: 'http://localhost:8080/' };
      expect(listIn('sandbox', [good], ['en'], { page })).toEqual([]);
      expect(listIn('staging', [good], ['en'], { page })).toEqual([
        `FUNDING_SETTINGS links to this machine in page.${name}. Use a public URL.`,
      ]);
    },
  );

  it('need every language of the form in production', () => {
    const both = { label: { en: 'Terms', es: 'Términos' }, url: good.url };
    expect(listIn('production', [both], ['en', 'es'])).toEqual([]);
    expect(listIn('production', [both, good], ['en', 'es'])).toEqual([
      expect.stringContaining('lacks a translation of the consent terms'),
    ]);
  });

  it('contain no placeholder in production', () => {
    const label = '[Placeholder – replace before production] Terms';
    expect(listIn('production', [{ ...good, label }])).toEqual([
      expect.stringContaining('has a placeholder text in the consent terms'),
    ]);
  });
});

describe('the text of a consent', () => {
  it('cannot be confused with links', () => {
    const address = 'https://partner.example/terms';
    const text = {
      en: `The terms.\n\nTerms of use: ${address}\nPrivacy notice: ${address}`,
      es: `Los términos.\n\nTérminos: ${address}`,
    };
    expect(parseConsent({ label: 'Terms\n\nof use', text })).toEqual({
      problems: [
        'consents.0.label must be one line',
        'consents.0.text.en must not end with lines of URLs. Use links for them',
        'consents.0.text.es must not end with lines of URLs. Use links for them',
      ],
    });
  });

  it.each([
    'Terms: https://partner.example/terms',
    'The terms.\nTerms: https://partner.example/terms',
    'The terms.\n\nTerms: https://partner.example/terms\nPrint them.',
    'The terms.\n\nRead https://partner.example/terms',
  ])('may contain URLs: %j', (text) => {
    expect(parseConsent({ text })).toHaveProperty('settings');
  });
});

function parseConsent(changes: object): ReturnType<typeof parseSettings> {
  return parseSettings(JSON.stringify({ consents: [{ ...terms, ...changes }] }));
}

function parseLinks(links: readonly object[]): ReturnType<typeof parseSettings> {
  return parseSettings(JSON.stringify({ consents: [{ ...terms, links }] }));
}

/** Problems of these links in a configuration without other problems. */
function listIn(
  environment: string,
  links: readonly object[],
  locales: readonly string[] = ['en'],
  others: object = {},
): readonly string[] {
  const text = { en: 'The terms.', es: 'Los términos.' };
  const label = { en: 'I accept', es: 'Acepto' };
  const settings = {
    locales,
    consents: [{ ...terms, text, label, links }],
    offers: { notQualifiedNotice: { en: 'Write to us.', es: 'Escríbanos.' } },
    ...others,
  };
  return listProblems(
    { ...production, FUNDING_ENVIRONMENT: environment },
    { '/etc/funding/settings.json': JSON.stringify(settings) },
  );
}

describe('pickLocale', () => {
  it.each([
    ['es', 'es'],
    ['en', 'en'],
    ['ES', 'es'],
    ['es-MX', 'es'],
    [undefined, 'en'],
    ['', 'en'],
    ['xx', 'en'],
    ['espanol', 'en'],
    ['constructor', 'en'],
  ])('picks the language of %o (%s)', (asked, expected) => {
    expect(pickLocale(['en', 'es'], asked)).toBe(expected);
  });

  it('picks the first offered language for an unknown one', () => {
    expect(pickLocale(['es', 'en'], 'xx')).toBe('es');
    expect(pickLocale(['es'], 'en')).toBe('es');
  });
});

describe('toText', () => {
  it('falls back to English for a missing translation', () => {
    expect(toText({ en: 'Rent', es: 'Alquiler' }, 'es')).toBe('Alquiler');
    expect(toText({ en: 'Rent' }, 'es')).toBe('Rent');
  });
});

const rent = { en: 'Rent', es: 'Alquiler' };
const link = { label: 'Terms', url: 'https://www.example.com/terms' };
const linkedConsent = {
  id: 'terms',
  version: '1',
  label: rent,
  text: rent,
  required: true,
  links: [link],
};

describe('listUntranslatedTexts', () => {
  it('finds nothing in the defaults', () => {
    expect(listUntranslatedTexts(defaultSettings())).toEqual([]);
    expect(describeUntranslatedTexts(defaultSettings())).toBeUndefined();
  });

  it('finds every text that applicants read', () => {
    expect(listUntranslated({})).toEqual([
      'fundingReasons.1.label (es)',
      'consents.0.links.0.label (es)',
      'documents.checklist.0.label (es)',
      'offers.notQualifiedNotice (es)',
      'creditCheckNotice (es)',
    ]);
  });

  it('finds nothing if the form is in English only', () => {
    expect(listUntranslated({ locales: ['en'] })).toEqual([]);
  });

  it('finds the first five for the operator', () => {
    const fundingReasons = Array.from({ length: 7 }, () => ({ value: 'a', label: 'A' }));
    expect(describeUntranslatedTexts(settingsSchema.parse({ fundingReasons }))).toMatch(
      /Translate fundingReasons\.0\.label \(es\), .*4\.label \(es\), and 2 more\.$/,
    );
  });
});

function listUntranslated(changes: object): readonly string[] {
  return listUntranslatedTexts(
    settingsSchema.parse({
      fundingReasons: [
        { value: 'Rent', label: rent },
        { value: 'Truck', label: 'Truck' },
      ],
      consents: [linkedConsent],
      documents: { checklist: [line] },
      offers: { notQualifiedNotice: 'The creditor is …' },
      creditCheckNotice: 'Applying does not affect …',
      ...changes,
    }),
  );
}
