// Checks of given consents, and the evidence that is stored.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkConsents } from '../../../bff/routes/application.ts';
import { AppError } from '../../../bff/runtime/app-error.ts';
import { createApplication } from '../../support/applications.ts';
import { openBff } from '../open-bff.ts';

const terms = {
  id: 'terms',
  version: '2',
  label: { en: 'I accept', es: 'Acepto' },
  text: { en: 'The terms.', es: 'Los términos.' },
  required: true,
  links: [
    {
      label: { en: 'Terms of use', es: 'Términos de uso' },
      url: { en: 'https://partner.example/terms', es: 'https://partner.example/es/terms' },
    },
    {
      label: { en: 'Privacy notice', es: 'Aviso de privacidad' },
      url: { en: 'https://partner.example/privacy' },
    },
  ],
};
const contact = {
  id: 'contact',
  version: '1',
  label: { en: 'Call me' },
  text: { en: 'About calls.' },
  required: false,
  links: [],
};
const settings = { consents: [terms, contact], locales: ['es' as const, 'en' as const] };
const given = { id: 'terms', version: '2' };
const givenContact = { id: 'contact', version: '1' };

describe('checkConsents', () => {
  it('uses the first language by default', () => {
    expect(checkConsents(settings, [given])).toEqual([
      {
        ...terms,
        label: 'Acepto',
        text: 'Los términos.',
        locale: 'es',
        links: [
          { label: 'Términos de uso', url: 'https://partner.example/es/terms' },
          { label: 'Aviso de privacidad', url: 'https://partner.example/privacy' },
        ],
      },
    ]);
  });

  it('uses the language of the form', () => {
    const [consent] = checkConsents(settings, [{ ...given, locale: 'en' }]);
    expect(consent).toMatchObject({ label: 'I accept', text: 'The terms.', locale: 'en' });
  });

  it('uses the English text if there is no translation', () => {
    const { links: _none, ...shown } = contact;
    expect(checkConsents(settings, [given, { ...givenContact, locale: 'es' }])[1]).toEqual({
      ...shown,
      label: 'Call me',
      text: 'About calls.',
      locale: 'es',
    });
  });

  it('returns each consent once, in the configured order', () => {
    const consents = checkConsents(settings, [givenContact, given, given]);
    expect(consents.map(({ id }) => id)).toEqual(['terms', 'contact']);
  });

  it.each([
    ['a missing required consent', []],
    ['an optional consent alone', [givenContact]],
    ['an outdated version', [{ ...given, version: '1' }]],
    ['an unknown language', [{ ...given, locale: 'xx' }]],
    ['an unknown consent', [given, { id: 'other', version: '1' }]],
    ['an outdated version beside the current one', [given, { ...given, version: '1' }]],
  ])('rejects %s', (_name, consents) => {
    expect(() => checkConsents(settings, consents)).toThrow(AppError);
  });
});

it('stores each consent with its label, text, and links in its language', async () => {
  const { browser, store, time } = await openBff({ settings: { consents: [terms, contact] } });
  const consents = [{ ...given, locale: 'es' }, givenContact];
  const { json } = await browser.apply(createApplication({}, { consents }));
  const text = [
    'Acepto',
    '',
    'Los términos.',
    '',
    'Términos de uso: https://partner.example/es/terms',
    'Aviso de privacidad: https://partner.example/privacy',
  ].join('\n');
  expect(await store.listConsents(json.reference)).toMatchObject([
    {
      consentId: 'terms',
      version: '2',
      locale: 'es',
      text,
      textHash: createHash('sha256').update(text).digest('hex'),
      givenAt: time.clock(),
    },
    { consentId: 'contact', locale: 'en', text: 'Call me\n\nAbout calls.' },
  ]);
});
