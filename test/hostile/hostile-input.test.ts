import { describe, expect, it } from 'vitest';
import { runGeneratedBodies } from './generated-bodies.ts';
import {
  tryHeaders,
  tryOtherBodies,
  trySubmissions,
  tryFields,
  withWholeBff,
} from './hostile-input.ts';

describe('naughty strings', () => {
  it.each([
    ['in each field of an application', tryFields, 4_000],
    ['in all fields that accept them', trySubmissions, 480],
    ['in headers', tryHeaders, 1],
    ['in consents and asset reports', tryOtherBodies, 450],
  ])('are passed on unchanged or refused without an echo: %s', async (_name, run, least) => {
    const { accepted, problems } = await run();
    expect(problems).toEqual([]);
    expect(accepted).toBeGreaterThanOrEqual(least);
  });
});

describe('generated bodies', () => {
  it('are passed on unchanged by the whole BFF or refused without an echo', async () => {
    const result = await withWholeBff((read) => runGeneratedBodies(read, 5_000, 1));
    expect(result.problems).toEqual([]);
    expect(result.accepted).toBeGreaterThan(500);
  });
});
