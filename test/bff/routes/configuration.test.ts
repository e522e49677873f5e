// `GET /v1/configuration` in the requested language.

import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { configurationSchema, type Configuration } from '../../../shared/api/configuration.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Browser } from '../../support/applicant.ts';
import { openBff } from '../open-bff.ts';

const ask = (browser: Browser, query = '') => browser.send('GET', apiPaths.configuration + query);

async function read(browser: Browser, query?: string): Promise<Configuration> {
  const { status, json } = await ask(browser, query);
  expect(status).toBe(200);
  const configuration = configurationSchema.parse(json);
  expect(configuration).toEqual(json);
  return configuration;
}

const partnerSettings = {
  locales: ['es', 'en'],
  fundingReasons: [
    { value: 'Truck', label: { en: 'A truck', es: 'Un camión' } },
    { value: 'Rent', label: 'Rent' },
  ],
  offers: { notQualifiedNotice: { en: 'Write to us.', es: 'Escríbanos.' } },
  creditCheckNotice: { en: 'We check no credit.', es: 'No consultamos su crédito.' },
  expectedDecision: { within: 2, unit: 'business-days' },
  fundingNeed: { minimum: 5_000, maximum: 500_000 },
};

describe('GET /v1/configuration', () => {
  it('has defaults for everything', async () => {
    const { browser } = await openBff();
    const configuration = await read(browser);
    expect(configuration).toMatchObject({
      locale: 'en',
      locales: ['en', 'es'],
      bankConnection: 'demonstration',
      creditCheckNotice: '',
      documents: { maxBytes: 10_485_760, maxFiles: 20, maxTotalBytes: 62_914_560 },
    });
    expect(configuration).not.toHaveProperty('expectedDecision');
    expect(configuration.businessTypes[0]?.label).toBe('Sole proprietorship');
    const ids = configuration.documents.categories.map(({ id }) => id);
    expect(ids).toHaveLength(35);
    expect(ids).not.toContain('psf');
    const checklist = configuration.documents.checklist ?? [];
    expect(checklist.map(({ id, count }) => [id, count])).toEqual([
      ['bank-statements', 3],
      ['identity', 1],
      ['voided-check', 1],
    ]);
    expect(ids).toEqual(expect.arrayContaining(checklist.flatMap(({ categories }) => categories)));
  });

  it('hides what only the funding service needs', async () => {
    const { browser } = await openBff();
    expect((await ask(browser)).text).not.toContain('wire');
  });

  it.each([
    ['br', 'gzip, deflate, br, zstd'],
    [null, 'gzip, deflate'],
    [null, undefined],
  ])('has the encoding %s for a browser that accepts %s', async (encoding, accepted) => {
    const { app } = await openBff();
    const answer = await app.request(apiPaths.configuration, {
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(accepted && { 'accept-encoding': accepted }),
      },
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      vary: 'Origin, Accept-Encoding',
      'cache-control': 'no-store',
    });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    const body = Buffer.from(await answer.arrayBuffer());
    const json = encoding ? brotliDecompressSync(body) : body;
    expect(configurationSchema.parse(JSON.parse(json.toString())).locale).toBe('en');
  });

  it('is in Spanish on request, with the same values', async () => {
    const { browser, logLines } = await openBff();
    const [english, spanish] = [await read(browser), await read(browser, '?locale=es')];
    expect(spanish.creditScores[0]).toEqual({ value: '720+', label: '720 o más' });
    expect(spanish.consents[2]?.label).toContain('Confirmo que mis respuestas');
    expect(spanish.consents[2]?.text).toContain('los términos de uso');
    expect(spanish.documents.categories[0]?.label).toBe('Estado de cuenta, enero');
    expect(spanish.documents.checklist?.[2]?.label).toBe('Cheque anulado');
    expect(withoutTexts(spanish)).toEqual({ ...withoutTexts(english), locale: 'es' });
    expect(logLines.join('')).not.toContain('locale');
  });

  it.each(['?locale=xx', '?locale=', '?lang=es', '?locale=%E0%A4%A'])(
    'falls back to the first language for %s',
    async (query) => {
      const { browser } = await openBff();
      expect((await read(browser, query)).locale).toBe('en');
    },
  );

  it('has the choices and texts of the partner, with English as the fallback', async () => {
    const { browser } = await openBff({ settings: partnerSettings });
    const { expectedDecision, fundingNeed } = partnerSettings;
    const spanish = await read(browser, '?locale=xx');
    expect(spanish).toMatchObject({
      locale: 'es',
      offers: { notQualifiedNotice: 'Escríbanos.' },
      creditCheckNotice: 'No consultamos su crédito.',
      expectedDecision,
      fundingNeed,
    });
    expect(spanish.fundingReasons.map(({ label }) => label)).toEqual(['Un camión', 'Rent']);
    expect(await read(browser, '?locale=en')).toMatchObject({
      offers: { notQualifiedNotice: 'Write to us.' },
      creditCheckNotice: 'We check no credit.',
    });
  });
});

function withoutTexts(configuration: Configuration): object {
  const json = JSON.stringify(configuration, (key, value) =>
    key === 'label' || key === 'text' ? undefined : value,
  );
  return JSON.parse(json);
}
