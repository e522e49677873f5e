// Every language says the same: the same keys in the same order, the same values put in, and nothing left in English.

import { describe, expect, it } from 'vitest';
import { problemCodes } from '../../../shared/api/problem-codes.ts';
import { fieldErrorCodes } from '../../../shared/application/field-errors.ts';
import { formSteps, toFieldPaths } from '../../../widget/app/steps.ts';
import { en } from '../../../widget/i18n/en.ts';
import { enAfter } from '../../../widget/i18n/en-after.ts';
import { enOffers } from '../../../widget/i18n/en-offers.ts';
import { enProblems } from '../../../widget/i18n/en-problems.ts';
import { toErrorSentence, toLabelKey } from '../../../widget/i18n/error-sentence.ts';
import { es } from '../../../widget/i18n/es.ts';
import { esAfter } from '../../../widget/i18n/es-after.ts';
import { esOffers } from '../../../widget/i18n/es-offers.ts';
import { esProblems } from '../../../widget/i18n/es-problems.ts';
import { createFormat } from '../../../widget/i18n/format.ts';
import { createTranslate } from '../../../widget/i18n/text.ts';

type Catalogue = Readonly<Record<string, string>>;

const pairs: readonly (readonly [string, Catalogue, Catalogue])[] = [
  ['the form', en, es],
  ['its problems', enProblems, esProblems],
  ['what comes after', enAfter, esAfter],
  ['the offers', enOffers, esOffers],
];

/** Written alike in both languages. */
const sameInBoth = new Set(['error.prefix', 'no', 'offers.apr.range', 'offers.payment.value']);

describe.each(pairs)('%s in Spanish', (_name, english, spanish) => {
  it('has the keys of the English in their order', () => {
    expect(Object.keys(spanish)).toEqual(Object.keys(english));
  });

  it('puts in the same values', () => {
    const differing = Object.entries(english).filter(
      ([key, sentence]) =>
        listPlaceholders(sentence).join() !== listPlaceholders(spanish[key] ?? '').join(),
    );
    expect(differing).toEqual([]);
  });

  it('has a sentence for each, and none in English', () => {
    const left = Object.entries(english).filter(
      ([key, sentence]) => spanish[key]?.trim() === '' || spanish[key] === sentence,
    );
    expect(left.map(([key]) => key).filter((key) => !sameInBoth.has(key))).toEqual([]);
  });

  it('has one word for an owner and an estimate, and none that fits men alone', () => {
    const words = /dueñ|cálculo|dentro de un día|autorizad[oa]|usted mismo|trabaja solo/i;
    expect(Object.values(spanish).filter((sentence) => words.test(sentence))).toEqual([]);
  });

  // “Conviene” is advice; an application that was not “aceptada” has been turned down.
  it('neither recommends nor decides, where the English does not', () => {
    const words = /convien|acept\S* la solicitud/i;
    expect(Object.values(spanish).filter((sentence) => words.test(sentence))).toEqual([]);
  });

  it('says “usted”, and never raises its voice', () => {
    const sentences = Object.values(spanish).join(' ');
    expect(sentences).not.toMatch(/\b(tú|tu|tus|ti|contigo|puedes|tienes|quieres)\b|!/i);
  });
});

describe.each([
  ['English', 'en-US', { ...en, ...enProblems, ...enAfter }],
  ['Spanish', 'es-US', { ...es, ...esProblems, ...esAfter }],
])('the %s form', (_name, locale, messages) => {
  const t = createTranslate(messages);
  const format = createFormat(locale);

  it('has a sentence for every problem of the BFF', () => {
    const keys = problemCodes.map((code) => `problem.${code}`);
    expect(keys.filter((key) => !Object.hasOwn(messages, key))).toEqual([]);
  });

  it('has a sentence for every error of every field, with nothing left to fill in', () => {
    const paths = formSteps.flatMap((step) => toFieldPaths(step, {}));
    const sentences = paths.flatMap((path) =>
      fieldErrorCodes.map((code) => {
        const key = toLabelKey(path);
        const values = { label: key ? t(key) : path, lastName: 'Núñez', format };
        return toErrorSentence(t, { path, code }, values);
      }),
    );
    expect(sentences.filter((sentence) => /\{|undefined|^error\./.test(sentence))).toEqual([]);
  });

  it('calls what is done with a file by the word on its button (WCAG 2.5.3)', () => {
    const actions = ['remove', 'cancel', 'retry'] as const;
    const names = actions.map((action) => t(`documents.${action}.for`, { name: 'a.pdf' }));
    const words = actions.map((action) => t(`documents.${action}`));
    expect(names.filter((name, index) => !name.startsWith(words[index]!))).toEqual([]);
  });

  // Nine digits that are never issued, such as 900-12-3456, have the same code as eight.
  it('asks to check an SSN or EIN instead of asking for nine digits that may be there', () => {
    const asks = /^(Check|Revise) /;
    expect(messages['error.owner/ssn.ssn']).toMatch(asks);
    expect(messages['error.business/taxId.ein']).toMatch(asks);
  });
});

function listPlaceholders(sentence: string): readonly string[] {
  return (sentence.match(/\{\w+\}/g) ?? []).toSorted();
}
