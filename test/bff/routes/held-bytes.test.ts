// How much bodies may take together while they are held.

import { describe, expect, it } from 'vitest';
import { AppError } from '../../../bff/app-error.ts';
import { createHeldBytes } from '../../../bff/routes/held-bytes.ts';

describe('the memory for bodies', () => {
  it('takes what fits, and refuses the next with a time to come back', async () => {
    const holdBytes = createHeldBytes(100);
    const first = createRun();
    const second = createRun();
    const held = [holdBytes(60, first.run), holdBytes(40, second.run)];
    const refusal = await holdBytes(1, createRun().run).catch((error: unknown) => error);
    expect(refusal).toMatchObject(new AppError('too-busy', { retryAfterSeconds: 5 }));
    first.end('done');
    expect(await held[0]).toBe('done');
    await expect(holdBytes(60, async () => 'fits')).resolves.toBe('fits');
    second.end('done');
    await held[1];
  });

  it('takes no room for what has failed', async () => {
    const holdBytes = createHeldBytes(100);
    const failing = holdBytes(100, () => Promise.reject(new Error('broken off')));
    await expect(failing).rejects.toThrow('broken off');
    await expect(holdBytes(100, async () => 'fits')).resolves.toBe('fits');
  });

  it('refuses without running', async () => {
    const holdBytes = createHeldBytes(10);
    let hasRun = false;
    const run = async () => {
      hasRun = true;
    };
    await expect(holdBytes(11, run)).rejects.toThrow('too-busy');
    expect(hasRun).toBe(false);
  });
});

function createRun() {
  let end: (text: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end: (text: string) => end(text) };
}
