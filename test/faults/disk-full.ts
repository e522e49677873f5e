// A small file system on which a test fills the disk of the store.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Leaves no free space. */
  fill(): void;
  empty(): void;
  remove(): void;
}

/** A little more than the free space that the store requires. */
const megabytes = 80;

/** Returns `undefined` when this user may not mount file systems. */
export function mountSmallDisk(): SmallDisk | undefined {
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
