// What a browser may say about a consent that was given.

import { expect, it } from 'vitest';
import { consentGivenSchema } from '../../../shared/application/consent.ts';

const given = { id: 'terms', version: '1' };

it.each([given, { ...given, locale: 'es' }])('takes %o', (consent) => {
  expect(consentGivenSchema.parse(consent)).toEqual(consent);
});

it.each(['', 'e', 'ES', 'es-MX', 'es\n', ' es', 'español', null, 1])(
  'refuses the language %o',
  (locale) => {
    expect(consentGivenSchema.safeParse({ ...given, locale }).success).toBe(false);
  },
);
