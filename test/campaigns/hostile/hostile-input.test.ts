// A sample of hostile input. The campaigns of the group `input` send all of it.

import { describe, expect, it } from 'vitest';
import { runGeneratedBodies } from './generated-bodies.ts';
import {
  tryFields,
  tryHeaders,
  tryOtherBodies,
  trySubmissions,
  withWholeBff,
} from './hostile-input.ts';
import { createBodyReader } from './input-rules.ts';
import { names, tryExtraKeys, tryUrlsAndHeaders } from './mass-assignment.ts';

/** Every fifth string. */
const step = 5;

describe('naughty strings', () => {
  it.each([
    ['in each field of an application', tryFields, 800],
    ['in all fields that accept them', trySubmissions, 96],
    ['in headers', tryHeaders, 1],
    ['in consents and asset reports', tryOtherBodies, 90],
  ])('%s are sent unchanged or refused', async (_name, run, least) => {
    const { accepted, problems } = await run(step);
    expect(problems).toEqual([]);
    expect(accepted).toBeGreaterThanOrEqual(least);
  });
});

describe('generated bodies', () => {
  it('are parsed unchanged or refused within one second', async () => {
    const { accepted } = await runGeneratedBodies(createBodyReader(), 4_000, 2);
    expect(accepted).toBeGreaterThan(400);
  });

  it('are sent unchanged or refused by the whole BFF', async () => {
    const result = await withWholeBff((read) => runGeneratedBodies(read, 400, 1));
    expect(result.problems).toEqual([]);
    expect(result.accepted).toBeGreaterThan(40);
  });
});

describe('an unknown name', () => {
  it('is refused as a key of an application', async () => {
    const { problems, requests } = await tryExtraKeys();
    expect(problems).toEqual([]);
    expect(requests).toBe(8 * names.length);
  });

  it('has no effect in URLs or headers', async () => {
    const { problems, requests } = await tryUrlsAndHeaders(4);
    expect(problems).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(6 * names.length);
  });
});
