// Which language is meant, and which text stands in for a missing one.

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
])('%o asks for %s of English and Spanish', (asked, expected) => {
  expect(pickLocale(['en', 'es'], asked)).toBe(expected);
});

it('nothing known asks for the partner’s own first language', () => {
  expect(pickLocale(['es', 'en'], 'fr')).toBe('es');
  expect(pickLocale(['es'], 'en')).toBe('es');
});

it('English stands in for a text that is missing', () => {
  expect(toText({ en: 'Rent', es: 'Alquiler' }, 'es')).toBe('Alquiler');
  expect(toText({ en: 'Rent' }, 'es')).toBe('Rent');
});
