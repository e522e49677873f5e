// Checks of given consents, and the evidence that is stored.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../bff/runtime/app-error.ts';
import { checkConsents } from '../../../bff/routes/application.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff } from '../../support/bff.ts';

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
  it('uses the first language by default', () => {
    expect(checkConsents(settings, [given])).toEqual([
      { ...terms, label: 'Acepto', text: 'Los términos.', locale: 'es' },
    ]);
  });

  it('uses the language of the form', () => {
    expect(checkConsents(settings, [{ ...given, locale: 'en' }])).toEqual([
      { ...terms, label: 'I accept', text: 'The terms.', locale: 'en' },
    ]);
  });

  it('uses the English text if there is no translation', () => {
    const consents = [given, { id: 'contact', version: '1', locale: 'es' }];
    expect(checkConsents(settings, consents)[1]).toEqual({
      ...contact,
      label: 'Call me',
      text: 'About calls.',
      locale: 'es',
    });
  });

  it('returns each consent once, in the configured order', () => {
    const consents = [{ id: 'contact', version: '1' }, given, given];
    expect(checkConsents(settings, consents).map(({ id }) => id)).toEqual(['terms', 'contact']);
  });

  it.each([
    ['a missing required consent', []],
    ['an optional consent alone', [{ id: 'contact', version: '1' }]],
    ['an outdated version', [{ ...given, version: '1' }]],
    ['an unknown language', [{ ...given, locale: 'xx' }]],
    ['an unknown consent', [given, { id: 'other', version: '1' }]],
    ['an outdated version beside the current one', [given, { ...given, version: '1' }]],
  ])('rejects %s', (_name, consents) => {
    expect(() => checkConsents(settings, consents)).toThrow(AppError);
  });
});

describe('the links of a consent', () => {
  const shown = [
    { label: 'Términos de uso', url: 'https://partner.example/es/terms' },
    { label: 'Aviso de privacidad', url: 'https://partner.example/privacy' },
  ];
  const withLinks = {
    ...terms,
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

  it('are in the language of the form', () => {
    const [consent] = checkConsents({ ...settings, consents: [withLinks] }, [given]);
    expect(consent?.links).toEqual(shown);
  });

  it('are absent if the consent has none', () => {
    const [consent] = checkConsents({ ...settings, consents: [{ ...terms, links: [] }] }, [given]);
    expect(consent).toEqual({ ...terms, label: 'Acepto', text: 'Los términos.', locale: 'es' });
  });

  it('are stored and hashed with the text, one per line', async () => {
    const bff = await startBff({ settings: { consents: [withLinks, contact] } });
    const consents = [
      { ...given, locale: 'es' },
      { id: 'contact', version: '1' },
    ];
    const { json } = await bff.openBrowser().apply({ ...createApplication(), consents });
    const text = [
      'Acepto',
      '',
      'Los términos.',
      '',
      'Términos de uso: https://partner.example/es/terms',
      'Aviso de privacidad: https://partner.example/privacy',
    ].join('\n');
    const kept = await bff.store.listConsents(json.reference);
    expect(kept.map((row) => [row.text, row.textHash])).toEqual([
      [text, createHash('sha256').update(text).digest('hex')],
      ['Call me\n\nAbout calls.', expect.any(String)],
    ]);
    await bff.close();
  });
});
