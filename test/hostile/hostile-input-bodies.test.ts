import { describe, expect, it } from 'vitest';
import { createBodyReader } from './body-reader.ts';
import { runGeneratedBodies } from './generated-bodies.ts';

const bodies = 195_000;

describe('generated bodies', () => {
  it('are parsed without changes or refused without an echo, within one second', async () => {
    const { accepted } = await runGeneratedBodies(createBodyReader(), bodies, 2);
    expect(accepted).toBeGreaterThan(bodies / 10);
  });
});
