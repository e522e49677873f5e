import { afterEach, describe, expect, it } from 'vitest';
import {
  createInspectionProcess,
  type InspectionOutcome,
  type InspectionProcess,
} from './inspection-process.ts';

const program = new URL('programs/odd-inspection.ts', import.meta.url);
let inspections: InspectionProcess;

afterEach(() => {
  inspections.close();
});

function start(timeoutMs?: number): void {
  inspections = createInspectionProcess({ program, ...(timeoutMs ? { timeoutMs } : {}) });
}

async function inspect(path: string): Promise<InspectionOutcome> {
  return await inspections.inspect({ path, extension: 'pdf', mode: 'default' });
}

describe('createInspectionProcess', { timeout: 30_000 }, () => {
  it('returns the verdict of the process', async () => {
    start();
    expect(await inspect('a file')).toEqual({ verdict: 'accept', ms: 1 });
  });

  it('reports a file that ends the process', async () => {
    start();
    expect(await inspect('ends')).toMatchObject({
      verdict: 'none',
      detail: 'the process ended (3)',
    });
  });

  it('inspects the next file after the process ended', async () => {
    start();
    await inspect('ends');
    expect(await inspect('a file')).toMatchObject({ verdict: 'accept' });
  });

  it('ends a process that gives no verdict', async () => {
    start(200);
    const outcome = await inspect('hangs');
    expect(outcome).toMatchObject({ verdict: 'none', detail: 'no verdict within 200 ms' });
  });
});
