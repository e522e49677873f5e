// What a browser may say about a consent that was given.

import { expect, it } from 'vitest';
import { acceptedConsentSchema, consentSchema } from '../../../shared/application/consent.ts';

const given = { id: 'terms', version: '1' };

it.each([given, { ...given, locale: 'es' }])('takes %o', (consent) => {
  expect(acceptedConsentSchema.parse(consent)).toEqual(consent);
});

it.each(['', 'e', 'ES', 'es-MX', 'es\n', ' es', 'español', null, 1])(
  'refuses the language %o',
  (locale) => {
    expect(acceptedConsentSchema.safeParse({ ...given, locale }).success).toBe(false);
  },
);

const consent = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };

it.each(['https://partner.example/terms', 'http://localhost:8080/terms'])(
  'shows a consent with a link to %s',
  (url) => {
    const links = [{ label: 'Terms of use', url }];
    expect(consentSchema.parse({ ...consent, links })).toEqual({ ...consent, links });
  },
);

it.each(['javascript:alert(1)', 'data:text/html,x', ' https://a.example/', '/terms', ''])(
  'shows no consent with a link to %j',
  (url) => {
    const links = [{ label: 'Terms of use', url }];
    expect(consentSchema.safeParse({ ...consent, links }).success).toBe(false);
  },
);
