// Docker Engine with its own storage, network, and processes: nothing outside of a temporary folder changes, all ports are free, and
// everything ends with one process. There is no registry and no internet.

import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Relay, startRelay } from './relay.ts';
import { startProgram } from '../../support/start-program.ts';

export interface DockerOptions {
  /** Root of Docker's files. */
  readonly programs: string;
  /** A server of this process that containers reach at `machineAddress` and the same port. */
  readonly serverPort: number;
  /** Port of this process at which a published port of the containers answers. */
  readonly clientPort: number;
  /** The published port. */
  readonly publishedPort: number;
}

/** Addresses of the machine of the containers, for tests (RFC 5737): one for its services, one for the applicant. */
export const machineAddress = '198.51.100.1';
export const applicantAddress = '198.51.100.7';

export type Docker = Awaited<ReturnType<typeof startDocker>>;

export async function startDocker(options: DockerOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-docker-'));
  // Users of the images must reach the folders that tests mount.
  chmodSync(folder, 0o755);
  const socket = join(folder, 'docker.sock');
  const [httpsFile, serverFile] = [join(folder, 'published'), join(folder, 'server')];
  mkdirSync(join(folder, 'client/cli-plugins'), { recursive: true });
  symlinkSync(
    join(options.programs, 'usr/libexec/docker/cli-plugins/docker-compose'),
    join(folder, 'client/cli-plugins/docker-compose'),
  );
  writeFileSync(join(folder, 'daemon.json'), '{}');
  const { programs } = options;
  const path = `${programs}/usr/bin:${programs}/usr/sbin:${process.env['PATH']}:/usr/sbin:/sbin`;
  const variables = {
    PATH: path,
    HOME: folder,
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_CONFIG: join(folder, 'client'),
  };

  const inside: Relay[] = [
    [
      { path: httpsFile },
      { host: machineAddress, port: options.publishedPort, localAddress: applicantAddress },
    ],
    [{ host: machineAddress, port: options.serverPort }, { path: serverFile }],
  ];
  const outside: Relay[] = [
    [{ host: '127.0.0.1', port: options.clientPort }, { path: httpsFile }],
    [{ path: serverFile }, { host: '127.0.0.1', port: options.serverPort }],
  ];
  const script = `
    ip link set lo up
    ip address add ${machineAddress}/32 dev lo
    ip address add ${applicantAddress}/32 dev lo
    "$1" "$2" "$3" &
    exec dockerd --config-file ${folder}/daemon.json --host unix://${socket} --pidfile ${folder}/pid \\
      --data-root ${folder}/data --exec-root ${folder}/run`;
  const relay = join(import.meta.dirname, 'relay.ts');
  const isolated = '--net --mount --pid --fork --kill-child --mount-proc'.split(' ');
  const shell = ['sh', '-ec', script, 'sh', process.execPath, relay, JSON.stringify(inside)];
  const run = async (command: string, ...args: readonly string[]) => {
    const all = [...command.trim().split(/\s+/), ...args];
    return (await promisify(execFile)('docker', all, { env: variables })).stdout;
  };
  const isReady = () =>
    run('version').then(
      () => true,
      () => false,
    );
  const engine = await startProgram({
    program: 'unshare',
    args: [...isolated, ...shell],
    env: { PATH: path },
    folder,
    isReady,
  });
  const relays = outside.map(startRelay);
  return {
    /** Environment variables with which `docker` uses this engine. */
    variables,
    folder,
    /**
     * Returns the standard output. Throws if the command fails.
     *
     * @param command arguments without spaces.
     */
    run,
    /** Ends all containers, and deletes the folder. */
    async stop() {
      await engine.stop();
      for (const relay of relays) relay.close();
    },
  };
}
