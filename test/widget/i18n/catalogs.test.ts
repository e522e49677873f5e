// The texts for applicants: complete in every language, and in plain language.

import {
  english as englishMessages,
  englishParts,
  spanish as spanishMessages,
} from '../../support/messages.ts';
import { describe, expect, it } from 'vitest';
import { locales } from '../../../shared/application/lists.ts';
import { problemCodes } from '../../../shared/api/problem-codes.ts';
import { fieldErrorCodes } from '../../../shared/application/field-errors.ts';
import { formSteps } from '../../../widget/app/navigation.ts';
import { toFieldPaths } from '../../../widget/app/step-fields.ts';
import { toErrorMessage, toLabelKey } from '../../../widget/form/validation.ts';
import { createFormat } from '../../../widget/i18n/format.ts';
import { createTranslate, loadMessages } from '../../../widget/i18n/messages.ts';

type Catalog = Readonly<Record<string, string>>;

const english: Catalog = englishMessages;
const spanish: Catalog = spanishMessages;

const translations: readonly (readonly [string, Catalog])[] = await Promise.all(
  locales
    .filter((locale) => locale !== 'en')
    .map(async (locale) => [locale, await loadMessages(locale)] as const),
);

describe.each(translations)('the catalog “%s”', (_locale, translation) => {
  const source = english;

  it('has the English keys in the same order', () => {
    expect(Object.keys(translation)).toEqual(Object.keys(source));
  });

  it('has the English placeholders', () => {
    const differing = Object.keys(source).filter(
      (key) => listPlaceholders(source[key]) !== listPlaceholders(translation[key]),
    );
    expect(differing).toEqual([]);
  });

  it('has no English sentence', () => {
    // Single words can be the same in both languages, for example "Error".
    const untranslated = Object.keys(source).filter(
      (key) => translation[key] === source[key] && source[key]!.includes(' '),
    );
    expect(untranslated).toEqual([]);
  });
});

