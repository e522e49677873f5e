// The files of images that a registry would provide, copied from this machine.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Creates the folders of a Debian with merged /usr: /bin is a link to /usr/bin. */
export function createRootFolder(folder: string): void {
  for (const name of ['tmp', 'var/tmp', 'var/lib', 'run', 'etc', 'proc', 'sys', 'dev'])
    mkdirSync(join(folder, name), { recursive: true });
  chmodSync(join(folder, 'tmp'), 0o1777);
  run(
    `for name in bin sbin lib lib64; do mkdir -p "$1/usr/$name"; ln -s "usr/$name" "$1/$name"; done`,
    [folder],
  );
}

/** Copies the programs and libraries of Debian packages, without their documentation and configuration. */
export function copyPackages(folder: string, packages: readonly string[]): void {
  const script = `
    folder="$1"; shift
    for package; do dpkg-query --listfiles "$package"; done | sort -u |
      while read -r file; do [ -d "$file" ] && [ ! -L "$file" ] || echo "$file"; done |
      grep -vE '^/(usr/share|etc/|bin$|lib$|sbin$|lib64$|\\.)' |
      tar --create --files-from - --transform 's,^/*\\(bin\\|sbin\\|lib\\|lib64\\)/,usr/\\1/,S' 2>/dev/null |
      tar --extract --directory "$folder"`;
  run(script, [folder, ...packages]);
}

/** Copies files and folders to the same paths, and the libraries that they load. Links become the files that they name. */
export function copyWithLibraries(folder: string, paths: readonly string[]): void {
  const script = `
    folder="$1"; shift
    cp --parents --recursive --dereference --target-directory "$folder" "$@"
    find "$@" -follow -type f \\( -perm /111 -o -name '*.so' \\) -exec ldd {} + 2>/dev/null |
      sed -nE 's,^\\s(.* => )?(/[^ ]+) .*,\\2,p' | sort -u |
      xargs cp --parents --dereference --target-directory "$folder"`;
  run(script, [folder, ...paths]);
}

function run(script: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync('sh', ['-ec', script, 'sh', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Files of an image were not copied: ${stderr}`);
}
