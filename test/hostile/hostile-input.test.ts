// A sample of hostile input. The campaigns of the group `input` send all of it.

import { describe, expect, it } from 'vitest';
import { createBodyReader } from './input-rules.ts';
import { runGeneratedBodies } from './generated-bodies.ts';
import {
  tryHeaders,
  tryOtherBodies,
  trySubmissions,
  tryFields,
  withWholeBff,
} from './hostile-input.ts';

/** Every fifth string. */
const step = 5;

describe('naughty strings', () => {
  it.each([
    ['in each field of an application', tryFields, 800],
    ['in all fields that accept them', trySubmissions, 96],
    ['in headers', tryHeaders, 1],
    ['in consents and asset reports', tryOtherBodies, 90],
  ])('are passed on unchanged or refused without an echo: %s', async (_name, run, least) => {
    const { accepted, problems } = await run(step);
    expect(problems).toEqual([]);
    expect(accepted).toBeGreaterThanOrEqual(least);
  });
});

describe('generated bodies', () => {
  it('are parsed without changes or refused without an echo, within one second', async () => {
    const { accepted } = await runGeneratedBodies(createBodyReader(), 4_000, 2);
    expect(accepted).toBeGreaterThan(400);
  });

  it('are passed on unchanged by the whole BFF or refused without an echo', async () => {
    const result = await withWholeBff((read) => runGeneratedBodies(read, 400, 1));
    expect(result.problems).toEqual([]);
    expect(result.accepted).toBeGreaterThan(40);
  });
});
