// The English catalogues have a sentence for everything that can happen.

import { describe, expect, it } from 'vitest';
import { formSteps, toFieldPaths } from '../../../widget/app/steps.ts';
import { en } from '../../../widget/i18n/en.ts';
import { enProblems } from '../../../widget/i18n/en-problems.ts';
import { enAfter } from '../../../widget/i18n/en-after.ts';
import { enOffers } from '../../../widget/i18n/en-offers.ts';
import { toLabelKey } from '../../../widget/i18n/error-sentence.ts';

describe('the English catalogues', () => {
  it('have a label for every field', () => {
    const paths = formSteps
      .flatMap((step) => toFieldPaths(step, {}))
      .filter((path) => path !== 'consents');
    expect(paths.filter((path) => toLabelKey(path) === undefined)).toEqual([]);
  });

  it('never say please, valid, invalid or oops, and never raise their voice', () => {
    const sentences = Object.values({ ...en, ...enProblems, ...enAfter, ...enOffers }).join(' ');
    expect(sentences).not.toMatch(/\b(please|valid|invalid|oops)\b|!/i);
  });

  it('share no key, so that none hides another', () => {
    const catalogues = [en, enProblems, enAfter, enOffers];
    const keys = catalogues.flatMap((catalogue) => Object.keys(catalogue));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});
