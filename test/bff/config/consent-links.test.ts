// The documents a consent speaks of, in the settings: which addresses are taken, and what is told of the others.

import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../bff/config/settings.ts';
import { listProblems, production } from './config-source.ts';

const terms = { id: 'terms', version: '1', label: 'Terms', text: 'The terms.', required: true };
const good = { label: 'Terms of use', url: 'https://www.partner.example/terms' };

describe('the links of a consent', () => {
  it('are one for all languages, or one for each', () => {
    const each = {
      label: { en: 'Privacy notice', es: 'Aviso de privacidad' },
      url: {
        en: 'https://partner.example/privacy',
        es: 'https://partner.example/es/privacy?v=2#a',
      },
    };
    expect(read([good, each])).toMatchObject({
      settings: {
        consents: [{ links: [{ label: { en: good.label }, url: { en: good.url } }, each] }],
      },
    });
  });

  it.each([
    'https://partner.example',
    'https://partner.example:8443/terms.pdf',
    'https://xn--trminos-bya.example/términos',
    'http://localhost:8080/terms',
    'http://127.0.0.1/terms',
  ])('take %s', (url) => {
    expect(read([{ ...good, url }])).toHaveProperty('settings');
  });

  it.each([
    'javascript:alert(1)//https://partner.example/',
    'data:text/html,<p>Terms</p>',
    'http://partner.example/terms',
    'http://localhost.partner.example/terms',
    'http://127.partner.example/terms',
    'ftp://partner.example/terms',
    '//partner.example/terms',
    '/terms',
    'https://user@partner.example/terms',
    'https://user:word@partner.example/terms',
    'https://www.bank.example@partner.example/terms',
    String.raw`https://partner.example\@bank.example/terms`,
    'https:partner.example/terms',
    'https:///partner.example/terms',
    ' https://partner.example/terms',
    'https://partner.example/terms of use',
    'https://partner.example/te\nrms',
    'https://partner.example/\u{202e}smret',
    'https://Partner.example/terms',
    '',
  ])('refuse %j, and do not repeat it', (url) => {
    expect(read([good, { ...good, url }])).toEqual({
      problems: [
        'consents.0.links.1.url: must be an https address without blanks or a password, its host in lower case, as in https://www.example.com/terms',
      ],
    });
  });

  it('tell every mistake at once, each with its place', () => {
    const links = [
      { label: '', url: good.url },
      { label: { en: 'Terms', es: 'Dos\nlíneas' }, url: { en: good.url, es: 'data:,' } },
      { label: 'x'.repeat(301), url: `https://partner.example/${'x'.repeat(2000)}` },
      { ...good, title: 'Terms' },
      { label: 'Terms' },
    ];
    expect(read(links)).toEqual({
      problems: [
        'consents.0.links.0.label: must not be less than 1',
        'consents.0.links.1.label.es: must be on one line',
        expect.stringMatching(/^consents\.0\.links\.1\.url\.es: must be an https address/),
        'consents.0.links.2.label: must not be more than 300',
        'consents.0.links.2.url: must not be more than 2000',
        'consents.0.links.3: unknown: title',
        expect.stringMatching(/^consents\.0\.links\.4\.url: must be a text/),
      ],
    });
  });

  it('are five at most', () => {
    expect(read([good, good, good, good, good])).toHaveProperty('settings');
    expect(read([good, good, good, good, good, good])).toEqual({
      problems: ['consents.0.links: must not be more than 5'],
    });
  });

  it('lead to this machine in the sandbox only', () => {
    const local = { label: 'Terms', url: { en: good.url, es: 'http://localhost:8080/es/terms' } };
    const refused = [
      'FUNDING_SETTINGS points at this machine: consents.0.links.1.url. Set the public address.',
    ];
    expect(listIn('sandbox', [good, local])).toEqual([]);
    expect(listIn('staging', [good, local])).toEqual(refused);
    expect(listIn('production', [good, local])).toEqual(refused);
    const elsewhere = { ...good, url: 'https://127.partner.example/terms' };
    expect(listIn('staging', [good, elsewhere])).toEqual([]);
  });

  it('have words in each language that the form offers, once it is in production', () => {
    const both = { label: { en: 'Terms', es: 'Términos' }, url: good.url };
    expect(listIn('production', [both], ['en', 'es'])).toEqual([]);
    expect(listIn('production', [both, good], ['en', 'es'])).toEqual([
      expect.stringContaining('offers a language that the consent terms is not written in'),
    ]);
  });

  it('are no placeholder in production', () => {
    const label = '[Placeholder – replace before production] Terms';
    expect(listIn('production', [{ ...good, label }])).toEqual([
      expect.stringContaining('leaves the placeholder text of the consent terms'),
    ]);
  });
});

describe('a consent', () => {
  it('is on one line and does not end like links, so that no other has its evidence', () => {
    const address = 'https://partner.example/terms';
    const text = {
      en: `The terms.\n\nTerms of use: ${address}\nPrivacy notice: ${address}`,
      es: `Los términos.\n\nTérminos: ${address}`,
    };
    expect(readConsent({ label: 'Terms\n\nof use', text })).toEqual({
      problems: [
        'consents.0.label: must be on one line',
        'consents.0.text.en: must not end in lines of addresses: give them as links',
        'consents.0.text.es: must not end in lines of addresses: give them as links',
      ],
    });
  });

  it.each([
    'Terms: https://partner.example/terms',
    'The terms.\nTerms: https://partner.example/terms',
    'The terms.\n\nTerms: https://partner.example/terms\nPrint them.',
    'The terms.\n\nRead https://partner.example/terms',
  ])('may name addresses: %j', (text) => {
    expect(readConsent({ text })).toHaveProperty('settings');
  });
});

function readConsent(changes: object): ReturnType<typeof parseSettings> {
  return parseSettings(JSON.stringify({ consents: [{ ...terms, ...changes }] }));
}

function read(links: readonly object[]): ReturnType<typeof parseSettings> {
  return parseSettings(JSON.stringify({ consents: [{ ...terms, links }] }));
}

/** What a configuration that is whole otherwise is told of these links. */
function listIn(
  environment: string,
  links: readonly object[],
  locales: readonly string[] = ['en'],
): readonly string[] {
  const text = { en: 'The terms.', es: 'Los términos.' };
  const label = { en: 'I accept', es: 'Acepto' };
  const settings = {
    locales,
    consents: [{ ...terms, text, label, links }],
    offers: { notQualifiedNotice: { en: 'Write to us.', es: 'Escríbanos.' } },
  };
  return listProblems(
    { ...production, FUNDING_ENVIRONMENT: environment },
    { '/etc/funding/settings.json': JSON.stringify(settings) },
  );
}
