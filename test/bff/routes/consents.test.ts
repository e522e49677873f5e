// Which consents count: the current text, in a language that is offered, once each.

import { describe, expect, it } from 'vitest';
import { AppError } from '../../../bff/app-error.ts';
import { checkConsents } from '../../../bff/routes/consents.ts';

const terms = {
  id: 'terms',
  version: '2',
  label: { en: 'I accept', es: 'Acepto' },
  text: { en: 'The terms.', es: 'Los términos.' },
  required: true,
};
const contact = {
  id: 'contact',
  version: '1',
  label: { en: 'Call me' },
  text: { en: 'About calls.' },
  required: false,
};
const settings = { consents: [terms, contact], locales: ['es' as const, 'en' as const] };
const given = { id: 'terms', version: '2' };

describe('checkConsents', () => {
  it('takes the text of the first language where none is named', () => {
    expect(checkConsents(settings, [given])).toEqual([
      { ...terms, label: 'Acepto', text: 'Los términos.' },
    ]);
  });

  it('takes the text of the language that is named', () => {
    expect(checkConsents(settings, [{ ...given, locale: 'en' }])).toEqual([
      { ...terms, label: 'I accept', text: 'The terms.' },
    ]);
  });

  it('takes the English text where the language has none, since that is what was shown', () => {
    const consents = [given, { id: 'contact', version: '1', locale: 'es' }];
    expect(checkConsents(settings, consents)[1]).toEqual({
      ...contact,
      label: 'Call me',
      text: 'About calls.',
    });
  });

  it('takes each once, in the partner’s order', () => {
    const consents = [{ id: 'contact', version: '1' }, given, given];
    expect(checkConsents(settings, consents).map(({ id }) => id)).toEqual(['terms', 'contact']);
  });

  it.each([
    ['none of a required one', []],
    ['an optional one alone', [{ id: 'contact', version: '1' }]],
    ['an older version', [{ ...given, version: '1' }]],
    ['a language that is not offered', [{ ...given, locale: 'fr' }]],
    ['one that nobody asks for', [given, { id: 'other', version: '1' }]],
    ['an older version beside the current one', [given, { ...given, version: '1' }]],
  ])('refuses %s', (_name, consents) => {
    expect(() => checkConsents(settings, consents)).toThrow(AppError);
  });
});
