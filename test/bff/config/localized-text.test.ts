// The language of a request, and the text for a missing translation.

import { expect, it } from 'vitest';
import { pickLocale, toText } from '../../../bff/config/localized-text.ts';

it.each([
  ['es', 'es'],
  ['en', 'en'],
  ['ES', 'es'],
  ['es-MX', 'es'],
  [undefined, 'en'],
  ['', 'en'],
  ['fr', 'en'],
  ['espanol', 'en'],
  ['constructor', 'en'],
])('picks the language of %o (%s)', (asked, expected) => {
  expect(pickLocale(['en', 'es'], asked)).toBe(expected);
});

it('picks the first offered language for an unknown one', () => {
  expect(pickLocale(['es', 'en'], 'fr')).toBe('es');
  expect(pickLocale(['es'], 'en')).toBe('es');
});

it('falls back to English for a missing translation', () => {
  expect(toText({ en: 'Rent', es: 'Alquiler' }, 'es')).toBe('Alquiler');
  expect(toText({ en: 'Rent' }, 'es')).toBe('Rent');
});
