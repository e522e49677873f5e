import { describe, expect, it } from 'vitest';
import { acceptedConsentSchema, consentSchema } from '../../../shared/application/consent.ts';

describe('acceptedConsentSchema', () => {
  const accepted = { id: 'terms', version: '1' };

  it.each([accepted, { ...accepted, locale: 'es' }])('accepts %o', (consent) => {
    expect(acceptedConsentSchema.parse(consent)).toEqual(consent);
  });

  it.each(['', 'e', 'ES', 'es-MX', 'es\n', ' es', 'español', null, 1])(
    'rejects the locale %o',
    (locale) => {
      expect(acceptedConsentSchema.safeParse({ ...accepted, locale }).success).toBe(false);
    },
  );
});

describe('consentSchema', () => {
  const consent = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };

  it.each(['https://partner.example/terms', 'http://localhost:8080/terms'])(
    'accepts a consent with a link to %s',
    (url) => {
      const links = [{ label: 'Terms of use', url }];
      expect(consentSchema.parse({ ...consent, links })).toEqual({ ...consent, links });
    },
  );

  it.each(['javascript:alert(1)', 'data:text/html,x', ' https://a.example/', '/terms', ''])(
    'rejects a consent with a link to %j',
    (url) => {
      const links = [{ label: 'Terms of use', url }];
      expect(consentSchema.safeParse({ ...consent, links }).success).toBe(false);
    },
  );
});
