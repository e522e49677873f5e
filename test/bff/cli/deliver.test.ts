// `deliver` with a store in a file, the whole app, and the sandbox over HTTP.

import { describe, expect, it, onTestFinished } from 'vitest';
import { deliverOnce } from '../../../bff/cli/deliver.ts';
import { createBff } from '../../../bff/create-bff.ts';
import { startSandboxServer } from '../../support/sandbox-server.ts';
import { createCliRig, first, second } from './cli-rig.ts';
import { createFolder } from '../../support/temporary-folder.ts';

async function open() {
  const sandbox = await startSandboxServer();
  onTestFinished(() => sandbox.close());
  const databaseUrl = `file:${createFolder()}/store.db`;
  const rig = await createCliRig(databaseUrl);
  Object.assign(rig.variables, { DATABASE_URL: databaseUrl }, sandbox.variables);
  return { rig, sandbox };
}

describe('deliver', () => {
  it('sends what is due', async () => {
    const { rig, sandbox } = await open();
    for (const reference of [first, second]) await rig.add(reference, rig.toLeadText(reference));
    const { code, json, err } = await rig.run('deliver', '--json');
    expect({ code, json }).toEqual({ code: 0, json: { attempts: 2, hasMore: false } });
    expect(err).toContain('"event":"delivery-recorded"');
    expect(sandbox.leads()).toBe(2);
    expect((await rig.store.findApplication(first))?.state).toBe('accepted');
    const { out } = await rig.run('deliver');
    expect(out).toBe('0 attempts to deliver recorded. Nothing else is due.\n');
  });

  it('fails if the store did not take every outcome', async () => {
    const bff = {
      deliver: async () => ({ attempts: 1, hasMore: false }),
      stop: async () => 'unrecorded' as const,
    };
    await expect(deliverOnce(bff, 1000)).rejects.toMatchObject({ code: 'failed' });
  });

  it('does not run beside a BFF with SQLite', async () => {
    const { rig } = await open();
    const bff = await createBff({ variables: rig.variables, log: { write: () => undefined } });
    const { code, err } = await rig.run('deliver');
    await bff.stop();
    expect(code).toBe(1);
    expect(err).toContain('points to a file that another BFF process uses (STORE_IN_USE)');
  });
});
