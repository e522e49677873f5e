import { describe, expect, it } from 'vitest';
import { createBodyReader } from './body-reader.ts';
import { runGeneratedBodies } from './generated-bodies.ts';

const bodies = 195_000;

describe('generated bodies', () => {
  it('go on as they are, or are refused without a word of them, and none holds the others up', async () => {
    const { accepted } = await runGeneratedBodies(createBodyReader(), bodies, 2);
    expect(accepted).toBeGreaterThan(bodies / 10);
  });
});
