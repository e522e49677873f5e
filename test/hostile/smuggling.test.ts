// The server's own reading of where a request ends. What stands before it is tried in the full run, where it is installed.

import { afterEach, describe, expect, it } from 'vitest';
import { shapes } from './smuggling-shapes.ts';
import { smuggle, startTarget, type SmugglingTarget } from './smuggling.ts';

describe('requests whose end is doubtful', () => {
  let target: SmugglingTarget;

  afterEach(() => target.close());

  it('are refused, or end where everybody says, and hide no other request', async () => {
    target = await startTarget();
    const { problems, exchanges } = await smuggle(target);
    expect(problems).toEqual([]);
    expect(exchanges).toBe(2 * shapes.length);
    expect(shapes.length).toBeGreaterThan(60);
  });

  it('are found out by this test, where a server reads them leniently', async () => {
    target = await startTarget({ isLenient: true });
    const { problems } = await smuggle(target, { patienceMs: 100 });
    expect(problems.filter((text) => text.includes('was taken')).length).toBeGreaterThan(10);
  });
});
