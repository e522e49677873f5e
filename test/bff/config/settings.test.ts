// The partner's settings: what may be written in one language or in several, and what is told of mistakes.

import { describe, expect, it } from 'vitest';
import { defaultSettings, parseSettings, type Settings } from '../../../bff/config/settings.ts';

const consent = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };
const line = { id: 'tax', label: 'Tax return', categories: ['business-tax-return'], count: 1 };

describe('the settings', () => {
  it('offer English and Spanish, unless told otherwise', () => {
    expect(defaultSettings().locales).toEqual(['en', 'es']);
    expect(read({ locales: ['es'] }).locales).toEqual(['es']);
    expect(read({ locales: ['en-US', 'ES-mx'] }).locales).toEqual(['en', 'es']);
  });

  it('take a text for all languages, or one for each', () => {
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

  it('may leave the checklist out, and ask for what only the staff uses where applicants see it', () => {
    expect(read({ documents: { checklist: [] } }).documents.checklist).toEqual([]);
    const checklist = [{ ...line, categories: ['psf'] }];
    const documents = { checklist, showInternalCategories: ['psf'] };
    expect(read({ documents }).documents.checklist).toMatchObject([{ categories: ['psf'] }]);
  });

  it('give an inspection generous limits', () => {
    const generous = { timeoutSeconds: 15, memoryMegabytes: 1_024, processes: 2 };
    expect(defaultSettings().documents.inspection).toEqual(generous);
    const small = { timeoutSeconds: 30, memoryMegabytes: 256, processes: 1 };
    expect(read({ documents: { inspection: small } }).documents.inspection).toEqual(small);
  });

  const texts = 'must be a text, or texts by language as in {"en": "…", "es": "…"}';
  const cases: [string, object, string][] = [
    ['another language', { locales: ['en', 'fr'] }, 'locales.1: must be one of en, es'],
    ['a language twice', { locales: ['en', 'en-US'] }, 'locales: names a language twice'],
    ['a region of another language', { locales: ['fr-CA'] }, 'locales.0: must be one of en, es'],
    ['no language', { locales: [] }, 'locales: must not be less than 1'],
    ['a text of another kind', withReason(7), `fundingReasons.0.label: ${texts}`],
    ['a text that is missing', withReason(undefined), `fundingReasons.0.label: ${texts}`],
    ['an empty text', withReason(''), 'fundingReasons.0.label: must not be less than 1'],
    [
      'a timeout that outlasts the connection',
      { documents: { inspection: { timeoutSeconds: 31 } } },
      'documents.inspection.timeoutSeconds: must not be more than 30',
    ],
    [
      'a process with less memory than it needs to start',
      { documents: { inspection: { memoryMegabytes: 255 } } },
      'documents.inspection.memoryMegabytes: must not be less than 256',
    ],
    [
      'a process with less memory than the largest document needs',
      {
        documents: {
          maxBytes: 100 * 1024 * 1024,
          maxTotalBytes: 100 * 1024 * 1024,
          inspection: { memoryMegabytes: 400 },
        },
      },
      'documents.inspection.memoryMegabytes: must not be less than 528 with documents of maxBytes. Raise it, or lower maxBytes',
    ],
    [
      'no process',
      { documents: { inspection: { processes: 0 } } },
      'documents.inspection.processes: must not be less than 1',
    ],
    [
      'an unknown limit',
      { documents: { inspection: { threads: 2 } } },
      'documents.inspection: unknown: threads',
    ],
    [
      'an empty text of one language',
      withReason({ en: 'Rent', es: '' }),
      'fundingReasons.0.label.es: must not be less than 1',
    ],
    [
      'a text without English',
      withReason({ es: 'Alquiler' }),
      'fundingReasons.0.label.en: must be of type string',
    ],
    [
      'a text in a language that the form does not speak',
      withReason({ en: 'Rent', fr: 'Loyer' }),
      'fundingReasons.0.label: unknown: fr',
    ],
    [
      'a consent that is too long in one language',
      { consents: [{ ...consent, label: { en: 'Terms', es: 'x'.repeat(301) } }] },
      'consents.0.label.es: must not be more than 300',
    ],
    ['a consent twice', { consents: [consent, consent] }, 'consents: holds an id twice'],
    [
      'calls as a condition of applying',
      { consents: [consent, { ...consent, id: 'contact' }] },
      'consents.1.required: must be false: nobody has to accept calls to apply (47 CFR 64.1200)',
    ],
    [
      'a line of the checklist that applicants cannot tick',
      { documents: { checklist: [line, { ...line, id: 'b', categories: ['other', 'psf'] }] } },
      'documents.checklist.1.categories.1: is not open to applicants; list it in showInternalCategories too',
    ],
    [
      'a line of the checklist twice',
      { documents: { checklist: [line, line] } },
      'documents.checklist: holds an id twice',
    ],
    [
      'a line of the checklist without categories',
      { documents: { checklist: [{ ...line, categories: [] }] } },
      'documents.checklist.0.categories: must not be less than 1',
    ],
  ];

  it.each(cases)('refuse %s, and say where', (_name, settings, problem) => {
    expect(parseSettings(JSON.stringify(settings))).toEqual({ problems: [problem] });
  });

  it('tell every mistake of a text at once, and no value', () => {
    const label = { en: '', es: 'canary', fr: 'canary' };
    const problems = parseSettings(JSON.stringify(withReason(label)));
    expect(problems).toEqual({
      problems: [
        'fundingReasons.0.label: unknown: fr',
        'fundingReasons.0.label.en: must not be less than 1',
      ].toSorted(),
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