describe('the English catalogs', () => {
  it('share no key', () => {
    const { enPhone: _enPhone, ...others } = englishParts;
    const keys = Object.values(others).flatMap((part) => Object.keys(part));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  // The phone of a handoff does not load the form.
  it('repeat texts of the form for the phone', () => {
    const { en, enForm, enAfter, enPhone } = englishParts;
    const form: Catalog = enForm;
    const repeated = Object.entries(enPhone).filter(([key]) => Object.hasOwn(form, key));
    expect(repeated.length).toBeGreaterThan(0);
    expect(repeated.filter(([key, text]) => text !== form[key])).toEqual([]);
    const known = Object.keys({ ...en, ...enAfter });
    expect(Object.keys(enPhone).filter((key) => known.includes(key))).toEqual([]);
  });

  it('have a label for every field', () => {
    const paths = formSteps
      .flatMap((step) => toFieldPaths(step, {}))
      .filter((path) => path !== 'consents');
    expect(
      paths.filter((path) => toLabelKey(createTranslate(english), path) === undefined),
    ).toEqual([]);
  });

  it.each<[string, RegExp]>([
    ['contractions', /\b(?:can|could|do|does|did|is|are|was|were|has|have|will|would) ?not\b/i],
    ['contractions of pronouns', /\b(?:we|you|it|they) (?:are|is|will)\b/i],
    ['plain words', /\b(?:please|valid|invalid|oops|tick\w*|sorry|utilize|e\.g|i\.e|etc)\b/i],
    ['the lender instead of lenders', /\blenders\b/i],
    ['no alarming words', /\b(?:breach\w*|compromised|stolen|fraud|disput\w*|denied|illegal)\b/i],
    ['a serial comma', /[\w’]+, [\w’]+ (?:and|or) [\w’]+/],
    ['no promise of a message', /\bwe(?:’ll| will)? (?:e-?mail|call|text|notify|contact)\b/i],
  ])('use %s', (_rule, forbidden) => {
    expect(listMatches(english, forbidden)).toEqual([]);
  });
});

describe('the Spanish catalogs', () => {
  it.each<[string, RegExp]>([
    ['usted', /\b(?:tú|tu|tus|ti|contigo|puedes|tienes|quieres)\b/i],
    ['one word for an owner', /dueñ/i],
    ['one word for an estimate', /cálculo/i],
    ['forms that fit every person', /autorizad[oa]|usted mismo/i],
    // "Conviene" is advice. An application that was not "aceptada" has been turned down.
    ['no advice or decision', /convien|acept\S* la solicitud/i],
    ['a lowercase name for the SSN inside a sentence', /\p{L},? Número de Seguro/u],
  ])('use %s', (_rule, forbidden) => {
    expect(listMatches(spanish, forbidden)).toEqual([]);
  });
});

describe.each([['en', english] as const, ...translations])(
  'the texts in “%s”',
  (locale, messages) => {
    const t = createTranslate(messages);
    const format = createFormat(`${locale}-US`);

    it.each<[string, RegExp]>([
      ['no exclamation marks', /[!¡]/],
      ['no straight quotes', /["']/],
      ['no dashes between sentences', /[—–]| - |--/],
      ['no space before a percent sign', /\s%/],
      ['no three dots', /\.\.\./],
      ['no double spaces', /\s\s|^\s|\s$/],
    ])('have %s', (_rule, forbidden) => {
      expect(listMatches(messages, forbidden)).toEqual([]);
    });

    it('have no sentence of more than 30 words', () => {
      const long = Object.values(messages)
        .flatMap((text) => text.split(/(?<=[.?:]) /))
        .filter((sentence) => sentence.split(' ').length > 30);
      expect(long).toEqual([]);
    });

    // A single phrase has no period. Several sentences have one each.
    it('end errors and hints with a period only after several sentences', () => {
      const wrong = Object.entries(messages)
        .filter(([key]) => /^error\.(?!prefix)|^hint\./.test(key))
        .map(([, text]) => text.replace('EE. UU.', 'EE UU'))
        .filter((text) => text.endsWith('.') !== /[.?] \p{Lu}/u.test(text));
      expect(wrong).toEqual([]);
    });

    it('end problems and explanations with a period', () => {
      const wrong = Object.entries(messages)
        .filter(([key]) => /^problem\.|\.(?:text|why)(?:\.|$)/.test(key))
        .filter(([key, text]) => !/[.?]$/.test(text) && key !== 'review.consents.text');
      expect(wrong).toEqual([]);
    });

    it('end titles without a period', () => {
      const titles = Object.entries(messages).filter(([key]) => /\.(?:title|name)$/.test(key));
      expect(titles.filter(([, text]) => text.endsWith('.'))).toEqual([]);
    });

    it('include every problem code', () => {
      const keys = problemCodes.map((code) => `problem.${code}`);
      expect(keys.filter((key) => !Object.hasOwn(messages, key))).toEqual([]);
    });

    it('include every error of every field', () => {
      const paths = formSteps.flatMap((step) => toFieldPaths(step, {}));
      const sentences = paths.flatMap((path) =>
        fieldErrorCodes.map((code) => {
          const key = toLabelKey(t, path);
          const values = { label: key ? t(key) : path, lastName: 'Núñez', format };
          return toErrorMessage(t, { path, code }, values);
        }),
      );
      expect(sentences.filter((sentence) => /\{|undefined|^error\./.test(sentence))).toEqual([]);
    });

    it('start the name of a file’s button with its visible label (WCAG 2.5.3)', () => {
      const actions = ['remove', 'cancel', 'retry'] as const;
      const names = actions.map((action) => t(`documents.${action}.for`, { name: 'a.pdf' }));
      const labels = actions.map((action) => t(`documents.${action}`));
      expect(names.filter((name, index) => !name.startsWith(labels[index]!))).toEqual([]);
    });
  },
);

// Numbers of nine digits that are never issued, such as 900-12-3456, have the same code as eight digits.
describe.each([
  ['English', english, /^Check /],
  ['Spanish', spanish, /^Revise /],
])('the %s messages for an SSN or EIN', (_name, messages, start) => {
  it('ask to check it, because it may have nine digits', () => {
    expect(messages['error.owner/ssn.ssn']).toMatch(start);
    expect(messages['error.business/taxId.ein']).toMatch(start);
  });
});

function listPlaceholders(text = ''): string {
  return (text.match(/\{\w+\}/g) ?? []).toSorted().join();
}

function listMatches(messages: Catalog, pattern: RegExp): readonly string[] {
  return Object.values(messages).filter((text) => pattern.test(text));
}
