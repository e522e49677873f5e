// The catalogue has a sentence for everything that can happen.

import { describe, expect, it } from 'vitest';
import { problemCodes } from '../../../shared/api/problem.ts';
import { fieldErrorCodes } from '../../../shared/application/field-errors.ts';
import { formSteps, toFieldPaths } from '../../../widget/flow/steps.ts';
import { en } from '../../../widget/i18n/en.ts';
import { enAfter } from '../../../widget/i18n/en-after.ts';
import { toErrorSentence, toLabelKey } from '../../../widget/i18n/error-sentence.ts';
import { createTranslate, isMessageKey } from '../../../widget/i18n/text.ts';

const t = createTranslate({ ...en, ...enAfter });

describe('the English catalogue', () => {
  it.each(problemCodes)('has a sentence for the problem %s', (code) => {
    expect(isMessageKey(`problem.${code}`)).toBe(true);
  });

  it('has a sentence for every error of every field, with nothing left to fill in', () => {
    const paths = formSteps.flatMap((step) => toFieldPaths(step, {}));
    for (const path of paths) {
      for (const code of fieldErrorCodes) {
        const label = toLabelKey(path);
        const sentence = toErrorSentence(
          t,
          { path, code },
          { label: label ? t(label) : path, lastName: 'Núñez' },
        );
        expect(sentence).not.toMatch(/\{|undefined/);
      }
    }
  });

  it('has a label for every field', () => {
    const paths = formSteps
      .flatMap((step) => toFieldPaths(step, {}))
      .filter((path) => path !== 'consents');
    expect(paths.filter((path) => toLabelKey(path) === undefined)).toEqual([]);
  });

  it('never says please, valid, invalid or oops', () => {
    const sentences = Object.values({ ...en, ...enAfter }).join(' ');
    expect(sentences).not.toMatch(/\b(please|valid|invalid|oops)\b/i);
  });
});
