// A folder in which a packed package is installed, as npm installs it, without a registry.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkModules } from './modules.ts';

export type PackedFolder = ReturnType<typeof createPackedFolder>;

/**
 * @param tarballs the packages to install, by name.
 * @param links packages of the project that the folder uses too.
 */
export function createPackedFolder(
  tarballs: Readonly<Record<string, string>>,
  links: readonly string[] = [],
) {
  const path = mkdtempSync(join(tmpdir(), 'packed-'));
  for (const [name, tarball] of Object.entries(tarballs)) {
    const folder = join(path, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    const { status, stderr } = spawnSync('tar', ['-xzf', tarball, '--strip-components=1'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${tarball} can't be unpacked: ${stderr}`);
  }
  linkModules(path, links);
  return {
    path,
    /** Runs a program in the folder. */
    run: (command: string, args: readonly string[]) => {
      const { stdout, stderr, status } = spawnSync(command, args, { cwd: path, encoding: 'utf8' });
      return { output: stdout + stderr, status };
    },
    remove: () => rmSync(path, { recursive: true }),
  };
}
