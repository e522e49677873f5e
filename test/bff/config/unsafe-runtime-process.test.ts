// The signal by which anybody with the same user opens a debugger in a running Node.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { production, settings } from './config-source.ts';
import { startProcess, type BffProcess } from '../start-process.ts';

let folder: string;
let bff: BffProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bff-'));
});

afterEach(async () => {
  bff?.child.kill('SIGKILL');
  await bff?.exit;
  rmSync(folder, { recursive: true });
});

describe('SIGUSR1', { timeout: 30_000 }, () => {
  it('opens a debugger in the sandbox', async () => {
    // Any free port, since others may debug something here.
    bff = startProcess({ FUNDING_ENVIRONMENT: 'sandbox', ...own() }, '--inspect-port=0');
    await bff.listening();
    bff.child.kill('SIGUSR1');
    await bff.output(/Debugger listening/);
  });

  it('opens none where real applicants are', async () => {
    const FUNDING_SETTINGS = join(folder, 'settings.json');
    writeFileSync(FUNDING_SETTINGS, JSON.stringify(settings));
    await (await openStore(own().DATABASE_URL)).close();
    bff = startProcess({ ...production, ...own(), FUNDING_SETTINGS });
    const address = await bff.listening();
    bff.child.kill('SIGUSR1');
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    // Signals are taken in turn; the second one of these ends at once.
    bff.child.kill('SIGTERM');
    await bff.output(/shutdown-started/);
    bff.child.kill('SIGTERM');
    await bff.exit;
    expect(bff.text()).not.toMatch(/debugger|inspector/i);
  });
});

function own() {
  return { BFF_PORT: '0', DATABASE_URL: `file:${join(folder, 'store.db')}` };
}
