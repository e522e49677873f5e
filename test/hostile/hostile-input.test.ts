import { describe, expect, it } from 'vitest';
import { runGeneratedBodies } from './generated-bodies.ts';
import {
  tryHeaders,
  tryOtherBodies,
  trySubmissions,
  tryTexts,
  withWholeBff,
} from './hostile-input.ts';

describe('strings that break programs', () => {
  it.each([
    ['in each text of an application', tryTexts, 4_000],
    ['in all texts that take them', trySubmissions, 480],
    ['in headers', tryHeaders, 1],
    ['in consents and reports', tryOtherBodies, 450],
  ])('go on as they are, or are refused without a word of them: %s', async (_name, run, least) => {
    const { accepted, problems } = await run();
    expect(problems).toEqual([]);
    expect(accepted).toBeGreaterThanOrEqual(least);
  });
});

describe('generated bodies', () => {
  it('go through a whole BFF as they go through its reader', async () => {
    const result = await withWholeBff((read) => runGeneratedBodies(read, 5_000, 1));
    expect(result.problems).toEqual([]);
    expect(result.accepted).toBeGreaterThan(500);
  });
});
