import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../bff/store/open-store.ts';
import { createKey } from '../../support/applicant.ts';
import { findViolations } from './invariants.ts';
import { installAudit } from './storage.ts';
import { startSimulation } from './simulation.ts';

it('a BFF recovers from a full disk without losing an application', async ({ skip }) => {
  const disk = mountSmallDisk();
  if (!disk) return skip('this user may not mount a file system');
  onTestFinished(disk.remove);
  const { folder, fill, empty } = disk;
  const databaseUrl = `file:${join(folder, 'store.db')}`;
  const database = await openDatabase(databaseUrl);
  await installAudit(database);
  await database.close();
  const simulation = await startSimulation({ databaseUrl });
  const isReady = async () => (await simulation.bffs[0]!.app.request('/readyz')).status === 200;
  const key = createKey();
  const [before, during, after] = ['Before', 'During', 'After'].map((name) =>
    simulation.createApplicant(`${name} the Flood LLC`),
  );
  for (const applicant of [before!, during!, after!]) await applicant.begin();
  expect(await before!.submit(createKey())).toMatchObject({ outcome: 'ok' });
  expect(await isReady()).toBe(true);

  fill();
  for (let tries = 0; tries < 20; tries += 1) {
    expect(await during!.submit(key)).toMatchObject({ status: 503 });
  }
  expect(await before!.upload(1)).toMatchObject({ status: 503 });
  simulation.time.advance(2_000);
  expect(await isReady()).toBe(false);

  empty();
  simulation.time.advance(2_000);
  expect(await isReady()).toBe(true);
  expect(await during!.submit(key)).toMatchObject({ outcome: 'ok' });
  expect(await before!.upload(1)).toMatchObject({ outcome: 'ok' });
  expect(await after!.submit(createKey())).toMatchObject({ outcome: 'ok' });
  await simulation.settle();
  const evidence = await simulation.readEvidence();
  expect(evidence.ledger.leads).toHaveLength(3);
  expect(findViolations(evidence)).toEqual([]);
  await simulation.close();
});

/** A little more than the free space that the store requires. */
const megabytes = 80;

/** Returns `undefined` when this user may not mount file systems. */
function mountSmallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-disk-'));
  const size = `size=${megabytes}m`;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    /** Leaves no free space. */
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    empty: () => rmSync(filler),
    remove() {
      spawnSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
