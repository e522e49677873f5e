// Podman with its own storage in a temporary folder. Nothing outside of that folder changes, and there is no registry: the base
// image consists of Debian packages of this machine and of the project's Node.

import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readTestTools } from '../../../scripts/test-tools.mjs';
import { copyPackages, createRootFolder } from './image-files.ts';

export const nodeImage = 'docker.io/library/node:24-slim';
/** Node and its libraries only, in the folder where distroless images have Node. */
export const shellFreeImage = 'localhost/node-without-shell';

const program = readTestTools().podman;
const root = join(import.meta.dirname, '../../..');
const runtimePackages = ['libc6', 'libgcc-s1', 'libstdc++6'];
const shellPackages = ['dash', 'coreutils', 'libacl1', 'libattr1', 'libselinux1', 'libpcre2-8-0'];

/** False on machines that do not allow containers. */
export const hasPodman = program !== undefined;

export type Podman = ReturnType<typeof createPodman>;

export function createPodman() {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-podman-'));
  // The image's user must reach the folders that tests mount.
  chmodSync(folder, 0o755);
  const variables = {
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
    HOME: folder,
    TMPDIR: folder,
    // Each layer of a build is a copy of the whole image in this storage.
    BUILDAH_LAYERS: 'false',
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
  };
  writeFileSync(
    variables.CONTAINERS_STORAGE_CONF,
    `[storage]
driver = "vfs"
graphroot = "${folder}/storage"
runroot = "${folder}/run"
`,
  );
  // The limits are those of this machine: a container cannot raise them.
  writeFileSync(
    variables.CONTAINERS_CONF,
    `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
netns = "host"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "${folder}/tmp"
volume_path = "${folder}/volumes"
`,
  );

  return {
    /** Environment variables with which every `podman` uses this storage. */
    variables,
    folder,
    /**
     * Returns the standard output. Throws if the command fails.
     *
     * @param command arguments without spaces.
     */
    async run(command: string, ...args: readonly string[]) {
      const all = [...command.trim().split(/\s+/), ...args];
      return (await promisify(execFile)(program!, all, { env: variables })).stdout;
    },
    /** Removes all containers and images. */
    remove() {
      spawnSync(program!, ['rm', '--all', '--force', '--time', '0'], {
        env: variables,
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Builds the images that a registry would provide. */
export async function buildBaseImages(podman: Podman): Promise<void> {
  await buildBaseImage(podman, nodeImage, 'usr/local/bin', [...runtimePackages, ...shellPackages]);
  await buildBaseImage(podman, shellFreeImage, 'nodejs/bin', runtimePackages);
}

async function buildBaseImage(
  podman: Podman,
  name: string,
  nodeFolder: string,
  packages: readonly string[],
): Promise<void> {
  const context = mkdtempSync(join(podman.folder, 'base-'));
  const files = join(context, 'files');
  createRootFolder(files);
  copyPackages(files, packages);
  mkdirSync(join(files, nodeFolder), { recursive: true });
  writeFileSync(join(files, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  cpSync(process.execPath, join(files, nodeFolder, 'node'));
  writeFileSync(
    join(context, 'Containerfile'),
    `FROM scratch\nCOPY files /\nENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n`,
  );
  await podman.run(`build --format docker --tag ${name} ${context}`);
  rmSync(context, { recursive: true });
}
