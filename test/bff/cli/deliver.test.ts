// `deliver` with a store in a file, the whole app, and the sandbox over HTTP.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliverOnce } from '../../../bff/cli/deliver.ts';
import { createBff } from '../../../bff/create-bff.ts';
import { startSandboxServer, type SandboxServer } from '../../support/sandbox-server.ts';
import { type CliRig, createCliRig, first, second } from './cli-rig.ts';

describe('deliver', () => {
  let folder: string;
  let sandbox: SandboxServer;
  let rig: CliRig;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deliver-'));
    sandbox = await startSandboxServer();
    const databaseUrl = `file:${folder}/store.db`;
    rig = await createCliRig(databaseUrl);
    Object.assign(rig.variables, { DATABASE_URL: databaseUrl }, sandbox.variables);
  });

  afterEach(async () => {
    await rig.store.close();
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  it('sends what is due', async () => {
    for (const reference of [first, second]) await rig.add(reference, rig.toLeadText(reference));
    const { code, json, err } = await rig.run('deliver', '--json');
    expect({ code, json }).toEqual({ code: 0, json: { attempts: 2, hasMore: false } });
    expect(err).toContain('"event":"delivery-recorded"');
    expect(sandbox.leads()).toBe(2);
    expect((await rig.store.findApplication(first))?.state).toBe('accepted');
  });

  it('says when nothing is due', async () => {
    const { code, out } = await rig.run('deliver');
    expect({ code, out }).toEqual({
      code: 0,
      out: '0 attempts to deliver recorded. Nothing else is due.\n',
    });
  });

  it('fails if the store did not take every outcome', async () => {
    const bff = {
      deliver: async () => ({ attempts: 1, hasMore: false }),
      stop: async () => 'unrecorded' as const,
    };
    await expect(deliverOnce(bff, 1000)).rejects.toMatchObject({ code: 'failed' });
  });

  it('does not run beside a BFF with SQLite', async () => {
    const silent = { write: () => undefined };
    const bff = await createBff({ variables: rig.variables, log: silent });
    const { code, err } = await rig.run('deliver');
    await bff.stop();
    expect(code).toBe(1);
    expect(err).toContain('points to a file that another BFF process uses (STORE_IN_USE)');
  });

  it('lists every problem of the configuration', async () => {
    Object.assign(rig.variables, { BFF_PORT: 'many', PUBLIC_URL: 'nowhere' });
    const { code, err } = await rig.run('deliver');
    expect(code).toBe(1);
    expect(err).toMatch(/^The configuration is not valid:\n {2}[^]*PUBLIC_URL[^]*BFF_PORT/m);
  });
});
