// `GET /v1/configuration` in the requested language.

import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configurationSchema, type Configuration } from '../../../shared/api/configuration.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Answer } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';

const settings = {
  locales: ['es', 'en'],
  fundingReasons: [
    { value: 'Truck', label: { en: 'A truck', es: 'Un camión' } },
    { value: 'Rent', label: 'Rent' },
  ],
  offers: { notQualifiedNotice: { en: 'Write to us.', es: 'Escríbanos.' } },
  creditCheckNotice: { en: 'We check no credit.', es: 'No consultamos su crédito.' },
};

describe('GET /v1/configuration', () => {
  let bff: TestBff;

  beforeEach(async () => {
    bff = await startBff();
  });

  afterEach(() => bff.close());

  it('returns a configuration that matches its schema', async () => {
    const answer = await bff.openBrowser().send('GET', apiPaths.configuration);
    const configuration = configurationSchema.parse(answer.json);
    expect(configuration).toEqual(answer.json);
    expect(configuration.bankConnection).toBe('demonstration');
    expect(configuration.documents).toMatchObject({
      maxBytes: 10_485_760,
      maxFiles: 20,
      maxTotalBytes: 62_914_560,
    });
    const ids = configuration.documents.categories.map(({ id }) => id);
    expect(ids).toHaveLength(35);
    expect(ids).not.toContain('psf');
    expect(answer.text).not.toContain('wire');
  });

  it.each([
    ['br', 'gzip, deflate, br, zstd'],
    [null, 'gzip, deflate'],
    [null, undefined],
  ])('has the encoding %s for a browser that accepts %s', async (encoding, accepted) => {
    const headers = { 'accept-encoding': accepted };
    const answer = await bff.app.request(apiPaths.configuration, {
      headers: { 'sec-fetch-site': 'same-origin', ...(accepted && headers) },
    });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('vary')).toBe('Origin, Accept-Encoding');
    const body = Buffer.from(await answer.arrayBuffer());
    const json = encoding ? brotliDecompressSync(body) : body;
    expect(configurationSchema.parse(JSON.parse(json.toString())).locale).toBe('en');
  });

  it('is in English by default', async () => {
    const configuration = await read('');
    expect([configuration.locale, configuration.locales]).toEqual(['en', ['en', 'es']]);
    expect(configuration.businessTypes[0]?.label).toBe('Sole proprietorship');
  });

  it('is in Spanish on request, with the same values', async () => {
    const [english, spanish] = [await read(''), await read('?locale=es')];
    expect(spanish.locale).toBe('es');
    expect(spanish.creditScores[0]).toEqual({ value: '720+', label: '720 o más' });
    expect(spanish.consents[2]?.label).toContain('Confirmo que mis respuestas');
    expect(spanish.consents[2]?.text).toContain('los términos de uso');
    expect(spanish.documents.categories[0]?.label).toBe('Estado de cuenta, enero');
    expect(spanish.documents.checklist?.[2]?.label).toBe('Cheque anulado');
    expect(withoutTexts(spanish)).toEqual({ ...withoutTexts(english), locale: 'es' });
  });

  it.each(['?locale=xx', '?locale=', '?lang=es', '?locale=%E0%A4%A'])(
    'falls back to the first language for %s',
    async (query) => {
      expect((await read(query)).locale).toBe('en');
    },
  );

  it('is in the default language of the partner, with English as the fallback', async () => {
    await bff.close();
    bff = await startBff({ settings });
    const configuration = await read('?locale=xx');
    expect(configuration.locale).toBe('es');
    expect(configuration.fundingReasons.map(({ label }) => label)).toEqual(['Un camión', 'Rent']);
    expect(configuration.offers.notQualifiedNotice).toBe('Escríbanos.');
    expect((await read('?locale=en')).offers.notQualifiedNotice).toBe('Write to us.');
  });

  it('has the credit check notice in the requested language', async () => {
    expect((await read('')).creditCheckNotice).toBe('');
    await bff.close();
    bff = await startBff({ settings });
    expect((await read('?locale=es')).creditCheckNotice).toBe('No consultamos su crédito.');
    expect((await read('?locale=en')).creditCheckNotice).toBe('We check no credit.');
  });

  it('has the expected time of a decision if the partner configures one', async () => {
    expect(await read('')).not.toHaveProperty('expectedDecision');
    await bff.close();
    const expectedDecision = { within: 2, unit: 'business-days' } as const;
    bff = await startBff({ settings: { expectedDecision } });
    expect((await read('')).expectedDecision).toEqual(expectedDecision);
  });

  it('has the range of the funding need', async () => {
    await bff.close();
    const fundingNeed = { minimum: 5_000, maximum: 500_000 };
    bff = await startBff({ settings: { fundingNeed } });
    expect((await read('')).fundingNeed).toEqual(fundingNeed);
  });

  it('translates the links of a consent', async () => {
    await bff.close();
    const label = { en: 'Terms of use', es: 'Términos de uso' };
    const url = { en: 'https://partner.example/terms', es: 'https://partner.example/es/terms' };
    const terms = { id: 'terms', version: '1', label: 'Terms', text: 'Terms.', required: true };
    const consents = [
      { ...terms, links: [{ label, url }] },
      { ...terms, id: 'others', links: [] },
    ];
    bff = await startBff({ settings: { consents } });
    const { consents: shown } = await read('?locale=es');
    expect(shown[0]?.links).toEqual([{ label: label.es, url: url.es }]);
    expect(shown[1]).toEqual({ ...terms, id: 'others' });
    expect((await read('')).consents[0]?.links).toEqual([{ label: label.en, url: url.en }]);
  });

  it('has a default checklist of categories that applicants may choose', async () => {
    const { documents } = await read('');
    const open = documents.categories.map(({ id }) => id);
    const checklist = documents.checklist ?? [];
    expect(checklist.map(({ id, count }) => [id, count])).toEqual([
      ['bank-statements', 3],
      ['identity', 1],
      ['voided-check', 1],
    ]);
    expect(open).toEqual(expect.arrayContaining(checklist.flatMap(({ categories }) => categories)));
  });

  it('is not cached, and its language is not logged', async () => {
    const answer = await ask('?locale=es');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(bff.logLines.join('')).not.toContain('locale');
  });

  function ask(query: string): Promise<Answer> {
    return bff.openBrowser().send('GET', apiPaths.configuration + query);
  }

  async function read(query: string): Promise<Configuration> {
    const answer = await ask(query);
    expect(answer.status).toBe(200);
    const configuration = configurationSchema.parse(answer.json);
    expect(configuration).toEqual(answer.json);
    return configuration;
  }
});

function withoutTexts(configuration: Configuration): object {
  const json = JSON.stringify(configuration, (key, value) =>
    key === 'label' || key === 'text' ? undefined : value,
  );
  return JSON.parse(json);
}
