// Request smuggling against the BFF itself. The full run also tests reverse proxies, if they are installed.

import { afterEach, describe, expect, it } from 'vitest';
import { sendShapes, shapes, type SmugglingTarget, startTarget } from './smuggling.ts';

describe('requests with an ambiguous end', () => {
  let target: SmugglingTarget;

  afterEach(() => target.close());

  it('hide no other request', async () => {
    target = await startTarget();
    const { problems, exchanges } = await sendShapes(target);
    expect(problems).toEqual([]);
    expect(exchanges).toBe(2 * shapes.length);
    expect(shapes.length).toBeGreaterThan(60);
  });

  it('are accepted by a lenient parser', async () => {
    target = await startTarget({ isLenient: true });
    const { problems } = await sendShapes(target, { idleTimeoutMs: 100 });
    expect(problems.filter((text) => text.includes('was accepted')).length).toBeGreaterThan(10);
  });
});
